// Compares the estimate of mappings with their simulation: one JSON object a
// line for each program of each file that gensyn-run map made.

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/EstimateMapping.h"
#include "gensyn/Machine/MappedProgram.h"

#include <chrono>
#include <iostream>

using namespace gensyn;

namespace {

double measure(const std::function<void()> &run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  return taken.count();
}

OrderedJson describe(const machine::MappedProgram &program,
                     const machine::Statistics &found) {
  const machine::Energy &energy = found.energy;
  OrderedJson memories = OrderedJson::object();
  for (uint32_t memory : program.getMachine().sharedMemories())
    memories[program.getMachine().memories[memory].name] =
        found.memoryBytes[memory];
  OrderedJson launches = OrderedJson::array();
  for (const machine::LaunchStatistics &launch : found.launches)
    launches.push_back({launch.span, launch.bytesRead, launch.bytesWritten});
  return {{"picoseconds", found.time},
          {"energy",
           {{"units", energy.units},
            {"core_memories", energy.coreMemories},
            {"shared_memories", energy.sharedMemories},
            {"links", energy.links},
            {"signals", energy.signals},
            {"standby", energy.standby},
            {"total", energy.total()}}},
          {"bytes", memories},
          {"launches", launches}};
}

void compare(const char *file) {
  const Package package(file);
  for (const plan::PackedProgram &packed : package.message().programs()) {
    const machine::MappedProgram program(packed.executable());
    machine::Statistics simulated, estimated;
    const double simulation =
        measure([&] { simulated = machine::simulateRun(program); });
    const double estimate = measure([&] {
      estimated = machine::estimateMapping(
          program.getMachine(), program.getPlan(), program.getMapping());
    });
    const OrderedJson line = {{"file", file},
                              {"machine", program.getMachine().name},
                              {"kind", packed.executable().kind()},
                              {"digest", program.getMapping().digest()},
                              {"events", simulated.events},
                              {"simulation_seconds", simulation},
                              {"estimate_seconds", estimate},
                              {"simulated", describe(program, simulated)},
                              {"estimated", describe(program, estimated)}};
    std::cout << line.dump() << std::endl;
  }
}

} // namespace

int main(int count, char **words) {
  bool failed = count < 2;
  if (failed)
    std::cerr << "usage: gensyn-compare-estimates FILE...\n";
  for (int i = 1; i < count; ++i) {
    try {
      compare(words[i]);
    } catch (const Failure &failure) {
      std::cerr << words[i] << ": " << failure.what() << "\n";
      failed = true;
    }
  }
  return failed;
}

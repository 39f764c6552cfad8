// Compares the estimate of mappings with their simulation: one JSON object a
// line for each program of each file that gensyn-run map made. Or prints
// estimates of products of matrices, in picoseconds, for other comparisons.

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Description.h"
#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/EstimateMapping.h"
#include "gensyn/Machine/MappedProgram.h"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <set>
#include <span>

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

/// Picoseconds in which each unit computes, and those from the first task to
/// the last of launches that sum products of 8 bits.
OrderedJson describeUnits(const machine::MappedProgram &program,
                          const machine::Statistics &found) {
  const machine::Description &machine = program.getMachine();
  std::vector<int64_t> busy(machine.units.size());
  std::set<uint32_t> launches;
  for (const mapping::Segment &segment : program.getMapping().segments())
    for (const mapping::Core &core : segment.cores())
      for (const mapping::Task &task : core.tasks()) {
        if (!task.has_compute())
          continue;
        for (const mapping::Work &work :
             program.getMapping().bodies(int(task.compute().body())).work()) {
          busy[work.unit()] +=
              (1 + segment.repetitions_size()) *
              machine::estimateWork(machine, machine.cores[core.core()].kind,
                                    work);
          if (work.operation() == "multiply_add" &&
              (work.type() == "i8" || work.type() == "ui8"))
            launches.insert(task.launch());
        }
      }
  int64_t products = 0;
  for (uint32_t launch : launches)
    products += found.launches[launch].span;
  OrderedJson units = OrderedJson::object();
  for (size_t unit = 0; unit < busy.size(); ++unit)
    units[machine.units[unit].name] = busy[unit];
  return {{"units", units}, {"products", products}};
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
                              {"computing", describeUnits(program, simulated)},
                              {"simulated", describe(program, simulated)},
                              {"estimated", describe(program, estimated)}};
    std::cout << line.dump() << std::endl;
  }
}

/// Prints the estimate of each product "ROWSxCOLUMNSxDEPTH".
void estimateProducts(const std::string &name, const std::string &type,
                      std::span<char *> products) {
  const machine::Description machine = machine::findMachine(name);
  for (const std::string word : products) {
    mapping::Work work;
    work.set_operation("multiply_add");
    work.set_type(type);
    work.set_count(1);
    uint64_t sizes[3] = {};
    char end = 0;
    if (std::sscanf(word.c_str(), "%lux%lux%lu%c", &sizes[0], &sizes[1],
                    &sizes[2], &end) != 3)
      throw Failure(ExitCode::Usage,
                    word + ": a product is ROWSxCOLUMNSxDEPTH");
    work.set_rows(sizes[0]);
    work.set_columns(sizes[1]);
    work.set_depth(sizes[2]);
    const auto time = machine::estimateProduct(machine, work);
    if (!time)
      throw Failure(ExitCode::Unsupported,
                    machine.name + " has no core that multiplies " + type);
    std::cout << *time << std::endl;
  }
}

} // namespace

int main(int count, char **words) {
  bool failed = count < 2;
  if (failed)
    std::cerr << "usage: gensyn-compare-estimates FILE...\n"
                 "       gensyn-compare-estimates --products MACHINE TYPE "
                 "ROWSxCOLUMNSxDEPTH...\n";
  if (count > 4 && std::string(words[1]) == "--products") {
    try {
      estimateProducts(words[2], words[3], std::span(words + 4, words + count));
      return 0;
    } catch (const Failure &failure) {
      std::cerr << failure.what() << "\n";
      return 1;
    }
  }
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

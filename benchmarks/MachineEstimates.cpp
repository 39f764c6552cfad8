// Compares the estimate of mappings with their simulation: one JSON object a
// line for each program of each file that gensyn-run map made. Or prints the
// events that the simulation of each program handles per second of a core; or
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
#include "gensyn/Machine/Times.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
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

bool sumsProducts(const mapping::Work &work) {
  return work.operation() == "multiply_add" &&
         (work.type() == "i8" || work.type() == "ui8");
}

/// What a launch that sums products of 8 bits takes of each part of the
/// machine, and the bytes of weights that it reads, each once.
struct Products {
  /// Picoseconds of contractions, and in which the shared memories move bytes.
  int64_t computing = 0, moving = 0;
  std::map<uint32_t, uint64_t> weights; ///< bytes that copies read of a buffer
};

/// True if the buffer is a parameter or constant.
bool isWeight(const plan::Plan &plan, uint32_t number) {
  const plan::Buffer &buffer = plan.buffers(int(number));
  return buffer.has_constant() || buffer.has_prepared() ||
         (buffer.has_input() &&
          plan.inputs(int(buffer.input())).role() != "input");
}

uint64_t countRows(const mapping::Copy &copy) {
  uint64_t rows = 1;
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    rows *= dimension.count();
  return rows;
}

/// Of each launch that sums products of 8 bits: picoseconds in which units
/// compute these and in which memories move its bytes, the bytes of its
/// weights, and picoseconds from its first task to the last.
OrderedJson listProducts(const machine::MappedProgram &program,
                         const machine::Statistics &found) {
  const machine::Description &machine = program.getMachine();
  const plan::Plan &plan = program.getPlan();
  OrderedJson list = OrderedJson::array();
  for (const mapping::Segment &segment : program.getMapping().segments()) {
    std::map<uint32_t, Products> launches;
    for (const mapping::Core &core : segment.cores())
      for (const mapping::Task &task : core.tasks()) {
        Products &own = launches[task.launch()];
        if (task.has_compute()) {
          for (const mapping::Work &work :
               program.getMapping().bodies(int(task.compute().body())).work())
            if (sumsProducts(work))
              own.computing += machine::estimateWork(
                  machine, machine.cores[core.core()].kind, work);
          continue;
        }
        const mapping::Copy &copy = task.copy();
        for (const mapping::Location *end : {&copy.from(), &copy.to()})
          if (end->has_buffer()) {
            const uint64_t rows = countRows(copy);
            const machine::MemoryKind &memory =
                machine.memories[program.getMapping().memory_of_buffer(
                    int(end->buffer()))];
            own.moving += machine::timeOfBytes(
                machine::burstBytes(memory, copy.row_bytes(), rows),
                memory.bandwidth.value);
            if (isWeight(plan, end->buffer()))
              own.weights[end->buffer()] += copy.row_bytes() * rows;
          }
      }
    for (const auto &[number, own] : launches) {
      if (own.computing == 0)
        continue;
      uint64_t weights = 0;
      for (const auto &[buffer, bytes] : own.weights)
        weights += std::min(bytes, plan.buffers(int(buffer)).bytes());
      const auto add = [&](uint32_t launch) {
        list.push_back(
            {own.computing, own.moving, weights, found.launches[launch].span});
      };
      add(number);
      const auto place = std::find(segment.launches().begin(),
                                   segment.launches().end(), number) -
                         segment.launches().begin();
      for (const mapping::Repetition &repetition : segment.repetitions())
        add(repetition.launches(int(place)));
    }
  }
  return list;
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
                              {"handled_events", simulated.handledEvents},
                              {"simulation_seconds", simulation},
                              {"estimate_seconds", estimate},
                              {"products", listProducts(program, simulated)},
                              {"simulated", describe(program, simulated)},
                              {"estimated", describe(program, estimated)}};
    std::cout << line.dump() << std::endl;
  }
}

/// Prints how many events each program of a file has, how many of them are
/// handled, and in how many seconds of the processor.
void countEvents(const char *file) {
  const Package package(file);
  for (const plan::PackedProgram &packed : package.message().programs()) {
    const machine::MappedProgram program(packed.executable());
    const std::clock_t start = std::clock();
    const machine::Statistics found = machine::simulateRun(program);
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    const OrderedJson line = {
        {"file", file},
        {"machine", program.getMachine().name},
        {"kind", packed.executable().kind()},
        {"picoseconds", found.time},
        {"events", found.events},
        {"handled_events", found.handledEvents},
        {"seconds", seconds},
        {"handled_events_per_second", double(found.handledEvents) / seconds}};
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
    std::cerr << "usage: gensyn-compare-estimates [--events] FILE...\n"
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
  const bool countsEvents = count > 1 && std::string(words[1]) == "--events";
  for (int i = countsEvents ? 2 : 1; i < count; ++i) {
    try {
      countsEvents ? countEvents(words[i]) : compare(words[i]);
    } catch (const Failure &failure) {
      std::cerr << words[i] << ": " << failure.what() << "\n";
      failed = true;
    }
  }
  return failed;
}

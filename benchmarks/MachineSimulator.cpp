// Measures the events that the simulator of mappings handles per second: all
// cores of a machine read weights from the shared memory into two buffers by
// turns, and compute with them.

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/Simulator.h"

#include <algorithm>

#include <benchmark/benchmark.h>

namespace {

using namespace gensyn;

constexpr uint32_t rows = 64, rowBytes = 256;
constexpr uint64_t tileBytes = uint64_t(rows) * rowBytes;

class Streams {
public:
  Streams(const char *name, uint32_t tiles)
      : machine(machine::findMachine(name)), tiles(tiles) {
    memory = machine.sharedMemories().front();
    plan::Buffer &buffer = *plan.add_buffers();
    buffer.set_arena(0);
    buffer.set_bytes(tileBytes * tiles * machine.cores.size());
    mapping.add_memory_of_buffer(memory);
    mapping.set_version(1);
    plan.add_launches()->set_kernel("stream");
    mapping::Segment &segment = *mapping.add_segments();
    segment.add_launches(0);
    mapping::Body &body = *mapping.add_bodies();
    body.set_operands(1);
    body.add_arguments(tileBytes);
    mapping::Work &work = *body.add_work();
    work.set_operation("multiply_add");
    work.set_type("i8");
    work.set_count(1);
    work.set_rows(1);
    work.set_columns(rows);
    work.set_depth(rowBytes);
    work.set_unit(machine::chooseUnit(machine, 0, work));
    for (uint32_t core = 0; core < machine.cores.size(); ++core)
      if (!machine.cores[core].isDead)
        addCore(segment, core);
  }

  machine::Statistics run() const {
    machine::Simulator simulator(machine, plan, mapping);
    simulator.run(0);
    return simulator.statistics();
  }

private:
  void addCore(mapping::Segment &segment, uint32_t number) {
    mapping::Core &core = *segment.add_cores();
    core.set_core(number);
    const auto path = static_cast<uint32_t>(mapping.paths_size());
    mapping::Path &links = *mapping.add_paths();
    for (uint32_t link : machine.route(machine.memories[memory].nodes.front(),
                                       machine.cores[number].node))
      links.add_links(link);
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      mapping::Task &load = *core.add_tasks();
      if (tile >= 2)
        load.add_after(2 * (tile - 2) + 1);
      mapping::Copy &copy = *load.mutable_copy();
      copy.mutable_from()->set_buffer(0);
      copy.mutable_from()->set_offset((number * tiles + tile) * tileBytes);
      copy.mutable_to()->set_local(tile % 2 * tileBytes);
      copy.set_row_bytes(rowBytes);
      mapping::Copy::Dimension &dimension = *copy.add_dimensions();
      dimension.set_count(rows);
      dimension.set_from_stride(rowBytes);
      dimension.set_to_stride(rowBytes);
      copy.set_path(path);
      mapping::Task &compute = *core.add_tasks();
      compute.add_after(2 * tile);
      compute.mutable_compute()->add_arguments()->set_local(tile % 2 *
                                                            tileBytes);
    }
  }

  machine::Description machine;
  uint32_t tiles, memory = 0;
  plan::Plan plan;
  mapping::Mapping mapping;
};

void streamWeights(benchmark::State &state, const char *name) {
  const Streams streams(name, static_cast<uint32_t>(state.range(0)));
  machine::Statistics found;
  for (auto _ : state)
    found = streams.run();
  const auto events = static_cast<double>(found.events);
  state.counters["events"] = events;
  state.counters["events/s"] =
      benchmark::Counter(events * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
  state.counters["simulated ms"] = static_cast<double>(found.time) * 1e-9;
  state.counters["memory busy ms"] =
      static_cast<double>(
          *std::max_element(found.memoryBusy.begin(), found.memoryBusy.end())) *
      1e-9;
}
BENCHMARK_CAPTURE(streamWeights, chip, "spinnaker2-chip")
    ->Arg(32)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(streamWeights, board, "spinnaker2-board")
    ->Arg(2)
    ->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();

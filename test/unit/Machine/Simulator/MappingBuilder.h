// Mappings by hand, for the star of MachineBuilder.h: every task belongs to one
// launch of a plan, whose buffers all lie in the shared memory.
#ifndef GENSYN_TEST_UNIT_MACHINE_SIMULATOR_MAPPINGBUILDER_H
#define GENSYN_TEST_UNIT_MACHINE_SIMULATOR_MAPPINGBUILDER_H

#include "../MachineBuilder.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Simulator.h"

#include <string>
#include <utility>
#include <vector>

namespace gensyn::test {

inline mapping::Location local(uint64_t address) {
  mapping::Location location;
  location.set_local(address);
  return location;
}
inline mapping::Location buffer(uint32_t number, uint64_t offset = 0) {
  mapping::Location location;
  location.set_buffer(number);
  location.set_offset(offset);
  return location;
}
inline mapping::Location remote(uint32_t core, uint64_t address) {
  mapping::Location location;
  location.set_core(core);
  location.set_offset(address);
  return location;
}

/// A task whose order is set by calls that can be chained.
struct TaskBuilder {
  mapping::Task *task;
  TaskBuilder &after(uint32_t number) {
    task->add_after(number);
    return *this;
  }
  /// Of a copy.
  TaskBuilder &channel(uint32_t number) {
    task->mutable_copy()->set_channel(number);
    return *this;
  }
  TaskBuilder &awaits(uint32_t counter, uint32_t value = 1) {
    mapping::Await *await = task->add_awaits();
    await->set_counter(counter);
    await->set_value(value);
    return *this;
  }
  TaskBuilder &signals(uint32_t counter) {
    task->add_signals(counter);
    return *this;
  }
  TaskBuilder &rows(uint64_t count, int64_t from, int64_t to) {
    auto *dimension = task->mutable_copy()->add_dimensions();
    dimension->set_count(count);
    dimension->set_from_stride(from);
    dimension->set_to_stride(to);
    return *this;
  }
};

/// A star, a plan of one launch and a mapping of one segment. Path 2 * c leads
/// from the memory to core c, path 2 * c + 1 back.
struct Mapped {
  machine::Description machine;
  plan::Plan plan;
  mapping::Mapping mapping;

  explicit Mapped(uint32_t cores, const std::vector<uint64_t> &buffers = {})
      : machine(makeStar(cores)) {
    plan::Launch *launch = plan.add_launches();
    launch->set_operation("m.onnx: node 'fc' (Gemm)");
    launch->set_kernel("contract_0");
    mapping.set_version(1);
    uint64_t arena = 0;
    for (uint64_t bytes : buffers) {
      plan::Buffer *buffer = plan.add_buffers();
      buffer->set_bytes(bytes);
      buffer->set_arena(arena);
      arena += (bytes + 63) / 64 * 64;
      mapping.add_memory_of_buffer(1);
    }
    plan.set_arena_bytes(arena);
    segment().add_launches(0);
    for (uint32_t core = 0; core < cores; ++core) {
      mapping.add_paths()->add_links(linkTo(core));
      mapping.add_paths()->add_links(linkFrom(core));
      segment().add_cores()->set_core(core);
    }
  }

  mapping::Segment &segment() {
    return *(mapping.segments().empty() ? mapping.add_segments()
                                        : mapping.mutable_segments(0));
  }
  TaskBuilder add(uint32_t core) {
    return {segment().mutable_cores(int(core))->add_tasks()};
  }
  TaskBuilder copy(uint32_t core, const mapping::Location &from,
                   const mapping::Location &to, uint64_t bytes, uint32_t path) {
    TaskBuilder task = add(core);
    mapping::Copy &copy = *task.task->mutable_copy();
    *copy.mutable_from() = from;
    *copy.mutable_to() = to;
    copy.set_row_bytes(bytes);
    copy.set_path(path);
    return task;
  }
  /// From a buffer to the memory of a core, and back.
  TaskBuilder load(uint32_t core, const mapping::Location &from, uint64_t to,
                   uint64_t bytes) {
    return copy(core, from, local(to), bytes, 2 * core);
  }
  TaskBuilder store(uint32_t core, uint64_t from, const mapping::Location &to,
                    uint64_t bytes) {
    return copy(core, local(from), to, bytes, 2 * core + 1);
  }
  /// From a buffer to the same address on all cores, by the first one: path
  /// 2 * cores, a tree.
  TaskBuilder multicast(const mapping::Location &from, uint64_t to,
                        uint64_t bytes) {
    const auto cores = uint32_t(machine.cores.size());
    machine.network.hasMulticast = true;
    mapping::Path &tree = *mapping.add_paths();
    for (uint32_t core = 0; core < cores; ++core)
      tree.add_links(linkTo(core));
    TaskBuilder task = copy(0, from, local(to), bytes, 2 * cores);
    for (uint32_t core = 1; core < cores; ++core)
      *task.task->mutable_copy()->add_others() = remote(core, to);
    return task;
  }
  /// A body with so many operations on f32, on the scalar unit.
  uint32_t body(uint64_t operations, const std::vector<uint64_t> &arguments,
                uint32_t operands) {
    mapping::Body &body = *mapping.add_bodies();
    body.set_name("body_" + std::to_string(mapping.bodies_size() - 1));
    body.mutable_arguments()->Add(arguments.begin(), arguments.end());
    body.set_operands(operands);
    mapping::Work &work = *body.add_work();
    work.set_operation("float");
    work.set_type("f32");
    work.set_count(operations);
    return uint32_t(mapping.bodies_size() - 1);
  }
  TaskBuilder compute(uint32_t core, uint32_t body,
                      const std::vector<mapping::Location> &arguments) {
    TaskBuilder task = add(core);
    task.task->mutable_compute()->set_body(body);
    for (const mapping::Location &argument : arguments)
      *task.task->mutable_compute()->add_arguments() = argument;
    return task;
  }
  /// Task `number` of a core.
  mapping::Task &task(uint32_t core, uint32_t number) {
    return *segment().mutable_cores(int(core))->mutable_tasks(int(number));
  }

  machine::Statistics simulate() const {
    machine::Simulator simulator(machine, plan, mapping);
    for (int i = 0; i < mapping.segments_size(); ++i)
      simulator.run(size_t(i));
    return simulator.statistics();
  }
  /// The line of the failure of a simulation in counts; empty if it ends.
  std::string failure(ExitCode code = ExitCode::BadInput) const {
    try {
      simulate();
    } catch (const Failure &failure) {
      return failure.code == code
                 ? failure.what()
                 : "another code: " + std::string(failure.what());
    }
    return "";
  }
};

/// The beginning of every line about a task.
inline std::string taskName(uint32_t core, uint32_t task) {
  return "segment 0, core " + std::to_string(core) + ", task " +
         std::to_string(task) +
         " (m.onnx: node 'fc' (Gemm), kernel contract_0): ";
}

} // namespace gensyn::test

#endif

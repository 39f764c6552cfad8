// The bytes of all cores' memories, and what tasks in flight do with them.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_VALUES_COREMEMORIES_H
#define GENSYN_LIB_MACHINE_SIMULATOR_VALUES_COREMEMORIES_H

#include "../Binding.h"
#include "../Program.h"
#include "AccessHistory.h"
#include "TaskOrder.h"

#include "gensyn/Executable/Support/AlignedMemory.h"
#include "gensyn/Machine/Simulator.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gensyn::machine {

/// Bytes of which each knows if it was written.
class WrittenBytes {
public:
  /// `size` bytes, of which the first `count` are FF and unwritten.
  void reset(uint64_t size, uint64_t count);
  /// The same of all but some bytes: ascending pairs of their begin and end.
  void keep(std::span<const std::pair<int64_t, int64_t>> rows);
  uint8_t *data() { return bytes.get(); }
  void write(int64_t begin, int64_t count);
  std::optional<int64_t> findUnwritten(int64_t begin, int64_t count) const;

private:
  AlignedBytes bytes;
  uint64_t allocated = 0, used = 0;
  std::vector<uint64_t> written;
};

/// Reads count when a task starts, and writes when it ends. Bytes are moved and
/// bodies run at the end, in place: that is the same, since it is a fault if a
/// task writes what another one reads or writes and nothing orders the two. So
/// times cannot change a byte either.
class CoreMemories {
public:
  explicit CoreMemories(const Subject &subject) : subject(subject) {
    memories.resize(subject.machine.cores.size());
  }

  /// Begins a repetition of a segment: memories are FF, and nothing is written
  /// but what was copied ahead, if something was.
  void reset(const Program &program, const Bindings &bindings,
             const Values &values, bool hasAhead);
  /// Throws a Failure (bug) for a read of bytes that no task wrote, and for a
  /// conflict with a task that is in flight or was not waited for.
  void begin(uint32_t task);
  /// Moves bytes or computes.
  void end(uint32_t task);

  /// For the events of counters.
  TaskOrder order;

private:
  /// The bytes of cores that are copied ahead, as they are.
  void keepAhead();
  /// Copies the weights that lie in cores, which also did so before.
  void loadResidents();
  const Binding &bindingOf(uint32_t task) const {
    return bindings->of(program->tasks[task].isAhead);
  }
  TaskValues valuesOf(uint32_t task) const;
  void findAccesses(uint32_t task);
  void addAccess(uint32_t task, const mapping::Location &location,
                 Region region, bool isWrite, int argument);
  /// The address of a location in this host's memory.
  uint8_t *pointerTo(uint32_t task, const mapping::Location &location);
  uint32_t memoryOf(uint32_t core, const mapping::Location &location) const;
  void checkWritten(const Access &access);
  void checkOrder(const Access &access);
  void checkWithin(const Access &access, const Access &other);
  void compute(uint32_t number);
  void recordFaults(uint32_t number, const mapping::Compute &compute,
                    std::span<const uint64_t> words);
  [[noreturn]] void fail(uint32_t task, const std::string &text) const;
  std::string describeByte(const Access &access, int64_t address) const;

  const Subject &subject;
  const Program *program = nullptr;
  const Bindings *bindings = nullptr;
  const Values *values = nullptr;
  std::vector<WrittenBytes> memories;
  AccessHistory history;
  /// Of one task.
  std::vector<Access> accesses;
  std::vector<uint8_t *> arguments;
  std::vector<uint64_t> faultWords;
};

} // namespace gensyn::machine

#endif

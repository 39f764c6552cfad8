// What a mapped program takes of its machine, and where the time of a run goes.

#ifndef GENSYN_MACHINE_REPORT_H
#define GENSYN_MACHINE_REPORT_H

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Machine/DescribeMachine.h"
#include "gensyn/Machine/MappedProgram.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::machine {

/// A shared memory and the bytes of the plan's buffers in it.
struct SharedUse {
  std::string name;
  uint64_t used = 0, usable = 0;
};

/// What a mapping takes of a machine.
struct MappingFacts {
  std::string digest, machine;
  uint64_t cores = 0, liveCores = 0; ///< with tasks; all that work
  uint64_t segments = 0, computes = 0, copies = 0, bodies = 0;
  /// The most bytes of its own memory that a core uses, the first such core,
  /// and the bytes that it may use.
  uint64_t memoryPeak = 0, memoryUsable = 0;
  uint32_t peakCore = 0;
  std::vector<SharedUse> shared;
};

/// The statistics are those of a run and of what prepares it.
MappingFacts describeMapping(const MappedProgram &program,
                             const Statistics &run,
                             const Statistics &preparation);

/// The energy of what was simulated, with the ends of its interval: those of
/// all energies in the machine file together. Times are at their values.
Interval energyOf(const MappedProgram &program, const Statistics &statistics);

/// [value, low, high]
OrderedJson toJson(const Interval &interval);

/// "1.234 ms": in the largest unit of which it is at least one, rounded to
/// thousandths.
std::string printTime(int64_t picoseconds);
std::string printEnergy(int64_t femtojoules);
/// The same with "[low, high]" behind it, unless both are the value.
std::string printEnergy(const Interval &femtojoules);
std::string printBytes(uint64_t bytes);

} // namespace gensyn::machine

#endif

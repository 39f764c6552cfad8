// What a mapped program takes of its machine, and where the time of a run goes.

#ifndef GENSYN_MACHINE_REPORT_H
#define GENSYN_MACHINE_REPORT_H

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Machine/DescribeMachine.h"
#include "gensyn/Machine/MappedProgram.h"
#include "gensyn/Machine/Times.h"

#include <cstdint>
#include <optional>
#include <span>
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
  /// Tasks count as often as they repeat.
  uint64_t segments = 0, computes = 0, copies = 0, bodies = 0;
  /// Tasks that the mapping lists, each once, and launches that are mapped once
  /// and run several times.
  uint64_t listed = 0;
  struct Repeat {
    uint64_t launches, times;
  };
  std::vector<Repeat> repeats;
  /// The most bytes of its own memory that a core uses, the first such core,
  /// and the bytes that it may use.
  uint64_t memoryPeak = 0, memoryUsable = 0;
  uint32_t peakCore = 0;
  std::vector<SharedUse> shared;
  /// Entries of the router of a chip (RoutingEntries.h), and how many it has: 0
  /// if the machine file does not say.
  uint64_t entries = 0, entriesOfRouter = 0;
  uint32_t entriesChip = 0;
  /// Of weights, if some were to stay in cores: bytes that do, and bytes that
  /// tasks copy in a run. Null: none were to.
  struct Weights {
    uint64_t resident = 0, streamed = 0;
  };
  std::optional<Weights> weights;
};

/// The statistics are those of a run and of what prepares it.
MappingFacts describeMapping(const MappedProgram &program,
                             const Statistics &run,
                             const Statistics &preparation);

/// A part of an energy: "memories of cores", the same in JSON.
struct EnergyPart {
  int64_t Energy::*energy;
  const char *name, *key;
};
std::span<const EnergyPart> energyParts();

/// The energy of what was simulated at the low and at the high ends of all
/// energies in the machine file together. Times are at their values.
struct EnergyEnds {
  Energy low, high;
};
EnergyEnds energyEndsOf(const MappedProgram &program,
                        const Statistics &statistics);
/// The same of the sum of all parts.
Interval energyOf(const MappedProgram &program, const Statistics &statistics);

/// Launches with the same pieces, and what they did together.
struct KernelReport {
  std::string kernel, operation; ///< of the first launch
  std::vector<uint32_t> launches;
  /// Sums; `cores` is the largest.
  LaunchStatistics sums;
};

/// How busy a shared memory or a link was.
struct ResourceUse {
  std::string name;
  uint64_t bytes = 0;
  int64_t busy = 0; ///< picoseconds
};

/// Where time and energy of a simulation went.
struct RunReport {
  int64_t time = 0;
  std::vector<KernelReport> kernels; ///< that with the longest path first
  PathTime path;                     ///< of all kernels: `time` in all
  uint64_t cores = 0;                ///< that work
  /// Sums over cores, in picoseconds: computing; waiting for copies of the same
  /// core; waiting for other cores. The rest of cores * time is without tasks.
  Wide computing = 0, waiting = 0, waitingForOthers = 0;
  Energy energy;
  Interval totalEnergy;
  std::vector<ResourceUse> memories; ///< shared ones
  ResourceUse busiestLink;
};

/// What a simulation takes for granted, as sentences; with values, only what is
/// left out.
std::vector<std::string> listAssumptions(const plan::Plan &plan,
                                         bool hasValues);

RunReport makeReport(const MappedProgram &program,
                     const Statistics &statistics);

/// What the compiler noted about the slowest kernels: operands that it left in
/// place, and why there are fewer parts than cores. Several lines; empty if
/// there is nothing.
std::string printNotes(const MappedProgram &program, const RunReport &report);
OrderedJson notesToJson(const MappedProgram &program);

/// What limits the slowest kernels: a title and a line for each.
std::string printLimits(const RunReport &report);
/// Several lines: kernels, cores, energy, memory, and what limits the slowest
/// kernels.
std::string printReport(const RunReport &report);
OrderedJson toJson(const RunReport &report);

/// A part of a critical path.
struct PathPart {
  int64_t PathTime::*time;
  /// "copy engine", the same in JSON, and what happens then: "copy engines of
  /// its cores move data".
  const char *name, *key, *meaning;
};
std::span<const PathPart> pathParts();
/// The largest part.
const PathPart &boundOf(const PathTime &path);

OrderedJson toJson(const Energy &energy);
/// [value, low, high]
OrderedJson toJson(const Interval &interval);

/// "12.3 %", rounded to tenths.
std::string printPercent(Wide part, Wide whole);
/// "1.234 ms": in the largest unit of which it is at least one, rounded to
/// thousandths.
std::string printTime(int64_t picoseconds);
std::string printEnergy(int64_t femtojoules);
/// The same with "[low, high]" behind it, unless both are the value.
std::string printEnergy(const Interval &femtojoules);
std::string printBytes(uint64_t bytes);

} // namespace gensyn::machine

#endif

// Several values for numbers of a machine file, and which are worth their cost.

#ifndef GENSYN_MACHINE_SWEEP_H
#define GENSYN_MACHINE_SWEEP_H

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Machine/MachineNumbers.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::machine {

/// A number and the values that it takes.
struct SweepAxis {
  MachineNumber number;
  std::vector<int64_t> values; ///< in base units, ascending
};

/// Values of all axes, and what the program costs there.
struct SweepPoint {
  std::vector<int64_t> values;
  /// The text of the machine file.
  std::string machine;
  /// Why the program is not mapped; empty if it is.
  std::string problem;
  std::string digest;
  /// Of a run, by the estimate.
  int64_t time = 0, energy = 0;
  uint64_t bytes = 0; ///< of shared memories
  /// The sum of the sizes that are swept.
  int64_t size = 0;
  /// True if no other point costs less without costing more in something else.
  bool isOnFront = false;
};

struct Sweep {
  std::string model, program;
  std::vector<SweepAxis> axes;
  /// All combinations, the last axis first.
  std::vector<SweepPoint> points;

  bool hasSize() const;
};

/// Reads "dram.bandwidth=2:16:4,npu-sram.size=64K:1M": paths, first and last
/// values, and how many in geometric steps, 8 if that is missing; a single
/// value stays. Each point is a machine file of its own, which is checked.
/// Throws a Failure: usage for the text, bad input for a value that the file
/// may not have.
Sweep parseSweep(std::string_view text, const Description &machine);

/// Sets isOnFront: by time, energy and, if sizes are swept, size.
void markFront(Sweep &sweep);

/// A table; of many points those on the front alone.
std::string printSweep(const Sweep &sweep);
OrderedJson toJson(const Sweep &sweep);
/// An HTML page.
std::string makeSweepPage(const Sweep &sweep, const Description &machine);

} // namespace gensyn::machine

#endif

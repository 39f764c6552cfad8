// What a machine amounts to, as a table.

#ifndef GENSYN_MACHINE_DESCRIBEMACHINE_H
#define GENSYN_MACHINE_DESCRIBEMACHINE_H

#include "gensyn/Machine/Description.h"

#include <string>
#include <vector>

namespace gensyn::machine {

/// A number computed of several numbers of a file. The true one lies in
/// [low, high].
struct Interval {
  int64_t value = 0, low = 0, high = 0;
};

/// Over all cores of a machine, dead ones included, as data sheets count.
struct Totals {
  uint64_t cores = 0, deadCores = 0;
  Interval coreMemory;      ///< bytes
  Interval sharedMemory;    ///< bytes
  Interval sharedBandwidth; ///< bytes a second
  /// Numbers in the file, and those of sources that are assumptions.
  uint64_t numbers = 0, assumed = 0;
};

Totals totalsOf(const Description &machine);

/// Multiplications and additions a second, two for each point of a contraction
/// of that element type: of each core's fastest unit, whole steps, without
/// starts, loads and stores.
Interval peakOf(const Description &machine, const std::string &type);

/// A text of several lines: memories, units, cores, network and totals, with
/// intervals in brackets.
std::string describe(const Description &machine);

} // namespace gensyn::machine

#endif

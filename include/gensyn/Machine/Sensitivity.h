// How time and energy of a mapping depend on the numbers of its machine file.

#ifndef GENSYN_MACHINE_SENSITIVITY_H
#define GENSYN_MACHINE_SENSITIVITY_H

#include "gensyn/Machine/MachineNumbers.h"
#include "gensyn/Machine/MappedProgram.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::machine {

/// A number of the machine file at two values, all others as they are.
struct Sensitivity {
  size_t number = 0; ///< index into listNumbers
  /// The ends of its interval, or a tenth less and more.
  int64_t low = 0, high = 0;
  /// Picoseconds and femtojoules of a run at both, by the estimate.
  int64_t timeAtLow = 0, timeAtHigh = 0;
  int64_t energyAtLow = 0, energyAtHigh = 0;
};

struct Sensitivities {
  /// By the estimate, at the file's values.
  int64_t time = 0, energy = 0;
  std::vector<Sensitivity> numbers;
  /// Numbers that this mapping does not depend on: rates of operations that it
  /// has none of, and sizes, which decide the mapping and not its cost.
  std::vector<size_t> without;
  /// A value of a number at which there is no estimate; it counts as no change.
  std::string problem;
};

/// Estimates the mapping at both ends of each number.
Sensitivities findSensitivities(const MappedProgram &program,
                                const std::vector<MachineNumber> &numbers);

/// d ln(cost) / d ln(number) between both ends: 1 if they are proportional.
double elasticity(int64_t costAtLow, int64_t costAtHigh, int64_t low,
                  int64_t high);

/// For each rate of a unit, in the order of the file, if bodies of the mapping
/// use it.
std::vector<std::vector<bool>> findUsedRates(const MappedProgram &program);

} // namespace gensyn::machine

#endif

// A machine at the ends of its energies.

#ifndef GENSYN_LIB_MACHINE_REPORT_ENERGY_H
#define GENSYN_LIB_MACHINE_REPORT_ENERGY_H

#include "gensyn/Machine/Description.h"

namespace gensyn::machine {

/// The machine with all energies and powers at the low or high ends of their
/// intervals.
Description atEnergyEnd(const Description &machine, int64_t Quantity::*end);

} // namespace gensyn::machine

#endif

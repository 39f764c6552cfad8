// Time, energy and bytes of a whole mapping without a simulation.

#ifndef GENSYN_MACHINE_ESTIMATEMAPPING_H
#define GENSYN_MACHINE_ESTIMATEMAPPING_H

#include "gensyn/Machine/Simulator.h"

#include <span>

namespace gensyn::machine {

/// Estimates one run of the plan's steps: loops run until their bound, and
/// branches take their first side. No packet is followed: a copy takes the
/// time of its slowest resource, and shares each one with the copies at it
/// then. Nothing is fitted to any machine.
///
/// Bytes, and energies but that of standby, which follows from the time, are
/// those of the simulation; the time of launches is in `span`. What needs
/// packets is 0: events, critical paths, and the statistics of cores.
///
/// Throws a Failure: bad input for a mapping that does not fit machine and
/// plan, bug for a deadlock, unsupported for one that is too large.
Statistics estimateMapping(const Description &machine, const plan::Plan &plan,
                           const mapping::Mapping &mapping);

/// The energy of what was simulated or estimated on a machine with other
/// energies and powers: that of its simulation there, if times are the same.
Energy sumEnergy(const Description &machine, const mapping::Mapping &mapping,
                 const Statistics &statistics);

} // namespace gensyn::machine

#endif

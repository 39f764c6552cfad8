// Which tasks of a mapping make a value, to explain a wrong one.

#ifndef GENSYN_MACHINE_WRITERS_H
#define GENSYN_MACHINE_WRITERS_H

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::plan {
class Plan;
} // namespace gensyn::plan

namespace gensyn::mapping {
class Mapping;
} // namespace gensyn::mapping

namespace gensyn::machine {

struct Description;

/// Returns the task that writes a byte of a buffer of the plan, as "segment 0,
/// core 2, task 9 (kernel k1_contract)"; empty if none does. Of several it is
/// the last one of the last launch in the mapping, as loops and branches cannot
/// be followed here. The mapping must have passed the checks of Simulator.
std::string findWriter(const Description &machine, const plan::Plan &plan,
                       const mapping::Mapping &mapping, uint32_t buffer,
                       uint64_t byte);

/// Returns the tasks whose fault words for a slot of the plan count an element
/// (row-major in its tensor), in the order of the mapping, as above.
std::vector<std::string> findFaultCounters(const Description &machine,
                                           const plan::Plan &plan,
                                           const mapping::Mapping &mapping,
                                           uint32_t slot, uint64_t element);

} // namespace gensyn::machine

#endif

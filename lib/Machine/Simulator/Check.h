// Checks of a mapping, which may come from a file that nobody vouches for.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_CHECK_H
#define GENSYN_LIB_MACHINE_SIMULATOR_CHECK_H

#include "Region.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Description.h"

#include <cstdint>
#include <span>
#include <string>

namespace gensyn::machine {

/// The version of mappings that this simulator reads.
constexpr uint32_t mappingVersion = 1;
/// The most bytes of one copy.
constexpr int64_t mostCopyBytes = int64_t(1) << 48;

/// What the simulator works on.
struct Subject {
  const Description &machine;
  const plan::Plan &plan;
  const mapping::Mapping &mapping;
};

/// Throws a Failure (bad input) for the first part of a mapping that does not
/// fit machine or plan.
void checkMapping(const Subject &subject);

/// Bytes of a core's memory that tasks may use: addresses from 0 on.
int64_t usableBytes(const Description &machine, uint32_t core);

/// "segment 0, core 3, task 5 (model.onnx: node 'fc' (Gemm), kernel
/// contract_0123)". Core is a core of the machine. Of a repetition after the
/// first, which is number 0: "segment 0, repetition 1, core 3, ...".
std::string describeTask(const Subject &subject, size_t segment, uint32_t core,
                         uint32_t number, const mapping::Task &task,
                         uint32_t repetition = 0);

/// The bytes at a location, relative to the beginning of its memory or buffer.
/// The mapping is checked.
Region makeRegion(const mapping::Location &location, uint64_t bytes);
Region makeRegion(const mapping::Copy &copy, bool isFrom);
Region makeDestinationRegion(const mapping::Copy &copy,
                             const mapping::Location &destination);

/// Visits each location to which a copy brings its bytes.
template <class Visit>
void forEachDestination(const mapping::Copy &copy, Visit visit) {
  visit(copy.to());
  for (const mapping::Location &other : copy.others())
    visit(other);
}

/// The nodes at which a path from or to a location may begin or end.
std::span<const uint32_t> nodesOf(const Subject &subject, uint32_t core,
                                  const mapping::Location &location);

/// "segment 0, core 3, resident 5 (kernel contract_0123)".
std::string describeResident(const Subject &subject, size_t segment,
                             uint32_t core, int number);

/// The bytes of a repetition in the core's memory.
Region makeResidentRegion(const mapping::Resident &resident,
                          uint32_t repetition);

/// Throws a Failure (bad input) if residents are not of weights, if two have
/// different bytes at an address, or if a task writes there. The rest of the
/// mapping is checked.
void checkResidents(const Subject &subject);

} // namespace gensyn::machine

#endif

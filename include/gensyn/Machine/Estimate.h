// Times and energies in closed form, for searches. The simulator computes work
// and the parts of copies by these functions, so that both agree.

#ifndef GENSYN_MACHINE_ESTIMATE_H
#define GENSYN_MACHINE_ESTIMATE_H

#include "gensyn/Machine/Description.h"
#include "gensyn/Machine/Times.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gensyn::mapping {
class Body;
class Work;
} // namespace gensyn::mapping

namespace gensyn::machine {

/// What chooseUnit returns if no unit computes the work.
constexpr uint32_t noUnit = ~uint32_t(0);

/// The rate at which a unit computes this work to the bits of docs/Numerics.md;
/// null if it does not. Integer sums of products need an accumulator that holds
/// them, whatever the operands are: depth * (greatest product) < 2^(bits-1).
/// One with as many bits as the element type wraps as the sum does.
const Rate *findRate(const ComputeUnit &unit, const mapping::Work &work);

/// Thousandths of cycles of work at a rate, without the unit's start; parts of
/// a step take a whole one.
Wide countMillicycles(const Rate &rate, const mapping::Work &work);

/// The types whose products kinds of cores sum that load, store and compute
/// nothing else, sorted: there a contraction must be a kernel of its own.
std::vector<std::string> listTypesOfProductsAlone(const Description &machine);

/// Picoseconds of work on its unit: the unit's start and its steps. Throws a
/// Failure (bug) if the unit has no rate for it.
int64_t estimateWork(const Description &machine, uint32_t kind,
                     const mapping::Work &work);

/// Picoseconds of a task that computes a body whose operands and results are in
/// the core's memory: the core's issue and all work.
int64_t estimateBody(const Description &machine, uint32_t kind,
                     const mapping::Body &body);

/// The unit of a core kind that computes this work in the shortest time, the
/// first one of equals; noUnit if none does. work.unit is ignored.
uint32_t chooseUnit(const Description &machine, uint32_t kind,
                    const mapping::Work &work);

/// Femtojoules of the unit, and of the core's memory if the work is loads or
/// stores.
struct WorkEnergy {
  int64_t unit = 0, memory = 0;
};
WorkEnergy estimateWorkEnergy(const Description &machine, uint32_t kind,
                              const mapping::Work &work);

/// Picoseconds in which a core's engine starts a copy, and in which it moves
/// all rows.
int64_t estimateEngineStart(const Description &machine, uint32_t kind);
int64_t estimateEngine(const Description &machine, uint32_t kind,
                       uint64_t rowBytes, uint64_t rows);

/// Bytes that a shared memory moves for rows that begin at a multiple of its
/// burst: whole bursts.
uint64_t burstBytes(const MemoryKind &memory, uint64_t rowBytes, uint64_t rows);

/// The packets of a copy: those of whole rows, or whole ones in a row. A copy
/// of more than mostPackets has that many larger ones.
constexpr uint32_t mostPackets = uint32_t(1) << 22;
uint32_t countPackets(const Description &machine, uint64_t rowBytes,
                      uint64_t rows);

/// Picoseconds of a copy between a core's memory and a shared one while
/// `concurrentCores` cores do the same, this one included: the engine's start,
/// the latencies, and the slowest of engine, share of the memory and links of
/// the path. An empty path counts no links.
int64_t estimateCopy(const Description &machine, uint32_t core, uint32_t memory,
                     uint64_t rowBytes, uint64_t rows, uint32_t concurrentCores,
                     std::span<const uint32_t> path = {});

/// Femtojoules of that copy: both memories and the links.
int64_t estimateCopyEnergy(const Description &machine, uint32_t core,
                           uint32_t memory, bool isRead, uint64_t rowBytes,
                           uint64_t rows, std::span<const uint32_t> path = {});

/// Picoseconds in which all cores that multiply such elements compute a product
/// of matrices [rows, depth] and [depth, columns] (work of `multiply_add`; its
/// count is 1) as a kernel of its own, with the issue of one task: rounds of
/// tiles that stay in the cores while their operands pass, or once all bytes of
/// operands and result by the first shared memory, whichever takes longer.
/// Tiles are the fastest powers of two of the unit's step that fit beside two
/// slices of the operands, with results of 4 bytes. Nothing: no core multiplies
/// them.
std::optional<int64_t> estimateProduct(const Description &machine,
                                       const mapping::Work &work);
constexpr uint64_t accumulatorBytes = 4;

} // namespace gensyn::machine

#endif

// The time of a product of matrices on all cores, in closed form.

#include "gensyn/Machine/Estimate.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Times.h"
#include "gensyn/Numerics/ElementType.h"

#include <algorithm>

namespace gensyn::machine {

namespace {

/// The cores of one kind that multiply, and how.
struct Multiplier {
  uint32_t core = 0; ///< the first of them
  uint64_t cores = 0;
  const Rate *rate = nullptr;
  const ComputeUnit *unit = nullptr;
};

Multiplier findMultiplier(const Description &machine,
                          const mapping::Work &work) {
  Multiplier best;
  for (uint32_t core = 0; core < machine.cores.size(); ++core) {
    if (machine.cores[core].isDead)
      continue;
    if (best.cores > 0) {
      best.cores += machine.cores[core].kind == machine.cores[best.core].kind;
      continue;
    }
    const uint32_t unit = chooseUnit(machine, machine.cores[core].kind, work);
    if (unit == noUnit)
      continue;
    best = {core, 1, findRate(machine.units[unit], work), &machine.units[unit]};
  }
  return best;
}

} // namespace

std::optional<int64_t> estimateProduct(const Description &machine,
                                       const mapping::Work &work) {
  const Multiplier found = findMultiplier(machine, work);
  const auto type = elementTypeFromName(work.type());
  if (!found.rate || !type || machine.sharedMemories().empty())
    return std::nullopt;
  const auto bytes = static_cast<uint64_t>(byteWidth(*type));
  const MemoryKind &own = machine.memoryOf(found.core);
  const MemoryKind &shared = machine.memories[machine.sharedMemories().front()];
  const uint32_t kind = machine.cores[found.core].kind;
  const uint64_t memory = factor(own.size.value - own.reserved.value);
  const auto &step = found.rate->step;
  const auto clock = machine.clocks[found.unit->clock].frequency.value;
  std::optional<int64_t> shortest;
  // Tiles of the result stay in a core, while slices of both operands come.
  for (uint64_t rows = factor(step[0]); rows < 2 * work.rows(); rows *= 2)
    for (uint64_t columns = factor(step[1]); columns < 2 * work.columns();
         columns *= 2) {
      const Wide kept = product(product(rows, columns), accumulatorBytes);
      const Wide slices =
          product(product(rows + columns, factor(step[2])), 2 * bytes);
      if (kept + slices > memory)
        break;
      mapping::Work tile = work;
      tile.set_rows(rows);
      tile.set_columns(columns);
      const int64_t computing =
          timeOfCycles(countMillicycles(*found.rate, tile), clock);
      const int64_t copying = estimateEngine(
          machine, kind, (rows + columns) * bytes * work.depth(), 1);
      const Wide tiles =
          product(dividedUp(work.rows(), int64_t(rows)),
                  uint64_t(dividedUp(work.columns(), int64_t(columns))));
      const Wide rounds = dividedUp(tiles, int64_t(found.cores));
      const int64_t time =
          limited(product(rounds, factor(std::max(computing, copying))));
      shortest = std::min(shortest.value_or(time), time);
    }
  if (!shortest)
    return std::nullopt;
  const Wide moved = product(work.rows(), work.depth()) +
                     product(work.depth(), work.columns()) +
                     product(work.rows(), work.columns());
  const int64_t reading =
      timeOfBytes(static_cast<uint64_t>(limited(product(moved, bytes))),
                  shared.bandwidth.value);
  return limited(Wide(factor(estimateBody(machine, kind, {}))) +
                 factor(std::max(*shortest, reading)));
}

} // namespace gensyn::machine

// The cycles of work on a unit: whole steps, and what leaves an array behind
// them.

#include "gensyn/Machine/Estimate.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>

namespace gensyn::machine {

namespace {

uint64_t stepsOf(uint64_t extent, int64_t step) {
  return static_cast<uint64_t>(dividedUp(extent, step));
}

/// The steps of a unit that takes any points.
Wide countSteps(const std::array<int64_t, 3> &step, const mapping::Work &work) {
  if (work.operation() != "multiply_add")
    return dividedUp(work.count(),
                     limited(product(product(factor(step[0]), factor(step[1])),
                                     factor(step[2]))));
  Wide steps = product(work.count(), stepsOf(work.rows(), step[0]));
  steps = product(steps, stepsOf(work.columns(), step[1]));
  return product(steps, stepsOf(work.depth(), step[2]));
}

/// The rows of work when each image is padded to whole granules.
Wide countPadded(const Granule &granule, const mapping::Work &work) {
  const uint64_t lines = std::max<uint64_t>(work.lines(), 1);
  const uint64_t positions =
      work.positions() ? work.positions() : work.rows() / lines;
  const Wide image = product(product(stepsOf(lines, granule.extents[0]),
                                     stepsOf(positions, granule.extents[1])),
                             factor(granule.rows()));
  return product(image, work.rows() / std::max<uint64_t>(lines * positions, 1));
}

Wide countPadded(const std::vector<Granule> &granules,
                 const mapping::Work &work) {
  Wide rows = countPadded(granules.front(), work);
  if (work.lines() <= 1)
    for (const Granule &granule : granules)
      rows = std::min(rows, countPadded(granule, work));
  return rows;
}

/// Millicycles of an array that is laid out in one way.
Wide countArray(const Rate &rate, const Arrangement &own,
                const mapping::Work &work) {
  const uint64_t taps = std::max<uint64_t>(work.taps(), 1);
  Wide steps = stepsOf(work.columns(), own.step[1]);
  steps = product(steps, stepsOf(work.depth() / taps, own.step[2]));
  steps = product(steps, stepsOf(taps, own.step[3]));
  steps = product(steps, stepsOf(work.count(), own.step[4]));
  const Wide cycles = product(steps, factor(own.cycles.value));
  if (rate.granules.empty())
    return product(cycles, stepsOf(work.rows(), own.step[0]));
  // One step for few rows: meanwhile the weights of the next one arrive.
  const Wide rows =
      std::max<Wide>(countPadded(rate.granules, work), factor(own.step[0]));
  return dividedUp(product(cycles, static_cast<uint64_t>(limited(rows))),
                   own.step[0]);
}

/// Millicycles with the results: the array computes a block while those of the
/// one before leave, so that the slower of both counts, and of the other one
/// block.
Wide addOutput(const OutputStage &output, const mapping::Work &work,
               Wide computing) {
  const auto [blockRows, blockColumns] = output.block;
  const Wide columns = product(work.columns(), work.count());
  const auto leave = [&](uint64_t rows) {
    return rows ? std::max(product(rows, factor(output.cycles.value)),
                           Wide(factor(output.column.value)))
                : 0;
  };
  const Wide perColumn =
      product(leave(factor(blockRows)), work.rows() / factor(blockRows)) +
      leave(work.rows() % factor(blockRows));
  const Wide leaving =
      product(perColumn, static_cast<uint64_t>(limited(columns)));
  const Wide blocks =
      product(stepsOf(work.rows(), blockRows),
              static_cast<uint64_t>(limited(dividedUp(columns, blockColumns))));
  return std::max(computing, leaving) +
         dividedUp(std::min(computing, leaving), limited(blocks));
}

} // namespace

Wide countMillicycles(const Rate &rate, const mapping::Work &work) {
  if (rate.arrangements.empty())
    return product(countSteps(rate.step, work), factor(rate.cycles.value));
  Wide fewest = mostProduct;
  for (const Arrangement &own : rate.arrangements)
    fewest = std::min(fewest, countArray(rate, own, work));
  return rate.output ? addOutput(*rate.output, work, fewest) : fewest;
}

} // namespace gensyn::machine

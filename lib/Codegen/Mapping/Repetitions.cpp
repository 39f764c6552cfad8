// See Repetitions.h.

#include "Repetitions.h"

#include "Conflicts.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

/// Longer blocks are not looked for, so that programs of 10^5 launches are
/// searched in a second.
constexpr size_t kLongestPeriod = 4096;

SmallVector<bool> findOverwritten(const plan::Plan &plan, unsigned launch,
                                  KernelOp kernel) {
  const auto &buffers = plan.launches(int(launch)).buffers();
  const size_t operands = kernel.getInputs().size();
  Accesses results;
  results.writes.assign(buffers.begin() + operands,
                        buffers.begin() + operands + kernel.getNumResults());
  SmallVector<bool> overwritten;
  for (size_t operand = 0; operand < operands; ++operand) {
    Conflicts conflicts(plan);
    Accesses own;
    own.reads = {buffers[int(operand)]};
    conflicts.add(own);
    overwritten.push_back(
        llvm::any_of(conflicts.add(results),
                     [](ArrayRef<unsigned> found) { return !found.empty(); }));
  }
  return overwritten;
}

/// A text that kernels share if the same tasks can compute them, given other
/// buffers: without names, with what the passes before have chosen.
static std::string describeForm(KernelOp kernel) {
  OwningOpRef<KernelOp> copy = kernel.clone();
  (*copy)->removeAttr(task::kRepetitionAttr);
  return codegen::printKernel(*copy);
}

std::optional<std::map<uint32_t, uint32_t>>
bindBuffers(const plan::Plan &plan, ArrayRef<unsigned> launches,
            ArrayRef<unsigned> others) {
  std::map<uint32_t, uint32_t> bound;
  for (auto [launch, other] : llvm::zip_equal(launches, others)) {
    const auto &firsts = plan.launches(int(launch)).buffers();
    const auto &seconds = plan.launches(int(other)).buffers();
    if (firsts.size() != seconds.size())
      return std::nullopt;
    for (auto [first, second] : llvm::zip_equal(firsts, seconds)) {
      const plan::Buffer &from = plan.buffers(int(first));
      const plan::Buffer &to = plan.buffers(int(second));
      if (bound.try_emplace(first, second).first->second != second ||
          from.bytes() != to.bytes() || from.has_fault() != to.has_fault())
        return std::nullopt;
    }
  }
  return bound;
}

static uint64_t countTiles(KernelOp kernel) {
  const SmallVector<Tile> parts = task::getParts(kernel);
  auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>(task::kTilesAttr);
  return parts.size() *
         (sizes ? uint64_t(task::countBoxes(parts.front(), sizes.asArrayRef()))
                : 1);
}

RepetitionFinder::RepetitionFinder(const plan::Plan &plan, Kernels kernels,
                                   ArrayRef<unsigned> launches)
    : plan(plan), kernels(kernels), launches(launches) {
  llvm::StringMap<unsigned> numbers;
  for (unsigned launch : launches) {
    forms.push_back(numbers
                        .try_emplace(describeForm(kernels[launch]),
                                     unsigned(numbers.size()))
                        .first->second);
    tilesBefore.push_back(tilesBefore.back() + countTiles(kernels[launch]));
  }
}

std::vector<LaunchBlock> RepetitionFinder::find(uint64_t leastPercent) {
  std::vector<LaunchBlock> blocks;
  const uint64_t least =
      llvm::divideCeil(tilesBefore.back() * leastPercent, 100);
  find(0, launches.size(), std::max<uint64_t>(least, 1), blocks);
  return blocks;
}

bool RepetitionFinder::isHandedOn(ArrayRef<unsigned> from,
                                  ArrayRef<unsigned> to) const {
  auto split = [&](unsigned launch) {
    KernelOp kernel = kernels[launch];
    const auto &buffers = plan.launches(int(launch)).buffers();
    const ArrayRef<uint32_t> all(buffers.data(), size_t(buffers.size()));
    const size_t operands = kernel.getInputs().size();
    return std::pair(all.take_front(operands),
                     all.slice(operands, kernel.getNumResults()));
  };
  llvm::DenseSet<uint32_t> written;
  for (unsigned launch : from)
    written.insert_range(split(launch).second);
  return llvm::any_of(to, [&](unsigned launch) {
    return llvm::any_of(split(launch).first, [&](uint32_t buffer) {
      return written.contains(buffer);
    });
  });
}

size_t RepetitionFinder::countBlocks(size_t begin, size_t period,
                                     size_t end) const {
  size_t count = 1;
  for (; begin + (count + 1) * period <= end; ++count) {
    const ArrayRef<unsigned> next = slice(begin + count * period, period);
    if (!isHandedOn(slice(begin + (count - 1) * period, period), next) ||
        !bindBuffers(plan, slice(begin, period), next))
      break;
  }
  return count;
}

RepetitionFinder::Choice RepetitionFinder::findBest(size_t begin,
                                                    size_t end) const {
  Choice best;
  auto tiles = [&](size_t from, size_t to) {
    return tilesBefore[to] - tilesBefore[from];
  };
  const size_t longest = std::min((end - begin) / 2, kLongestPeriod);
  for (size_t period = 1; period <= longest; ++period)
    for (size_t next = begin; next + period < end;) {
      // Launches from `from` on are equal to those a period later.
      const size_t from = next;
      while (next + period < end && forms[next] == forms[next + period])
        ++next;
      const size_t last = next + period;
      for (size_t at = from; at + 2 * period <= last;) {
        // No block is worth a look that could not be better.
        if (tiles(at + period, last) <= best.saved)
          break;
        const size_t times = countBlocks(at, period, last);
        const uint64_t saved = tiles(at + period, at + times * period);
        if (saved > best.saved)
          best = {at, period, times, saved};
        at += times > 1 ? times * period : 1;
      }
      ++next;
    }
  return best;
}

void RepetitionFinder::find(size_t begin, size_t end, uint64_t least,
                            std::vector<LaunchBlock> &blocks) const {
  const Choice best = findBest(begin, end);
  if (best.saved < least)
    return;
  const auto [first, period, times, saved] = best;
  find(begin, first, least, blocks);
  LaunchBlock &block = blocks.emplace_back();
  block.launches = slice(first, period).vec();
  for (size_t i = 1; i < times; ++i)
    block.others.push_back(slice(first + i * period, period).vec());
  find(first + times * period, end, least, blocks);
}

/// The block and the repetition of a kernel.
static std::optional<std::pair<int32_t, int32_t>>
repetitionOf(KernelOp kernel) {
  auto numbers =
      kernel->getAttrOfType<DenseI32ArrayAttr>(task::kRepetitionAttr);
  if (!numbers)
    return std::nullopt;
  return std::pair(numbers[0], numbers[1]);
}

/// Fails after an error unless other launches are equal to those of a block.
static LogicalResult checkEqual(const plan::Plan &plan, Kernels kernels,
                                ArrayRef<unsigned> launches,
                                ArrayRef<unsigned> others) {
  KernelOp first = kernels[others.front()];
  auto error = [&](KernelOp kernel) {
    return kernel.emitOpError("'")
           << kernel.getSym() << "' has '" << task::kRepetitionAttr
           << "' = " << kernel->getAttr(task::kRepetitionAttr) << ", but ";
  };
  if (launches.size() != others.size())
    return error(first) << "its repetition has " << others.size()
                        << " kernels, and the first one " << launches.size();
  for (auto [launch, other] : llvm::zip_equal(launches, others)) {
    KernelOp own = kernels[launch];
    if (describeForm(own) != describeForm(kernels[other]))
      return error(kernels[other])
             << "is not equal to '" << own.getSym() << "'";
  }
  if (!bindBuffers(plan, launches, others))
    return error(first) << "its repetition has two buffers in place of one, or "
                           "one of another size";
  return success();
}

FailureOr<std::vector<LaunchBlock>> listBlocks(const plan::Plan &plan,
                                               Kernels kernels,
                                               ArrayRef<unsigned> launches) {
  std::vector<LaunchBlock> blocks;
  for (size_t next = 0; next < launches.size();) {
    const auto own = repetitionOf(kernels[launches[next]]);
    const size_t begin = next;
    while (next < launches.size() &&
           repetitionOf(kernels[launches[next]]) == own)
      ++next;
    const ArrayRef<unsigned> run = launches.slice(begin, next - begin);
    if (!own || own->second == 0) {
      blocks.push_back({run.vec(), {}});
      continue;
    }
    KernelOp kernel = kernels[run.front()];
    const auto before =
        begin ? repetitionOf(kernels[launches[begin - 1]]) : std::nullopt;
    if (before != std::pair(own->first, own->second - 1))
      return kernel.emitOpError("'")
             << kernel.getSym() << "' has '" << task::kRepetitionAttr
             << "' = " << kernel->getAttr(task::kRepetitionAttr)
             << ", but does not follow repetition " << own->second - 1;
    if (failed(checkEqual(plan, kernels, blocks.back().launches, run)))
      return failure();
    blocks.back().others.push_back(run.vec());
  }
  return blocks;
}

} // namespace gensyn::mapping

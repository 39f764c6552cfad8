// See TileSearch.h.

#include "TileSearch.h"
#include "../MemoryUsers.h"

#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <algorithm>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

/// How many tiles of a kernel addTooLarge looks at.
static constexpr int64_t kMostVerified = 20000;

TileSearch::TileSearch(KernelOp kernel, const machine::Description &machine,
                       PieceCosts &costs, ArrayRef<int64_t> parts,
                       int64_t cores, Rules rules)
    : kernel(kernel), machine(machine), costs(costs), rules(rules),
      whole(getWholePiece(kernel)), part(task::getBoxes(whole, parts).front()),
      partSizes(parts.begin(), parts.end()) {
  this->cores =
      std::min<int64_t>(task::countBoxes(whole, parts) * rules.share, cores);
  for (const Split &split : kernel.getSplits())
    canCut.push_back(split.kind == Split::Kind::Free);
  for (const IndexRange &range : part)
    start.sizes.push_back(std::max<int64_t>(range.size, 1));
  start.inPlace.assign(kernel.getInputs().size() + kernel.getNumResults(),
                       false);
  // A tile in the middle reads the most where operands have borders; the first
  // one of its part is a whole one.
  SmallVector<int64_t> &middle = points.emplace_back();
  for (auto [range, own] : llvm::zip_equal(whole, partSizes))
    middle.push_back(range.size / own / 2 * own);
  isAddressable = llvm::all_of(machine.sharedMemories(), [&](uint32_t memory) {
    return machine.memories[memory].isAddressable;
  });
  // While a kernel waits for others, operands that they do not compute arrive.
  for (Value input : kernel.getInputs())
    exposed.push_back(input.getDefiningOp<KernelOp>() != nullptr);
  if (!llvm::is_contained(exposed, true))
    exposed.assign(exposed.size(), true);
  for (auto [range, own] : llvm::zip_equal(whole, partSizes))
    partCounts.push_back(std::max<int64_t>(
        llvm::divideCeilSigned(range.size, std::max<int64_t>(own, 1)), 1));
}

void TileSearch::startFromKernel() {
  if (auto given = kernel->getAttrOfType<DenseI64ArrayAttr>(task::kTilesAttr))
    start.sizes.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  if (auto given =
          kernel->getAttrOfType<DenseBoolArrayAttr>(task::kInPlaceAttr))
    llvm::copy(given.asArrayRef(), start.inPlace.begin());
}

/// The tile that contains a point, in the part that does.
Tile TileSearch::tileAt(ArrayRef<int64_t> point,
                        ArrayRef<int64_t> sizes) const {
  Tile tile;
  for (auto [range, own, size, index] :
       llvm::zip_equal(whole, partSizes, sizes, point)) {
    const int64_t first = choice.isWhole ? 0 : index / own * own;
    const int64_t end =
        choice.isWhole ? range.size : std::min(first + own, range.size);
    const int64_t begin = first + (index - first) / size * size;
    tile.push_back({begin, std::min(size, end - begin), 1});
  }
  return tile;
}

SmallVector<TileSearch::Argument>
TileSearch::getArguments(ArrayRef<IndexRange> tile) {
  SmallVector<Argument> arguments;
  for (auto [input, own] :
       llvm::zip_equal(kernel.getInputs(), getOperandTiles(kernel, tile)))
    arguments.push_back({input, own});
  for (auto [result, own] :
       llvm::zip_equal(kernel.getResults(), getResultTiles(kernel, tile)))
    arguments.push_back({result, own});
  return arguments;
}

/// How often an operand is copied while all tiles are computed in an order.
int64_t TileSearch::countCopies(ArrayRef<bool> flags, ArrayRef<int64_t> counts,
                                ArrayRef<int64_t> order) const {
  int64_t copies = 1, all = 1;
  for (int64_t dimension : order) {
    all *= counts[dimension];
    if (counts[dimension] > 1 && flags[dimension])
      copies = all;
  }
  return copies;
}

/// How often a tile accesses an operand or result in place, element by element:
/// all of its elements, or its share where the kernel does not read all, as of
/// a table.
int64_t TileSearch::countAccesses(size_t number, const Argument &argument,
                                  ArrayRef<IndexRange> tile) {
  const int64_t own = countIndices(argument.tile);
  if (number >= kernel.getInputs().size())
    return own;
  const auto loads =
      int64_t(countLoads(kernel.getBlock().getArgument(unsigned(number))));
  if (loads >= typeOf(argument.tensor).getNumElements())
    return own;
  const __int128 share = static_cast<__int128>(loads) * countIndices(tile) /
                         std::max<int64_t>(countIndices(whole), 1);
  return int64_t(std::min<__int128>(own, share + 1));
}

uint64_t TileSearch::bytesOfTile(ArrayRef<IndexRange> tile) {
  uint64_t bytes = 0;
  for (auto [argument, isInPlace] :
       llvm::zip_equal(getArguments(tile), choice.inPlace))
    if (!isInPlace)
      bytes += uint64_t(
          alignedBytes(int64_t(bytesOf(argument.tensor, argument.tile))));
  return bytes;
}

TileSearch::Measure TileSearch::measure(ArrayRef<int64_t> sizes) {
  Measure worst;
  uint64_t bytes = 0;
  for (ArrayRef<int64_t> point : points) {
    Measure one = measure(point, sizes);
    bytes = std::max(bytes, one.bytes);
    if (worst.time < one.time || worst.order.empty())
      worst = std::move(one);
  }
  worst.bytes = bytes;
  return worst;
}

TileSearch::Measure TileSearch::measure(ArrayRef<int64_t> point,
                                        ArrayRef<int64_t> sizes) {
  Measure result;
  result.isInTurn = isInTurn;
  result.delaysCopies = rules.delaysCopies;
  const Tile tile = tileAt(point, sizes);
  SmallVector<int64_t> counts, order;
  int64_t tiles = 1;
  for (auto [dimension, range, size] : llvm::enumerate(part, sizes)) {
    counts.push_back(
        std::max<int64_t>(llvm::divideCeilSigned(range.size, size), 1));
    tiles *= counts.back();
    if (counts.back() > 1)
      order.push_back(int64_t(dimension));
  }
  const size_t operands = kernel.getInputs().size();
  SmallVector<int64_t> copyTimes; // of operands
  int64_t stores = 0, accesses = 0;
  SmallVector<Tile> operandTiles;
  for (auto [number, argument] : llvm::enumerate(getArguments(tile))) {
    int64_t time = 0;
    if (number < operands)
      operandTiles.push_back(argument.tile);
    if (!choice.inPlace[number]) {
      result.bytes += uint64_t(
          alignedBytes(int64_t(bytesOf(argument.tensor, argument.tile))));
      time = number < operands
                 ? costs.fetch(number, argument.tile, partCounts, cores,
                               rules.share)
                 : costs.copy(argument.tensor, argument.tile, cores);
    } else {
      accesses += tiles * countAccesses(number, argument, tile);
    }
    if (number < operands)
      copyTimes.push_back(time);
    else
      stores += time;
  }
  const int64_t latency =
      machine.memories[machine.sharedMemories().front()].latency.value;
  result.compute =
      tiles * costs.compute(tile, operandTiles) + accesses * latency;
  result.last = result.compute / tiles;
  // Nothing is computed while the first tile arrives and the last one leaves.
  result.ends = stores;
  for (auto [time, isExposed] : llvm::zip_equal(copyTimes, exposed))
    result.ends += isExposed ? time : 0;
  // There are few dimensions with several tiles.
  do {
    Measure made = result;
    made.copy = tiles * stores;
    bool waits = false;
    for (auto [number, time] : llvm::enumerate(copyTimes)) {
      const int64_t copies =
          countCopies(costs.getDependences()[number], counts, order);
      made.copy += time * copies;
      waits |= time && copies > 1 &&
               costs.isShared(number, partCounts, cores, rules.share);
    }
    // A copy to several cores waits until all have computed, behind others in
    // the queue of its core that wait for that one alone.
    if (isInTurn && waits)
      made.compute *= 2;
    made.time = made.timeOf(1);
    if (result.time == 0 || made.time < result.time) {
      result = std::move(made);
      result.order = order;
    }
  } while (order.size() <= 5 &&
           std::next_permutation(order.begin(), order.end()));
  for (int64_t dimension = 0; dimension < int64_t(counts.size()); ++dimension)
    if (!llvm::is_contained(result.order, dimension))
      result.order.push_back(dimension);
  return result;
}

/// Halves the tile until it takes at most `limit` bytes.
bool TileSearch::shrink(uint64_t limit) {
  while (true) {
    const Measure now = measure(choice.sizes);
    if (now.bytes <= limit) {
      if (rules.choosesTiles) {
        improve(limit);
        enlarge(limit);
      }
      choice.order = measure(choice.sizes).order;
      return true;
    }
    std::optional<size_t> best;
    int64_t leastTime = 0;
    for (size_t i = 0; i < choice.sizes.size(); ++i) {
      if (!canCut[i] || choice.sizes[i] == 1)
        continue;
      SmallVector<int64_t> smaller = choice.sizes;
      smaller[i] = llvm::divideCeilSigned(smaller[i], 2);
      const Measure made = measure(smaller);
      const int64_t time = rules.choosesTiles ? made.time : -choice.sizes[i];
      if (made.bytes < now.bytes && (!best || time < leastTime)) {
        best = i;
        leastTime = time;
      }
    }
    if (!best)
      return false;
    choice.sizes[*best] = llvm::divideCeilSigned(choice.sizes[*best], 2);
  }
}

/// Sizes along a dimension for about as many tiles: half of them and twice as
/// many. Where nothing else is copied, the estimate tells also apart what one
/// tile fewer or more takes, if there are few.
SmallVector<int64_t> TileSearch::listNeighbours(size_t dimension) const {
  constexpr int64_t kFew = 8;
  const int64_t size = choice.sizes[dimension], extent = part[dimension].size;
  SmallVector<int64_t> sizes = {std::min(size * 2, extent),
                                llvm::divideCeilSigned(size, 2)};
  const int64_t count = llvm::divideCeilSigned(extent, size);
  if (!rules.delaysCopies && count < kFew) {
    sizes.push_back(llvm::divideCeilSigned(extent, count + 1));
    if (count > 1)
      sizes.push_back(llvm::divideCeilSigned(extent, count - 1));
  }
  llvm::erase_if(sizes,
                 [&](int64_t other) { return other < 1 || other == size; });
  return sizes;
}

/// Halving may have gone too far along one dimension; and smaller tiles than
/// fit let a core compute sooner.
void TileSearch::improve(uint64_t limit) {
  Measure now = measure(choice.sizes);
  bool isBetter = true;
  while (isBetter) {
    isBetter = false;
    for (size_t i = 0; i < choice.sizes.size(); ++i) {
      if (!canCut[i])
        continue;
      for (int64_t other : listNeighbours(i)) {
        SmallVector<int64_t> sizes = choice.sizes;
        sizes[i] = other;
        Measure made = measure(sizes);
        if (made.bytes <= limit && made.time < now.time) {
          choice.sizes = sizes;
          now = std::move(made);
          isBetter = true;
        }
      }
    }
  }
}

/// Fewer tiles for about the same time: each one is tasks of the mapping.
void TileSearch::enlarge(uint64_t limit) {
  const int64_t most = aboutTheSame(measure(choice.sizes).time);
  while (true) {
    SmallVector<int64_t> best;
    int64_t least = 0;
    for (size_t i = 0; i < choice.sizes.size(); ++i) {
      if (!canCut[i])
        continue;
      for (int64_t other : listNeighbours(i)) {
        if (other < choice.sizes[i])
          continue;
        SmallVector<int64_t> larger = choice.sizes;
        larger[i] = other;
        const Measure made = measure(larger);
        if (made.bytes > limit || made.time > most ||
            (!best.empty() && made.time >= least))
          continue;
        best = larger;
        least = made.time;
      }
    }
    if (best.empty())
      return;
    choice.sizes = best;
  }
}

int64_t TileSearch::getTiles() const {
  if (choice.isWhole)
    return task::countBoxes(whole, choice.sizes);
  return task::countBoxes(whole, partSizes) *
         task::countBoxes(part, choice.sizes);
}

/// Leaves the largest operand or result where it lies. Who writes a result in
/// place computes all of it.
bool TileSearch::putInPlace() {
  std::optional<size_t> largest;
  uint64_t most = 0;
  for (ArrayRef<int64_t> point : points)
    for (auto [number, argument] :
         llvm::enumerate(getArguments(tileAt(point, choice.sizes))))
      if (const uint64_t bytes = bytesOf(argument.tensor, argument.tile);
          !choice.inPlace[number] && bytes > most) {
        largest = number;
        most = bytes;
      }
  if (!largest)
    return false;
  choice.inPlace[*largest] = true;
  if (*largest >= kernel.getInputs().size()) {
    choice.isWhole = true;
    part = whole;
    canCut.assign(part.size(), false);
  }
  for (auto [size, range] : llvm::zip_equal(choice.sizes, part))
    size = std::max<int64_t>(range.size, 1);
  return true;
}

/// Of a choice whose tiles fit. What the kernel itself says stays.
bool TileSearch::canReadInPlace() {
  return llvm::all_of(points, [&](ArrayRef<int64_t> point) {
    const SmallVector<Tile> tiles =
        getOperandTiles(kernel, tileAt(point, choice.sizes));
    return llvm::all_of(llvm::enumerate(tiles), [&](auto tile) {
      return !choice.inPlace[tile.index()] || start.inPlace[tile.index()] ||
             costs.canReadInPlace(kernel.getInputs()[tile.index()],
                                  tile.value());
    });
  });
}

bool TileSearch::addTooLarge() {
  const SmallVector<Tile> parts =
      task::getBoxes(whole, choice.isWhole ? choice.sizes : partSizes);
  const int64_t each = task::countBoxes(parts.front(), choice.sizes);
  const int64_t step =
      std::max<int64_t>(int64_t(parts.size()) * each / kMostVerified, 1);
  int64_t number = 0;
  for (const Tile &own : parts)
    for (const Tile &tile : task::getBoxes(own, choice.sizes)) {
      if (number++ % step != 0 || bytesOfTile(tile) <= costs.getMemory())
        continue;
      SmallVector<int64_t> &point = points.emplace_back();
      for (const IndexRange &range : tile)
        point.push_back(range.begin);
      return true;
    }
  return false;
}

/// Where operands are copied again for each tile, few large tiles may take less
/// time than many small ones, although nothing is copied while they are
/// computed.
void TileSearch::tryInTurn(const TileChoice &first, uint64_t memory) {
  const TileChoice twice = choice;
  const int64_t time = getTime();
  choice = first;
  isInTurn = true;
  // A single tile of the part is not faster by being cut.
  const int64_t least = getTime();
  if (aboutTheSame(least) < time && shrink(memory) &&
      aboutTheSame(getTime()) < time)
    return;
  choice = twice;
  isInTurn = false;
}

std::optional<TileChoice> TileSearch::run() {
  choice = start;
  // An earlier run may have made one part of all.
  part = task::getBoxes(whole, partSizes).front();
  canCut.clear();
  for (const Split &split : kernel.getSplits())
    canCut.push_back(split.kind == Split::Kind::Free);
  const uint64_t memory = costs.getMemory();
  while (true) {
    const TileChoice before = choice;
    isInTurn = false;
    // A single tile leaves room for what is still in use of the one before.
    if (shrink(rules.fitsTwice ? memory / 2 : memory / 4 * 3) &&
        canReadInPlace()) {
      if (rules.fitsTwice && rules.choosesTiles)
        tryInTurn(before, memory);
      return choice;
    }
    // Without the memory for two tiles, nothing is copied ahead.
    choice = before;
    isInTurn = true;
    if (shrink(memory) && canReadInPlace())
      return choice;
    if (!isAddressable || !putInPlace())
      return std::nullopt;
  }
}

} // namespace gensyn::mapping

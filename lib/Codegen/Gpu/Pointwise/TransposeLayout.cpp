// See TransposeLayout.h.
//
// Staged reads. The emitter of pointwise kernels finds the reads of each
// result, with the position of a load as a sum of digits of the result's index.
// A read is transposed if the lowest digit, in which adjacent results differ,
// is not contiguous in the operand, but another digit, y, is. All digits below
// y are x: they are contiguous in the results, and select rows of the tile in
// the operand.
//
// Pointwise code handles the following reads, which staging would not improve:
// - fewer than kLeast elements below y: the 32 or more results of a warp
// already
//   read runs of at least four adjacent elements;
// - fewer than kLeast elements along y: a row of the tile is no larger than the
//   sector that a single element costs;
// - adjacent results that are fewer than kLeast elements apart in the operand:
//   they share sectors;
// - positions that may be out of bounds (next to padding), depend on data
//   (gathers), or are read in a region that may not run.

#include "TransposeLayout.h"

#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Codegen/Schedule/ScheduleFields.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace gensyn::gpu {

static constexpr int64_t kLeast = 8;
/// Tensors of at least as many 4-byte elements get tiles with rows of 256
/// bytes.
static constexpr int64_t kManyElements = int64_t(1) << 20;
static constexpr int64_t kBanks = 32;
static constexpr int64_t kBankBytes = 4;
/// Kernels with more results or parts are left to the schedules after this one.
static constexpr size_t kMostResults = 16, kMostParts = 6;

using Digits = SmallVector<TransposeDigit>;

/// Splits digits such that none extends across `at`. Returns std::nullopt if
/// that is impossible.
static std::optional<Digits> splitDigits(ArrayRef<TransposeDigit> digits,
                                         int64_t at) {
  Digits result;
  for (const TransposeDigit &digit : digits) {
    if (digit.divisor >= at || digit.divisor * digit.extent <= at) {
      result.push_back(digit);
      continue;
    }
    const int64_t low = at / digit.divisor;
    if (at % digit.divisor != 0 || digit.extent % low != 0)
      return std::nullopt;
    result.push_back({digit.coefficient, digit.divisor, low});
    result.push_back({digit.coefficient * low, at, digit.extent / low});
  }
  return result;
}

static int64_t elementBytes(Value tensor) {
  Type scalar = codegen::getScalarType(
      cast<ShapedType>(tensor.getType()).getElementType());
  return std::max<int64_t>(scalar.getIntOrFloatBitWidth() / 8, 1);
}

static int64_t countElements(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getNumElements();
}

namespace {
/// The divisor and the extent of y.
struct TileAxis {
  int64_t spanX, extentY;
  bool operator==(const TileAxis &) const = default;
};
} // namespace

/// True if all positions are in bounds, since a tile reads them even if no
/// result needs them.
static bool isInside(const TransposeRead &read) {
  int64_t least = read.constant, most = read.constant;
  for (const TransposeDigit &digit : read.digits) {
    const int64_t reach = digit.coefficient * (digit.extent - 1);
    (reach < 0 ? least : most) += reach;
  }
  return least >= 0 && most < countElements(read.tensor);
}

/// Returns the axis y of a transposed read; std::nullopt for other reads.
static std::optional<TileAxis> axisOf(const TransposeRead &read) {
  if (read.digits.empty() || read.digits.front().divisor != 1 ||
      std::abs(read.digits.front().coefficient) < kLeast || !isInside(read))
    return std::nullopt;
  for (const TransposeDigit &digit : read.digits)
    if (digit.coefficient == 1 && digit.divisor >= kLeast &&
        digit.extent >= kLeast)
      return TileAxis{digit.divisor, digit.extent};
  return std::nullopt;
}

/// Returns the read as staged by a tile with that axis, if possible.
static std::optional<StagedRead> stageRead(const TransposeRead &read,
                                           TileAxis axis) {
  if (!axisOf(read))
    return std::nullopt;
  auto lower = splitDigits(read.digits, axis.spanX);
  if (!lower)
    return std::nullopt;
  const int64_t end = axis.spanX * axis.extentY;
  auto digits = splitDigits(*lower, end);
  if (!digits)
    return std::nullopt;
  StagedRead staged;
  staged.read = read;
  bool hasY = false;
  for (TransposeDigit digit : *digits) {
    if (digit.divisor < axis.spanX) {
      staged.x.push_back(digit);
    } else if (digit.divisor >= end) {
      digit.divisor /= end;
      staged.rest.push_back(digit);
    } else if (digit == TransposeDigit{1, axis.spanX, axis.extentY}) {
      hasY = true;
    } else {
      return std::nullopt;
    }
  }
  if (!hasY || staged.x.empty())
    return std::nullopt;
  staged.bytes = elementBytes(read.tensor);
  staged.pack = std::max<int64_t>(kBankBytes / staged.bytes, 1);
  return staged;
}

static int64_t roundUp(int64_t value, int64_t multiple) {
  return llvm::divideCeil(value, multiple) * multiple;
}

int64_t TransposePart::sharedEnd(const StagedRead &read) const {
  constexpr int64_t alignment = 16;
  return read.offset +
         roundUp(tileX / read.pack * read.pitch * read.wordBytes(), alignment);
}

int64_t TransposeLayout::blocks() const {
  int64_t blocks = 0;
  for (const TransposePart &part : parts)
    blocks += part.blocks();
  return blocks;
}

int64_t TransposeLayout::sharedBytes() const {
  int64_t bytes = 0;
  for (const TransposePart &part : parts)
    if (part.isTiled())
      bytes = std::max(bytes, part.sharedEnd(part.staged.back()));
  return bytes;
}

static TransposeDeal dealPieces(int64_t fast, int64_t rows, int64_t fastLanes,
                                int64_t threads, int64_t warpSize) {
  TransposeDeal deal;
  deal.fastLanes =
      std::max(std::min({fast, fastLanes, warpSize}), warpSize / rows);
  deal.rowLanes = warpSize / deal.fastLanes;
  const int64_t warps = threads / warpSize;
  deal.fastWarps = std::max(std::min(warps, fast / deal.fastLanes),
                            warps * deal.rowLanes / rows);
  deal.rowWarps = warps / deal.fastWarps;
  deal.fastTurns = fast / deal.fastStep();
  deal.rowTurns = rows / deal.rowStep();
  return deal;
}

// Bank conflicts. Row r of words starts at r * pitch. pitch is tileY + 1, so it
// is 1 modulo the number of banks if tileY is a multiple of it.
//
// Writing: a thread stores `vector` words of adjacent y, one after another.
// `fastLanes` threads of a warp write adjacent groups at vector * q, q < banks
// / vector; the other threads write the next `vector` rows. So the banks r +
// vector * q (+ a constant) are all different.
//
// Reading: a thread loads width / pack words of adjacent rows, one after
// another. Threads adjacent along x read the rows width / pack * p, the others
// the next y. So the banks width / pack * p + y are all different. Threads that
// share a word (width < pack) read it by one broadcast.
//
// Words of 8 bytes take two banks, and half a warp accesses them at a time. In
// tiles that are reduced to small extents an access may have a two-way
// conflict.
static int64_t banksOf(const StagedRead &staged) {
  return kBanks * kBankBytes / std::max(staged.wordBytes(), kBankBytes);
}

TransposeDeal dealReads(const TransposePart &part, const StagedRead &staged,
                        int64_t threads) {
  return dealPieces(part.tileY / staged.vector, part.tileX / staged.pack,
                    std::max<int64_t>(banksOf(staged) / staged.vector, 1),
                    threads, part.warpSize);
}

TransposeDeal dealResults(const TransposePart &part, int64_t threads) {
  int64_t lanes = part.warpSize;
  for (const StagedRead &staged : part.staged)
    lanes = std::min(lanes, std::max<int64_t>(
                                banksOf(staged) * staged.pack / part.width, 1));
  return dealPieces(part.tileX / part.width, part.tileY, lanes, threads,
                    part.warpSize);
}

static int64_t powerOfTwoIn(int64_t value) { return value & -value; }

/// Returns the number of elements along y per access, to which all positions
/// are aligned.
static int64_t chooseVector(const StagedRead &staged, int64_t extentY,
                            const Target &target) {
  int64_t common = std::gcd(extentY, staged.read.constant);
  for (const Digits &digits : {staged.x, staged.rest})
    for (const TransposeDigit &digit : digits)
      common = std::gcd(common, digit.coefficient);
  return std::min(powerOfTwoIn(common), kAccessBytes / staged.bytes);
}

/// Vectors of less than a word of shared memory are loaded element by element.
static int64_t wholeWords(int64_t vector, const StagedRead &staged) {
  return vector * staged.bytes < kBankBytes ? 1 : vector;
}

namespace {
struct TileSizes {
  int64_t x = 0, y = 0, threads = 0; ///< 0: not specified
};
} // namespace

static int64_t chooseSide(int64_t bytes, int64_t elements) {
  constexpr int64_t row = 128;
  if (bytes == 4 && elements >= kManyElements)
    return 2 * row / bytes;
  return std::max<int64_t>(row / bytes, kBanks);
}

/// Sets the widths and the offsets in shared memory for `threads` threads.
/// Returns false if the tile does not fit.
static bool fitTile(TransposePart &part, int64_t threads,
                    const Target &target) {
  part.width = std::min(part.shape.width, powerOfTwoIn(part.spanX));
  part.width = std::min(part.width, part.tileX);
  while (part.width > 1 && part.tileX / part.width * part.tileY < threads)
    part.width /= 2;
  int64_t offset = 0;
  for (StagedRead &staged : part.staged) {
    staged.vector =
        std::min(chooseVector(staged, part.extentY, target), part.tileY);
    const int64_t rows = part.tileX / staged.pack;
    while (staged.vector > 1 && part.tileY / staged.vector * rows < threads)
      staged.vector /= 2;
    staged.vector = wholeWords(staged.vector, staged);
    if (part.tileY / staged.vector * rows < threads)
      return false;
    staged.pitch = part.tileY + 1;
    staged.offset = offset;
    offset = part.sharedEnd(staged);
  }
  return part.tileX / part.width * part.tileY >= threads &&
         offset <= target.staticSharedBytes;
}

static int64_t threadsFor(int64_t area) {
  constexpr int64_t large = 4096, middle = 1024;
  return area >= large ? 256 : area >= middle ? 128 : 64;
}

/// Chooses tiles that do not exceed the extents, but have work for all threads
/// of two warps.
static void chooseTile(TransposePart &part, const Target &target) {
  int64_t bytes = 8, pack = 1;
  for (const StagedRead &staged : part.staged) {
    bytes = std::min(bytes, staged.bytes);
    pack = std::max(pack, staged.pack);
  }
  auto upTo = [](int64_t extent) {
    return static_cast<int64_t>(llvm::PowerOf2Ceil(extent));
  };
  int64_t side = chooseSide(bytes, part.shape.elements);
  while (true) {
    part.tileX = std::min(side, std::max(upTo(part.spanX), kLeast * pack));
    part.tileY = std::min(side, std::max(upTo(part.extentY), kBanks));
    if (fitTile(part, threadsFor(part.tileX * part.tileY), target))
      return;
    if (side > kBanks)
      side /= 2;
    else
      part.staged.pop_back();
  }
}

/// Chooses the axis with the most bytes, and stages the reads that have it.
static void stagePart(TransposePart &part, ArrayRef<TransposeRead> reads) {
  int64_t most = 0;
  for (const TransposeRead &candidate : reads) {
    std::optional<TileAxis> axis = axisOf(candidate);
    if (!axis)
      continue;
    std::vector<StagedRead> staged;
    int64_t bytes = 0;
    for (const TransposeRead &read : reads)
      if (auto one = stageRead(read, *axis)) {
        bytes += one->bytes;
        staged.push_back(std::move(*one));
      }
    if (bytes <= most)
      continue;
    most = bytes;
    part.staged = std::move(staged);
    part.spanX = axis->spanX;
    part.extentY = axis->extentY;
    part.rest = part.shape.elements / (axis->spanX * axis->extentY);
  }
}

/// True if a read has a different position for each element, so that results
/// with the same read should be computed together.
static bool isFull(const TransposeRead &read, int64_t elements) {
  int64_t places = 1;
  for (const TransposeDigit &digit : read.digits)
    places *= digit.extent;
  return places == elements;
}

/// Groups results that share reads, or operands that are overwritten in place.
static llvm::EquivalenceClasses<unsigned>
joinResults(repro::KernelOp kernel,
            ArrayRef<SmallVector<TransposeRead>> reads) {
  llvm::EquivalenceClasses<unsigned> classes;
  SmallVector<int64_t> elements;
  for (unsigned i = 0; i < reads.size(); ++i) {
    classes.insert(i);
    elements.push_back(countElements(kernel.getYielded()[i]));
    for (unsigned k = 0; k < i; ++k)
      if (elements[i] == elements[k] &&
          llvm::any_of(reads[i], [&](const TransposeRead &read) {
            return isFull(read, elements[i]) &&
                   llvm::is_contained(reads[k], read);
          }))
        classes.unionSets(i, k);
  }
  llvm::DenseMap<unsigned, unsigned> resultOf;
  for (auto [operand, result] : codegen::findInPlacePairs(kernel)) {
    auto [found, isNew] = resultOf.try_emplace(operand, result);
    classes.unionSets(found->second, result);
  }
  return classes;
}

static bool isTakable(repro::KernelOp kernel) {
  if (kernel.getNumResults() == 0 || kernel.getNumResults() > kMostResults)
    return false;
  if (kernel.getBlock().getOps<repro::TransposeOp>().empty())
    return false;
  for (Type type : kernel.getResultTypes())
    if (cast<ShapedType>(type).getNumElements() == 0)
      return false;
  const repro::KernelKind kind = repro::getKernelForm(kernel).kind;
  return kind == repro::KernelKind::Pointwise ||
         kind == repro::KernelKind::Horizontal;
}

static std::optional<TileSizes> readSizes(repro::KernelOp kernel) {
  TileSizes sizes;
  Attribute schedule = kernel.getScheduleAttr();
  if (!schedule)
    return sizes;
  auto fields = dyn_cast<DictionaryAttr>(schedule);
  const std::pair<StringRef, int64_t *> numbers[] = {
      {"tile_x", &sizes.x}, {"tile_y", &sizes.y}, {"threads", &sizes.threads}};
  std::string error;
  if (!fields || !codegen::readScheduleFields(fields, numbers, {}, error))
    return std::nullopt;
  for (auto [name, number] : numbers)
    if (*number < 0 || *number > 1024 ||
        (*number != 0 && !llvm::isPowerOf2_64(*number)))
      return std::nullopt;
  return sizes;
}

/// Sets the number of threads of a block, which is the same for all parts, and
/// fits the tiles to it. Returns false if one does not fit.
static bool setThreads(TransposeLayout &layout, const TileSizes &sizes,
                       const Target &target) {
  layout.threads = sizes.threads;
  for (TransposePart &part : layout.parts) {
    if (!part.isTiled())
      continue;
    part.tileX = sizes.x > 0 ? sizes.x : part.tileX;
    part.tileY = sizes.y > 0 ? sizes.y : part.tileY;
    const int64_t own = threadsFor(part.tileX * part.tileY);
    if (sizes.threads == 0)
      layout.threads =
          layout.threads == 0 ? own : std::min(layout.threads, own);
  }
  for (TransposePart &part : layout.parts) {
    part.shape.threads = layout.threads;
    if (part.isTiled() && (layout.threads < target.warpSize ||
                           part.tileX < kLeast * part.staged.front().pack ||
                           !fitTile(part, layout.threads, target)))
      return false;
  }
  return true;
}

std::optional<TransposeLayout> layOutTranspose(repro::KernelOp kernel,
                                               const Target &target) {
  std::optional<TileSizes> sizes = readSizes(kernel);
  if (!sizes || !isTakable(kernel))
    return std::nullopt;
  const auto reads = findReads(kernel, target);

  TransposeLayout layout;
  auto classes = joinResults(kernel, reads);
  for (unsigned i = 0; i < reads.size(); ++i) {
    if (classes.getLeaderValue(i) != i)
      continue;
    TransposePart part;
    part.warpSize = target.warpSize;
    SmallVector<Value> values;
    SmallVector<TransposeRead> all;
    for (unsigned k = 0; k < reads.size(); ++k) {
      if (classes.getLeaderValue(k) != i)
        continue;
      part.results.push_back(k);
      values.push_back(kernel.getYielded()[k]);
      for (const TransposeRead &read : reads[k])
        if (!llvm::is_contained(all, read))
          all.push_back(read);
    }
    part.shape = choosePointwiseShape(kernel, values, target);
    stagePart(part, all);
    if (part.isTiled())
      chooseTile(part, target);
    layout.parts.push_back(std::move(part));
  }
  llvm::stable_sort(layout.parts,
                    [](const TransposePart &a, const TransposePart &b) {
                      return a.isTiled() > b.isTiled();
                    });
  if (layout.parts.size() > kMostParts || !layout.parts.front().isTiled() ||
      !setThreads(layout, *sizes, target))
    return std::nullopt;
  return layout;
}

} // namespace gensyn::gpu

// The table of contraction schedules.
//
// Larger tiles are better as long as there are enough for all multiprocessors.
// The cost of a tile is estimated in clock cycles. Its constants are fitted to
// kernels of training steps and products on an H100 (docs/Performance.md).

#include "ContractSizes.h"

#include "gensyn/Codegen/Schedule/ScheduleFields.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace gensyn::gpu {

using codegen::GemmTensor;

namespace {

/// Products of 8-bit integers per clock on the matrix units of a
/// multiprocessor: 1024 to 4096. The choice of tiles hardly depends on it.
constexpr int64_t kMatrixLanes = 2048;

/// Returns the products per clock of a multiprocessor.
int64_t lanesOf(const Target &target, int64_t elementBytes, bool isMatrix) {
  if (isMatrix)
    return kMatrixLanes;
  return elementBytes == 8 ? target.doubleLanes : target.floatLanes;
}

/// Bytes per clock that a multiprocessor reads from shared memory, and
/// approximately from the L2 cache.
constexpr double kSharedBytes = 128, kCacheBytes = 48;
/// Clocks to copy an element beyond what copies of 16 bytes along rows take:
/// alone, and in 16 bytes along points that keep their layout.
constexpr double kSingleCopy = 0.245, kKeptCopy = 0.047;
/// The same, in addition, of an element that is converted on its way through
/// registers. An estimate from the instructions.
constexpr double kConvertedCopy = 0.5;
/// Clocks to copy an 8-bit element for matrix units beyond what asynchronous
/// copies take: in squares that are transposed, and alone. Estimates from the
/// instructions.
constexpr double kTransposedCopy = 0.03, kSingleByteCopy = 0.08;

/// Warps of a multiprocessor from which on its lanes are as busy as they get:
/// 8 warps were seen to suffice, and with fewer than 4 schedulers are idle.
constexpr double kWarpsAlone = 6;

/// Minimum clocks of a block per point, with matrix units an estimate, and the
/// latency of its copies.
constexpr double kLeastClocks = 10, kLeastMatrixClocks = 2, kLatency = 600;

/// Operands whose points are contiguous that keep their layout: it takes fewer
/// copies and, for the points of a fragment, more registers.
enum class Keep { None, A, Both };

/// A row of the table.
struct Choice {
  int64_t bm, bn, bk, tm, tn, lanes, stages, minBlocks;
  Keep keep;
  double share; ///< of the clocks in which lanes start fmas
};

constexpr Choice kChoices[] = {
    {256, 128, 8, 16, 8, 4, 4, 1, Keep::A, 0.66},
    {128, 128, 16, 8, 8, 4, 3, 2, Keep::None, 0.69},
    {64, 128, 16, 8, 8, 4, 2, 3, Keep::A, 0.71},
    {128, 64, 16, 8, 8, 4, 3, 3, Keep::A, 0.705},
    {64, 64, 16, 4, 8, 4, 3, 4, Keep::Both, 0.67},
    {32, 32, 16, 4, 4, 4, 3, 8, Keep::Both, 0.57},
    // Few results: twice the threads for each. The share is an estimate from
    // the instructions.
    {16, 32, 16, 2, 4, 8, 4, 8, Keep::Both, 0.45},
    // One row: the matrix is read once, so the number of loads in flight
    // decides. Many warps, each with a line of 32 columns for 112 points.
    {1, 32, 16, 1, 1, 1, 8, 8, Keep::Both, 0.08},
    // Few rows: many columns of B make up for the low reuse of B's elements.
    {8, 256, 16, 4, 8, 2, 3, 4, Keep::None, 0.29},
    {8, 64, 16, 4, 4, 2, 6, 8, Keep::Both, 0.25},
    // Few columns.
    {256, 8, 16, 8, 4, 16, 3, 4, Keep::None, 0.29},
    {128, 1, 16, 4, 1, 32, 3, 8, Keep::None, 0.12},
};

/// The same for elements of 8 bytes, which take two registers each and twice
/// the shared memory. The shares are estimates: f64 and i64 have few lanes.
constexpr Choice kWideChoices[] = {
    {128, 128, 8, 8, 8, 4, 3, 1, Keep::None, 0.9},
    {64, 64, 8, 4, 4, 8, 3, 2, Keep::None, 0.85},
    {32, 32, 8, 4, 4, 4, 3, 4, Keep::None, 0.77},
    {1, 32, 16, 1, 1, 1, 6, 8, Keep::None, 0.2},
    {8, 128, 16, 4, 4, 2, 2, 4, Keep::None, 0.5},
    {128, 8, 16, 4, 4, 16, 2, 4, Keep::None, 0.5},
    {64, 1, 16, 2, 1, 32, 3, 8, Keep::None, 0.3},
};

/// The same for 8-bit elements that matrix units multiply: threads of a warp
/// are 8 along the rows, so its tile has 8 tm rows and 4 tn columns. The shares
/// are estimates.
constexpr Choice kMatrixChoices[] = {
    {128, 256, 64, 8, 16, 8, 3, 1, Keep::None, 0.75},
    {128, 128, 64, 8, 8, 8, 3, 2, Keep::None, 0.7},
    {64, 128, 64, 4, 16, 8, 3, 3, Keep::None, 0.7},
    {128, 64, 64, 8, 8, 8, 3, 3, Keep::None, 0.7},
    {64, 64, 64, 4, 8, 8, 4, 4, Keep::None, 0.6},
    {32, 32, 64, 2, 4, 8, 4, 8, Keep::None, 0.4},
    // Few rows and few columns.
    {16, 128, 64, 2, 8, 8, 4, 6, Keep::None, 0.4},
    {128, 16, 64, 4, 4, 8, 4, 6, Keep::None, 0.4},
};

ArrayRef<Choice> choicesFor(int64_t elementBytes, ContractKind kind) {
  if (kind == ContractKind::Matrix)
    return kMatrixChoices;
  return elementBytes == 8 ? ArrayRef(kWideChoices) : ArrayRef(kChoices);
}

/// Clocks per point beyond those of asynchronous copies.
double matrixCopyClocks(const MatrixCopy &copy, int64_t extent) {
  if (copy.isDirect())
    return 0;
  return (copy.rows > 1 ? kTransposedCopy : kSingleByteCopy) *
         static_cast<double>(extent);
}

/// Registers of a multiprocessor, and the most of a thread.
constexpr int64_t kRegisters = 65536, kMostRegisters = 255;

/// Estimates the registers of a thread: those of its sums, of what it has read
/// of a tile and not yet written to shared memory, of the addresses of single
/// bytes, of bounds that tiles pass, and of fragments, other addresses and
/// counters.
int64_t matrixRegisters(const ContractSizes &sizes,
                        const codegen::GemmView &view, const MatrixCopy &a,
                        const MatrixCopy &b) {
  constexpr int64_t kOfSingles = 16, kOfBounds = 24, kOthers = 60;
  auto held = [&](const MatrixCopy &copy, int64_t extent) -> int64_t {
    const int64_t bytes = extent * sizes.bk / sizes.threads();
    if (copy.width == 1)
      return 2 * bytes + kOfSingles;
    // Asynchronous copies hold nothing; but short ones have many addresses.
    if (sizes.async && copy.isDirect())
      return copy.width == 16 ? bytes / 16 : 2 * bytes / copy.width;
    return bytes / 4;
  };
  const bool isWhole = view.numRows() % sizes.bm == 0 &&
                       view.numColumns() % sizes.bn == 0 &&
                       view.numPoints() % sizes.bk == 0;
  return sizes.tm * sizes.tn + held(a, sizes.bm) + held(b, sizes.bn) +
         (isWhole ? 0 : kOfBounds) + kOthers;
}

/// Clocks per point beyond those of copies of 16 bytes along rows.
double copyClocks(const ContractAccess &access, bool keeps, int64_t extent) {
  if (!access.isAlongPoints())
    return access.alongRows == 4 ? 0
                                 : kSingleCopy * static_cast<double>(extent);
  return (keeps && access.alongPoints == 4 ? kKeptCopy : kSingleCopy) *
         static_cast<double>(extent);
}

} // namespace

std::vector<ContractSizes> rankContractSizes(const codegen::GemmView &view,
                                             const Target &target,
                                             int64_t elementBytes,
                                             ContractKind kind) {
  const int64_t rows = view.numRows(), columns = view.numColumns();
  const int64_t points = view.numPoints();
  const int64_t blocks = llvm::divideCeil(points, view.blockSize);
  std::vector<std::pair<double, ContractSizes>> ranked;
  const bool isMatrix = kind == ContractKind::Matrix;
  const ContractAccess a = getContractAccess(view, GemmTensor::A, elementBytes);
  const ContractAccess b = getContractAccess(view, GemmTensor::B, elementBytes);
  const MatrixCopy copyOfA = getMatrixCopy(view, GemmTensor::A),
                   copyOfB = getMatrixCopy(view, GemmTensor::B);
  const double bytes = isMatrix ? 1 : static_cast<double>(elementBytes);
  for (const Choice &choice : choicesFor(elementBytes, kind)) {
    ContractSizes sizes;
    sizes.elementBytes = elementBytes;
    sizes.bm = choice.bm;
    sizes.bn = choice.bn;
    sizes.bk = choice.bk;
    sizes.tm = choice.tm;
    sizes.tn = choice.tn;
    sizes.lanes = choice.lanes;
    sizes.matrix = isMatrix;
    sizes.async = target.hasAsyncCopy;
    sizes.stages = sizes.async ? choice.stages : 2;
    // Fragments of four points need registers, which the assembler does not
    // find on every target.
    const bool keeps = sizes.async && (target.hasFragmentRegisters ||
                                       choice.tm * choice.tn <= 16);
    sizes.keepA = keeps && choice.keep != Keep::None;
    sizes.keepB = keeps && choice.keep == Keep::Both;
    // In small blocks a large part of a thread's registers are addresses. The
    // assembler is not limited to fewer registers; it mostly needs fewer.
    sizes.minBlocks = sizes.threads() <= 2 * target.warpSize
                          ? std::min<int64_t>(choice.minBlocks, 4)
                          : choice.minBlocks;
    if (isMatrix) {
      const int64_t registers = matrixRegisters(sizes, view, copyOfA, copyOfB);
      if (registers > kMostRegisters)
        continue;
      sizes.minBlocks =
          std::min(sizes.minBlocks, kRegisters / (sizes.threads() * registers));
    }
    const int64_t tiles = view.numBatches() *
                          llvm::divideCeil(rows, choice.bm) *
                          llvm::divideCeil(columns, choice.bn);
    const int64_t slots = target.multiprocessors *
                          (isMatrix ? sizes.minBlocks : choice.minBlocks);
    // Splits the points over the grid if there are too few tiles.
    sizes.split = blocks > 1 && 2 * tiles <= slots;
    const int64_t work = tiles * (sizes.split ? blocks : 1);
    const int64_t length = sizes.split ? view.blockSize : points;
    // Clocks of a tile per point: the largest of its fmas, its accesses to
    // shared memory, and its reads from the cache.
    const auto tile = static_cast<double>(choice.bm * choice.bn);
    const auto edges = static_cast<double>(choice.bm + choice.bn);
    // The lanes of a warp share what matrix units read.
    const double fragments =
        isMatrix ? static_cast<double>(8 * choice.tm + 4 * choice.tn) / 32
                 : static_cast<double>(choice.tm + choice.tn);
    const auto thread = static_cast<double>(choice.tm * choice.tn);
    const double fmas =
        tile / choice.share /
        static_cast<double>(lanesOf(target, elementBytes, isMatrix));
    const double copies = isMatrix ? matrixCopyClocks(copyOfA, choice.bm) +
                                         matrixCopyClocks(copyOfB, choice.bn)
                                   : copyClocks(a, sizes.keepA, choice.bm) +
                                         copyClocks(b, sizes.keepB, choice.bn);
    const double accesses =
        bytes * tile * fragments / thread / kSharedBytes + copies +
        (kind == ContractKind::Converted ? kConvertedCopy * edges : 0);
    const double clocks =
        std::max({fmas, accesses, bytes * edges / kCacheBytes});
    // Blocks of a multiprocessor share its clocks. Each block also waits for
    // its own fmas, barriers and copies, even if it is alone.
    const double alone =
        fmas *
        std::max(1.0, kWarpsAlone * static_cast<double>(target.warpSize) /
                          static_cast<double>(sizes.threads()));
    const double wait = std::max(
        {isMatrix ? kLeastMatrixClocks : kLeastClocks, alone,
         kLatency / static_cast<double>(sizes.bk * (sizes.stages - 1))});
    const auto perProcessor =
        static_cast<double>(llvm::divideCeil(work, target.multiprocessors));
    const double waves = static_cast<double>(llvm::divideCeil(work, slots));
    const double time = std::max(perProcessor * clocks, waves * wait) *
                        static_cast<double>(length);
    ranked.emplace_back(time, sizes);
  }
  llvm::stable_sort(ranked, llvm::less_first());
  std::vector<ContractSizes> all;
  for (const auto &[time, sizes] : ranked)
    all.push_back(sizes);
  return all;
}

ContractSizes chooseContractSizes(const codegen::GemmView &view,
                                  const Target &target, int64_t elementBytes,
                                  ContractKind kind) {
  const auto ranked = rankContractSizes(view, target, elementBytes, kind);
  return ranked.empty() ? ContractSizes() : ranked.front();
}

DictionaryAttr toAttribute(const ContractSizes &sizes, MLIRContext *context) {
  Builder builder(context);
  NamedAttrList fields;
  for (const auto &[name, number] :
       {std::pair("bm", sizes.bm), std::pair("bn", sizes.bn),
        std::pair("bk", sizes.bk), std::pair("tm", sizes.tm),
        std::pair("tn", sizes.tn), std::pair("lanes", sizes.lanes),
        std::pair("stages", sizes.stages),
        std::pair("min_blocks", sizes.minBlocks)})
    fields.set(name, builder.getI64IntegerAttr(number));
  for (const auto &[name, flag] :
       {std::pair("async", sizes.async), std::pair("keep_a", sizes.keepA),
        std::pair("keep_b", sizes.keepB), std::pair("split", sizes.split),
        std::pair("matrix", sizes.matrix)})
    fields.set(name, builder.getBoolAttr(flag));
  return fields.getDictionary(context);
}

std::optional<StringRef> checkContractSizes(const ContractSizes &sizes,
                                            const Target &target) {
  for (int64_t size :
       {sizes.bm, sizes.bn, sizes.bk, sizes.tm, sizes.tn, sizes.lanes})
    if (size < 1 || !llvm::isPowerOf2_64(static_cast<uint64_t>(size)))
      return "a size is not a power of two";
  if (sizes.matrix ? sizes.bk != kMatrixTilePoints
                   : sizes.bk != 8 && sizes.bk != 16)
    return sizes.matrix ? "bk is not 64" : "bk is not 8 or 16";
  if (sizes.lanes > target.warpSize)
    return "lanes is above 32";
  if (sizes.bm % (sizes.lanes * sizes.tm) != 0 ||
      sizes.bn % (target.warpSize / sizes.lanes * sizes.tn) != 0)
    return "a block's tile is not made of warps' tiles";
  if (sizes.threads() > 1024)
    return "a block has more than 1024 threads";
  if (sizes.matrix && sizes.lanes != 8)
    return "lanes is not 8, that of the matrix units";
  if (sizes.matrix &&
      (8 * sizes.tm < kMatrixRows || 4 * sizes.tn < kMatrixRows))
    return "a warp's tile is smaller than 16 x 16";
  if (sizes.matrix && sizes.threads() < sizes.bk)
    return "a block has fewer threads than points";
  const int64_t registers = sizes.elementBytes / 4;
  if (registers * sizes.tm * sizes.tn > 128 ||
      registers * (sizes.tm + sizes.tn) > 32)
    return "a thread's tile does not fit the registers";
  if (sizes.async && !target.hasAsyncCopy)
    return "the target has no asynchronous copies";
  if (sizes.async ? sizes.stages < 2 || sizes.stages > 8 : sizes.stages != 2)
    return "stages is not 2 to 8, or 2 where copies go by registers";
  if (sizes.sharedBytes() + kPlaceBytes > target.sharedBytes)
    return "the tiles do not fit the shared memory";
  if (sizes.minBlocks < 0 || sizes.minBlocks > 32)
    return "min_blocks is not 0 to 32";
  return std::nullopt;
}

std::optional<ContractSizes>
readContractSizes(Attribute schedule, const codegen::GemmView &view,
                  const Target &target, int64_t elementBytes, ContractKind kind,
                  std::string &error) {
  ContractSizes sizes = chooseContractSizes(view, target, elementBytes, kind);
  if (schedule) {
    auto fields = dyn_cast<DictionaryAttr>(schedule);
    if (!fields) {
      error = "it is not a dictionary";
      return std::nullopt;
    }
    const std::pair<StringRef, int64_t *> numbers[] = {
        {"bm", &sizes.bm},         {"bn", &sizes.bn},
        {"bk", &sizes.bk},         {"tm", &sizes.tm},
        {"tn", &sizes.tn},         {"lanes", &sizes.lanes},
        {"stages", &sizes.stages}, {"min_blocks", &sizes.minBlocks}};
    const std::pair<StringRef, bool *> flags[] = {
        {"async", &sizes.async},  {"keep_a", &sizes.keepA},
        {"keep_b", &sizes.keepB}, {"split", &sizes.split},
        {"wide", &sizes.wide},    {"matrix", &sizes.matrix}};
    if (!codegen::readScheduleFields(fields, numbers, flags, error))
      return std::nullopt;
    if (sizes.matrix && kind != ContractKind::Matrix) {
      error = "the matrix units do not multiply its elements";
      return std::nullopt;
    }
  }
  if (auto problem = checkContractSizes(sizes, target)) {
    error = problem->str();
    return std::nullopt;
  }
  if (view.blockSize >= view.numPoints())
    sizes.split = false;
  return sizes;
}

} // namespace gensyn::gpu

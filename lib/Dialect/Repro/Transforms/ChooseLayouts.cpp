// Chooses values whose channels become their last dimension.

#include "MinimalCut.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/LinearExpr.h"
#include "gensyn/Dialect/Repro/IR/Permuted.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-choose-layouts"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_CHOOSELAYOUTSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Dimension 1 of `rank` dimensions becomes the last one.
SmallVector<int64_t> channelsLast(int64_t rank) {
  SmallVector<int64_t> permutation = {0};
  for (int64_t dim = 2; dim < rank; ++dim)
    permutation.push_back(dim);
  permutation.push_back(1);
  return permutation;
}

SmallVector<int64_t> channelsFirst(int64_t rank) {
  SmallVector<int64_t> permutation = {0, rank - 1};
  for (int64_t dim = 1; dim + 1 < rank; ++dim)
    permutation.push_back(dim);
  return permutation;
}

bool mayHaveChannels(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() >= 3 && type.getNumElements() > 0;
}

/// A contraction that slides filters over the images of a batch: operand
/// `image` is [batch, channels, positions...], the result the same.
struct Convolution {
  int64_t images, positions, filters, channels, taps;
  int64_t stride = 1; ///< the largest
  Value filter = {};  ///< the other operand

  int64_t points() const { return channels * taps; }

  static std::optional<Convolution> match(Operation *op);
};

std::optional<unsigned> asIterator(AffineExpr expr) {
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

std::optional<Convolution> Convolution::match(Operation *op) {
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || !mayHaveChannels(contract.getResult()) ||
      !llvm::all_of(op->getOperandTypes(), [&](Type type) {
        return getElementTypeOrSelf(type).isF32();
      }))
    return std::nullopt;
  const auto numbers = findPermutedOperands(
      op, channelsLast(int64_t(shapeOf(contract.getResult()).size())));
  if (!numbers || numbers->size() != 1)
    return std::nullopt;
  const unsigned image = numbers->front();
  AffineMap ofImage = contract.getMap(image),
            ofFilter = contract.getMap(1 - image),
            ofResult = contract.getMap(2);
  DomainAttr domain = contract.getDomain();
  const ArrayRef<int64_t> extents = domain.getExtents();
  const auto batch = asIterator(ofResult.getResult(0)),
             filter = asIterator(ofResult.getResult(1)),
             channel = asIterator(ofImage.getResult(1));
  if (!batch || !filter || !channel || !domain.isReduced(*channel) ||
      ofImage.isFunctionOfDim(*filter) || ofFilter.isFunctionOfDim(*batch))
    return std::nullopt;
  Convolution found = {extents[*batch], 1, extents[*filter], extents[*channel],
                       domain.getNumPoints() / extents[*channel]};
  found.filter = op->getOperand(1 - image);
  for (AffineExpr expr : ofResult.getResults().drop_front(2)) {
    const auto position = asIterator(expr);
    if (!position || ofFilter.isFunctionOfDim(*position))
      return std::nullopt;
    found.positions *= extents[*position];
    for (AffineExpr index : ofImage.getResults()) {
      auto linear = LinearExpr::get(index, ofImage.getNumDims());
      if (failed(linear))
        return std::nullopt;
      found.stride =
          std::max(found.stride, std::abs(linear->coefficients[*position]));
    }
  }
  return found;
}

/// Costs in processor cycles, from measurements of convolutions with AVX-512.
struct Costs {
  static constexpr double kLanes = 16; ///< of a vector
  static constexpr double kFma = 0.5;  ///< a vector
  /// A vector of an image's positions that is copied for all filters.
  static constexpr double kCopied = 3, kCopiedFar = 9;
  /// The same with gaps, and of so many points that lines of the image leave
  /// the first cache before they are read again.
  static constexpr double kStrided = 3, kStridedFar = 10;
  static constexpr int64_t kNearPoints = 512;
  static constexpr double kNearBytes = 1 << 20; ///< of the second cache
  /// Pointers to six rows of positions, and those of each tap.
  static constexpr double kPointers = 15, kTap = 8, kRows = 6;
  /// Parts of the time that are added: by register tiles of one or two vectors
  /// of filters, by pixels whose distance maps them to one set of a cache, and
  /// by images that are read from far for each panel of filters.
  static constexpr double kNarrow = 0.2, kAliased = 0.25, kFar = 0.03;
  static constexpr int64_t kAliasedElements = 1024, kPanel = 64;
  /// An element of filters that are copied in each run.
  static constexpr double kFilter = 1;
  /// An element of a value in both layouts.
  static constexpr double kTransposed = 2;
};

double roundedUp(double count) {
  return std::ceil(count / Costs::kLanes) * Costs::kLanes;
}

/// Returns the cycles that vectors along channels save against vectors along
/// the positions of images. Filters that last are copied once for many runs.
double gainOf(const Convolution &op, bool lasts) {
  const double positions = double(op.positions), filters = double(op.filters),
               points = double(op.points()),
               rows = double(op.images) * positions;
  const double fmas = rows * filters * points / Costs::kLanes;
  const bool isFar =
      rows * double(op.channels) * sizeof(float) > Costs::kNearBytes;
  // Lanes past the end of an image, unless those of a batch are joined.
  const double run =
      op.images > 1 && positions >= Costs::kLanes ? rows : positions;
  double copied = 0;
  if (op.stride > 1)
    copied =
        op.points() > Costs::kNearPoints ? Costs::kStridedFar : Costs::kStrided;
  else if (op.taps == 1)
    copied = isFar ? Costs::kCopiedFar : Costs::kCopied;
  const double along =
      fmas * roundedUp(run) / run * (Costs::kFma + copied / filters);

  const double perRow =
      points * roundedUp(filters) / Costs::kLanes * Costs::kFma * Costs::kRows;
  double added = (Costs::kPointers + Costs::kTap * double(op.taps)) / perRow;
  if (filters < Costs::kPanel * 3 / 4)
    added += Costs::kNarrow;
  if (op.taps > 1 && op.stride * op.channels % Costs::kAliasedElements == 0)
    added += Costs::kAliased;
  if (isFar && op.filters > Costs::kPanel && op.taps > 1)
    added += Costs::kFar;
  const double across =
      fmas * Costs::kFma * roundedUp(filters) / filters * (1 + added) +
      (lasts ? 0 : points * filters * Costs::kFilter);
  return along - across;
}

/// The layouts of the ops of a block.
class Layouts {
public:
  Layouts(Block &block, bool always) : block(block), always(always) {}

  void run() {
    findLasting();
    for (Operation &op : block.without_terminator())
      addOp(&op);
    if (!hasGain)
      return;
    for (Operation &op : block)
      for (Value result : op.getResults())
        addValue(result);
    for (Value argument : block.getArguments())
      addValue(argument);
    const llvm::BitVector reached = cut.solve();
    for (auto [op, node] : nodes)
      if (reached.test(node))
        last.insert(op);
    if (!last.empty())
      rewrite();
  }

private:
  using Numbers = SmallVector<unsigned>;

  /// The operands that an op permutes; nullptr if it has channels first only.
  const Numbers *operandsOf(Operation *op) const {
    auto it = permutedOperands.find(op);
    return it == permutedOperands.end() ? nullptr : &it->second;
  }

  /// Finds what is computed from inputs that are kept between runs.
  void findLasting() {
    auto function = dyn_cast<func::FuncOp>(block.getParentOp());
    if (!function)
      return;
    for (BlockArgument argument : block.getArguments())
      if (program::isKept(function, argument.getArgNumber()))
        lasting.insert(argument);
    for (Operation &op : block.without_terminator())
      if (op.getNumRegions() == 0 &&
          llvm::all_of(op.getOperands(), [&](Value operand) {
            return lasting.contains(operand);
          }))
        lasting.insert_range(op.getResults());
  }

  void addOp(Operation *op) {
    if (op->getNumResults() != 1 || !mayHaveChannels(op->getResult(0)))
      return;
    const auto convolution = Convolution::match(op);
    if (isa<ContractOp>(op) && !convolution)
      return;
    auto numbers = findPermutedOperands(
        op, channelsLast(typeOf(op->getResult(0)).getRank()));
    if (!numbers)
      return;
    permutedOperands[op] = std::move(*numbers);
    const unsigned node = nodes[op] = cut.addNode();
    if (!convolution)
      return;
    const int64_t gain =
        always ? MinimalCut::kInfinite / 2
               : int64_t(gainOf(*convolution,
                                lasting.contains(convolution->filter)));
    LDBG() << "channels last save " << gain << " cycles at " << op->getLoc();
    hasGain |= gain > 0;
    cut.addEdge(MinimalCut::kSource, node, gain);
    cut.addEdge(node, MinimalCut::kSink, -gain);
  }

  /// True if an op costs nothing where it is repeated in another layout.
  static bool isRepeated(Operation *op) {
    return op && (isSplatConstant(op) || isa<BroadcastOp>(op));
  }

  unsigned nodeOf(Operation *op) const {
    auto it = nodes.find(op);
    return it == nodes.end() ? MinimalCut::kSink : it->second;
  }
  /// The node of what reads an operand.
  unsigned readerOf(OpOperand &use) const {
    const Numbers *numbers = operandsOf(use.getOwner());
    return numbers && llvm::is_contained(*numbers, use.getOperandNumber())
               ? nodeOf(use.getOwner())
               : MinimalCut::kSink;
  }

  // A value that is read in the other layout is transposed once.
  void addValue(Value value) {
    if (!mayHaveChannels(value) || isRepeated(value.getDefiningOp()))
      return;
    const unsigned producer = nodeOf(value.getDefiningOp());
    const auto cost = int64_t(double(elementsOf(value)) * Costs::kTransposed);
    const unsigned toFirst = cut.addNode(), toLast = cut.addNode();
    cut.addEdge(producer, toFirst, cost);
    cut.addEdge(toLast, producer, cost);
    for (OpOperand &use : value.getUses()) {
      const unsigned reader = readerOf(use);
      cut.addEdge(toFirst, reader, MinimalCut::kInfinite);
      cut.addEdge(reader, toLast, MinimalCut::kInfinite);
    }
  }

  void rewrite() {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (last.contains(&op)) {
        SmallVector<Value> operands(op.getOperands());
        for (unsigned number : *operandsOf(&op))
          operands[number] = inLast(operands[number]);
        OpBuilder builder(&op);
        lasts[op.getResult(0)] =
            buildPermuted(builder, &op, operands,
                          channelsLast(typeOf(op.getResult(0)).getRank()));
      }
    }
    // What still reads the old values reads transposed new ones.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (last.contains(&op)) {
        Value result = op.getResult(0);
        if (!result.use_empty()) {
          Value value = lasts.lookup(result);
          OpBuilder builder(&op);
          result.replaceAllUsesWith(
              TransposeOp::create(builder, op.getLoc(), result.getType(), value,
                                  channelsFirst(typeOf(value).getRank())));
        }
        op.erase();
      }
  }

  /// The value with its channels last, which is transposed if need be.
  Value inLast(Value value) {
    Value &known = lasts[value];
    if (known)
      return known;
    const auto permutation = channelsLast(typeOf(value).getRank());
    Operation *op = value.getDefiningOp();
    OpBuilder builder(block.getParentOp()->getContext());
    if (op)
      builder.setInsertionPointAfter(op);
    else
      builder.setInsertionPointToStart(&block);
    if (isRepeated(op) && operandsOf(op))
      return known = buildPermuted(builder, op, op->getOperands(), permutation);
    RankedTensorType type = typeOf(value);
    return known = TransposeOp::create(
               builder, value.getLoc(),
               type.clone(permuted(type.getShape(), permutation)), value,
               permutation);
  }

  Block &block;
  bool always;
  MinimalCut cut;
  bool hasGain = false;
  llvm::DenseSet<Value> lasting;
  llvm::DenseMap<Operation *, Numbers> permutedOperands;
  llvm::MapVector<Operation *, unsigned> nodes;
  llvm::DenseSet<Operation *> last;
  llvm::DenseMap<Value, Value> lasts;
};

struct ChooseLayouts final : impl::ChooseLayoutsPassBase<ChooseLayouts> {
  using ChooseLayoutsPassBase::ChooseLayoutsPassBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      Layouts(*block, always).run();
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE

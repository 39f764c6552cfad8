// Chooses values whose channels become their last dimension.

#include "Convolution.h"
#include "MinimalCut.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
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

SmallVector<int64_t> channelsFirst(int64_t rank) {
  SmallVector<int64_t> permutation = {0, rank - 1};
  for (int64_t dim = 1; dim + 1 < rank; ++dim)
    permutation.push_back(dim);
  return permutation;
}

/// Cycles of an element of a value in both layouts.
constexpr double kTransposed = 2;

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
    const auto [cycles, isUnbounded] =
        convolution->gain(lasting.contains(convolution->filter));
    if (isUnbounded) {
      unbounded[op] = *convolution;
      if (convolution->hasFewChannels())
        permutedOperands[op].clear();
    }
    const int64_t gain = always ? MinimalCut::kInfinite / 2 : int64_t(cycles);
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
    const auto cost = int64_t(double(elementsOf(value)) * kTransposed);
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
        auto it = unbounded.find(&op);
        lasts[op.getResult(0)] =
            it != unbounded.end()
                ? buildUnbounded(builder, cast<ContractOp>(op), operands,
                                 it->second)
                : buildPermuted(
                      builder, &op, operands,
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

  /// Builds a convolution with channels last whose indices are in bounds: those
  /// of its image, or of a copy with zeros around it.
  Value buildUnbounded(OpBuilder &builder, ContractOp op,
                       ArrayRef<Value> operands,
                       const Convolution &convolution) const {
    const unsigned image = convolution.image;
    RankedTensorType result = typeOf(op.getResult()),
                     type = typeOf(operands[image]);
    const auto permutation = channelsLast(result.getRank());
    SmallVector<int64_t> low = convolution.low, high = convolution.high;
    SmallVector<AffineExpr> indices;
    for (auto [index, before] :
         llvm::zip_equal(op.getMap(image).getResults(), low))
      indices.push_back(index + before);
    if (!operandsOf(op)->empty()) {
      low = permuted<int64_t>(low, permutation);
      high = permuted<int64_t>(high, permutation);
      indices = permuted<AffineExpr>(indices, permutation);
    }
    SmallVector<Value> factors(operands);
    if (convolution.needsCopy()) {
      auto scalar = RankedTensorType::get({}, type.getElementType());
      Value zero = ConstantOp::create(
          builder, op.getLoc(), scalar,
          DenseElementsAttr::get(scalar,
                                 builder.getZeroAttr(type.getElementType())));
      factors[image] =
          PadOp::create(builder, op.getLoc(), operands[image], zero, low, high,
                        SmallVector<int64_t>(low.size(), 0));
    }
    SmallVector<AffineMap> maps = {op.getMap(0), op.getMap(1), op.getMap(2)};
    auto setResults = [](AffineMap &map, ArrayRef<AffineExpr> results) {
      map = AffineMap::get(map.getNumDims(), 0, results, map.getContext());
    };
    setResults(maps[image], indices);
    setResults(maps[2], permuted(maps[2].getResults(), permutation));
    SmallVector<int32_t> bounds(op.getBounds());
    bounds[image] = int32_t(Bound::In);
    return ContractOp::create(
        builder, op.getLoc(),
        result.clone(permuted(result.getShape(), permutation)), factors[0],
        factors[1], op.getDomain(), builder.getAffineMapArrayAttr(maps),
        builder.getDenseI32ArrayAttr(bounds), op.getOrderAttr());
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
  /// Those that read images without bounds if channels are last.
  llvm::DenseMap<Operation *, Convolution> unbounded;
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

// The schedule of pointwise kernels: vectors along the last dimension.

#include "Common/Interleaving.h"
#include "Common/Rounding.h"

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Emit/RandomBits.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Elements of a row per tile: enough to amortize finding the row.
constexpr int64_t kBlock = 4096;

/// Iteration over the results: rows of `length` elements, contiguous in every
/// tensor that has them.
struct Walk {
  /// Extents of the dimensions before the row, and of the row, in the results.
  SmallVector<int64_t> outer;
  int64_t rows = 1, length = 1;
  /// Number of trailing dimensions of the results that form the row.
  unsigned joined = 0;

  int64_t blocks() const { return ceilDiv(length, kBlock); }
};

/// Returns the iteration of a kernel of elementwise ops, splat constants,
/// random bits and broadcasts; std::nullopt for another kernel. Every broadcast
/// has all or none of the joined dimensions, so each tensor has the row as a
/// whole or is constant along it.
std::optional<Walk> findWalk(repro::KernelOp kernel) {
  auto shape = cast<ShapedType>(kernel.getResult(0).getType()).getShape();
  for (Type type : kernel.getResultTypes())
    if (cast<ShapedType>(type).getShape() != shape)
      return std::nullopt;
  const auto rank = static_cast<unsigned>(shape.size());
  unsigned joined = rank;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (op.hasTrait<OpTrait::Elementwise>() || repro::isSplatConstant(&op) ||
        isa<repro::RandomBitsOp>(op))
      continue;
    auto broadcast = dyn_cast<repro::BroadcastOp>(op);
    if (!broadcast || cast<ShapedType>(broadcast.getType()).getShape() != shape)
      return std::nullopt;
    // Joins the last dimensions that are all in the operand, or all not.
    ArrayRef<int64_t> dims = broadcast.getDims();
    auto has = [&](unsigned dim) {
      return llvm::is_contained(dims, static_cast<int64_t>(dim));
    };
    unsigned same = 0;
    while (same < rank && has(rank - 1 - same) == has(rank - 1))
      ++same;
    joined = std::min(joined, same);
  }
  Walk walk;
  walk.joined = joined;
  walk.outer.assign(shape.begin(), shape.end() - joined);
  for (int64_t extent : walk.outer)
    walk.rows *= extent;
  for (int64_t extent : shape.take_back(joined))
    walk.length *= extent;
  return walk;
}

/// Emits elements at a position of the row: `lanes` of them, or one if it is 0.
/// Indices are those of the outer dimensions; the last index of an element of a
/// tensor that has the row is the position.
class RowEmitter final : public codegen::KernelEmitter {
public:
  RowEmitter(OpBuilder &builder, scf::ForOp loop, int64_t lanes,
             unsigned joined)
      : KernelEmitter(builder, loop.getLoc()), lanes(lanes), joined(joined),
        loop(loop), position(loop.getInductionVar()) {}

  Value splat(Value scalar) override {
    if (!lanes)
      return scalar;
    return vector::BroadcastOp::create(
        builder, location, VectorType::get({lanes}, scalar.getType()), scalar);
  }

  void storeRow(Value value, Value buffer, ArrayRef<Value> row) {
    value = canonical(value);
    Type byte = builder.getI8Type();
    if (getElementTypeOrSelf(value.getType()).isInteger(1))
      value = arith::ExtUIOp::create(
          builder, location,
          lanes ? Type(VectorType::get({lanes}, byte)) : byte, value);
    Value flat = flatten(buffer, joined);
    SmallVector<Value> at(row);
    at.push_back(position);
    if (lanes)
      vector::StoreOp::create(builder, location, value, flat, at);
    else
      memref::StoreOp::create(builder, location, value, flat, at);
  }

  Value element(Value tensor, ArrayRef<Value> indices) override {
    auto draw = tensor.getDefiningOp<repro::RandomBitsOp>();
    if (!draw)
      return KernelEmitter::element(tensor, indices);
    auto known = drawn.find(tensor);
    if (known == drawn.end() || known->second.first != indices) {
      Value words = drawElement(draw, indices);
      drawn[tensor] = {SmallVector<Value>(indices), words};
      return words;
    }
    return known->second.second;
  }

protected:
  // All indices of the row's dimensions are the position: a reader of the
  // results' elements passes it once per dimension.
  Value load(Value tensor, Value buffer, ArrayRef<Value> indices) override {
    const auto inRow = static_cast<unsigned>(llvm::count(indices, position));
    if (inRow == 0) { // uniform along the row: loaded once, before the loop
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(loop);
      SmallVector<Value> at(indices);
      for (Value &index : at) // a constant may be defined in the loop
        if (std::optional<int64_t> constant = getConstantIntValue(index))
          index = arith::ConstantIndexOp::create(builder, location, *constant);
      return splat(KernelEmitter::load(tensor, buffer, at));
    }
    Value flat = flatten(buffer, inRow);
    SmallVector<Value> at(indices.drop_back(inRow));
    at.push_back(position);
    if (!lanes)
      return KernelEmitter::load(tensor, flat, at);
    auto type = VectorType::get(
        {lanes}, cast<MemRefType>(buffer.getType()).getElementType());
    Value value = vector::LoadOp::create(builder, location, type, flat, at);
    if (!cast<ShapedType>(tensor.getType()).getElementType().isInteger(1))
      return value;
    return arith::TruncIOp::create(
        builder, location, VectorType::get({lanes}, builder.getI1Type()),
        value);
  }

private:
  /// Emits random words from the index of the first lane's element.
  Value drawElement(repro::RandomBitsOp draw, ArrayRef<Value> indices) {
    AffineExpr linear = builder.getAffineConstantExpr(0);
    SmallVector<Value> known;
    int64_t rowLength = 1;
    for (auto [dim, extent] : llvm::enumerate(draw.getType().getShape())) {
      linear = linear * extent;
      // The position counts through all dimensions of the row.
      if (indices[dim] == position) {
        rowLength *= extent;
        continue;
      }
      linear = linear + builder.getAffineDimExpr(known.size());
      known.push_back(indices[dim]);
    }
    const bool isInRow = llvm::is_contained(indices, position);
    const bool hasOneRow = known.empty();
    if (isInRow) {
      linear = linear + builder.getAffineDimExpr(known.size());
      known.push_back(position);
    }
    Value number = builder.createOrFold<arith::IndexCastOp>(
        location, builder.getI64Type(), apply(linear, known));
    if (!isInRow || lanes == 0)
      return emit::emitRandomBits(draw, *this, splat(number));
    // Vectors begin at multiples of their length within a row.
    if (lanes % 4 == 0 && (hasOneRow || rowLength % 4 == 0))
      return drawBlocks(draw, number);
    return emit::emitRandomBits(draw, *this, counted(number, lanes));
  }

  /// Returns first, first + 1, ... in a vector.
  Value counted(Value first, int64_t count) {
    auto type = VectorType::get({count}, first.getType());
    auto offsets = llvm::to_vector(llvm::seq<int64_t>(0, count));
    return arith::AddIOp::create(
        builder, location,
        vector::BroadcastOp::create(builder, location, type, first),
        arith::ConstantOp::create(
            builder, location,
            DenseElementsAttr::get(type, ArrayRef<int64_t>(offsets))));
  }

  /// Emits random words for lanes that begin at a block: a quarter of the work,
  /// since all words of a block are used.
  Value drawBlocks(repro::RandomBitsOp draw, Value first) {
    const int64_t blocks = lanes / 4;
    Value four = arith::ConstantIntOp::create(builder, location, 4, 64);
    Value block = arith::DivUIOp::create(builder, location, first, four);
    SmallVector<Value> words =
        emit::emitRandomBlocks(draw, *this, counted(block, blocks));
    if (words.empty())
      return {};
    // Interleaves pairs, so that lane i is word i mod 4 of block i div 4.
    auto inOrder = llvm::to_vector(llvm::seq<int64_t>(0, 2 * blocks));
    for (int pair : {0, 2})
      words[pair] = vector::ShuffleOp::create(builder, location, words[pair],
                                              words[pair + 1], inOrder);
    SmallVector<int64_t> lanesOf;
    for (int64_t i = 0; i < lanes; ++i)
      lanesOf.push_back(i % 4 * blocks + i / 4);
    return vector::ShuffleOp::create(builder, location, words[0], words[2],
                                     lanesOf);
  }

  /// Returns the buffer with its last `count` dimensions collapsed.
  Value flatten(Value buffer, unsigned count) {
    if (count <= 1)
      return buffer;
    const auto rank =
        static_cast<unsigned>(cast<MemRefType>(buffer.getType()).getRank());
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < rank - count; ++dim)
      groups.push_back({dim});
    groups.push_back(llvm::to_vector(
        llvm::seq<int64_t>(static_cast<int64_t>(rank - count), rank)));
    return memref::CollapseShapeOp::create(builder, location, buffer, groups);
  }

  int64_t lanes;
  unsigned joined;
  /// The last words of each random op, and their indices.
  llvm::DenseMap<Value, std::pair<SmallVector<Value>, Value>> drawn;
  scf::ForOp loop;
  Value position;
};

/// True if the op is a correctly rounded function.
bool isFunction(Operation &op) {
  return repro::getElementCost(&op) == repro::ElementCost::Function;
}

class Pointwise final : public Schedule {
public:
  StringRef getName() const override { return "pointwise"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<Walk> walk = findWalk(kernel);
    if (!walk || walk->length < target.lanes(4) || walk->rows == 0 ||
        kernel.getScheduleAttr())
      return std::nullopt;
    KernelPlan plan;
    plan.launches.emplace_back().tiles = walk->rows * walk->blocks();
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    const Walk walk = *findWalk(kernel);
    Location location = kernel.getLoc();
    const codegen::IndexBuilder index(builder, location);
    auto tiles = scf::ForOp::create(builder, location, function.begin,
                                    function.end, index(1));
    builder.setInsertionPoint(tiles.getBody()->getTerminator());
    Value rest = tiles.getInductionVar(), first = index(0);
    if (walk.blocks() > 1) {
      Value blocks = index(walk.blocks());
      Value block = index.rem(rest, blocks);
      first = index.mul(block, kBlock);
      rest = index.div(rest, blocks);
    }
    SmallVector<Value> row = index.delinearize(rest, walk.outer);
    Value last = arith::MinSIOp::create(builder, location, index(walk.length),
                                        index.add(first, kBlock));
    const int64_t lanes = target.lanes(4);
    const bool hasFunction =
        llvm::any_of(kernel.getBlock().without_terminator(), isFunction);
    // Several vectors at once, then vectors, then element by element. Blocks
    // but the last are a multiple of all of these.
    int64_t left = walk.length;
    for (int64_t count :
         {lanes * (hasFunction ? vectorsAtOnce(kernel, target) : 1), lanes,
          int64_t(1)}) {
      if (left < count)
        continue;
      left %= count;
      Value end = index.sub(last, index.rem(index.sub(last, first), count));
      if (failed(emitLoop(kernel, function, walk, row, first, end,
                          count > 1 ? count : 0, builder)))
        return failure();
      first = end;
    }
    builder.setInsertionPointAfter(tiles);
    return success();
  }

private:
  static LogicalResult emitLoop(repro::KernelOp kernel,
                                const KernelFunction &function,
                                const Walk &walk, ArrayRef<Value> row,
                                Value begin, Value end, int64_t lanes,
                                OpBuilder &builder) {
    Location location = kernel.getLoc();
    Value step = arith::ConstantIndexOp::create(builder, location,
                                                std::max<int64_t>(lanes, 1));
    auto loop = scf::ForOp::create(builder, location, begin, end, step);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    RowEmitter emitter(builder, loop, lanes, walk.joined);
    emitter.bindAll(kernel, function.inputs, function.faults);
    SmallVector<Value> indices(row);
    indices.append(walk.joined, loop.getInductionVar());
    FailureOr<SmallVector<Value>> values = emitter.results(kernel, indices);
    if (failed(values))
      return failure();
    for (auto [value, output] : llvm::zip_equal(*values, function.outputs))
      emitter.storeRow(value, output, row);
    return success();
  }
};

} // namespace

/// Accepts kernels of elementwise ops, splat constants and broadcasts. Trailing
/// dimensions are joined to one row if no broadcast separates them; the row is
/// computed in vectors of one register of f32.
std::unique_ptr<Schedule> createPointwiseSchedule() {
  return std::make_unique<Pointwise>();
}

} // namespace gensyn::cpu

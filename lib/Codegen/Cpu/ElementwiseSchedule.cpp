// See ElementwiseSchedule.h.

#include "ElementwiseSchedule.h"

#include "ElementwiseLanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Elements of the result that a tile computes, about.
constexpr int64_t kTileElements = 4096;

int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

int64_t product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

/// The result as rows of vectors: the outer dimensions number the rows.
struct Rows {
  SmallVector<int64_t> outer;
  unsigned collapsed;
  int64_t rows, length, lanes;
  int64_t rowsPerTile, piecesPerRow, pieceLength;

  int64_t tiles() const { return ceilDiv(rows, rowsPerTile) * piecesPerRow; }
};

std::optional<Rows> rowsOf(repro::KernelOp kernel, int64_t lanes) {
  if (kernel.getNumResults() != 1)
    return std::nullopt;
  Value root = kernel.getYielded().front();
  ArrayRef<int64_t> shape = cast<ShapedType>(root.getType()).getShape();
  Rows rows;
  rows.collapsed = collapsibleDims(root);
  if (rows.collapsed == 0 || product(shape) == 0)
    return std::nullopt;
  rows.outer.assign(shape.begin(), shape.end() - rows.collapsed);
  rows.rows = product(rows.outer);
  rows.length = product(shape.take_back(rows.collapsed));
  if (rows.length < 4)
    return std::nullopt;
  while (lanes > rows.length)
    lanes /= 2;
  rows.lanes = lanes;
  rows.rowsPerTile = std::max<int64_t>(1, kTileElements / rows.length);
  rows.piecesPerRow = ceilDiv(rows.length, kTileElements);
  rows.pieceLength =
      ceilDiv(ceilDiv(rows.length, rows.piecesPerRow), lanes) * lanes;
  rows.piecesPerRow = ceilDiv(rows.length, rows.pieceLength);
  return rows;
}

class TileEmitter {
public:
  TileEmitter(repro::KernelOp kernel, const Rows &rows,
              const KernelFunction &function, OpBuilder &builder)
      : kernel(kernel), rows(rows), function(function), b(builder),
        loc(kernel.getLoc()) {}

  LogicalResult emit() {
    LogicalResult result = success();
    loop(function.begin, function.end, 1, [&](Value tile) {
      Value piece = remainder(tile, rows.piecesPerRow);
      Value first = times(quotient(tile, rows.piecesPerRow), rows.rowsPerTile);
      Value last =
          least(plus(first, index(rows.rowsPerTile)), index(rows.rows));
      Value begin = times(piece, rows.pieceLength);
      Value end =
          least(plus(begin, index(rows.pieceLength)), index(rows.length));
      loop(first, last, 1, [&](Value row) {
        SmallVector<Value> outer = decode(row);
        loop(begin, end, rows.lanes, [&](Value position) {
          // The last vector of a row is moved back in: elements that two of
          // them compute are the same.
          if (rows.length % rows.lanes != 0)
            position = least(position, index(rows.length - rows.lanes));
          result = emitVector(outer, position);
        });
      });
    });
    return result;
  }

private:
  LogicalResult emitVector(ArrayRef<Value> outer, Value position) {
    LaneEmitter emitter(b, loc, rows.lanes, position);
    for (auto [argument, buffer] :
         llvm::zip_equal(kernel.getBlock().getArguments(), function.inputs))
      emitter.bind(argument, buffer);
    SmallVector<Value> indices(outer);
    for (unsigned i = 1; i < rows.collapsed; ++i)
      indices.push_back(index(0));
    indices.push_back(position);
    Value value = emitter.element(kernel.getYielded().front(), indices);
    if (!value)
      return failure();
    emitter.storeLanes(value, function.outputs.front(), indices);
    if (!emitter.usedForAddressesOnly(*b.getInsertionBlock()))
      return kernel.emitOpError("is not the same for all lanes");
    return success();
  }

  SmallVector<Value> decode(Value row) {
    SmallVector<Value> result(rows.outer.size());
    for (size_t i = rows.outer.size(); i-- > 0;) {
      result[i] = i == 0 ? row : remainder(row, rows.outer[i]);
      row = quotient(row, rows.outer[i]);
    }
    return result;
  }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value plus(Value x, Value y) {
    return b.createOrFold<arith::AddIOp>(loc, x, y);
  }
  Value times(Value x, int64_t y) {
    return b.createOrFold<arith::MulIOp>(loc, x, index(y));
  }
  Value least(Value x, Value y) {
    return b.createOrFold<arith::MinUIOp>(loc, x, y);
  }
  Value quotient(Value x, int64_t y) {
    return y == 1 ? x : b.createOrFold<arith::DivUIOp>(loc, x, index(y));
  }
  Value remainder(Value x, int64_t y) {
    return y == 1 ? index(0) : b.createOrFold<arith::RemUIOp>(loc, x, index(y));
  }
  void loop(Value begin, Value end, int64_t step,
            function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, loc, begin, end, index(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    body(loop.getInductionVar());
  }

  repro::KernelOp kernel;
  const Rows &rows;
  const KernelFunction &function;
  OpBuilder &b;
  Location loc;
};

class ElementwiseSchedule final : public Schedule {
public:
  explicit ElementwiseSchedule(int64_t lanes) : lanes(lanes) {}

  StringRef getName() const override { return "elementwise"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    auto rows = rowsOf(kernel, lanesFor(target));
    if (!rows)
      return std::nullopt;
    KernelPlan plan;
    plan.launches.push_back({"", rows->tiles(), 0});
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    auto rows = rowsOf(kernel, lanesFor(target));
    return TileEmitter(kernel, *rows, function, builder).emit();
  }

private:
  int64_t lanesFor(const Target &target) const {
    return lanes ? lanes : target.lanes(4);
  }

  int64_t lanes;
};

} // namespace

std::unique_ptr<Schedule> createElementwiseSchedule(int64_t lanes) {
  return std::make_unique<ElementwiseSchedule>(lanes);
}

} // namespace gensyn::cpu

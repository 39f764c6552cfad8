// Pointers to rows of A, where it is read in place although rows or points have
// no single stride: windows of images whose channels are adjacent; see Gemm.h.

#include "../Common/Rounding.h"
#include "Gemm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {
/// Numbers of i32, a lane for each row of a panel. Tensors are small enough.
class RowLanes {
public:
  RowLanes(CpuBuilder &code, int64_t rows)
      : code(code), type(VectorType::get({numLanes(rows)}, code.i32)) {}

  static int64_t numLanes(int64_t rows) {
    return int64_t(llvm::PowerOf2Ceil(uint64_t(rows)));
  }
  Value constant(int64_t value) {
    return arith::ConstantOp::create(
        code.b, code.loc,
        DenseElementsAttr::get(type, code.b.getI32IntegerAttr(int32_t(value))));
  }
  Value splat(Value number) { ///< of an i64
    return vector::BroadcastOp::create(code.b, code.loc, type,
                                       code.truncate(number));
  }
  Value iota() {
    SmallVector<int32_t> lanes;
    for (int32_t lane = 0; lane < type.getDimSize(0); ++lane)
      lanes.push_back(lane);
    return arith::ConstantOp::create(
        code.b, code.loc, DenseElementsAttr::get(type, ArrayRef(lanes)));
  }
  Value add(Value x, Value y) {
    return code.b.createOrFold<arith::AddIOp>(code.loc, x, y);
  }
  Value mul(Value x, int64_t y) {
    return code.b.createOrFold<arith::MulIOp>(code.loc, x, constant(y));
  }
  /// As GemmEmitter::decode.
  SmallVector<Value> decode(ArrayRef<GemmAxis> axes, Value flat) {
    SmallVector<Value> result(axes.size());
    for (size_t i = axes.size(); i-- > 0;) {
      Value extent = constant(axes[i].extent);
      result[i] =
          i == 0 ? flat
                 : code.b.createOrFold<arith::RemUIOp>(code.loc, flat, extent);
      flat = code.b.createOrFold<arith::DivUIOp>(code.loc, flat, extent);
    }
    return result;
  }

  CpuBuilder &code;
  VectorType type;
};
} // namespace

int64_t pointersPerRow(const GemmView &view) {
  return view.aChecks.empty() ? 1 : codegen::tapsOfRows(view)->number;
}

bool hasTapOffsets(const GemmView &view) {
  return view.aChecks.empty() && codegen::tapsOfRows(view)->number > 1;
}

int64_t rowPointersOf(const GemmView &view, const GemmSizes &sizes,
                      int64_t panels) {
  // Those of the panel after the last are read, but not what they point to.
  return (panels + 1) * pointersPerRow(view) * sizes.mr +
         RowLanes::numLanes(sizes.mr);
}

void GemmEmitter::storeZeros(Value scratch) {
  const int64_t count = view.numPoints() / codegen::tapsOfRows(view)->number;
  Value zeros = code.at(scratch, layout.zeroOffset);
  // The place is a multiple of a line.
  code.loop(code.constant(0), code.constant(count), sizes.lanes,
            [&](Value at) { code.store(code.zero(), code.at(zeros, at)); });
}

Value GemmEmitter::rowPointersAt(const Tile &tile, Value panel, Value scratch) {
  return code.at(code.at(scratch, layout.pointerOffset),
                 code.mul(code.sub(panel, tile.firstPanel),
                          pointersPerRow(view) * sizes.mr),
                 code.i64);
}

void GemmEmitter::storeRowTaps(Value scratch) {
  Value table = code.at(scratch, layout.rowTapOffset);
  code.loop(code.constant(0), code.constant(codegen::tapsOfRows(view)->number),
            1, [&](Value at) {
              // The outer points are 0.
              code.storeEntry(
                  offset(view.points, decode(view.points, at), GemmTensor::A),
                  table, at);
            });
}

// The lanes of a vector past the rows of a panel are overwritten by the next
// tap's, and those of the last tap by the next panel's.
void GemmEmitter::storeRowPointers(const Tile &tile,
                                   const GemmPointers &pointers) {
  const int64_t taps = pointersPerRow(view);
  RowLanes lanes(code, sizes.mr);
  const auto wide = VectorType::get(lanes.type.getShape(), code.i64);
  auto addressOf = [&](Value pointer) -> Value {
    Value number =
        LLVM::PtrToIntOp::create(code.b, code.loc, code.i64, pointer);
    return vector::BroadcastOp::create(code.b, code.loc, wide, number);
  };
  Value first = addressOf(pointers.a);
  Value zeros = addressOf(code.at(pointers.scratch, layout.zeroOffset));
  Value bytes = arith::ConstantOp::create(
      code.b, code.loc,
      DenseElementsAttr::get(wide,
                             code.b.getI64IntegerAttr(tensors.a.bytes())));
  code.loop(tile.firstPanel, tile.lastPanel, 1, [&](Value panel) {
    Value row = lanes.add(lanes.splat(code.mul(panel, sizes.mr)), lanes.iota());
    const SmallVector<Value> at = lanes.decode(view.rows, row);
    auto sumOf = [&](Value start, auto stepOf) {
      for (auto [axis, value] : llvm::zip_equal(view.rows, at))
        if (const int64_t step = stepOf(axis))
          start = lanes.add(start, lanes.mul(value, step));
      return start;
    };
    Value offsets =
        sumOf(lanes.constant(0), [](const GemmAxis &axis) { return axis.a; });
    SmallVector<Value> checked;
    for (auto [number, check] : llvm::enumerate(view.aChecks))
      checked.push_back(
          sumOf(lanes.splat(code.add(checkPart(view.batch, tile.batch,
                                               GemmTensor::A, unsigned(number)),
                                     check.offset)),
                [&](const GemmAxis &axis) { return axis.aChecks[number]; }));
    Value table = rowPointersAt(tile, panel, pointers.scratch);
    code.loop(code.constant(0), code.constant(taps), 1, [&](Value tap) {
      // The outer points are 0.
      const Values point = decode(view.points, tap);
      Value along = lanes.add(
          offsets, lanes.splat(offset(view.points, point, GemmTensor::A)));
      Value address = arith::AddIOp::create(
          code.b, code.loc, first,
          arith::MulIOp::create(
              code.b, code.loc,
              arith::ExtSIOp::create(code.b, code.loc, wide, along), bytes));
      for (auto [number, check] : llvm::enumerate(view.aChecks)) {
        Value position =
            lanes.add(checked[number],
                      lanes.splat(checkPart(view.points, point, GemmTensor::A,
                                            unsigned(number))));
        address = code.select(code.compare(arith::CmpIPredicate::ult, position,
                                           lanes.constant(check.extent)),
                              address, zeros);
      }
      LLVM::StoreOp::create(code.b, code.loc, address,
                            code.at(table, code.mul(tap, sizes.mr), code.i64),
                            8);
    });
  });
}

} // namespace gensyn::cpu

// Copies 8-bit integers into panels; see ByteMicroKernel.h. Bytes are read by
// vectors along the points, or across them along the rows or columns.

#include "../Common/Rounding.h"
#include "ByteMicroKernel.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {
constexpr int64_t kPointsOfElement = 4;
/// Lines of points so far apart are not foreseen by the processor.
constexpr int64_t kPointsAhead = 32;

/// Reads vectors of elements of panels.
class ByteVectors {
public:
  ByteVectors(CpuBuilder &code, const StoredTensor &tensor)
      : code(code), tensor(tensor.asRaw()),
        bytes(VectorType::get({kPointsOfElement * code.lanes},
                              code.b.getI8Type())) {}

  /// A mask of the first bytes of a vector.
  Value firstBytes(Value count) const {
    SmallVector<int8_t> numbers;
    for (int64_t i = 0; i < bytes.getNumElements(); ++i)
      numbers.push_back(int8_t(i));
    Value all = arith::ConstantOp::create(
        code.b, code.loc, DenseElementsAttr::get(bytes, ArrayRef(numbers)));
    Value most = code.minSigned(count, code.constant(bytes.getNumElements()));
    Value small =
        arith::TruncIOp::create(code.b, code.loc, code.b.getI8Type(),
                                code.maxSigned(most, code.constant(0)));
    return code.compare(
        arith::CmpIPredicate::ult, all,
        vector::BroadcastOp::create(code.b, code.loc, bytes, small));
  }

  /// Bytes at an address, those outside of the mask as zeros.
  Value along(Value address, Value mask) const {
    Value value;
    if (mask) {
      Value zero = arith::ConstantOp::create(code.b, code.loc,
                                             code.b.getZeroAttr(bytes));
      value = LLVM::MaskedLoadOp::create(code.b, code.loc, bytes, address, mask,
                                         zero, /*alignment=*/1);
    } else {
      value = LLVM::LoadOp::create(code.b, code.loc, bytes, address,
                                   /*alignment=*/1);
    }
    return vector::BitCastOp::create(code.b, code.loc, code.vector, value);
  }

  /// The elements of which byte i of each lane is at address i.
  Value across(ArrayRef<Value> addresses, Value lanes,
               ArrayRef<Value> exists) const {
    SmallVector<Value> parts;
    for (auto [i, address] : llvm::enumerate(addresses)) {
      Value part = tensor.load(address, lanes);
      if (!exists.empty()) {
        Value zero = arith::ConstantOp::create(
            code.b, code.loc, code.b.getZeroAttr(part.getType()));
        part = code.select(exists[i], part, zero);
      }
      parts.push_back(part);
    }
    auto join = [&](Value first, Value second) -> Value {
      SmallVector<int64_t> order;
      const int64_t count = cast<VectorType>(first.getType()).getNumElements();
      for (int64_t i = 0; i < 2 * count; ++i)
        order.push_back(i);
      return vector::ShuffleOp::create(code.b, code.loc, first, second, order);
    };
    Value all = join(join(parts[0], parts[1]), join(parts[2], parts[3]));
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < code.lanes; ++lane)
      for (int64_t i = 0; i < kPointsOfElement; ++i)
        order.push_back(i * code.lanes + lane);
    return vector::BitCastOp::create(
        code.b, code.loc, code.vector,
        vector::ShuffleOp::create(code.b, code.loc, all, all, order));
  }

private:
  CpuBuilder &code;
  const StoredTensor tensor;
  VectorType bytes;
};

/// Calls `step` with the first point of each step below `count`, and the number
/// of points of the last one if it is not whole.
void forEachStep(CpuBuilder &code, Value count, int64_t points,
                 function_ref<void(Value, Value)> step) {
  Value rest = code.rem(count, points);
  Value whole = code.sub(count, rest);
  code.loop(code.constant(0), whole, points,
            [&](Value first) { step(first, Value()); });
  code.loop(whole, count, points, [&](Value first) { step(first, rest); });
}
} // namespace

void GemmEmitter::packRowBytes(Value panel, const GemmPointers &pointers) {
  const int64_t step = sizes.pointStepOfBytes();
  const ByteVectors bytes(code, tensors.a);
  Value count = code.constant(view.numPoints());
  Value firstRow = code.mul(panel, sizes.mr);
  Value target =
      code.at(pointers.panels, code.mul(panel, layout.rowPanelStride));
  auto placeOf = [&](Value point, Value row) {
    return code.at(target, code.add(code.mul(code.div(point, step),
                                             sizes.mr * sizes.lanes),
                                    code.mul(row, sizes.lanes)));
  };
  if (singleStride(view.points, GemmTensor::A) == 1) {
    // Rows past the last one repeat it; their results are not used.
    code.loop(code.constant(0), code.constant(sizes.mr), 1, [&](Value row) {
      Value number = code.minSigned(code.add(firstRow, row),
                                    code.constant(view.numRows() - 1));
      Value source =
          tensors.a.at(pointers.a, offset(view.rows, decode(view.rows, number),
                                          GemmTensor::A));
      forEachStep(code, count, step, [&](Value point, Value rest) {
        Value mask = rest ? bytes.firstBytes(rest) : Value();
        code.store(bytes.along(tensors.a.at(source, point), mask),
                   placeOf(point, row));
      });
    });
  } else {
    for (int64_t first = 0; first < sizes.mr; first += sizes.lanes)
      packRowsAcross(code.add(firstRow, first),
                     std::min(sizes.lanes, sizes.mr - first), pointers,
                     [&](Value point, int64_t row) {
                       return placeOf(point, code.constant(first + row));
                     });
  }
  const ByteArithmetic arithmetic(code, sizes.byteProducts,
                                  tensors.a.isSigned());
  if (!arithmetic.shiftsB())
    return;
  // -128 times the sum of each row.
  constexpr int64_t eachByte128 = 0x80808080;
  Value most = code.splat32(eachByte128);
  Value behind = code.at(target, layout.rowPanelStride - sizes.lanes);
  code.loop(code.constant(0), code.constant(sizes.mr), 1, [&](Value row) {
    const Values sums =
        code.loop(code.constant(0), count, step, {code.zero()},
                  [&](Value point, ValueRange carried) {
                    return Values{arithmetic.addProducts(
                        carried[0], code.load(placeOf(point, row)), most)};
                  });
    Value sum = vector::ReductionOp::create(
        code.b, code.loc, vector::CombiningKind::ADD, sums[0]);
    Value zero = arith::ConstantOp::create(code.b, code.loc,
                                           code.b.getI32IntegerAttr(0));
    code.storeScalar(arith::SubIOp::create(code.b, code.loc, zero, sum),
                     code.at(behind, row));
  });
}

// Reads the rows as lanes, and transposes squares of elements.
void GemmEmitter::packRowsAcross(Value firstRow, int64_t rows,
                                 const GemmPointers &pointers,
                                 function_ref<Value(Value, int64_t)> placeOf) {
  const int64_t stride = *singleStride(view.points, GemmTensor::A);
  const ByteVectors bytes(code, tensors.a);
  Value lanes =
      code.firstLanes(code.sub(code.constant(view.numRows()), firstRow));
  Value source = tensors.a.at(pointers.a, firstRow);
  forEachStep(code, code.constant(view.numPoints()), sizes.pointStepOfBytes(),
              [&](Value point, Value rest) {
                SmallVector<Value> square;
                for (int64_t i = 0; i < sizes.lanes; ++i) {
                  SmallVector<Value> addresses, exist;
                  for (int64_t j = 0; j < kPointsOfElement; ++j) {
                    const int64_t at = i * kPointsOfElement + j;
                    Value of = code.add(point, at);
                    if (rest) {
                      exist.push_back(code.less(code.constant(at), rest));
                      of = code.select(exist.back(), of, point);
                    }
                    addresses.push_back(
                        tensors.a.at(source, code.mul(of, stride)));
                  }
                  square.push_back(bytes.across(addresses, lanes, exist));
                }
                const auto transposed = transpose(code, square);
                for (int64_t r = 0; r < rows; ++r)
                  code.store(transposed[size_t(r)], placeOf(point, r));
              });
}

void GemmEmitter::packColumnBytes(const Tile &tile, const Visit &visit,
                                  const GemmPointers &pointers, Value panels) {
  const bool isAlong = singleStride(view.points, GemmTensor::B) == 1;
  auto forEachPanel = [&](function_ref<void(Value)> body) {
    code.loop(tile.firstColumn, tile.lastColumn, 1, body);
  };
  if (isAlong)
    return forEachPanel([&](Value column) {
      packBytesAlong(tile, column, visit, pointers, panels);
    });
  // A point's columns in all panels are neighbours in memory.
  forEachStep(code, visit.count, kPointsOfElement,
              [&](Value point, Value rest) {
                forEachPanel([&](Value column) {
                  packBytesAcross(tile, column, {visit.first, point, rest},
                                  pointers, panels);
                });
              });
}

void GemmEmitter::storeBytesOfB(Value value, Value panel, Value element,
                                int64_t vector) {
  constexpr int64_t each128 = 0x80808080;
  if (sizes.byteProducts == ByteProducts::UnsignedBySigned)
    value =
        arith::XOrIOp::create(code.b, code.loc, value, code.splat32(each128));
  code.store(value, code.at(panel, code.add(code.mul(element, sizes.columns()),
                                            vector * sizes.lanes)));
}

Value GemmEmitter::panelOfBytes(const Tile &tile, Value column, Value panels) {
  return code.at(
      panels, code.mul(code.sub(column, tile.firstColumn), layout.panelStride));
}

void GemmEmitter::packBytesAlong(const Tile &tile, Value column,
                                 const Visit &visit,
                                 const GemmPointers &pointers, Value panels) {
  const int64_t columnStride = *singleStride(view.run, GemmTensor::B);
  const ByteVectors bytes(code, tensors.b);
  Value panel = panelOfBytes(tile, column, panels);
  for (int64_t v = 0; v < sizes.nv; ++v) {
    const Column place = locate(code.add(code.mul(column, sizes.nv), v));
    Value base = tensors.b.at(
        pointers.b, code.add(offset(view.columns, place.outer, GemmTensor::B),
                             visit.first));
    SmallVector<Value> sources;
    for (int64_t lane = 0; lane < sizes.lanes; ++lane) {
      Value position = code.minSigned(code.add(place.position, lane),
                                      code.constant(view.runLength() - 1));
      sources.push_back(tensors.b.at(base, code.mul(position, columnStride)));
    }
    forEachStep(
        code, visit.count, sizes.pointStepOfBytes(),
        [&](Value point, Value rest) {
          Value mask = rest ? bytes.firstBytes(rest) : Value();
          SmallVector<Value> square;
          for (Value source : sources)
            square.push_back(bytes.along(tensors.b.at(source, point), mask));
          Value first = code.div(point, kPointsOfElement);
          for (auto [i, value] : llvm::enumerate(transpose(code, square)))
            storeBytesOfB(value, panel, code.add(first, int64_t(i)), v);
        });
  }
}

void GemmEmitter::packBytesAcross(const Tile &tile, Value column,
                                  const PointsOfElement &points,
                                  const GemmPointers &pointers, Value panels) {
  const int64_t stride = *singleStride(view.points, GemmTensor::B);
  const ByteVectors bytes(code, tensors.b);
  Value panel = panelOfBytes(tile, column, panels);
  Value table = tableOf(tile, column, pointers.scratch);
  const auto [start, point, rest] = points;
  Value first = code.add(start, point);
  for (int64_t v = 0; v < sizes.nv; ++v) {
    auto entry = [&](int64_t number) {
      return code.loadEntry(table,
                            code.constant(v * layout.tableEntries + number));
    };
    Value lanes = view.runLength() % sizes.lanes == 0
                      ? Value()
                      : code.firstLanes(entry(0));
    Value source = tensors.b.at(pointers.b, entry(2));
    SmallVector<Value> addresses;
    for (int64_t i = 0; i < kPointsOfElement; ++i) {
      Value at = code.add(first, i);
      // Those past the last one are multiplied by zeros.
      if (rest && i > 0)
        at = code.select(code.less(code.constant(i), rest), at, first);
      addresses.push_back(tensors.b.at(source, code.mul(at, stride)));
      if (v == 0)
        code.prefetch(tensors.b.at(addresses.back(), kPointsAhead * stride));
    }
    storeBytesOfB(bytes.across(addresses, lanes, {}), panel,
                  code.div(point, kPointsOfElement), v);
  }
}

} // namespace gensyn::cpu

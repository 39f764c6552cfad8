// See ByteMicroKernel.h.

#include "ByteMicroKernel.h"
#include "../Common/Rounding.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <array>
#include <bit>

using namespace mlir;

namespace gensyn::cpu {

namespace {
/// Rows of a tile register, and bytes of each.
constexpr int64_t kTileRows = 16, kTileRowBytes = 64;
/// Numbers of tile registers: four of C, row by row, two of A, two of B.
constexpr int64_t kFirstTileOfA = 4, kFirstTileOfB = 6, kTiles = 8;
/// Rows whose results are computed at once.
constexpr int64_t kRowsAtOnce = 4;

void callTile(CpuBuilder &code, StringRef name, ArrayRef<Value> arguments) {
  LLVM::CallIntrinsicOp::create(
      code.b, code.loc, code.b.getStringAttr("llvm.x86." + name), arguments);
}
Value tile(CpuBuilder &code, int64_t number) {
  return arith::ConstantOp::create(code.b, code.loc,
                                   code.b.getI8IntegerAttr(int8_t(number)));
}
/// `bytes`: from a row to the next one.
void loadTile(CpuBuilder &code, int64_t number, Value address, int64_t bytes) {
  callTile(code, "tileloadd64",
           {tile(code, number), address, code.constant(bytes)});
}
void storeTile(CpuBuilder &code, int64_t number, Value address, int64_t bytes) {
  callTile(code, "tilestored64",
           {tile(code, number), address, code.constant(bytes)});
}

/// Palette 1 of the manual: at byte 16 the bytes of each register's rows, in
/// 16 bits, at byte 48 the number of its rows.
std::array<int32_t, 16> configuration() {
  std::array<uint8_t, 64> bytes = {1};
  for (size_t i = 0; i < size_t(kTiles); ++i) {
    bytes[16 + 2 * i] = uint8_t(kTileRowBytes);
    bytes[48 + i] = uint8_t(kTileRows);
  }
  return std::bit_cast<std::array<int32_t, 16>>(bytes);
}
} // namespace

Value ByteArithmetic::addProducts(Value sums, Value a, Value b) const {
  const auto bytes = VectorType::get({4 * code.lanes}, code.b.getI8Type());
  auto bytesOf = [&](Value vector) -> Value {
    return vector::BitCastOp::create(code.b, code.loc, bytes, vector);
  };
  std::string name =
      isSigned ? "llvm.aarch64.neon.sdot" : "llvm.aarch64.neon.udot";
  if (shiftsB()) {
    name = "llvm.x86.avx512.vpdpbusd." + std::to_string(32 * code.lanes);
    std::swap(a, b); // the unsigned one is first
  }
  return LLVM::CallIntrinsicOp::create(code.b, code.loc, code.vector,
                                       code.b.getStringAttr(name),
                                       ValueRange{sums, bytesOf(a), bytesOf(b)})
      .getResult(0);
}

ByteRegisters::ByteRegisters(CpuBuilder &code, ByteProducts products)
    : code(code), hasTiles(products == ByteProducts::Tiles) {
  if (!hasTiles)
    return;
  const auto words = configuration();
  const auto type = VectorType::get({int64_t(words.size())}, code.i32);
  Value one =
      arith::ConstantOp::create(code.b, code.loc, code.b.getI32IntegerAttr(1));
  constexpr unsigned alignment = 64;
  Value memory =
      LLVM::AllocaOp::create(code.b, code.loc, code.ptr, type, one, alignment);
  Value value = arith::ConstantOp::create(
      code.b, code.loc, DenseElementsAttr::get(type, ArrayRef(words)));
  LLVM::StoreOp::create(code.b, code.loc, value, memory, alignment);
  callTile(code, "ldtilecfg", {memory});
}

ByteRegisters::~ByteRegisters() {
  if (hasTiles)
    callTile(code, "tilerelease", {});
}

void ByteMicroKernel::emit() {
  return sizes.byteProducts == ByteProducts::Tiles ? emitTiles()
                                                   : emitVectors();
}

Value ByteMicroKernel::hasFlag(int64_t bit) { return code.hasFlag(flags, bit); }

Value ByteMicroKernel::partialAt(Value row, int64_t vector) {
  return code.at(
      partial, code.add(code.mul(row, sizes.columns()), vector * sizes.lanes));
}

Value ByteMicroKernel::numSteps() {
  return code.div(code.add(elements, sizes.lanes - 1), sizes.lanes);
}

CpuBuilder::Values ByteMicroKernel::startVectors() {
  const size_t count = size_t(shape.rows * shape.vectors);
  // The first visit begins at the panel's first point.
  auto begin = [&] {
    if (!arithmetic.shiftsB())
      return Values(count, code.zero());
    Values sums;
    const int64_t behind = layout.rowPanelStride - sizes.lanes;
    for (int64_t r = 0; r < shape.rows; ++r)
      sums.append(size_t(shape.vectors),
                  code.splat(code.loadScalar(code.at(a, behind + r))));
    return sums;
  };
  auto proceed = [&] {
    Values sums;
    for (int64_t r = 0; r < shape.rows; ++r)
      for (int64_t v = 0; v < shape.vectors; ++v)
        sums.push_back(code.load(partialAt(code.constant(r), v)));
    return sums;
  };
  return code.choose(hasFlag(GemmFlags::kFromZero),
                     SmallVector<Type>(count, code.vector), begin, proceed);
}

void ByteMicroKernel::emitVectors() {
  // The elements of a step of A are side by side, a row behind the other.
  auto step = [&](Value number, ValueRange carried) {
    Value ofA = code.at(a, code.mul(number, sizes.mr * sizes.lanes));
    Value ofB = code.at(b, code.mul(number, sizes.lanes * sizes.columns()));
    return code.loop(
        code.constant(0), code.constant(sizes.lanes), 1, carried,
        [&](Value i, ValueRange sums) {
          Value row = code.at(ofA, i);
          Value columns = code.at(ofB, code.mul(i, sizes.columns()));
          Values next(sums), vectors;
          for (int64_t v = 0; v < shape.vectors; ++v)
            vectors.push_back(code.load(code.at(columns, v * sizes.lanes)));
          for (int64_t r = 0; r < shape.rows; ++r) {
            Value element =
                code.splat(code.loadScalar(code.at(row, r * sizes.lanes)));
            for (int64_t v = 0; v < shape.vectors; ++v) {
              Value &sum = next[size_t(r * shape.vectors + v)];
              sum = arithmetic.addProducts(sum, element, vectors[size_t(v)]);
            }
          }
          return next;
        });
  };
  const Values sums =
      code.loop(code.constant(0), numSteps(), 1, startVectors(), step);
  auto sumAt = [&](int64_t row, int64_t vector) {
    return sums[size_t(row * shape.vectors + vector)];
  };
  code.when(
      hasFlag(GemmFlags::kEndsBlock),
      [&] { finish(code.constant(0), shape.rows, sumAt); },
      [&] {
        for (int64_t r = 0; r < shape.rows; ++r)
          for (int64_t v = 0; v < shape.vectors; ++v)
            code.store(sumAt(r, v), partialAt(code.constant(r), v));
      });
}

void ByteMicroKernel::multiplyTiles(Value steps) {
  const int64_t down = ceilDiv(shape.rows, kTileRows);
  code.loop(code.constant(0), steps, 1, [&](Value number) {
    Value ofA = code.at(a, code.mul(number, sizes.mr * sizes.lanes));
    Value ofB = code.at(b, code.mul(number, sizes.lanes * sizes.columns()));
    for (int64_t r = 0; r < down; ++r)
      loadTile(code, kFirstTileOfA + r,
               code.at(ofA, r * kTileRows * sizes.lanes), kTileRowBytes);
    for (int64_t v = 0; v < shape.vectors; ++v)
      loadTile(code, kFirstTileOfB + v, code.at(ofB, v * sizes.lanes),
               sizes.columns() * code.bytes());
    for (int64_t r = 0; r < down; ++r)
      for (int64_t v = 0; v < shape.vectors; ++v)
        callTile(code, tensors.a.isSigned() ? "tdpbssd" : "tdpbuud",
                 {tile(code, r * shape.vectors + v),
                  tile(code, kFirstTileOfA + r),
                  tile(code, kFirstTileOfB + v)});
  });
}

void ByteMicroKernel::emitTiles() {
  const int64_t down = ceilDiv(shape.rows, kTileRows);
  const int64_t stride = sizes.columns() * code.bytes();
  // Calls `body` with each tile of sums, and its address in scratch.
  auto forEachTile = [&](auto body) {
    for (int64_t r = 0; r < down; ++r)
      for (int64_t v = 0; v < shape.vectors; ++v)
        body(r * shape.vectors + v, partialAt(code.constant(r * kTileRows), v));
  };
  code.when(
      hasFlag(GemmFlags::kFromZero),
      [&] {
        forEachTile([&](int64_t number, Value) {
          callTile(code, "tilezero", {tile(code, number)});
        });
      },
      [&] {
        forEachTile([&](int64_t number, Value address) {
          loadTile(code, number, address, stride);
        });
      });
  multiplyTiles(numSteps());
  forEachTile([&](int64_t number, Value address) {
    storeTile(code, number, address, stride);
  });
  code.when(hasFlag(GemmFlags::kEndsBlock), [&] {
    auto finishRows = [&](Value first, int64_t rows) {
      finish(first, rows, [&](int64_t row, int64_t vector) {
        return code.load(partialAt(code.add(first, row), vector));
      });
    };
    const int64_t rest = shape.rows % kRowsAtOnce;
    code.loop(code.constant(0), code.constant(shape.rows - rest), kRowsAtOnce,
              [&](Value row) { finishRows(row, kRowsAtOnce); });
    if (rest > 0)
      finishRows(code.constant(shape.rows - rest), rest);
  });
}

void ByteMicroKernel::finish(Value first, int64_t rows,
                             function_ref<Value(int64_t, int64_t)> sumAt) {
  GemmEpilogue::Block block = results;
  if (block.row)
    block.row = code.add(block.row, first);
  const StoredTensor &ofC = tensors.c;
  Value addressOfC =
      ofC.at(c, code.mul(first, codegen::lineOfRows(view).stride));
  GemmResults stored(code, ofC, view, epilogue, block, flags);
  for (int64_t v = 0; v < shape.vectors; ++v) {
    Values sums;
    for (int64_t r = 0; r < rows; ++r)
      sums.push_back(sumAt(r, v));
    const bool mayBePartial =
        view.runLength() % sizes.lanes != 0 &&
        (!hasSingleRun(view) || (shape.isLast && v == shape.vectors - 1));
    stored.store({v, mayBePartial,
                  [&](int64_t number) {
                    return code.loadEntry(
                        table, code.constant(v * layout.tableEntries + number));
                  }},
                 addressOfC, sums);
  }
}

} // namespace gensyn::cpu

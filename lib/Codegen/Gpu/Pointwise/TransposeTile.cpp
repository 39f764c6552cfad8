// The work of a block on its tile; see TransposeLayout.h.

#include "../Common/LaunchCode.h"
#include "TransposeEmitter.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

class TransposeTile : LaunchCode {
public:
  TransposeTile(repro::KernelOp kernel, const TransposePart &part,
                int64_t threads, const Target &target,
                const KernelFunction &function, OpBuilder &builder)
      : LaunchCode(kernel, target, function, builder), part(part),
        threads(threads), memory(builder, kernel, function, target) {}

  LogicalResult emit(Value block);

private:
  using Values = SmallVector<Value>;
  /// The first position of a thread: the index of its vector in a row, and its
  /// row.
  struct Begin {
    Value fast, row;
  };

  Begin beginOf(const TransposeDeal &deal);
  /// Returns the sum of digits of `number`, which is below `limit`.
  Value digitsAt(Value number, ArrayRef<TransposeDigit> digits, int64_t limit);
  /// Reads the tile of an operand. At an edge, the last elements are read again
  /// in place of those past it.
  void read(const StagedRead &staged, bool isEdge);
  /// Packs `pack` rows of vectors into one word per y.
  Values packWords(const StagedRead &staged, ArrayRef<Value> rows);
  Values transposeBytes(ArrayRef<Value> rows);
  Value permute(Value low, Value high, int64_t selector);
  Value sharedAt(const StagedRead &staged, Value words, int64_t offset);

  LogicalResult computeAll(const TransposeDeal &deal, bool isEdge);
  /// Computes the rows `turn` ... `turn` + rows - 1 of the thread.
  LogicalResult compute(const TransposeDeal &deal, Value turn, int64_t fastTurn,
                        int64_t fastTurns, int64_t rows);

  bool hasOnlyEdges() const {
    return part.spanX < part.tileX || part.extentY < part.tileY;
  }
  /// Emits the code for whole tiles, for tiles at an edge, or for both.
  LogicalResult onTile(function_ref<LogicalResult(bool)> emitTile);

  const TransposePart &part;
  const int64_t threads;
  PointerEmitter memory;
  Value lane, warp;
  Value tileX, tileY, rest; ///< first x, first y, and rest of the tile
  Value isWhole;            ///< null if all tiles are whole or none is
};

TransposeTile::Begin TransposeTile::beginOf(const TransposeDeal &deal) {
  return {index.add(index.rem(lane, deal.fastLanes),
                    index.mul(index.rem(warp, deal.fastWarps), deal.fastLanes)),
          index.add(index.div(lane, deal.fastLanes),
                    index.mul(index.div(warp, deal.fastWarps), deal.rowLanes))};
}

Value TransposeTile::digitsAt(Value number, ArrayRef<TransposeDigit> digits,
                              int64_t limit) {
  Value sum;
  for (const TransposeDigit &digit : digits) {
    Value value = index.div(number, digit.divisor);
    if (digit.divisor * digit.extent < limit)
      value = index.rem(value, digit.extent);
    value = index.mul(value, digit.coefficient);
    sum = sum ? index.add(sum, value) : value;
  }
  return sum ? sum : index(0);
}

Value TransposeTile::sharedAt(const StagedRead &staged, Value words,
                              int64_t offset) {
  Value number = index.toI32(index.mul(words, staged.wordBytes()));
  Value base = LLVM::GEPOp::create(
      builder, location, function.shared.getType(), builder.getI8Type(),
      function.shared, ValueRange{number}, LLVM::GEPNoWrapFlags::inbounds);
  if (offset == 0)
    return base;
  return LLVM::GEPOp::create(builder, location, base.getType(),
                             builder.getI8Type(), base,
                             LLVM::GEPArg(static_cast<int32_t>(offset)));
}

Value TransposeTile::permute(Value low, Value high, int64_t selector) {
  return target.permuteBytes(builder, location, low, high, selector);
}

/// Transposes the bytes of four words: word i of the result has byte i of each.
TransposeTile::Values TransposeTile::transposeBytes(ArrayRef<Value> rows) {
  constexpr int64_t lowPairs = 0x5140, highPairs = 0x7362, lowHalves = 0x5410,
                    highHalves = 0x7632;
  Value low01 = permute(rows[0], rows[1], lowPairs);
  Value low23 = permute(rows[2], rows[3], lowPairs);
  Value high01 = permute(rows[0], rows[1], highPairs);
  Value high23 = permute(rows[2], rows[3], highPairs);
  return {permute(low01, low23, lowHalves), permute(low01, low23, highHalves),
          permute(high01, high23, lowHalves),
          permute(high01, high23, highHalves)};
}

TransposeTile::Values TransposeTile::packWords(const StagedRead &staged,
                                               ArrayRef<Value> rows) {
  Values words;
  auto extract = [&](Value vector, int64_t at) -> Value {
    if (!isa<VectorType>(vector.getType()))
      return vector;
    return vector::ExtractOp::create(builder, location, vector, at);
  };
  if (staged.pack == 1) {
    for (int64_t i = 0; i < staged.vector; ++i)
      words.push_back(extract(rows.front(), i));
    return words;
  }
  Type i32 = builder.getI32Type();
  if (staged.vector == 1) {
    Value word;
    for (auto [i, value] : llvm::enumerate(rows)) {
      Value part = arith::ExtUIOp::create(builder, location, i32, value);
      if (i > 0)
        part = arith::ShLIOp::create(
            builder, location, part,
            arith::ConstantIntOp::create(
                builder, location, 8 * staged.bytes * static_cast<int64_t>(i),
                32));
      word = word ? arith::OrIOp::create(builder, location, word, part) : part;
    }
    return {word};
  }
  const int64_t count = staged.vector / staged.pack;
  SmallVector<Values> parts;
  for (Value row : rows) {
    Value cast = LLVM::BitcastOp::create(
        builder, location, count == 1 ? i32 : VectorType::get({count}, i32),
        row);
    Values &own = parts.emplace_back();
    for (int64_t i = 0; i < count; ++i)
      own.push_back(extract(cast, i));
  }
  constexpr int64_t lowHalves = 0x5410, highHalves = 0x7632;
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    if (staged.pack == 2) {
      words.push_back(permute(parts[0][i], parts[1][i], lowHalves));
      words.push_back(permute(parts[0][i], parts[1][i], highHalves));
    } else {
      llvm::append_range(words, transposeBytes({parts[0][i], parts[1][i],
                                                parts[2][i], parts[3][i]}));
    }
  }
  return words;
}

void TransposeTile::read(const StagedRead &staged, bool isEdge) {
  const TransposeDeal deal = dealReads(part, staged, threads);
  const Begin begin = beginOf(deal);
  auto argument = cast<BlockArgument>(staged.read.tensor);
  Value pointer = function.inputs[argument.getArgNumber()];
  Type scalar = codegen::getScalarType(
      cast<ShapedType>(argument.getType()).getElementType());
  if (scalar.isInteger(1))
    scalar = builder.getI8Type();
  Value fixed = digitsAt(rest, staged.rest, part.rest);
  Value x = index.add(tileX, index.mul(begin.row, staged.pack));
  Value y = index.add(tileY, index.mul(begin.fast, staged.vector));
  // With one digit rows have a constant stride.
  const bool isEven =
      !isEdge && staged.x.size() == 1 && staged.x.front().extent == part.spanX;
  Value base;
  if (isEven)
    base = index.add(index.add(fixed, y), digitsAt(x, staged.x, part.spanX));
  auto loadAt = [&](int64_t aheadX, int64_t aheadY) {
    if (isEven)
      return memory.loadAt(scalar, pointer, base, staged.vector,
                           staged.read.constant + aheadY +
                               aheadX * staged.x.front().coefficient);
    Value row = index.add(x, aheadX), column = index.add(y, aheadY);
    if (isEdge) {
      row = index.min(row, part.spanX - 1);
      column = index.min(column, part.extentY - staged.vector);
    }
    Value place = index.add(index.add(fixed, column),
                            digitsAt(row, staged.x, part.spanX));
    return memory.loadAt(scalar, pointer, place, staged.vector,
                         staged.read.constant);
  };
  SmallVector<Values> pieces;
  for (int64_t row = 0; row < deal.rowTurns; ++row)
    for (int64_t fast = 0; fast < deal.fastTurns; ++fast) {
      Values &rows = pieces.emplace_back();
      for (int64_t i = 0; i < staged.pack; ++i)
        rows.push_back(loadAt(row * deal.rowStep() * staged.pack + i,
                              fast * deal.fastStep() * staged.vector));
    }
  Value words = sharedAt(staged,
                         index.add(index.mul(begin.row, staged.pitch),
                                   index.mul(begin.fast, staged.vector)),
                         staged.offset);
  for (int64_t row = 0; row < deal.rowTurns; ++row)
    for (int64_t fast = 0; fast < deal.fastTurns; ++fast) {
      const auto piece = static_cast<size_t>(row * deal.fastTurns + fast);
      const int64_t at = row * deal.rowStep() * staged.pitch +
                         fast * deal.fastStep() * staged.vector;
      for (auto [i, word] : llvm::enumerate(packWords(staged, pieces[piece])))
        LLVM::StoreOp::create(
            builder, location, word,
            LLVM::GEPOp::create(
                builder, location, words.getType(), builder.getI8Type(), words,
                LLVM::GEPArg(static_cast<int32_t>(
                    (at + static_cast<int64_t>(i)) * staged.wordBytes()))),
            static_cast<unsigned>(staged.wordBytes()));
    }
}

LogicalResult TransposeTile::compute(const TransposeDeal &deal, Value turn,
                                     int64_t fastTurn, int64_t fastTurns,
                                     int64_t rows) {
  const Begin begin = beginOf(deal);
  Value x = index.add(index.mul(begin.fast, part.width),
                      fastTurn * deal.fastStep() * part.width);
  Value y = index.add(begin.row, index.mul(turn, deal.rowStep()));
  Value first = index.add(
      index.mul(index.add(index.add(index.mul(rest, part.extentY), tileY), y),
                part.spanX),
      index.add(tileX, x));
  Values words;
  for (const StagedRead &staged : part.staged) {
    Value word =
        index.add(index.mul(index.div(x, staged.pack), staged.pitch), y);
    Value place = sharedAt(staged, word, staged.offset);
    if (part.width < staged.pack) {
      Value inside =
          index.toI32(index.mul(index.rem(x, staged.pack), staged.bytes));
      place =
          LLVM::GEPOp::create(builder, location, place.getType(),
                              builder.getI8Type(), place, ValueRange{inside});
    }
    words.push_back(place);
  }
  TransposeEmitter emitter(builder, kernel, function, target, part, first,
                           words);
  const size_t results = part.results.size();
  SmallVector<Values> values(results * static_cast<size_t>(rows * fastTurns));
  auto forEach = [&](function_ref<LogicalResult(int64_t, int64_t, size_t)> on) {
    size_t number = 0;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t fast = 0; fast < fastTurns; ++fast, number += results)
        if (failed(on(fast * deal.fastStep() * part.width, row * deal.rowStep(),
                      number)))
          return failure();
    return success();
  };
  // All reads precede the first write: a result may share the memory of an
  // operand that is read at the same elements.
  if (failed(forEach([&](int64_t stepX, int64_t stepY, size_t number) {
        for (int64_t i = 0; i < part.width; ++i) {
          emitter.setPlace(stepX, stepY, i);
          for (auto [k, result] : llvm::enumerate(part.results)) {
            Value value = emitter.result(kernel.getYielded()[result]);
            if (!value)
              return failure();
            values[number + k].push_back(value);
          }
        }
        return success();
      })))
    return failure();
  return forEach([&](int64_t stepX, int64_t stepY, size_t number) {
    for (auto [k, result] : llvm::enumerate(part.results))
      emitter.storeLanes(values[number + k], function.outputs[result],
                         stepY * part.spanX + stepX);
    return success();
  });
}

/// Returns the number of elements that a thread loads before it stores.
static int64_t lanesAtOnce(const TransposePart &part) {
  constexpr int64_t cheap = 8, middle = 24;
  if (part.shape.cost <= cheap)
    return std::max<int64_t>(16, 4 * part.width);
  return part.shape.cost <= middle ? std::max<int64_t>(8, part.width)
                                   : part.width;
}

LogicalResult TransposeTile::computeAll(const TransposeDeal &deal,
                                        bool isEdge) {
  const int64_t fastTurns = isEdge ? 1 : deal.fastTurns;
  const int64_t rows =
      isEdge ? 1
             : std::clamp<int64_t>(lanesAtOnce(part) / (part.width * fastTurns),
                                   1, deal.rowTurns);
  OpBuilder::InsertionGuard guard(builder);
  for (int64_t fast = 0; fast < deal.fastTurns; fast += fastTurns) {
    OpBuilder::InsertionGuard outside(builder);
    Value turn = index(0);
    if (rows < deal.rowTurns) {
      auto loop = scf::ForOp::create(builder, location, turn,
                                     index(deal.rowTurns), index(rows));
      builder.setInsertionPointToStart(loop.getBody());
      turn = loop.getInductionVar();
    }
    if (isEdge) {
      const Begin begin = beginOf(deal);
      Value x = index.add(
          tileX,
          index.mul(index.add(begin.fast, fast * deal.fastStep()), part.width));
      Value y = index.add(
          tileY, index.add(begin.row, index.mul(turn, deal.rowStep())));
      Value inside =
          index.both(index.less(x, part.spanX), index.less(y, part.extentY));
      auto branch = scf::IfOp::create(builder, location, inside);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    if (failed(compute(deal, turn, fast, fastTurns, rows)))
      return failure();
  }
  return success();
}

LogicalResult
TransposeTile::onTile(function_ref<LogicalResult(bool)> emitTile) {
  if (!isWhole)
    return emitTile(hasOnlyEdges());
  auto branch = scf::IfOp::create(builder, location, TypeRange(), isWhole,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(emitTile(false)))
    return failure();
  builder.setInsertionPointToStart(branch.elseBlock());
  return emitTile(true);
}

LogicalResult TransposeTile::emit(Value block) {
  Value thread = threadId();
  lane = index.rem(thread, target.warpSize);
  warp = index.div(thread, target.warpSize);
  tileX = index.mul(index.rem(block, part.tilesX()), part.tileX);
  Value above = index.div(block, part.tilesX());
  tileY = index.mul(index.rem(above, part.tilesY()), part.tileY);
  rest = index.div(above, part.tilesY());
  const bool isEvenX = part.spanX % part.tileX == 0,
             isEvenY = part.extentY % part.tileY == 0;
  if (!hasOnlyEdges() && !(isEvenX && isEvenY)) {
    Value fitsX = index.less(tileX, part.spanX - part.tileX + 1);
    Value fitsY = index.less(tileY, part.extentY - part.tileY + 1);
    isWhole = isEvenX ? fitsY : isEvenY ? fitsX : index.both(fitsX, fitsY);
  }
  if (failed(onTile([&](bool isEdge) {
        for (const StagedRead &staged : part.staged)
          read(staged, isEdge);
        return success();
      })))
    return failure();
  mlir::gpu::BarrierOp::create(builder, location);
  const TransposeDeal deal = dealResults(part, threads);
  return onTile([&](bool isEdge) { return computeAll(deal, isEdge); });
}

} // namespace

LogicalResult emitTransposePart(repro::KernelOp kernel,
                                const TransposePart &part, int64_t threads,
                                Value block, const Target &target,
                                const KernelFunction &function,
                                OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  return TransposeTile(kernel, part, threads, target, function, builder)
      .emit(block);
}

} // namespace gensyn::gpu

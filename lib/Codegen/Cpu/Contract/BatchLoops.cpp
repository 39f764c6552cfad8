// The loops around the micro-kernel; see BatchEmitter.h.

#include "BatchEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace gensyn::cpu {

void BatchEmitter::emitTiles(Value begin, Value end,
                             const BatchPointers &pointers) {
  code.loop(begin, end, 1, [&](Value tile) { emitTile(tile, pointers); });
}

void BatchEmitter::emitTile(Value tile, const BatchPointers &pointers) {
  Starts starts(box.extents.size());
  Value rest = tile;
  for (unsigned i : llvm::reverse(layout.parallel)) {
    const int64_t blocks = layout.blocksOf(i);
    if (blocks == 1)
      continue;
    starts[i] = code.mul(code.rem(rest, blocks), sizes.blocks[i]);
    rest = code.div(rest, blocks);
  }
  Value laneCount = code.minSigned(
      code.sub(code.constant(layout.laneCount), code.mul(rest, sizes.lanes)),
      code.constant(sizes.lanes));
  emitLaneTables(rest, pointers.scratch);
  if (layout.isOneVisit) {
    const int64_t points =
        layout.points.empty() ? 1 : box.extents[layout.points[layout.split]];
    emitVisit(starts, laneCount, code.constant(points), code.constant(1),
              pointers);
  } else {
    forEachBlock(pointers.scratch, [&](Value block, Value blockEnd) {
      emitVisits(starts, laneCount, block, blockEnd, pointers);
      if (box.blockStarts.size() > 1)
        addBlock(code.compare(arith::CmpIPredicate::eq, block, 0),
                 pointers.scratch);
    });
  }
  copyResult(starts, laneCount, pointers);
}

/// Stores the offset of each lane in each tensor. Lanes past the last one
/// repeat it.
void BatchEmitter::emitLaneTables(Value laneBlock, Value scratch) {
  Value first = code.mul(laneBlock, sizes.lanes);
  code.loop(code.constant(0), code.constant(sizes.lanes), 1, [&](Value lane) {
    Value rest = code.minSigned(code.add(first, lane),
                                code.constant(layout.laneCount - 1));
    Value offsets[3] = {code.constant(0), code.constant(0), code.constant(0)};
    for (auto [at, i] : llvm::enumerate(llvm::reverse(sizes.laneIterators))) {
      const bool isOutermost = at + 1 == sizes.laneIterators.size();
      Value value = isOutermost ? rest : code.rem(rest, box.extents[i]);
      rest = code.div(rest, box.extents[i]);
      for (unsigned tensor = 0; tensor < 3; ++tensor)
        offsets[tensor] = code.add(
            offsets[tensor],
            code.mul(value, codegen::strideOf(box.indices[tensor], i)));
    }
    for (unsigned tensor = 0; tensor < 3; ++tensor)
      LLVM::StoreOp::create(code.b, code.loc, code.truncate(offsets[tensor]),
                            code.at(laneTable(tensor, scratch), lane, code.i32),
                            4);
  });
}

/// Loops over the blocks of the order, in rows: values of the iterators that
/// visits divide.
void BatchEmitter::forEachBlock(Value scratch,
                                function_ref<void(Value, Value)> body) {
  const auto count = int64_t(box.blockStarts.size());
  if (count == 1)
    return body(code.constant(0), code.constant(layout.rows()));
  Value table = code.at(scratch, layout.startsOffset);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t end =
        i + 1 < count ? box.blockStarts[i + 1] / layout.chunk : layout.rows();
    code.storeEntry(code.constant(end), table, code.constant(i));
  }
  code.loop(code.constant(0), code.constant(count), 1, {code.constant(0)},
            [&](Value i, ValueRange carried) {
              Value end = code.loadEntry(table, i);
              body(carried[0], end);
              return Values{end};
            });
}

/// Visits the rows [begin, end) of a block, at most a visit's number at once
/// and none beyond the last value of the divided iterator.
void BatchEmitter::emitVisits(const Starts &starts, Value laneCount,
                              Value begin, Value end,
                              const BatchPointers &pointers) {
  const unsigned divided = layout.points[layout.split];
  const int64_t extent = box.extents[divided];
  scf::WhileOp::create(
      code.b, code.loc, TypeRange{code.i64}, ValueRange{begin},
      [&](OpBuilder &, Location, ValueRange row) {
        scf::ConditionOp::create(
            code.b, code.loc,
            code.compare(arith::CmpIPredicate::slt, row[0], end), row);
      },
      [&](OpBuilder &, Location, ValueRange rows) {
        Value row = rows[0];
        Starts inner = starts;
        Value rest = code.div(row, extent);
        inner[divided] = code.rem(row, extent);
        for (unsigned at = layout.split; at-- > 0;) {
          const int64_t values = box.extents[layout.points[at]];
          inner[layout.points[at]] = at == 0 ? rest : code.rem(rest, values);
          rest = code.div(rest, values);
        }
        Value count =
            code.minSigned(code.minSigned(code.constant(sizes.blocks[divided]),
                                          code.sub(end, row)),
                           code.sub(code.constant(extent), inner[divided]));
        Value isFirst =
            code.select(code.compare(arith::CmpIPredicate::eq, row, begin),
                        code.constant(1), code.constant(0));
        emitVisit(inner, laneCount, count, isFirst, pointers);
        scf::YieldOp::create(code.b, code.loc,
                             ValueRange{code.add(row, count)});
      });
}

void BatchEmitter::emitVisit(const Starts &starts, Value laneCount,
                             Value points, Value isFirst,
                             const BatchPointers &pointers) {
  Value addresses[3];
  for (unsigned operand = 0; operand < 2; ++operand) {
    copyOperand(operand, starts, laneCount, pointers);
    const BatchOperand &to = layout.operands[operand];
    addresses[operand] =
        code.at(pointers.scratch, to.offset + to.origin * sizes.lanes);
  }
  addresses[2] = code.at(pointers.scratch, layout.partialOffset);
  SmallVector<unsigned> tiled;
  for (unsigned i : layout.parallel)
    if (layout.isTiled(i))
      tiled.push_back(i);
  std::function<void(size_t, ArrayRef<Value>)> sweep =
      [&](size_t depth, ArrayRef<Value> from) {
        if (depth == tiled.size()) {
          func::CallOp::create(
              code.b, code.loc, microKernel(),
              ValueRange{from[0], from[1], from[2], points, isFirst});
          return;
        }
        const unsigned i = tiled[depth];
        code.loop(code.constant(0), countOf(i, starts), sizes.factors[i],
                  [&](Value value) {
                    SmallVector<Value> moved;
                    for (auto [tensor, address] : llvm::enumerate(from)) {
                      const int64_t stride =
                          tensor == 2 ? layout.resultStrides[i]
                                      : layout.operands[tensor].strides[i];
                      moved.push_back(code.at(
                          address, code.mul(value, stride * sizes.lanes)));
                    }
                    sweep(depth + 1, moved);
                  });
      };
  sweep(0, addresses);
}

Value BatchEmitter::countOf(unsigned iterator, const Starts &starts) {
  Value block = code.constant(sizes.blocks[iterator]);
  if (!starts[iterator])
    return block;
  return code.minSigned(
      block, code.sub(code.constant(box.extents[iterator]), starts[iterator]));
}

/// Adds the block that ends to the sums of the blocks before.
void BatchEmitter::addBlock(Value isFirst, Value scratch) {
  Value partial = code.at(scratch, layout.partialOffset),
        sum = code.at(scratch, layout.sumOffset);
  auto each = [&](function_ref<Value(Value, Value)> change) {
    code.loop(code.constant(0),
              code.constant(layout.resultVectors * sizes.lanes), sizes.lanes,
              [&](Value at) {
                Value to = code.at(sum, at);
                code.store(change(code.load(code.at(partial, at)), to), to);
              });
  };
  code.when(
      isFirst, [&] { each([](Value block, Value) { return block; }); },
      [&] {
        each([&](Value block, Value to) {
          return code.addElements(code.load(to), block);
        });
      });
}

} // namespace gensyn::cpu

// Copies a tile's part of the operands into scratch, and of the results back;
// see BatchEmitter.h.

#include "../Common/StridedLanes.h"
#include "BatchEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace gensyn::cpu {

Value BatchEmitter::laneTable(unsigned tensor, Value scratch) {
  return code.at(scratch, code.constant(tensor * sizes.lanes), code.i32);
}

BatchEmitter::Values BatchEmitter::laneOffsets(unsigned tensor, Value scratch) {
  Values offsets;
  for (int64_t lane = 0; lane < sizes.lanes; ++lane) {
    Value offset = LLVM::LoadOp::create(
        code.b, code.loc, code.i32,
        code.at(laneTable(tensor, scratch), code.constant(lane), code.i32), 4);
    offsets.push_back(
        arith::ExtSIOp::create(code.b, code.loc, code.i64, offset));
  }
  return offsets;
}

Value BatchEmitter::laneOffsetVector(unsigned tensor, Value scratch) {
  return LLVM::LoadOp::create(code.b, code.loc, code.indices,
                              laneTable(tensor, scratch), 4);
}

/// Calls `copy` for each row of an operand, and fills the rest with zeros. All
/// dimensions but the last are loops. A copy may write `lanes` vectors past the
/// end of its row, which the next row overwrites.
void BatchEmitter::copyRows(unsigned number, const Starts &starts, Value memory,
                            Value scratch,
                            function_ref<void(const Row &)> copy) {
  const BatchOperand &operand = layout.operands[number];
  const StoredTensor &tensor = tensors[number];
  SmallVector<Value> lows;
  for (const BatchDim &dim : operand.dims) {
    Value low = code.constant(dim.low);
    for (auto [by, start] : llvm::zip_equal(dim.starts, starts))
      if (by != 0 && start)
        low = code.add(code.mul(start, by), low);
    lows.push_back(low);
  }
  const BatchDim &last = operand.dims.back();
  Value size = code.constant(last.size), none = code.constant(0);
  std::function<void(size_t, Value, Value, Value)> descend = [&](size_t depth,
                                                                 Value from,
                                                                 Value to,
                                                                 Value inside) {
    const BatchDim &dim = operand.dims[depth];
    if (depth + 1 < operand.dims.size()) {
      int64_t vectors = 1;
      for (const BatchDim &inner : ArrayRef(operand.dims).drop_front(depth + 1))
        vectors *= inner.size;
      code.loop(none, code.constant(dim.size), 1, [&](Value coordinate) {
        Value index = code.add(code.mul(coordinate, dim.step), lows[depth]);
        Value stays = inside;
        if (dim.mayLeave)
          stays = code.both(inside, code.less(index, dim.extent));
        descend(depth + 1, tensor.at(from, code.mul(index, dim.stride)),
                code.at(to, code.mul(coordinate, vectors * sizes.lanes)),
                stays);
      });
      return;
    }
    Row row{tensor.at(from, code.mul(lows[depth], dim.stride)), to, none, size};
    if (dim.mayLeave) {
      row.left = code.minSigned(
          code.maxSigned(code.sub(none, lows[depth]), none), size);
      row.right = code.maxSigned(
          code.minSigned(code.sub(code.constant(dim.extent), lows[depth]),
                         size),
          row.left);
    }
    if (inside) {
      row.left = code.select(inside, row.left, size);
      row.right = code.select(inside, row.right, size);
    }
    auto clear = [&](Value begin, Value end) {
      code.loop(begin, end, 1, [&](Value coordinate) {
        code.store(code.zero(), code.at(to, code.mul(coordinate, sizes.lanes)));
      });
    };
    if (inside || dim.mayLeave)
      clear(none, row.left);
    copy(row);
    if (inside || dim.mayLeave)
      clear(row.right, size);
  };
  descend(0, memory, scratch, Value());
}

void BatchEmitter::copyOperand(unsigned number, const Starts &starts,
                               Value laneCount, const BatchPointers &pointers) {
  const BatchOperand &operand = layout.operands[number];
  const StoredTensor &tensor = tensors[number];
  Value scratch = code.at(pointers.scratch, operand.offset);
  Values lanes;
  Value first, mask;
  if (operand.copy == LaneCopy::Adjacent) {
    first = laneOffsets(number, pointers.scratch).front();
    if (layout.laneCount % sizes.lanes != 0)
      mask = code.firstLanes(laneCount);
  } else {
    lanes = laneOffsets(number, pointers.scratch);
  }
  auto copy = [&](const Row &row) {
    auto vectorAt = [&](Value coordinate) {
      return code.at(row.scratch, code.mul(coordinate, sizes.lanes));
    };
    // Rows of one element have any stride.
    auto elementAt = [&](Value coordinate) {
      return tensor.at(row.memory,
                       code.mul(coordinate, operand.dims.back().stride));
    };
    if (operand.copy == LaneCopy::Adjacent) {
      code.loop(row.left, row.right, 1, [&](Value coordinate) {
        code.store(tensor.load(tensor.at(elementAt(coordinate), first), mask),
                   vectorAt(coordinate));
      });
      return;
    }
    if (operand.copy == LaneCopy::Single) {
      code.loop(row.left, row.right, 1, [&](Value coordinate) {
        Value vector = code.zero();
        for (auto [lane, offset] : llvm::enumerate(lanes))
          vector = vector::InsertOp::create(
              code.b, code.loc,
              tensor.loadScalar(tensor.at(elementAt(coordinate), offset)),
              vector, int64_t(lane));
        code.store(vector, vectorAt(coordinate));
      });
      return;
    }
    auto square = [&](Value coordinate, Value lanesRead) {
      Values rows;
      for (Value offset : lanes)
        rows.push_back(tensor.load(
            tensor.at(tensor.at(row.memory, coordinate), offset), lanesRead));
      for (auto [i, vector] : llvm::enumerate(transpose(code, rows)))
        code.store(vector, vectorAt(code.add(coordinate, int64_t(i))));
    };
    Value rest = code.rem(code.sub(row.right, row.left), sizes.lanes);
    Value whole = code.sub(row.right, rest);
    code.loop(row.left, whole, sizes.lanes,
              [&](Value coordinate) { square(coordinate, Value()); });
    code.loop(whole, row.right, sizes.lanes, [&](Value coordinate) {
      square(coordinate, code.firstLanes(rest));
    });
  };
  copyRows(number, starts, pointers.operands[number], scratch, copy);
}

void BatchEmitter::copyResult(const Starts &starts, Value laneCount,
                              const BatchPointers &pointers) {
  const StoredTensor &tensor = tensors[2];
  Value to = tensor.at(pointers.result,
                       code.constant(codegen::constantOf(box.indices[2])));
  for (auto [i, start] : llvm::enumerate(starts))
    if (start && !layout.isPoint(unsigned(i)))
      to = tensor.at(
          to, code.mul(start, codegen::strideOf(box.indices[2], unsigned(i))));
  // A zero result is +0 (contract_r3).
  auto closed = [&](Value address) {
    return code.canonical(code.addElements(code.load(address), code.zero()));
  };
  Values lanes;
  Value offsets, mask = code.firstLanes(laneCount);
  if (layout.resultCopy == LaneCopy::Single)
    offsets = laneOffsetVector(2, pointers.scratch);
  else
    lanes = laneOffsets(2, pointers.scratch);
  auto vectors = [&](Value from, Value memory, Value count, int64_t stride) {
    auto each = [&](function_ref<void(Value, Value)> store) {
      code.loop(code.constant(0), count, 1, [&](Value at) {
        store(closed(code.at(from, code.mul(at, sizes.lanes))),
              tensor.at(memory, code.mul(at, stride)));
      });
    };
    if (layout.resultCopy == LaneCopy::Adjacent)
      return each([&](Value vector, Value address) {
        tensor.store(vector, tensor.at(address, lanes.front()), mask);
      });
    if (layout.resultCopy == LaneCopy::Single)
      return each([&](Value vector, Value address) {
        tensor.scatter(vector, tensor.at(address, offsets), mask);
      });
    auto square = [&](Value first, Value number, bool isWhole) {
      Values rows;
      for (int64_t i = 0; i < sizes.lanes; ++i)
        rows.push_back(
            closed(code.at(from, code.mul(code.add(first, i), sizes.lanes))));
      const StridedLanes elements(code, tensor, stride, number);
      Value address = tensor.at(memory, code.mul(first, stride));
      for (auto [lane, vector] :
           llvm::zip_equal(lanes, transpose(code, rows))) {
        Value at = tensor.at(address, lane);
        if (stride == 1 && isWhole)
          tensor.store(vector, at);
        else
          elements.store(vector, at);
      }
    };
    Value rest = code.rem(count, sizes.lanes), whole = code.sub(count, rest);
    code.loop(code.constant(0), whole, sizes.lanes, [&](Value first) {
      square(first, code.constant(sizes.lanes), true);
    });
    code.loop(whole, count, sizes.lanes,
              [&](Value first) { square(first, rest, false); });
  };
  Value from = code.at(pointers.scratch, layout.sumOffset);
  std::function<void(size_t, Value, Value)> descend =
      [&](size_t depth, Value source, Value memory) {
        if (depth == layout.resultAxes.size())
          return vectors(source, memory, code.constant(1), 1);
        const BatchResultAxis &axis = layout.resultAxes[depth];
        Value count = code.mul(countOf(axis.iterator, starts), axis.inner);
        if (depth + 1 == layout.resultAxes.size())
          return vectors(source, memory, count, axis.stride);
        const int64_t step = layout.resultStrides[axis.iterator] / axis.inner;
        code.loop(code.constant(0), count, 1, [&](Value at) {
          descend(depth + 1, code.at(source, code.mul(at, step * sizes.lanes)),
                  tensor.at(memory, code.mul(at, axis.stride)));
        });
      };
  descend(0, from, to);
}

} // namespace gensyn::cpu

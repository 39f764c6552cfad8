// See WindowContractEmitter.h.

#include "WindowContractEmitter.h"

#include "EpilogueEmitter.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

static bool isWhole(const Digits &digits) {
  return digits.size() == 1 && digits[0].unit == 1;
}

bool hasPlainReads(const WindowKernel &kernel, const WindowContraction &view) {
  repro::ContractOp contraction = kernel.contraction;
  const int64_t elements = repro::elementsOf(contraction.getResult());
  auto isConstant = [&](const Digit &digit) {
    // No sum of the parts of a position carries into the next unit.
    int64_t within = view.resultOffset % digit.unit +
                     (view.rows.results - 1) * view.rows.resultStride +
                     view.columns.results - 1;
    for (const WindowContraction::Outer &outer : view.outer)
      if (outer.resultStride % digit.unit != 0)
        within += (outer.extent - 1) * outer.resultStride;
    return within < digit.unit;
  };
  return llvm::all_of(kernel.reads, [&](const TensorRead &read) {
    return (isWhole(read.digits) && read.digits[0].extent == elements) ||
           llvm::all_of(read.digits, isConstant);
  });
}

LogicalResult WindowContractEmitter::emitTiles() {
  code.loop(code.toI64(function.begin), code.toI64(function.end), 1,
            [&](Value tile) { emitTile(tile); });
  return failure(failed);
}

void WindowContractEmitter::emitTile(Value number) {
  auto input = [&](unsigned operand) {
    Value tensor = kernel.contraction->getOperand(operand);
    return code.pointer(
        function.inputs[cast<BlockArgument>(tensor).getArgNumber()]);
  };
  Value ofImage = code.constant(view.imageOffset),
        ofWeights = code.constant(view.weightOffset);
  Tile tile;
  tile.result = code.constant(view.resultOffset);
  tile.row = code.mul(code.rem(number, layout.rowTiles), sizes.tileRows);
  Value rest = code.div(number, layout.rowTiles);
  for (const WindowContraction::Outer &outer : llvm::reverse(view.outer)) {
    Value value = code.rem(rest, outer.extent);
    rest = code.div(rest, outer.extent);
    ofImage = code.add(ofImage, code.mul(value, outer.imageStride));
    ofWeights = code.add(ofWeights, code.mul(value, outer.weightStride));
    tile.result = code.add(tile.result, code.mul(value, outer.resultStride));
  }
  for (const TensorRead &read : kernel.reads) {
    Value offset = code.constant(0);
    int64_t stride = 1;
    for (const Digit &digit : llvm::reverse(read.digits)) {
      Value index = code.rem(code.div(tile.result, digit.unit), digit.extent);
      offset = code.add(offset, code.mul(index, stride));
      stride *= digit.extent;
    }
    tile.uniform.push_back(offset);
  }
  tile.result =
      code.add(tile.result, code.mul(tile.row, view.rows.resultStride));
  tile.image = image.at(input(view.image), ofImage);
  copyImage(tile);
  Value firstWeight = weights.at(input(1 - view.image), ofWeights);
  for (const WindowTap &tap : view.taps)
    tile.weights.push_back(
        code.splat(weights.loadScalar(weights.at(firstWeight, tap.weight))));

  Value rows =
      code.minSigned(code.sub(code.constant(view.rows.results), tile.row),
                     code.constant(sizes.tileRows));
  // Only the last tile has rows left over.
  const int64_t left = view.rows.results % sizes.rows;
  Value whole = code.sub(rows, code.rem(rows, sizes.rows));
  code.loop(code.constant(0), whole, sizes.rows,
            [&](Value row) { emitRows(tile, row, sizes.rows); });
  if (left > 0)
    code.loop(whole, rows, left, [&](Value row) { emitRows(tile, row, left); });
}

void WindowContractEmitter::copyImage(const Tile &tile) {
  const WindowAxis &axis = view.rows;
  Value first = code.add(code.mul(tile.row, axis.step), axis.low);
  Value none = code.constant(0), all = code.constant(layout.imageRows);
  Value top = code.minSigned(code.maxSigned(code.sub(none, first), none), all);
  Value bottom = code.maxSigned(
      code.minSigned(code.sub(code.constant(axis.extent), first), all), top);
  auto rowOf = [&](Value coordinate) {
    return code.at(scratch(), code.mul(coordinate, layout.rowLength));
  };
  auto clear = [&](Value begin, Value end) {
    code.loop(begin, end, 1,
              [&](Value coordinate) { clearRow(rowOf(coordinate)); });
  };
  clear(none, top);
  code.loop(top, bottom, 1, [&](Value coordinate) {
    Value index = code.add(first, coordinate);
    copyRow(image.at(tile.image, code.mul(index, axis.imageStride)),
            rowOf(coordinate));
  });
  clear(bottom, all);
}

void WindowContractEmitter::clearRow(Value row) {
  code.loop(code.constant(0), code.constant(layout.rowLength), sizes.lanes,
            [&](Value at) { code.store(code.zero(), code.at(row, at)); });
}

/// Vectors whose elements are all in the image are a loop.
void WindowContractEmitter::copyRow(Value memory, Value row) {
  const WindowAxis &axis = view.columns;
  const int64_t phases = axis.step;
  auto isInside = [&](int64_t coordinate) {
    return axis.low + coordinate >= 0 && axis.low + coordinate < axis.extent;
  };
  auto isFull = [&](int64_t position) {
    return isInside(position * phases) &&
           isInside((position + sizes.lanes) * phases - 1);
  };
  auto masksAt = [&](int64_t position) {
    Values masks;
    for (int64_t part = 0; part < phases; ++part) {
      SmallVector<bool> valid;
      for (int64_t lane = 0; lane < sizes.lanes; ++lane)
        valid.push_back(
            isInside(position * phases + part * sizes.lanes + lane));
      Value mask;
      if (!llvm::all_of(valid, [](bool one) { return one; }))
        mask = arith::ConstantOp::create(
            code.b, code.loc,
            DenseElementsAttr::get(code.mask, ArrayRef<bool>(valid)));
      masks.push_back(mask);
    }
    return masks;
  };
  int64_t position = 0;
  auto edge = [&] {
    copyVectors(memory, row, code.constant(position), masksAt(position));
    position += sizes.lanes;
  };
  while (position < layout.phaseLength && !isFull(position))
    edge();
  int64_t end = position;
  while (end < layout.phaseLength && isFull(end))
    end += sizes.lanes;
  code.loop(
      code.constant(position), code.constant(end), sizes.lanes,
      [&](Value at) { copyVectors(memory, row, at, Values(size_t(phases))); });
  position = end;
  while (position < layout.phaseLength)
    edge();
}

void WindowContractEmitter::copyVectors(Value memory, Value row, Value position,
                                        ArrayRef<Value> masks) {
  const int64_t phases = view.columns.step;
  Values parts;
  for (int64_t part = 0; part < phases; ++part) {
    Value coordinate = code.add(code.mul(position, phases), part * sizes.lanes);
    parts.push_back(
        image.load(image.at(memory, code.add(coordinate, view.columns.low)),
                   masks[size_t(part)]));
  }
  for (int64_t phase = 0; phase < phases; ++phase) {
    Value vector = parts[0];
    if (phases > 1) {
      SmallVector<int64_t> from;
      for (int64_t lane = 0; lane < sizes.lanes; ++lane)
        from.push_back(lane * phases + phase);
      vector =
          vector::ShuffleOp::create(code.b, code.loc, parts[0], parts[1], from);
    }
    code.store(vector,
               code.at(row, code.add(position, phase * layout.phaseLength)));
  }
}

void WindowContractEmitter::emitRows(const Tile &tile, Value row,
                                     int64_t count) {
  const int64_t step = sizes.vectors * sizes.lanes;
  const int64_t full = view.columns.results / step * step;
  code.loop(code.constant(0), code.constant(full), step, [&](Value lane) {
    emitVectors(tile, row, count, lane, /*isLast=*/false);
  });
  if (full < view.columns.results)
    emitVectors(tile, row, count, code.constant(full), /*isLast=*/true);
  if (!kernel.hasEpilogue)
    return;
  Value position = code.add(tile.result, code.mul(row, view.rows.resultStride));
  const int64_t length = view.columns.results;
  if (count == 1 || view.rows.resultStride == length)
    return emitEpilogue(tile, position, code.constant(0), count * length);
  code.loop(code.constant(0), code.constant(count), 1, [&](Value i) {
    emitEpilogue(tile, code.add(position, code.mul(i, view.rows.resultStride)),
                 code.mul(i, length), length);
  });
}

void WindowContractEmitter::emitVectors(const Tile &tile, Value row,
                                        int64_t count, Value lane,
                                        bool isLast) {
  Value from = code.at(
      scratch(),
      code.add(code.mul(code.mul(row, view.rows.step), layout.rowLength),
               lane));
  Values sums(size_t(count * sizes.vectors), code.zero());
  for (int64_t i = 0; i < view.rows.coordinates(count); ++i) {
    const int64_t line =
        view.isDescending ? view.rows.coordinates(count) - 1 - i : i;
    llvm::DenseMap<int64_t, Value> loaded;
    for (auto [number, tap] : llvm::enumerate(view.taps)) {
      const int64_t distance = line - tap.row;
      if (distance < 0 || distance % view.rows.step != 0 ||
          distance / view.rows.step >= count)
        continue;
      const int64_t result = distance / view.rows.step;
      for (int64_t v = 0; v < sizes.vectors; ++v) {
        const int64_t offset =
            line * layout.rowLength +
            tap.column % view.columns.step * layout.phaseLength +
            tap.column / view.columns.step + v * sizes.lanes;
        Value &element = loaded[offset];
        if (!element)
          element = code.load(code.at(from, offset));
        Value &sum = sums[size_t(result * sizes.vectors + v)];
        sum = code.fma(element, tile.weights[number], sum);
      }
    }
  }
  // A zero result is +0 (contract_r3).
  for (int64_t i = 0; i < count; ++i)
    for (int64_t v = 0; v < sizes.vectors; ++v) {
      Value sum = sums[size_t(i * sizes.vectors + v)];
      sum = code.canonical(code.addElements(sum, code.zero()));
      const int64_t valid =
          view.columns.results % (sizes.vectors * sizes.lanes) -
          v * sizes.lanes;
      Value mask;
      if (isLast && valid < sizes.lanes)
        mask = code.firstLanes(code.constant(valid));
      Value column = code.add(lane, v * sizes.lanes);
      if (kernel.hasEpilogue) {
        const StoredTensor scratchSums(code);
        scratchSums.store(
            sum, code.at(ofSums(), code.add(column, i * view.columns.results)),
            mask);
        continue;
      }
      Value ofRow = code.mul(code.add(row, i), view.rows.resultStride);
      Value position = code.add(code.add(tile.result, ofRow), column);
      result.store(sum, result.at(code.pointer(function.outputs[0]), position),
                   mask);
    }
}

/// Long code is emitted for the most vectors at once, and for the rest.
void WindowContractEmitter::emitEpilogue(const Tile &tile, Value position,
                                         Value sums, int64_t length) {
  int64_t begin = 0;
  for (int64_t count = kernel.atOnce; count > 0; count /= 2) {
    const int64_t step = count * sizes.lanes,
                  end = begin + (length - begin) / step * step;
    code.loop(code.constant(begin), code.constant(end), step, [&](Value at) {
      finish(tile, code.add(sums, at), code.add(position, at), count, Value());
    });
    begin = end;
  }
  if (begin < length)
    finish(tile, code.add(sums, begin), code.add(position, begin), 1,
           code.firstLanes(code.constant(length - begin)));
}

void WindowContractEmitter::finish(const Tile &tile, Value at, Value position,
                                   int64_t count, Value mask) {
  repro::KernelOp whole = kernel.kernel;
  repro::ContractOp contraction = kernel.contraction;
  Values positions, sums;
  const Values masks(size_t(count), mask);
  for (int64_t v = 0; v < count; ++v) {
    positions.push_back(code.add(position, v * sizes.lanes));
    sums.push_back(code.load(code.at(ofSums(), code.add(at, v * sizes.lanes))));
  }
  auto addresses = [&](Value tensor, Value buffer, ArrayRef<Value> offsets) {
    Values all;
    for (Value offset : offsets)
      all.push_back(
          code.at(code.pointer(buffer), offset, elementInMemory(tensor)));
    return all;
  };
  EpilogueEmitter emitter(code, masks);
  emitter.provide(contraction.getResult(), sums);
  for (auto [read, uniform] : llvm::zip_equal(kernel.reads, tile.uniform)) {
    Value tensor = whole.getBlock().getArgument(read.argument);
    const bool isUniform = !isWhole(read.digits);
    const Values same(size_t(count), uniform);
    emitter.place(tensor, {addresses(tensor, function.inputs[read.argument],
                                     isUniform ? same : positions),
                           isUniform});
  }
  Values values;
  for (Value yielded : whole.getYielded())
    values.push_back(emitter.element(yielded, {}));
  failed |= llvm::is_contained(values, Value());
  if (failed)
    return;
  // Results are stored after all reads, since they may overwrite operands.
  for (auto [value, yielded, buffer] :
       llvm::zip_equal(values, whole.getYielded(), function.outputs))
    emitter.storeVectors(value, addresses(yielded, buffer, positions));
}

} // namespace gensyn::cpu

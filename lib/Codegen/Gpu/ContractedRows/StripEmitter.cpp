// See StripEmitter.h.

#include "StripEmitter.h"

#include "../Common/LaneReduction.h"
#include "MaskedElements.h"
#include "OperandLimits.h"

using namespace mlir;

namespace gensyn::gpu {

static constexpr int64_t kPoints = StripLayout::kPoints;

StripEmitter::StripEmitter(repro::KernelOp kernel,
                           const repro::KernelForm &form,
                           const StripLayout &layout, const Target &target,
                           const KernelFunction &function, OpBuilder &builder)
    : kernel(kernel), form(form), layout(layout), target(target),
      function(function),
      k(builder, kernel.getLoc(), function.function, target) {}

LogicalResult StripEmitter::emit() {
  locate();
  keepOperands();
  if (llvm::any_of(layout.walks,
                   [](const StripWalk &walk) { return walk.mayBeMasked; }))
    isLimited = OperandLimits::load(k, function.workspaces.front(), thread,
                                    StripLayout::kThreads,
                                    k.at(function.shared, layout.votes));
  for (const StripWalk &walk : layout.walks)
    if (failed(emitWalk(walk)))
      return failure();
  return layout.side == StripSide::Rows ? storeRows() : success();
}

void StripEmitter::locate() {
  thread = k.thread(StripLayout::kThreads);
  ownMoving = k.rem(thread, StripLayout::kShared);
  ownFixed = k.div(thread, StripLayout::kShared);
  block = k.block(layout.blocks());
  group = k.div(block, layout.strips());
  Value strip = k.rem(block, layout.strips());
  // A causal mask leaves the last rows and the first columns the most tiles:
  // they begin first.
  if (layout.side == StripSide::Rows)
    strip = k.sub(k.constant(layout.strips() - 1), strip);
  first = k.mul(strip, layout.fixed());
  groups = std::make_unique<GroupIndices>(k, kernel, form, group);
  Value own = k.add(first, k.mul(ownFixed, layout.tm));
  for (int64_t i = 0; i < layout.tm; ++i) {
    Value position = k.add(own, i);
    if (layout.fixedExtent % layout.fixed() != 0)
      position = k.min(position, layout.fixedExtent - 1);
    fixed.push_back(position);
  }
}

Value StripEmitter::tensorOf(const repro::RowContraction &contraction,
                             const StripTensor &tensor,
                             ArrayRef<int64_t> extents) {
  repro::ContractOp op = contraction.op;
  Value offset = k.constant(0), rest = group;
  for (size_t dim = extents.size(); dim-- > 0;) {
    Value index = dim == 0 ? rest : k.rem(rest, extents[dim]);
    offset = k.add(offset, k.mul(index, tensor.groupStrides[dim]));
    rest = k.div(rest, extents[dim]);
  }
  Value memory;
  if (tensor.number == 2)
    memory =
        function
            .outputs[size_t(llvm::find(kernel.getYielded(), op.getResult()) -
                            kernel.getYielded().begin())];
  else
    memory = function.inputs[cast<BlockArgument>(op->getOperand(tensor.number))
                                 .getArgNumber()];
  return k.far(memory, offset, 4);
}

Value StripEmitter::movingOf(int64_t j) {
  return k.add(k.mul(ownMoving, layout.lanes),
               j / layout.lanes * layout.lanes * StripLayout::kShared +
                   j % layout.lanes);
}

/// Prepares the copies of all operands, and copies those of the fixed side.
void StripEmitter::keepOperands() {
  // A thread's moving positions are adjacent in shared memory.
  auto place = [&](Value position) {
    const int64_t lanes = layout.lanes, all = lanes * StripLayout::kShared;
    Value own = k.mul(k.div(k.rem(position, all), lanes), layout.tn);
    return k.add(k.add(own, k.mul(k.div(position, all), lanes)),
                 k.rem(position, lanes));
  };
  auto shapeOf = [&](const StripTensor &tensor, int64_t positions,
                     int64_t extent, int64_t points, int64_t stride) {
    TileShape shape;
    shape.positions = positions;
    shape.axes.push_back({extent, tensor.stride});
    shape.points = points;
    shape.pointStride = stride;
    shape.wanted = llvm::alignTo(points, kPoints);
    shape.groupStrides = tensor.groupStrides;
    return shape;
  };
  for (auto [number, source] : llvm::enumerate(layout.sources)) {
    const int64_t positions = std::max<int64_t>(layout.fixed(), 32);
    TileCopy copy(
        k,
        shapeOf(source.kept, positions, layout.fixedExtent, source.points,
                source.keptPointStride),
        thread, tensorOf(source.contraction, source.kept, source.groupExtents),
        nullptr);
    Values offsets = copy.findOffsets(first);
    const int64_t bytes = 4 * kPoints * StripLayout::pitch(positions);
    Value to = k.at(function.shared, layout.kept[number]);
    const int64_t chunks = llvm::divideCeil(source.points, kPoints);
    k.loop(k.constant(chunks), {}, [&](Value chunk, ValueRange) -> Values {
      copy.store(copy.load(offsets, k.mul(chunk, kPoints)),
                 k.at(to, k.mul(chunk, bytes)));
      return {};
    });
    TileCopy::Place moves;
    if (layout.lanes != layout.tn)
      moves = place;
    moved.push_back(std::make_unique<TileCopy>(
        k,
        shapeOf(source.moved, layout.moving(), layout.movingExtent,
                source.points, source.movedPointStride),
        thread, tensorOf(source.contraction, source.moved, source.groupExtents),
        moves));
  }
  for (const StripSum &sum : layout.sums) {
    TileShape shape;
    shape.positions = sum.positions();
    for (const StripSum::Axis &axis : sum.axes)
      shape.axes.push_back({axis.extent, axis.inFactor});
    if (shape.axes.empty())
      shape.axes.push_back({1, 1});
    shape.points = layout.movingExtent;
    shape.pointStride = sum.factor.stride;
    shape.wanted = layout.tiles() * layout.moving();
    shape.groupStrides = sum.factor.groupStrides;
    factors.push_back(std::make_unique<TileCopy>(
        k, shape, thread,
        tensorOf(sum.contraction, sum.factor, sum.groupExtents), nullptr));
    factorOffsets.push_back(factors.back()->findOffsets(k.constant(0)));
  }
}

StripEmitter::Values StripEmitter::pack(const Carried &carried) const {
  Values values;
  for (const auto *lists : {&carried.lanes, &carried.sums})
    for (const Values &list : *lists)
      values.append(list);
  return values;
}

StripEmitter::Carried StripEmitter::unpack(ValueRange values,
                                           const Carried &like) const {
  Carried carried;
  auto take = [&](const SmallVector<Values> &lists, SmallVector<Values> &to) {
    for (const Values &list : lists) {
      to.emplace_back(values.take_front(list.size()));
      values = values.drop_front(list.size());
    }
  };
  take(like.lanes, carried.lanes);
  take(like.sums, carried.sums);
  return carried;
}

LogicalResult StripEmitter::emitWalk(const StripWalk &walk) {
  Carried start;
  for (unsigned number : walk.reductions)
    start.lanes.push_back(identities(layout.reductions[number]));
  for (unsigned number : walk.sums) {
    const StripSum &sum = layout.sums[number];
    start.sums.emplace_back(size_t(layout.tm * sum.perThread * sum.panels),
                            k.zero(k.b.getF32Type()));
  }
  LogicalResult result = success();
  Values last = k.rolledLoop(k.constant(layout.tiles()), pack(start),
                             [&](Value tile, ValueRange values) {
                               Carried carried = unpack(values, start);
                               if (failed(emitTile(walk, tile, carried)))
                                 result = failure();
                               return pack(carried);
                             });
  if (failed(result))
    return failure();
  Carried end = unpack(last, start);
  if (!walk.reductions.empty()) {
    for (auto [number, lanes] : llvm::zip_equal(walk.reductions, end.lanes)) {
      const StripReduction &reduction = layout.reductions[number];
      if (reduction.blockTiles == 0)
        joinLanes(reduction, lanes, k.at(function.shared, reduction.row));
    }
    k.barrier();
    bool hasBlocks = false;
    for (unsigned number : walk.reductions)
      if (layout.reductions[number].blockTiles > 0) {
        joinBlocks(layout.reductions[number]);
        hasBlocks = true;
      }
    if (hasBlocks)
      k.barrier();
    for (unsigned number : walk.reductions) {
      passOn(layout.reductions[number]);
      done.push_back(number);
    }
  }
  for (auto [number, sums] : llvm::zip_equal(walk.sums, end.sums))
    storeSum(number, sums);
  return success();
}

TileElements StripEmitter::makeElements(ArrayRef<Value> ofFixed,
                                        ArrayRef<Value> ofMoving) {
  const bool isOfRows = layout.side == StripSide::Rows;
  return TileElements(k, kernel, form, target, function, *groups,
                      isOfRows ? ofFixed : ofMoving,
                      isOfRows ? ofMoving : ofFixed);
}

StripEmitter::Moving StripEmitter::placeMoving(Value tile) {
  Moving moving;
  moving.first = k.mul(tile, layout.moving());
  const bool isRagged = layout.movingExtent % layout.moving() != 0;
  for (int64_t j = 0; j < layout.tn; ++j) {
    Value position = k.add(moving.first, movingOf(j));
    moving.inside.push_back(isRagged ? k.less(position, layout.movingExtent)
                                     : Value());
    moving.positions.push_back(
        isRagged ? k.min(position, layout.movingExtent - 1) : position);
  }
  return moving;
}

LogicalResult StripEmitter::emitTile(const StripWalk &walk, Value tile,
                                     Carried &carried) {
  const Moving moving = placeMoving(tile);
  LogicalResult result = success();
  if (!walk.mayBeMasked) {
    result = addTile(walk, moving, carried);
  } else {
    const Carried before = carried;
    TileElements elements = makeElements(fixed, moving.positions);
    defineReductions(elements, moving.positions);
    Carried masked = before;
    Value isMasked =
        allOf(k, addMasked(walk, elements, moving, masked), thread,
              StripLayout::kThreads, k.at(function.shared, layout.votes));
    Values after = k.either(
        isMasked, [&] { return pack(masked); },
        [&] {
          Carried added = before;
          result = addTile(walk, moving, added);
          return pack(added);
        });
    carried = unpack(after, before);
  }
  for (auto [number, lanes] : llvm::zip_equal(walk.reductions, carried.lanes))
    endBlock(layout.reductions[number], tile, lanes);
  for (auto [number, sums] : llvm::zip_equal(walk.sums, carried.sums))
    savePartial(layout.sums[number], tile, sums);
  return result;
}

Value StripEmitter::addMasked(const StripWalk &walk, TileElements &elements,
                              const Moving &moving, Carried &carried) {
  MaskedElements masked(form);
  Value condition = isLimited;
  const bool isOfRows = layout.side == StripSide::Rows;
  auto forEach =
      [&](function_ref<void(int64_t, int64_t, size_t, size_t)> visit) {
        for (int64_t i = 0; i < layout.tm; ++i)
          for (int64_t j = 0; j < layout.tn; ++j)
            visit(i, j, size_t(isOfRows ? i : j), size_t(isOfRows ? j : i));
      };
  for (auto [number, lanes] : llvm::zip_equal(walk.reductions, carried.lanes)) {
    const StripReduction &reduction = layout.reductions[number];
    Value operand = reduction.getOp().getOperand();
    LaneReduction lane(elements, reduction.getOp(), target);
    const bool isSum = reduction.getOp().getKind() == repro::ReduceKind::Sum;
    forEach([&](int64_t i, int64_t j, size_t row, size_t column) {
      if (isSum) {
        condition =
            k.both(condition, masked.isZero(k, elements, operand, row, column));
        return;
      }
      MaskedElements::Known known =
          masked.know(k, elements, operand, row, column);
      condition = k.both(condition, known.condition);
      Value &sum = lanes[size_t(i * layout.lanes + j % layout.lanes)];
      sum = lane.step(sum, known.value, moving.inside[size_t(j)]);
    });
  }
  for (unsigned number : walk.sums) {
    Value tensor = layout.sums[number].contraction.getFull();
    forEach([&](int64_t, int64_t, size_t row, size_t column) {
      condition =
          k.both(condition, masked.isZero(k, elements, tensor, row, column));
    });
  }
  return condition;
}

LogicalResult StripEmitter::addTile(const StripWalk &walk, const Moving &moving,
                                    Carried &carried) {
  SmallVector<Values> scores;
  for (unsigned number : walk.sources)
    scores.push_back(emitSource(number, moving.first));
  TileElements elements = makeElements(fixed, moving.positions);
  for (auto [number, values] : llvm::zip_equal(walk.sources, scores)) {
    Value tensor = layout.sources[number].contraction.getFull();
    for (int64_t i = 0; i < layout.tm; ++i)
      for (int64_t j = 0; j < layout.tn; ++j) {
        Value value = elements.markComputed(values[size_t(i * layout.tn + j)]);
        if (layout.side == StripSide::Rows)
          elements.define(tensor, size_t(i), size_t(j), value);
        else
          elements.define(tensor, size_t(j), size_t(i), value);
      }
  }
  defineReductions(elements, moving.positions);
  for (auto [number, lanes] : llvm::zip_equal(walk.reductions, carried.lanes))
    if (failed(reduceTile(layout.reductions[number], elements, moving.inside,
                          lanes)))
      return failure();
  // All elements are emitted before they overwrite a tile in shared memory.
  SmallVector<Values> operands;
  for (unsigned number : walk.sums)
    if (failed(emitOperand(layout.sums[number].contraction.getFull(), elements,
                           moving.inside, operands.emplace_back())))
      return failure();
  Value written;
  for (auto [position, number] : llvm::enumerate(walk.sums)) {
    Value tensor = layout.sums[number].contraction.getFull();
    if (tensor != written)
      storeTile(operands[position]);
    written = tensor;
    Values &sums = carried.sums[position];
    sums = emitSum(number, moving.first, sums);
  }
  return success();
}

LogicalResult StripEmitter::emitOperand(Value tensor, TileElements &elements,
                                        ArrayRef<Value> inside,
                                        Values &values) {
  for (int64_t j = 0; j < layout.tn; ++j)
    for (int64_t i = 0; i < layout.tm; ++i) {
      Value value = at(elements, tensor, i, j);
      if (!value)
        return failure();
      // Zeros on both sides are neutral (contract_r3).
      if (inside[size_t(j)])
        value = k.select(inside[size_t(j)], value, k.zero(value.getType()));
      values.push_back(value);
    }
  return success();
}

void StripEmitter::storeTile(ArrayRef<Value> values) {
  Value to =
      k.at(k.at(function.shared, layout.tile), k.mul(ownFixed, 4 * layout.tm));
  const int64_t pitch = 4 * StripLayout::pitch(layout.fixed()),
                width = std::min<int64_t>(4, layout.tm);
  for (int64_t j = 0; j < layout.tn; ++j) {
    Value row = k.at(to, k.mul(movingOf(j), pitch));
    for (int64_t i = 0; i < layout.tm; i += width)
      k.store(k.pack(values.slice(size_t(j * layout.tm + i), size_t(width))),
              k.at(row, 4 * i));
  }
}

void StripEmitter::multiply(Value x, int64_t pitchX, Value y, int64_t pitchY,
                            ArrayRef<int64_t> starts, int64_t width,
                            Values &sums) {
  Type f32 = k.b.getF32Type();
  const int64_t step = std::min<int64_t>(4, layout.tm);
  const int64_t perRow = int64_t(starts.size()) * width;
  for (int64_t point = 0; point < kPoints; ++point) {
    Values ofX, ofY;
    for (int64_t i = 0; i < layout.tm; i += step) {
      Value vector = k.load(f32, k.at(x, 4 * (point * pitchX + i)), step);
      for (int64_t e = 0; e < step; ++e)
        ofX.push_back(k.extract(vector, e));
    }
    for (int64_t start : starts) {
      Value vector = k.load(f32, k.at(y, 4 * (point * pitchY + start)), width);
      for (int64_t e = 0; e < width; ++e)
        ofY.push_back(k.extract(vector, e));
    }
    for (int64_t i = 0; i < layout.tm; ++i)
      for (int64_t j = 0; j < perRow; ++j) {
        Value &sum = sums[size_t(i * perRow + j)];
        sum = k.fma(ofX[size_t(i)], ofY[size_t(j)], sum);
      }
  }
}

StripEmitter::Values StripEmitter::emitProduct(
    TileCopy &copy, ArrayRef<Value> offsets, Value firstPoint, int64_t chunks,
    Value x, int64_t pitchX, int64_t positions, ArrayRef<int64_t> starts,
    int64_t width, Value ownPositions, Values sums) {
  Value stages = k.at(function.shared, layout.stage);
  const int64_t pitchY = StripLayout::pitch(positions);
  Values held = copy.load(offsets, firstPoint);
  // All threads have read what was in the stages, and written what `x` is.
  k.barrier();
  copy.store(held, stages);
  k.barrier();
  if (chunks == 1) {
    multiply(x, pitchX, k.at(stages, ownPositions), pitchY, starts, width,
             sums);
    return sums;
  }
  auto stageOf = [&](Value chunk) {
    return k.at(stages, k.mul(k.bitAnd(chunk, 1), layout.stageBytes));
  };
  return k.rolledLoop(
      k.constant(chunks), sums, [&](Value chunk, ValueRange carried) {
        // The last tile is copied twice, the second time without use.
        Value next = k.min(k.add(chunk, 1), chunks - 1);
        Values ahead =
            copy.load(offsets, k.add(firstPoint, k.mul(next, kPoints)));
        Values added(carried);
        multiply(k.at(x, k.mul(chunk, 4 * kPoints * pitchX)), pitchX,
                 k.at(stageOf(chunk), ownPositions), pitchY, starts, width,
                 added);
        copy.store(ahead, stageOf(k.add(chunk, 1)));
        k.barrier();
        return added;
      });
}

StripEmitter::Values StripEmitter::emitSource(unsigned number, Value position) {
  const StripSource &source = layout.sources[number];
  Value x = k.at(function.shared, layout.kept[number]);
  x = k.at(x, k.mul(ownFixed, 4 * layout.tm));
  SmallVector<int64_t> starts;
  for (int64_t j = 0; j < layout.tn; j += 4)
    starts.push_back(j);
  Values sums(size_t(layout.tm * layout.tn), k.zero(k.b.getF32Type()));
  sums = emitProduct(*moved[number], moved[number]->findOffsets(position),
                     k.constant(0), llvm::divideCeil(source.points, kPoints), x,
                     StripLayout::pitch(std::max<int64_t>(layout.fixed(), 32)),
                     layout.moving(), starts, 4,
                     k.mul(ownMoving, 4 * layout.tn), sums);
  // A sum that is zero is +0 (contract_r3).
  for (Value &sum : sums)
    sum = k.join(sum, k.zero(k.b.getF32Type()));
  return sums;
}

StripEmitter::Values StripEmitter::emitSum(unsigned number, Value position,
                                           Values sums) {
  const StripSum &sum = layout.sums[number];
  Value x = k.at(function.shared, layout.tile);
  x = k.at(x, k.mul(ownFixed, 4 * layout.tm));
  SmallVector<int64_t> starts;
  for (int64_t panel = 0; panel < sum.panels; ++panel)
    starts.push_back(panel * StripLayout::kShared * sum.perThread);
  return emitProduct(*factors[number], factorOffsets[number], position,
                     layout.moving() / kPoints, x,
                     StripLayout::pitch(layout.fixed()), sum.positions(),
                     starts, sum.perThread, k.mul(ownMoving, 4 * sum.perThread),
                     sums);
}

} // namespace gensyn::gpu

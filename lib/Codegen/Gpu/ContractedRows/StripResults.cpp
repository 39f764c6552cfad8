// Reductions of rows, partial sums, and the results of a strip; see
// StripEmitter.h.

#include "../Common/LaneReduction.h"
#include "StripEmitter.h"

#include <numeric>

using namespace mlir;

namespace gensyn::gpu {

StripEmitter::Values StripEmitter::identities(const StripReduction &reduction) {
  TileElements elements = makeElements({}, {});
  Value identity =
      LaneReduction(elements, reduction.getOp(), target).identity();
  return Values(size_t(layout.tm * layout.lanes), identity);
}

LogicalResult StripEmitter::reduceTile(const StripReduction &reduction,
                                       TileElements &elements,
                                       ArrayRef<Value> inside, Values &lanes) {
  LaneReduction lane(elements, reduction.getOp(), target);
  for (int64_t i = 0; i < layout.tm; ++i)
    for (int64_t j = 0; j < layout.tn; ++j) {
      Value value = at(elements, reduction.getOp().getOperand(), i, j);
      if (!value)
        return failure();
      Value &sum = lanes[size_t(i * layout.lanes + j % layout.lanes)];
      sum = lane.step(sum, value, inside[size_t(j)]);
    }
  return success();
}

void StripEmitter::endBlock(const StripReduction &reduction, Value tile,
                            Values &lanes) {
  if (reduction.blockTiles == 0)
    return;
  Value next = k.add(tile, 1);
  Value ends = arith::OrIOp::create(
      k.b, k.loc, k.equal(k.rem(next, reduction.blockTiles), k.constant(0)),
      k.equal(next, k.constant(layout.tiles())));
  Value to = k.at(k.at(function.shared, reduction.parts),
                  k.mul(k.div(tile, reduction.blockTiles), 4 * layout.fixed()));
  lanes = k.either(
      ends,
      [&] {
        joinLanes(reduction, lanes, to);
        return identities(reduction);
      },
      [&] { return lanes; });
}

void StripEmitter::joinLanes(const StripReduction &reduction,
                             const Values &lanes, Value to) {
  TileElements elements = makeElements({}, {});
  LaneReduction lane(elements, reduction.getOp(), target);
  Values rows;
  for (int64_t i = 0; i < layout.tm; ++i) {
    Value row =
        lane.joinLanes(Values(ArrayRef(lanes).slice(size_t(i * layout.lanes),
                                                    size_t(layout.lanes))),
                       StripLayout::kShared);
    if (lane.mayComputeNan())
      row = elements.canonical(elements.markComputed(row));
    rows.push_back(row);
  }
  k.when(k.equal(ownMoving, k.constant(0)), [&] {
    Value own = k.at(to, k.mul(ownFixed, 4 * layout.tm));
    const int64_t width = std::min<int64_t>(4, layout.tm);
    for (int64_t i = 0; i < layout.tm; i += width)
      k.store(k.pack(ArrayRef(rows).slice(size_t(i), size_t(width))),
              k.at(own, 4 * i));
  });
}

/// Combines values in an order.
static Value combine(LaneReduction &lane, const Order &order,
                     ArrayRef<Value> values) {
  switch (order.kind()) {
  case Order::Kind::Blocked: {
    SmallVector<Value> blocks;
    for (; !values.empty();) {
      const size_t size =
          std::min(values.size(), static_cast<size_t>(order.blockSize()));
      blocks.push_back(combine(lane, order.inner(), values.take_front(size)));
      values = values.drop_front(size);
    }
    return combine(lane, order.outer(), blocks);
  }
  case Order::Kind::Lanes: {
    SmallVector<Value> lanes(static_cast<size_t>(order.laneCount()));
    for (auto [number, value] : llvm::enumerate(values)) {
      Value &sum = lanes[number % lanes.size()];
      sum = sum ? lane.combine(sum, value) : value;
    }
    return lane.joinLanes(lanes, 1);
  }
  case Order::Kind::Sequential:
  case Order::Kind::Exact:
    break;
  }
  Value sum = values.front();
  for (Value value : values.drop_front())
    sum = lane.combine(sum, value);
  return sum;
}

void StripEmitter::joinBlocks(const StripReduction &reduction) {
  k.when(k.less(thread, layout.fixed()), [&] {
    TileElements elements = makeElements({}, {});
    LaneReduction lane(elements, reduction.getOp(), target);
    Value own = k.at(function.shared, k.mul(thread, 4));
    Values parts;
    for (int64_t block = 0; block < reduction.blocks; ++block)
      parts.push_back(
          k.load(k.b.getF32Type(),
                 k.at(own, reduction.parts + 4 * block * layout.fixed()), 1));
    Value row =
        combine(lane, reduction.getOp().getOrder()->getOrder().outer(), parts);
    if (lane.mayComputeNan())
      row = elements.canonical(elements.markComputed(row));
    k.store(row, k.at(own, reduction.row));
  });
}

void StripEmitter::passOn(const StripReduction &reduction) {
  if (!reduction.workspace)
    return;
  Value row = k.add(first, thread);
  k.when(
      k.both(k.less(thread, layout.fixed()), k.less(row, layout.fixedExtent)),
      [&] {
        Value from = k.at(function.shared, k.mul(thread, 4));
        k.store(k.load(k.b.getF32Type(), k.at(from, reduction.row), 1),
                k.far(function.workspaces[*reduction.workspace],
                      groups->number(k, row), 4));
      });
}

void StripEmitter::defineReductions(TileElements &elements,
                                    ArrayRef<Value> moving) {
  Type f32 = k.b.getF32Type();
  if (layout.side == StripSide::Columns) {
    for (const StripReduction &reduction : layout.reductions)
      for (auto [j, row] : llvm::enumerate(moving))
        elements.define(reduction.getOp().getResult(), j, 0,
                        k.load(f32,
                               k.far(function.workspaces[*reduction.workspace],
                                     groups->number(k, row), 4),
                               1));
    return;
  }
  const int64_t width = std::min<int64_t>(4, layout.tm);
  for (unsigned number : done) {
    const StripReduction &reduction = layout.reductions[number];
    Value own = k.at(k.at(function.shared, reduction.row),
                     k.mul(ownFixed, 4 * layout.tm));
    for (int64_t i = 0; i < layout.tm; i += width) {
      Value vector = k.load(f32, k.at(own, 4 * i), width);
      for (int64_t e = 0; e < width; ++e)
        elements.define(reduction.getOp().getResult(), size_t(i + e), 0,
                        k.extract(vector, e));
    }
  }
}

LogicalResult StripEmitter::storeRows() {
  LogicalResult result = success();
  Value row = k.add(first, thread);
  auto isOfRows = [&](Value yielded) {
    return form.placementOf(yielded) == repro::Placement::Row;
  };
  if (llvm::none_of(kernel.getYielded(), isOfRows))
    return result;
  k.when(
      k.both(k.less(thread, layout.fixed()), k.less(row, layout.fixedExtent)),
      [&] {
        TileElements elements = makeElements({row}, {});
        Value own = k.at(function.shared, k.mul(thread, 4));
        for (unsigned number : done) {
          const StripReduction &reduction = layout.reductions[number];
          elements.define(
              reduction.getOp().getResult(), 0, 0,
              k.load(k.b.getF32Type(), k.at(own, reduction.row), 1));
        }
        for (auto [yielded, output] :
             llvm::zip_equal(kernel.getYielded(), function.outputs)) {
          if (!isOfRows(yielded))
            continue;
          Value value = elements.at(yielded, 0, 0);
          if (!value) {
            result = failure();
            return;
          }
          elements.storeAt(value, output, k.toIndex(groups->number(k, row)));
        }
      });
  return result;
}

int64_t StripEmitter::partialWidth(const StripSum &sum) const {
  return std::gcd(int64_t{4}, layout.tm * sum.perThread * sum.panels);
}

Value StripEmitter::partialOf(const StripSum &sum, int64_t vector) {
  const int64_t width = partialWidth(sum),
                vectors = layout.tm * sum.perThread * sum.panels / width;
  Value number =
      k.add(k.mul(k.add(k.mul(block, vectors), vector), StripLayout::kThreads),
            thread);
  return k.far(function.workspaces[*sum.partial], number, 4 * width);
}

StripEmitter::Values StripEmitter::addPartial(const StripSum &sum,
                                              const Values &sums) {
  const int64_t width = partialWidth(sum);
  Values added;
  for (int64_t i = 0; i < int64_t(sums.size()); i += width) {
    Value saved = k.load(k.b.getF32Type(), partialOf(sum, i / width), width);
    for (int64_t e = 0; e < width; ++e)
      added.push_back(k.join(k.extract(saved, e), sums[size_t(i + e)]));
  }
  return added;
}

void StripEmitter::savePartial(const StripSum &sum, Value tile, Values &sums) {
  if (sum.blockTiles == 0)
    return;
  Value next = k.add(tile, 1);
  Value ends = k.both(k.equal(k.rem(next, sum.blockTiles), k.constant(0)),
                      k.less(next, layout.tiles()));
  sums = k.either(
      ends,
      [&] {
        // +0 plus the sum of the first block is that sum, except for the sign
        // of a zero, which the last step sets to + (contract_r3).
        Values total = k.either(
            k.equal(next, k.constant(sum.blockTiles)), [&] { return sums; },
            [&] { return addPartial(sum, sums); });
        const int64_t width = partialWidth(sum);
        for (int64_t i = 0; i < int64_t(total.size()); i += width)
          k.store(k.pack(ArrayRef(total).slice(size_t(i), size_t(width))),
                  partialOf(sum, i / width));
        return Values(sums.size(), k.zero(k.b.getF32Type()));
      },
      [&] { return sums; });
}

void StripEmitter::storeSum(unsigned number, Values sums) {
  const StripSum &sum = layout.sums[number];
  if (sum.blockTiles > 0)
    sums = addPartial(sum, sums);
  TileElements elements = makeElements({}, {});
  for (Value &value : sums)
    value = elements.canonical(
        elements.markComputed(k.join(value, k.zero(k.b.getF32Type()))));
  Value memory = tensorOf(sum.contraction, sum.result, sum.groupExtents);
  const int64_t own = sum.perThread, all = StripLayout::kShared * own;
  auto isWhole = [&](int64_t stride) { return stride % own == 0; };
  bool isVector = !sum.axes.empty() && sum.axes.back().inResult == 1 &&
                  isWhole(sum.axes.back().extent) &&
                  isWhole(sum.result.stride) &&
                  llvm::all_of(sum.result.groupStrides, isWhole);
  for (const StripSum::Axis &axis :
       ArrayRef(sum.axes).drop_back(sum.axes.empty() ? 0 : 1))
    isVector &= isWhole(axis.inResult);
  const int64_t width = isVector ? own : 1;
  for (int64_t panel = 0; panel < sum.panels; ++panel)
    for (int64_t e = 0; e < own; e += width) {
      Value position = k.add(k.mul(ownMoving, own), panel * all + e);
      Value exists =
          sum.width % all != 0 ? k.less(position, sum.width) : Value();
      Value offset = k.constant(0), rest = position;
      for (size_t dim = sum.axes.size(); dim-- > 0;) {
        const StripSum::Axis &axis = sum.axes[dim];
        Value index = dim == 0 ? rest : k.rem(rest, axis.extent);
        offset = k.add(offset, k.mul(index, axis.inResult));
        rest = k.div(rest, axis.extent);
      }
      for (int64_t i = 0; i < layout.tm; ++i) {
        Value at = k.add(k.add(first, k.mul(ownFixed, layout.tm)), i);
        Value stores = exists;
        if (layout.fixedExtent % layout.fixed() != 0)
          stores = k.both(exists, k.less(at, layout.fixedExtent));
        const auto begin = size_t((i * sum.panels + panel) * own + e);
        k.when(stores, [&] {
          k.store(
              k.pack(ArrayRef(sums).slice(begin, size_t(width))),
              k.far(memory, k.add(k.mul(at, sum.result.stride), offset), 4));
        });
      }
    }
}

} // namespace gensyn::gpu

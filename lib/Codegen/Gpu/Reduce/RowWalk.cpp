// See RowWalk.h.

#include "RowWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {

RowWalk::RowWalk(RowEmitter &emitter, const RowLayout &layout, Value thread)
    : emitter(emitter), builder(emitter.builder), location(emitter.location),
      index(builder, location), layout(layout), thread(thread) {}

/// Returns the points of a thread from column base + first on, one per lane.
/// Omits points that are outside the row for all threads, whose smallest base
/// is `leastColumn`.
RowWalk::Step RowWalk::makeStep(Value base, int64_t first, bool isChecked,
                                int64_t leastColumn) {
  Step step;
  const int64_t access = layout.accessOf(emitter.getWalk());
  for (int64_t lane = 0; lane < layout.perThreadOf(emitter.getWalk());
       lane += access) {
    const int64_t offset = first + lane;
    if (leastColumn + offset >= layout.columns)
      break;
    PointGroup &group = groups.emplace_back();
    group.base = group.ownBase = base;
    group.offset = group.ownOffset = offset;
    if (isChecked) {
      Value start = index.add(base, offset);
      group.inside = index.less(start, layout.columns);
      group.base =
          index.select(group.inside, start, index(layout.columns - access));
      group.offset = 0;
    }
    for (int64_t i = 0; i < access; ++i)
      group.columns.push_back(index.add(group.base, group.offset + i));
    step.groups.push_back(&group);
    step.lanes.push_back(lane);
  }
  return step;
}

std::optional<RowWalk::Carried>
RowWalk::walk(Value unit, int64_t count, bool mayBeLast, Carried carried,
              function_ref<Value(size_t)> initial, Body body) {
  const unsigned number = emitter.getWalk();
  const int64_t lanes = layout.lanesOf(number);
  const int64_t perThread = layout.perThreadOf(number);
  // Steps that are whole in all units for which this code may run.
  const int64_t whole =
      (mayBeLast ? std::min(count, layout.lastUnit()) : count) / lanes;
  const int64_t steps = (count + lanes - 1) / lanes;
  auto makeBase = [&](Value from) {
    Value own = index.mul(thread, perThread);
    return index.add(from, own);
  };
  if (layout.isHeld) {
    if (held.empty()) {
      Value base = makeBase(index.mul(unit, layout.unit));
      for (int64_t k = 0; k < steps; ++k)
        held.push_back(makeStep(base, k * lanes, k >= whole, 0));
    }
    for (const Step &step : held) {
      auto next = body(step, carried);
      if (!next)
        return std::nullopt;
      carried = *next;
    }
    return carried;
  }

  auto fill = [&] {
    for (auto [i, value] : llvm::enumerate(carried))
      if (!value)
        value = initial(i);
  };
  Value begin = index.mul(unit, layout.unit);
  int64_t together = std::max<int64_t>(1, layout.unrolled[number] / perThread);
  // Slightly fewer steps per iteration are better than a loop for the
  // remainder.
  for (int64_t fewer = together; fewer > together / 2; --fewer)
    if (whole % fewer == 0) {
      together = fewer;
      break;
    }
  bool failed = false;
  // Emits a loop over the steps [first, last), `each` steps per iteration.
  auto loopOver = [&](int64_t first, int64_t last, int64_t each,
                      bool isChecked) {
    fill();
    auto loop =
        scf::ForOp::create(builder, location, index(first * lanes),
                           index(last * lanes), index(each * lanes), carried);
    OpBuilder::InsertionGuard guard(builder);
    Block *block = loop.getBody();
    builder.setInsertionPointToStart(block);
    emitter.inNestedRegion([&] {
      Value base = makeBase(index.add(begin, loop.getInductionVar()));
      Carried inner(loop.getRegionIterArgs());
      for (int64_t k = 0; k < each && !failed; ++k) {
        auto next = body(makeStep(base, k * lanes, isChecked, 0), inner);
        failed = !next;
        if (next)
          inner = *next;
      }
      if (!carried.empty())
        scf::YieldOp::create(builder, location, inner);
    });
    carried.assign(loop.getResults().begin(), loop.getResults().end());
  };
  // If code size matters, the last unit has a single loop, and whole steps are
  // merged with a partial one.
  const bool isShort = layout.isCompact(number) && layout.units > 1 &&
                       whole < steps && count < layout.unit;
  const int64_t looped = isShort ? 0 : whole / together * together;
  if (looped > 0)
    loopOver(0, looped, together, false);
  const int64_t unchecked =
      layout.isCompact(number) && whole < steps ? looped : whole;
  if (looped < unchecked && !failed)
    loopOver(looped, unchecked, 1, false);
  if (unchecked < steps && !failed)
    loopOver(unchecked, steps, 1, true);
  if (failed)
    return std::nullopt;
  return carried;
}

} // namespace gensyn::gpu

// Sorts.
//
// An element becomes an unsigned key with its position in the lower bits
// (SortItems). Items are distinct, so every sorting algorithm is stable and
// gives the same bits (sort_r1). Values are loaded again by position.
//
//   sort     A row, or a chunk of one, is padded to a power of two with items
//            that come last, and sorted by a group of threads with 8 items each
//            (SortNetwork). Short rows take a few threads each.
//   merge0.. If rows are longer than that, their sorted runs are stored to a
//            workspace, truncated to `count` items. A launch joins `ways` runs
//            into one (MergeRuns).

#include "../Common/LaunchCode.h"
#include "../Common/PointerEmitter.h"
#include "MergeRuns.h"
#include "SortLayout.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Codegen/Gpu/Schedule.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

class SortCode : LaunchCode {
public:
  SortCode(repro::KernelOp kernel, const SortLayout &layout,
           const Target &target, const KernelFunction &function,
           OpBuilder &builder)
      : LaunchCode(kernel, target, function, builder), sort(layout.sort),
        layout(layout), b(builder, location, function.function, target) {}

  LogicalResult emitChunks();
  LogicalResult emitMerge(unsigned pass);

private:
  // Row numbers are of type index, positions in a row i32.
  SmallVector<Value> placeOf(Value row, Value inRow) {
    return codegen::insertIndex(index.delinearize(row, layout.rowExtents),
                                static_cast<int64_t>(sort.getDim()), inRow);
  }
  Value keyOf(Value element, PointerEmitter &emitter);
  SortItem readOperand(SortItems &items, Value row, Value position);
  SortNetwork::Items readAcross(SortNetwork &network);
  void writeRows(SortNetwork &network, const SortNetwork::Items &sorted);
  struct Result {
    Value value, position;
    SmallVector<Value> place;
  };
  /// Returns the result for the item at `rank` (of type index) in its row.
  Result resultOf(Value position, Value row, Value rank);
  void write(const Result &result);

  ValueRange workspace(unsigned pass) {
    const size_t words = layout.item.words().size();
    return ValueRange(function.workspaces).slice(pass % 2 * words, words);
  }

  repro::SortOp sort;
  const SortLayout &layout;
  KernelBuilder b;
  bool hasFailed = false;
};

/// Returns the key of an element: an unsigned integer that ascends in the order
/// of the sort.
Value SortCode::keyOf(Value element, PointerEmitter &emitter) {
  Type type = cast<ShapedType>(sort.getOperand().getType()).getElementType();
  emit::Scalar scalar(emitter, type);
  Value key = scalar.orderKey(element, /*nanIsLeast=*/false);
  // Flips the sign bit of signed keys, and all bits if the order is descending.
  const unsigned bits = layout.item.keyBits;
  const bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  APInt flip = isUnsigned ? APInt::getZero(bits) : APInt::getSignMask(bits);
  if (sort.getDirection() == repro::SortDirection::Descending)
    flip.flipAllBits();
  if (flip.isZero())
    return key;
  Value mask = arith::ConstantOp::create(b.b, b.loc,
                                         IntegerAttr::get(key.getType(), flip));
  return arith::XOrIOp::create(b.b, b.loc, key, mask);
}

SortItem SortCode::readOperand(SortItems &items, Value row, Value position) {
  PointerEmitter emitter(b.b, kernel, function, target);
  Value element =
      emitter.element(sort.getOperand(), placeOf(row, index.toIndex(position)));
  hasFailed |= !element;
  return element ? items.make(keyOf(element, emitter), position) : items.last();
}

/// Reads interleaved rows: adjacent threads read adjacent rows.
SortNetwork::Items SortCode::readAcross(SortNetwork &network) {
  for (int64_t i = 0; i < layout.perThread; ++i) {
    Value at = b.add(network.thread, i * layout.threads());
    Value own = b.rem(at, layout.groups), place = b.div(at, layout.groups);
    Value row =
        index.add(index.mul(network.block, layout.groups), index.toIndex(own));
    Value inside = network.isBefore(place, layout.extent, layout.chunk);
    SortItem item = readOperand(network.items, index.min(row, layout.rows - 1),
                                b.min(place, b.constant(layout.extent - 1)));
    if (inside)
      item = network.items.choose(inside, item, network.items.last());
    network.setShared(item, own, place);
  }
  b.barrier();
  SortNetwork::Items result;
  for (int64_t i = 0; i < layout.perThread; ++i)
    result.push_back(
        network.shared(network.unit, b.add(network.inGroup, i * layout.group)));
  b.barrier();
  return result;
}

SortCode::Result SortCode::resultOf(Value position, Value row, Value rank) {
  PointerEmitter emitter(b.b, kernel, function, target);
  Value value =
      emitter.element(sort.getOperand(), placeOf(row, index.toIndex(position)));
  hasFailed |= !value;
  return {value ? emitter.canonical(value) : value, position,
          placeOf(row, rank)};
}

void SortCode::write(const Result &result) {
  if (!result.value)
    return;
  PointerEmitter emitter(b.b, kernel, function, target);
  emitter.store(result.value, function.outputs[0], result.place);
  emitter.store(result.position, function.outputs[1], result.place);
}

/// Writes the first `count` items of each row of the block, in the memory order
/// of the results. All are read before the first is written.
void SortCode::writeRows(SortNetwork &network,
                         const SortNetwork::Items &sorted) {
  network.share(sorted);
  const int64_t total = layout.groups * layout.count;
  SmallVector<std::pair<Value, Result>> results;
  for (int64_t first = 0; first < total; first += layout.threads()) {
    Value at = b.add(network.thread, first);
    Value inside = network.isBefore(at, total, first + layout.threads());
    at = inside ? b.min(at, b.constant(total - 1)) : at;
    Value own =
        layout.isAcross() ? b.rem(at, layout.groups) : b.div(at, layout.count);
    Value rank =
        layout.isAcross() ? b.div(at, layout.groups) : b.rem(at, layout.count);
    if (layout.count == 1)
      rank = b.constant(0), own = at;
    Value row =
        index.add(index.mul(network.block, layout.groups), index.toIndex(own));
    if (layout.rows % layout.groups != 0) {
      inside = b.both(inside, index.less(row, layout.rows));
      row = index.min(row, layout.rows - 1);
    }
    // Rows past the last one sorted the last one's items.
    Value position = network.items.position(network.shared(own, rank));
    results.emplace_back(inside, resultOf(position, row, index.toIndex(rank)));
  }
  for (auto &[inside, result] : results)
    b.when(inside, [&] { write(result); });
}

LogicalResult SortCode::emitChunks() {
  SortNetwork network(b, layout, function.shared);
  SortNetwork::Items read =
      layout.isAcross() ? readAcross(network)
                        : network.read([&](Value row, Value position) {
                            return readOperand(network.items, row, position);
                          });
  SortNetwork::Items sorted = network.sort(std::move(read));
  if (layout.runs.empty())
    writeRows(network, sorted);
  else
    writeRuns(network, sorted, workspace(0));
  return failure(hasFailed);
}

LogicalResult SortCode::emitMerge(unsigned pass) {
  if (pass + 1 < layout.runs.size()) {
    mergeRuns(b, layout, pass, workspace(pass), workspace(pass + 1));
    return success();
  }
  SortItems items(b, layout);
  mergeRuns(b, layout, pass, workspace(pass),
            [&](const SortItem &item, Value row, Value place) {
              write(resultOf(items.position(item), row, place));
            });
  return failure(hasFailed);
}

class SortSchedule final : public Schedule {
public:
  StringRef getName() const override { return "sort"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<SortLayout> layout = chooseSortLayout(kernel, target);
    if (!layout)
      return std::nullopt;
    KernelPlan plan;
    layout->addTo(plan, /*kept=*/false);
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    const SortLayout layout = *chooseSortLayout(kernel, target);
    SortCode code(kernel, layout, target, function, builder);
    return launch == 0 ? code.emitChunks() : code.emitMerge(launch - 1);
  }
};

} // namespace

/// Accepts sorts. A kernel's `schedule` may have `chunk`, the number of items
/// (a power of two) in which longer rows are sorted, and `ways`, the number of
/// runs that a merge joins.
std::unique_ptr<Schedule> createSortSchedule() {
  return std::make_unique<SortSchedule>();
}

} // namespace gensyn::gpu

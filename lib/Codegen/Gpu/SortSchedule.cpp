// See SortSchedule.h.
//
// An element becomes a key that compares as an unsigned number, with its
// position below (SortItems): no two are equal, so every way of sorting is
// stable and gives the same bits (sort_r1). Values are read again, by position.
//
//   sort     A row, or a chunk of one, is filled up to a power of two with
//            items that come last, and a group of threads sorts it in a bitonic
//            network, 8 items a thread. Its first half step compares mirrored
//            places, so that all comparisons have one direction. What is 8 or
//            more apart is in another thread: shuffles in a warp, beyond it
//            through shared memory. Short rows have a few threads each.
//   merge0.. Where a row is longer than that, its sorted runs lie in a
//            workspace, cut off after `count` items. A launch joins `ways` runs
//            to one: a thread for each item finds by binary search how many of
//            each other run come before it, which is its place. What ends up
//            behind the last that is wanted is dropped.

#include "SortSchedule.h"

#include "IndexCode.h"
#include "SortItems.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

constexpr int64_t kMergeThreads = 256;

class SortCode {
public:
  SortCode(repro::KernelOp kernel, const SortLayout &layout,
           const Target &target, const KernelFunction &function,
           OpBuilder &builder)
      : kernel(kernel), sort(layout.sort), layout(layout), target(target),
        function(function), b(builder, kernel.getLoc(), function.function),
        number(builder, kernel.getLoc()), items(b, layout) {
    block = mlir::gpu::BlockIdOp::create(b.b, b.loc, mlir::gpu::Dimension::x);
  }

  LogicalResult emitChunks();
  LogicalResult emitMerge(unsigned pass);

private:
  using Values = KernelBuilder::Values;
  /// A thread's items.
  using Items = SmallVector<SortItem>;

  // A row, or whatever has a number, is an index; what is in a row an i32.
  Value isBefore(Value x, int64_t end, int64_t most) {
    return most <= end ? Value() : b.less(x, end);
  }
  SortItem readOperand(Value row, Value position);
  Items readRows();
  Items readAcross();
  void writeRows(const Items &sorted);
  void writeRuns(const Items &sorted);
  struct Result {
    Value value, position, row, rank;
  };
  Result resultOf(const SortItem &item, Value row, Value rank);
  void write(const Result &result);

  Items sortInThread(Items x);
  Items mergeInThread(Items x);
  Items sortInWarp(Items x);
  Items sortInBlock(Items x);
  void compareExchange(SortItem &x, SortItem &y);
  Items keep(const Items &own, const Items &others, Value distance);
  Items exchangeInWarp(const Items &x, Value mask, bool isMirrored,
                       Value distance);
  Items exchangeInBlock(const Items &x, Value mask, bool isMirrored,
                        Value distance);
  Items halveInWarp(const Items &x, Value first, Value steps);
  Items loop(Value count, const Items &x,
             function_ref<Items(Value, const Items &)> body);
  Value shiftLeft(int64_t value, Value bits) {
    return arith::ShLIOp::create(b.b, b.loc, b.c(value), bits);
  }
  Value slotOf(Value unit, Value place) {
    Value skipped = b.shr(place, llvm::Log2_64(layout.perThread));
    return b.add(b.mul(unit, layout.pitch()), b.add(place, skipped));
  }

  ValueRange workspace(unsigned pass) {
    const size_t words = layout.item.wordBits == 0 ? 2 : 1;
    return ValueRange(function.workspaces).slice(pass % 2 * words, words);
  }
  Values countBefore(const SortItem &item, ValueRange buffers,
                     const Values &begins, Values lengths, int64_t most);

  repro::KernelOp kernel;
  repro::SortOp sort;
  const SortLayout &layout;
  const Target &target;
  const KernelFunction &function;
  KernelBuilder b;
  IndexCode number;
  SortItems items;
  Value block, thread, inGroup, unit;
  int64_t itemsOfRow = 0; ///< before a merge
  bool hasFailed = false;
};

SortItem SortCode::readOperand(Value row, Value position) {
  PointerEmitter emitter(b.b, kernel, function, target);
  Value element = emitter.element(
      sort.getOperand(), IndexCode::insert(number.split(row, layout.rowExtents),
                                           static_cast<int64_t>(sort.getDim()),
                                           number.fromWord(position)));
  hasFailed |= !element;
  return element ? items.make(element, position, emitter) : items.last();
}

/// Items of this thread's row or chunk; which thread has which is all one.
SortCode::Items SortCode::readRows() {
  Value mine =
      number.add(number.mul(block, layout.groups), number.fromWord(unit));
  mine = number.min(mine, layout.units() - 1);
  Value row = number.div(mine, layout.chunks());
  Value begin = layout.runs.empty()
                    ? b.c(0)
                    : b.mul(number.toWord(number.rem(mine, layout.chunks())),
                            layout.chunk);
  Items result;
  for (int64_t i = 0; i < layout.perThread; ++i) {
    Value position = b.add(b.add(inGroup, i * layout.group), begin);
    Value inside =
        isBefore(position, layout.extent,
                 layout.runs.empty() ? (i + 1) * layout.group
                                     : layout.chunks() * layout.chunk);
    SortItem item = readOperand(
        row, inside ? b.min(position, b.c(layout.extent - 1)) : position);
    result.push_back(inside ? items.choose(inside, item, items.last()) : item);
  }
  return result;
}

/// The same of rows side by side: neighbouring threads read neighbouring rows.
SortCode::Items SortCode::readAcross() {
  for (int64_t i = 0; i < layout.perThread; ++i) {
    Value at = b.add(thread, i * layout.threads());
    Value own = b.rem(at, layout.groups), place = b.div(at, layout.groups);
    Value row =
        number.add(number.mul(block, layout.groups), number.fromWord(own));
    Value inside = isBefore(place, layout.extent, layout.chunk);
    SortItem item = readOperand(number.min(row, layout.rows - 1),
                                b.min(place, b.c(layout.extent - 1)));
    items.store(inside ? items.choose(inside, item, items.last()) : item,
                function.shared, slotOf(own, place));
  }
  b.barrier();
  Items result;
  for (int64_t i = 0; i < layout.perThread; ++i)
    result.push_back(items.load(
        function.shared, slotOf(unit, b.add(inGroup, i * layout.group))));
  b.barrier();
  return result;
}

void SortCode::compareExchange(SortItem &x, SortItem &y) {
  Value swaps = items.isBefore(y, x);
  SortItem first = items.choose(swaps, y, x);
  y = items.choose(swaps, x, y);
  x = first;
}

/// The last steps: distances within the thread.
SortCode::Items SortCode::mergeInThread(Items x) {
  for (size_t distance = x.size() / 2; distance > 0; distance /= 2)
    for (size_t i = 0; i < x.size(); ++i)
      if ((i & distance) == 0)
        compareExchange(x[i], x[i + distance]);
  return x;
}

SortCode::Items SortCode::sortInThread(Items x) {
  for (size_t size = 2; size <= x.size(); size *= 2) {
    for (size_t i = 0; i < x.size(); ++i)
      if ((i & (size / 2)) == 0)
        compareExchange(x[i], x[i ^ (size - 1)]);
    for (size_t distance = size / 4; distance > 0; distance /= 2)
      for (size_t i = 0; i < x.size(); ++i)
        if ((i & distance) == 0)
          compareExchange(x[i], x[i + distance]);
  }
  return x;
}

/// The smaller ones in the lower of two threads, `distance` or more apart.
SortCode::Items SortCode::keep(const Items &own, const Items &others,
                               Value distance) {
  Value bit = arith::AndIOp::create(b.b, b.loc, inGroup, distance);
  Value isUpper =
      arith::CmpIOp::create(b.b, b.loc, arith::CmpIPredicate::ne, bit, b.c(0));
  Items result;
  for (auto [x, y] : llvm::zip_equal(own, others)) {
    Value takes =
        arith::XOrIOp::create(b.b, b.loc, items.isBefore(y, x), isUpper);
    result.push_back(items.choose(takes, y, x));
  }
  return result;
}

SortCode::Items SortCode::exchangeInWarp(const Items &x, Value mask,
                                         bool isMirrored, Value distance) {
  Items others;
  for (size_t i = 0; i < x.size(); ++i)
    others.push_back(
        items.exchange(isMirrored ? x[x.size() - 1 - i] : x[i], mask));
  return keep(x, others, distance);
}

SortCode::Items SortCode::exchangeInBlock(const Items &x, Value mask,
                                          bool isMirrored, Value distance) {
  Items others;
  for (size_t i = 0; i < x.size(); ++i)
    items.store(x[i], function.shared,
                b.add(thread, static_cast<int64_t>(i) * layout.threads()));
  b.barrier();
  Value partner = b.bitXor(thread, mask);
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t from = isMirrored ? x.size() - 1 - i : i;
    others.push_back(items.load(
        function.shared,
        b.add(partner, static_cast<int64_t>(from) * layout.threads())));
  }
  b.barrier();
  return keep(x, others, distance);
}

SortCode::Items SortCode::loop(Value count, const Items &x,
                               function_ref<Items(Value, const Items &)> body) {
  const size_t words = x.front().size();
  auto pack = [&](ValueRange flat) {
    Items result;
    for (size_t i = 0; i < flat.size(); i += words)
      result.emplace_back(flat.slice(i, words));
    return result;
  };
  auto flatten = [](const Items &from) {
    Values flat;
    for (const SortItem &item : from)
      flat.append(item.begin(), item.end());
    return flat;
  };
  return pack(b.loop(count, flatten(x), [&](Value i, ValueRange flat) {
    return flatten(body(i, pack(flat)));
  }));
}

/// Distances first, first / 2, ... of threads in a warp, `steps` of them; then
/// those in the thread.
SortCode::Items SortCode::halveInWarp(const Items &x, Value first,
                                      Value steps) {
  return mergeInThread(loop(steps, x, [&](Value step, const Items &y) {
    Value distance = arith::ShRUIOp::create(b.b, b.loc, first, step);
    return exchangeInWarp(y, distance, /*isMirrored=*/false, distance);
  }));
}

SortCode::Items SortCode::sortInWarp(Items x) {
  const int64_t levels = llvm::Log2_64(std::min(layout.group, kWarp));
  if (levels == 0)
    return x;
  return loop(b.c(levels), x, [&](Value level, const Items &y) {
    // 2^(level + 1) threads.
    Value half = shiftLeft(1, level);
    Value mask = b.sub(shiftLeft(2, level), b.c(1));
    Items mirrored = exchangeInWarp(y, mask, /*isMirrored=*/true, half);
    return halveInWarp(mirrored, b.shr(half, 1), level);
  });
}

SortCode::Items SortCode::sortInBlock(Items x) {
  const int64_t inWarp = llvm::Log2_64(kWarp);
  const int64_t levels = llvm::Log2_64(layout.group) - inWarp;
  if (levels <= 0)
    return x;
  return loop(b.c(levels), x, [&](Value level, const Items &y) {
    Value half = shiftLeft(kWarp, level);
    Value mask = b.sub(shiftLeft(2 * kWarp, level), b.c(1));
    Items mirrored = exchangeInBlock(y, mask, /*isMirrored=*/true, half);
    Value first = b.shr(half, 1);
    Items near = loop(level, mirrored, [&](Value step, const Items &z) {
      Value distance = arith::ShRUIOp::create(b.b, b.loc, first, step);
      return exchangeInBlock(z, distance, /*isMirrored=*/false, distance);
    });
    return halveInWarp(near, b.c(kWarp / 2), b.c(inWarp));
  });
}

SortCode::Result SortCode::resultOf(const SortItem &item, Value row,
                                    Value rank) {
  PointerEmitter emitter(b.b, kernel, function, target);
  Result result;
  result.position = items.position(item);
  result.row = row;
  result.rank = rank;
  result.value = emitter.element(
      sort.getOperand(), IndexCode::insert(number.split(row, layout.rowExtents),
                                           static_cast<int64_t>(sort.getDim()),
                                           number.fromWord(result.position)));
  hasFailed |= !result.value;
  if (result.value)
    result.value = emitter.canonical(result.value);
  return result;
}

void SortCode::write(const Result &result) {
  if (!result.value)
    return;
  PointerEmitter emitter(b.b, kernel, function, target);
  SmallVector<Value> at = IndexCode::insert(
      number.split(result.row, layout.rowExtents),
      static_cast<int64_t>(sort.getDim()), number.fromWord(result.rank));
  emitter.store(result.value, function.outputs[0], at);
  emitter.store(result.position, function.outputs[1], at);
}

/// The first `count` items of each row of the block, in the order in which the
/// results lie. All are read before the first is written.
void SortCode::writeRows(const Items &sorted) {
  for (size_t i = 0; i < sorted.size(); ++i)
    items.store(sorted[i], function.shared,
                slotOf(unit, b.add(b.mul(inGroup, layout.perThread),
                                   static_cast<int64_t>(i))));
  b.barrier();
  const int64_t total = layout.groups * layout.count;
  SmallVector<std::pair<Value, Result>> results;
  for (int64_t first = 0; first < total; first += layout.threads()) {
    Value at = b.add(thread, first);
    Value inside = isBefore(at, total, first + layout.threads());
    at = inside ? b.min(at, b.c(total - 1)) : at;
    Value own =
        layout.isAcross() ? b.rem(at, layout.groups) : b.div(at, layout.count);
    Value rank =
        layout.isAcross() ? b.div(at, layout.groups) : b.rem(at, layout.count);
    if (layout.count == 1)
      rank = b.c(0), own = at;
    Value row =
        number.add(number.mul(block, layout.groups), number.fromWord(own));
    if (layout.rows % layout.groups != 0) {
      inside = b.both(inside, number.less(row, layout.rows));
      row = number.min(row, layout.rows - 1);
    }
    // Rows beyond the last had the last one's items.
    results.emplace_back(
        inside,
        resultOf(items.load(function.shared, slotOf(own, rank)), row, rank));
  }
  for (auto &[inside, result] : results)
    b.when(inside, [&] { write(result); });
}

/// The first `count` items of each chunk, to the workspace.
void SortCode::writeRuns(const Items &sorted) {
  for (size_t i = 0; i < sorted.size(); ++i)
    items.store(sorted[i], function.shared,
                slotOf(unit, b.add(b.mul(inGroup, layout.perThread),
                                   static_cast<int64_t>(i))));
  b.barrier();
  const SortRuns &runs = layout.runs.front();
  Value mine =
      number.add(number.mul(block, layout.groups), number.fromWord(unit));
  Value isThere = layout.units() % layout.groups == 0
                      ? Value()
                      : number.less(mine, layout.units());
  Value row = number.div(mine, layout.chunks());
  Value chunk = number.toWord(number.rem(mine, layout.chunks()));
  for (int64_t i = 0; i < layout.perThread; ++i) {
    if (i * layout.group >= runs.size)
      break;
    Value rank = b.add(inGroup, i * layout.group);
    Value inRow = b.add(rank, b.mul(chunk, runs.size));
    Value inside = b.both(isBefore(rank, runs.size, (i + 1) * layout.group),
                          isBefore(inRow, runs.items, runs.count * runs.size));
    inside = b.both(inside, isThere);
    b.when(inside, [&] {
      Value at =
          number.add(number.mul(row, runs.items), number.fromWord(inRow));
      items.store(items.load(function.shared, slotOf(unit, rank)), workspace(0),
                  at);
    });
  }
}

LogicalResult SortCode::emitChunks() {
  thread = b.thread(layout.threads());
  inGroup = b.rem(thread, layout.group);
  if (layout.groups == 1)
    inGroup = thread;
  unit = b.div(thread, layout.group);
  Items x = layout.isAcross() ? readAcross() : readRows();
  x = sortInBlock(sortInWarp(sortInThread(x)));
  if (layout.runs.empty())
    writeRows(x);
  else
    writeRuns(x);
  return failure(hasFailed);
}

/// How many items of some runs come before an item; all numbers are indices.
/// The searches go side by side, since each step waits for memory.
SortCode::Values SortCode::countBefore(const SortItem &item, ValueRange buffers,
                                       const Values &begins, Values lengths,
                                       int64_t most) {
  const auto runs = begins.size();
  Values initial(runs, number.constant(0));
  initial.append(lengths);
  const int64_t steps = llvm::Log2_64(static_cast<uint64_t>(most)) + 1;
  Values found =
      b.loop(b.c(steps), initial, [&](Value, ValueRange at) -> Values {
        Values middles;
        SmallVector<SortItem> others;
        for (size_t i = 0; i < runs; ++i) {
          middles.push_back(number.div(number.add(at[i], at[runs + i]), 2));
          // What was found may be behind the end.
          Value place = number.add(begins[i], middles[i]);
          others.push_back(items.load(
              buffers, number.min(place, layout.rows * itemsOfRow - 1)));
        }
        Values next(2 * runs);
        for (size_t i = 0; i < runs; ++i) {
          Value goesOn = number.less(at[i], at[runs + i]);
          Value isAhead = b.both(goesOn, items.isBefore(others[i], item));
          next[i] = number.choose(isAhead, number.add(middles[i], 1), at[i]);
          next[runs + i] = number.choose(isAhead, at[runs + i], middles[i]);
        }
        return next;
      });
  found.resize(runs);
  return found;
}

LogicalResult SortCode::emitMerge(unsigned pass) {
  const SortRuns &runs = layout.runs[pass];
  const int64_t ways = std::min(layout.ways, runs.count);
  const bool isLast = pass + 1 == layout.runs.size();
  const SortRuns next =
      isLast ? SortRuns{1, layout.count, layout.count} : layout.runs[pass + 1];
  itemsOfRow = runs.items;
  thread = b.thread(kMergeThreads);
  Value mine =
      number.add(number.mul(block, kMergeThreads), number.fromWord(thread));
  const int64_t total = layout.rows * runs.items;
  b.when(total % kMergeThreads == 0 ? Value() : number.less(mine, total), [&] {
    Value row = number.div(mine, runs.items);
    Value inRow = number.rem(mine, runs.items);
    Value run = number.div(inRow, runs.size);
    Value joined = number.div(run, ways);
    Value first = number.mul(joined, ways);
    SortItem item = items.load(workspace(pass), mine);
    Value rowBegin = number.mul(row, runs.items);
    Values begins, lengths;
    for (int64_t way = 1; way < ways; ++way) {
      Value inJoined =
          number.rem(number.add(number.sub(run, first), way), ways);
      Value begin = number.mul(number.add(first, inJoined), runs.size);
      begin = number.min(begin, runs.items);
      Value left = number.sub(number.constant(runs.items), begin);
      begins.push_back(number.add(rowBegin, begin));
      lengths.push_back(number.min(left, runs.size));
    }
    Value place = number.rem(inRow, runs.size);
    for (Value before :
         countBefore(item, workspace(pass), begins, lengths, runs.size))
      place = number.add(place, before);
    b.when(number.less(place, next.size), [&] {
      if (isLast)
        return write(resultOf(item, row, number.toWord(place)));
      Value at = number.add(number.mul(row, next.items),
                            number.add(number.mul(joined, next.size), place));
      items.store(item, workspace(pass + 1), at);
    });
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
    // Merges read one set of workspaces and write the other.
    for (const SortRuns &runs : ArrayRef(layout->runs).take_front(2)) {
      const int64_t count = layout->rows * runs.items;
      constexpr int64_t keyBytes = 8, positionBytes = 4;
      if (layout->item.wordBits == 0)
        plan.workspaces.append({count * keyBytes, count * positionBytes});
      else
        plan.workspaces.push_back(count * layout->item.bytes());
    }
    LaunchPlan &chunks = plan.launches.emplace_back();
    chunks.grid[0] = llvm::divideCeil(layout->units(), layout->groups);
    chunks.block[0] = layout->threads();
    chunks.sharedBytes = layout->slots() * layout->item.bytes();
    for (auto [pass, runs] : llvm::enumerate(layout->runs)) {
      plan.launches.front().suffix = "chunks";
      LaunchPlan &merge = plan.launches.emplace_back();
      merge.suffix = "merge" + std::to_string(pass);
      merge.grid[0] =
          llvm::divideCeil(layout->rows * runs.items, kMergeThreads);
      merge.block[0] = kMergeThreads;
    }
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

std::unique_ptr<Schedule> createSortSchedule() {
  return std::make_unique<SortSchedule>();
}

} // namespace gensyn::gpu

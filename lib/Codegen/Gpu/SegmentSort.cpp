// See SegmentSort.h.
//
// A chunk is sorted by a bitonic network, in which a thread has two items. The
// first half step of each size compares mirrored places, so that all
// comparisons have one direction.
//
// Of a merge a thread has one item and finds by binary search how many items of
// each other run come before it: with its place in its own run that is where it
// goes. Neighbouring threads have neighbouring items, so they search the same
// lines.

#include "SegmentSort.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

constexpr int64_t kSegmentMergeThreads = 256;

Value shiftLeft(KernelBuilder &b, Value x, Value bits) {
  return arith::ShLIOp::create(b.b, b.loc, x, bits);
}

Value loadItem(KernelBuilder &b, Value pointer, Value number) {
  return b.load(b.b.getI64Type(),
                b.far(pointer, number, SegmentSort::kItemBytes), 1);
}

void storeItem(KernelBuilder &b, Value item, Value pointer, Value number) {
  b.store(item, b.far(pointer, number, SegmentSort::kItemBytes));
}

/// The smaller item of two places in shared memory to the first of them.
void compareExchange(KernelBuilder &b, Value shared, Value first,
                     Value second) {
  Value x = loadItem(b, shared, first), y = loadItem(b, shared, second);
  storeItem(b, arith::MinUIOp::create(b.b, b.loc, x, y), shared, first);
  storeItem(b, arith::MaxUIOp::create(b.b, b.loc, x, y), shared, second);
  b.barrier();
}

/// Sorts the chunk in shared memory.
void sortShared(KernelBuilder &b, Value shared, Value thread, int64_t chunk) {
  const int64_t levels = llvm::Log2_64(static_cast<uint64_t>(chunk));
  // The pair of a thread at a distance: its lower bits are the place in a half.
  auto split = [&](Value half) {
    Value low = arith::AndIOp::create(b.b, b.loc, thread, b.sub(half, b.c(1)));
    Value begin = shiftLeft(b, b.sub(thread, low), b.c(1));
    return std::pair(begin, low);
  };
  b.loop(b.c(levels), {}, [&](Value level, ValueRange) {
    Value half = shiftLeft(b, b.c(1), level);
    auto [begin, low] = split(half);
    Value end = b.add(begin, b.sub(shiftLeft(b, half, b.c(1)), b.c(1)));
    compareExchange(b, shared, b.add(begin, low), b.sub(end, low));
    b.loop(level, {}, [&](Value step, ValueRange) {
      Value bits = b.sub(b.sub(level, step), b.c(1));
      Value distance = shiftLeft(b, b.c(1), bits);
      auto [from, place] = split(distance);
      Value first = b.add(from, place);
      compareExchange(b, shared, first, b.add(first, distance));
      return KernelBuilder::Values();
    });
    return KernelBuilder::Values();
  });
}

} // namespace

int64_t SegmentSort::run(unsigned pass) const {
  int64_t size = chunk;
  for (unsigned i = 0; i < pass; ++i)
    size *= ways;
  return size;
}

unsigned SegmentSort::merges() const {
  unsigned passes = 0;
  while (run(passes) < items())
    ++passes;
  return passes;
}

void SegmentSort::addTo(KernelPlan &plan) const {
  plan.workspaces.append(merges() > 0 ? 2 : 1, items() * kItemBytes);
  LaunchPlan &first = plan.launches.emplace_back();
  first.suffix = "chunks";
  first.grid[0] = chunks();
  first.block[0] = chunk / 2;
  first.sharedBytes = chunk * kItemBytes;
  for (unsigned pass = 0; pass < merges(); ++pass) {
    LaunchPlan &merge = plan.launches.emplace_back();
    merge.suffix = "merge" + std::to_string(pass);
    merge.grid[0] = llvm::divideCeil(items(), kSegmentMergeThreads);
    merge.block[0] = kSegmentMergeThreads;
  }
}

LogicalResult
SegmentSort::emitChunks(KernelBuilder &b, Value shared, Value space,
                        function_ref<Value(Value)> targetOf) const {
  const int64_t threads = chunk / 2;
  Value thread = b.thread(threads);
  Value begin = b.mul(b.block(chunks()), chunk);
  Type i64 = b.b.getI64Type();
  auto widen = [&](Value x) -> Value {
    return arith::ExtUIOp::create(b.b, b.loc, i64, x);
  };
  Value half = arith::ConstantIntOp::create(b.b, b.loc, i64, 32);
  for (int64_t i = 0; i < 2; ++i) {
    Value place = b.add(thread, i * threads);
    Value number = b.add(begin, place);
    Value target = targetOf(b.min(number, b.c(count - 1)));
    if (!target)
      return failure();
    if (items() > count)
      target = b.select(b.less(number, count), target, b.c(kNoTarget));
    Value item = arith::OrIOp::create(
        b.b, b.loc, shiftLeft(b, widen(target), half), widen(number));
    storeItem(b, item, shared, place);
  }
  b.barrier();
  sortShared(b, shared, thread, chunk);
  for (int64_t i = 0; i < 2; ++i) {
    Value place = b.add(thread, i * threads);
    storeItem(b, loadItem(b, shared, place), space, b.add(begin, place));
  }
  return success();
}

void SegmentSort::emitMerge(KernelBuilder &b, unsigned pass, Value from,
                            Value to) const {
  const int64_t size = run(pass), total = items();
  const int64_t blocks = llvm::divideCeil(total, kSegmentMergeThreads);
  Value mine = b.add(b.mul(b.block(blocks), kSegmentMergeThreads),
                     b.thread(kSegmentMergeThreads));
  b.when(
      total % kSegmentMergeThreads == 0 ? Value() : b.less(mine, total), [&] {
        Value item = loadItem(b, from, mine);
        Value own = b.div(mine, size);
        Value first = b.mul(b.div(own, ways), ways);
        // The other runs, from the own one on, and how many they have.
        SmallVector<Value> begins, lengths;
        KernelBuilder::Values counts;
        for (int64_t way = 1; way < ways; ++way) {
          Value other =
              b.add(first, b.rem(b.add(b.sub(own, first), way), ways));
          other = b.min(
              other, b.c(static_cast<int64_t>(llvm::divideCeil(total, size))));
          Value begin = b.min(b.mul(other, size), b.c(total));
          begins.push_back(begin);
          lengths.push_back(b.min(b.sub(b.c(total), begin), b.c(size)));
          counts.push_back(b.c(0));
        }
        const int64_t steps = llvm::Log2_64(static_cast<uint64_t>(size)) + 1;
        counts = b.loop(b.c(steps), counts, [&](Value i, ValueRange found) {
          Value step = arith::ShRUIOp::create(b.b, b.loc, b.c(size), i);
          KernelBuilder::Values next;
          for (size_t way = 0; way < begins.size(); ++way) {
            Value reached = b.add(found[way], step);
            Value fits = b.less(reached, b.add(lengths[way], 1));
            Value at = b.add(begins[way], b.sub(reached, b.c(1)));
            Value other = loadItem(b, from, b.min(at, b.c(total - 1)));
            Value isBefore = arith::CmpIOp::create(
                b.b, b.loc, arith::CmpIPredicate::ult, other, item);
            next.push_back(
                b.select(b.both(fits, isBefore), reached, found[way]));
          }
          return next;
        });
        Value place = b.add(b.mul(first, size), b.rem(mine, size));
        for (Value count : counts)
          place = b.add(place, count);
        storeItem(b, item, to, place);
      });
}

} // namespace gensyn::gpu

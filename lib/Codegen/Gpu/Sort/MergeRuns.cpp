// See MergeRuns.h.
//
// Adjacent threads have adjacent items, so their searches read the same cache
// lines.

#include "MergeRuns.h"

#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// A run in global memory: its first item and its length, of type index.
struct OtherRun {
  Value begin, length;
};

/// Returns, for each run, the number (index) of items that precede an item. The
/// search in a run adds powers of two, from large to small, while the last item
/// up to there precedes the given one. The searches of all runs are
/// interleaved, since each step waits for memory.
KernelBuilder::Values countBefore(KernelBuilder &b, SortItems &items,
                                  const SortItem &item, ValueRange buffers,
                                  ArrayRef<OtherRun> runs, int64_t longest,
                                  int64_t total) {
  codegen::IndexBuilder number(b.b, b.loc);
  const int64_t steps = llvm::Log2_64(static_cast<uint64_t>(longest)) + 1;
  const KernelBuilder::Values none(runs.size(), number.constant(0));
  return b.loop(b.constant(steps), none, [&](Value i, ValueRange found) {
    Value step = number.toIndex(arith::ShRUIOp::create(
        b.b, b.loc, b.constant(int64_t{1} << (steps - 1)), i));
    KernelBuilder::Values reached;
    SmallVector<SortItem> others;
    for (auto [run, here] : llvm::zip_equal(runs, found)) {
      reached.push_back(number.add(here, step));
      // The position may be past the end.
      Value at =
          number.sub(number.add(run.begin, reached.back()), number.constant(1));
      others.push_back(items.load(buffers, number.min(at, total - 1)));
    }
    KernelBuilder::Values next;
    for (size_t way = 0; way < runs.size(); ++way) {
      Value fits = number.less(reached[way], number.add(runs[way].length, 1));
      Value isAhead = b.both(fits, items.isBefore(others[way], item));
      next.push_back(number.select(isAhead, reached[way], found[way]));
    }
    return next;
  });
}

} // namespace

void writeRuns(SortNetwork &network, const SortNetwork::Items &sorted,
               ValueRange buffers) {
  KernelBuilder &b = network.b;
  codegen::IndexBuilder number(b.b, b.loc);
  const SortSizes &sizes = network.sizes;
  const SortRuns runs = sizes.runsAfter(0);
  network.share(sorted);
  const SortNetwork::Chunk mine = network.chunk();
  for (int64_t i = 0; i < sizes.perThread; ++i) {
    if (i * sizes.group >= runs.size)
      break;
    Value rank = b.add(network.inGroup, i * sizes.group);
    Value inRow = b.add(rank, b.mul(mine.number, runs.size));
    Value inside =
        b.both(network.isBefore(rank, runs.size, (i + 1) * sizes.group),
               network.isBefore(inRow, runs.items, runs.count * runs.size));
    b.when(b.both(inside, mine.isThere), [&] {
      Value at =
          number.add(number.mul(mine.row, runs.items), number.toIndex(inRow));
      network.items.store(network.shared(network.unit, rank), buffers, at);
    });
  }
}

void mergeRuns(
    KernelBuilder &b, const SortSizes &sizes, unsigned pass, ValueRange buffers,
    function_ref<void(const SortItem &item, Value row, Value place)> put) {
  codegen::IndexBuilder number(b.b, b.loc);
  SortItems items(b, sizes);
  const SortRuns runs = sizes.runsAfter(pass), next = sizes.runsAfter(pass + 1);
  const int64_t ways = std::min(sizes.ways, runs.count);
  const int64_t total = sizes.rows * runs.items;
  Value block =
      mlir::gpu::BlockIdOp::create(b.b, b.loc, mlir::gpu::Dimension::x);
  Value mine = number.add(number.mul(block, kMergeThreads),
                          number.toIndex(b.thread(kMergeThreads)));
  b.when(total % kMergeThreads == 0 ? Value() : number.less(mine, total), [&] {
    Value row =
        sizes.rows == 1 ? number.constant(0) : number.div(mine, runs.items);
    Value inRow = sizes.rows == 1 ? mine : number.rem(mine, runs.items);
    Value run = number.div(inRow, runs.size);
    Value joined = next.count == 1 ? number.constant(0) : number.div(run, ways);
    Value first = number.mul(joined, ways);
    Value rowBegin = number.mul(row, runs.items);
    SortItem item = items.load(buffers, mine);
    SmallVector<OtherRun> others;
    for (int64_t way = 1; way < ways; ++way) {
      Value inJoined =
          number.rem(number.add(number.sub(run, first), way), ways);
      Value begin = number.mul(number.add(first, inJoined), runs.size);
      begin = number.min(begin, runs.items);
      Value left = number.sub(number.constant(runs.items), begin);
      others.push_back(
          {number.add(rowBegin, begin), number.min(left, runs.size)});
    }
    Value place = number.rem(inRow, runs.size);
    for (Value before :
         countBefore(b, items, item, buffers, others, runs.size, total))
      place = number.add(place, before);
    b.when(number.less(place, next.size), [&] {
      put(item, row, number.add(number.mul(joined, next.size), place));
    });
  });
}

void mergeRuns(KernelBuilder &b, const SortSizes &sizes, unsigned pass,
               ValueRange from, ValueRange to) {
  codegen::IndexBuilder number(b.b, b.loc);
  const int64_t rowItems = sizes.runsAfter(pass + 1).items;
  mergeRuns(b, sizes, pass, from,
            [&](const SortItem &item, Value row, Value place) {
              SortItems(b, sizes).store(
                  item, to, number.add(number.mul(row, rowItems), place));
            });
}

} // namespace gensyn::gpu

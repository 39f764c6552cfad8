// See SortNetwork.h.
//
// A bitonic network. Its first half step compares mirrored positions, so that
// all comparisons have the same direction. Items at a distance of
// sizes.perThread or more are in other threads, and are exchanged by shuffles
// within a warp and otherwise through shared memory.

#include "SortNetwork.h"

#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::gpu {

SortNetwork::SortNetwork(KernelBuilder &builder, const SortSizes &sizes,
                         Value memory)
    : b(builder), sizes(sizes), items(builder, sizes), memory(memory) {
  block = mlir::gpu::BlockIdOp::create(b.b, b.loc, mlir::gpu::Dimension::x);
  thread = b.thread(sizes.threads());
  const bool isAlone = sizes.groups == 1;
  inGroup = isAlone ? thread : b.rem(thread, sizes.group);
  unit = isAlone ? b.constant(0) : b.div(thread, sizes.group);
}

Value SortNetwork::shiftLeft(int64_t value, Value bits) {
  return arith::ShLIOp::create(b.b, b.loc, b.constant(value), bits);
}

Value SortNetwork::slotOf(Value group, Value place) {
  Value skipped =
      b.shr(place, llvm::Log2_64(static_cast<uint64_t>(sizes.perThread)));
  return b.add(b.mul(group, sizes.pitch()), b.add(place, skipped));
}

SortNetwork::Chunk SortNetwork::chunk() {
  codegen::IndexBuilder number(b.b, b.loc);
  Value mine =
      number.add(number.mul(block, sizes.groups), number.toIndex(unit));
  Chunk result;
  if (sizes.units() % sizes.groups != 0)
    result.isThere = number.less(mine, sizes.units());
  // The minimum bounds the value, so that addresses need no sign extension.
  mine = number.min(mine, sizes.units() - 1);
  result.row = number.div(mine, sizes.chunks());
  result.number = number.toI32(number.rem(mine, sizes.chunks()));
  return result;
}

SortNetwork::Items
SortNetwork::read(function_ref<SortItem(Value, Value)> make) {
  const Chunk mine = chunk();
  const bool isWhole = sizes.chunks() == 1;
  Value begin = isWhole ? b.constant(0) : b.mul(mine.number, sizes.chunk);
  Items result;
  for (int64_t i = 0; i < sizes.perThread; ++i) {
    Value position = b.add(b.add(inGroup, i * sizes.group), begin);
    Value inside = isBefore(position, sizes.extent,
                            isWhole ? (i + 1) * sizes.group
                                    : sizes.chunks() * sizes.chunk);
    if (inside)
      position = b.min(position, b.constant(sizes.extent - 1));
    SortItem item = make(mine.row, position);
    result.push_back(inside ? items.choose(inside, item, items.last()) : item);
  }
  return result;
}

SortItem SortNetwork::shared(Value group, Value place) {
  return items.load(memory, slotOf(group, place));
}

void SortNetwork::setShared(const SortItem &item, Value group, Value place) {
  items.store(item, memory, slotOf(group, place));
}

void SortNetwork::share(const Items &sorted) {
  Value first = b.mul(inGroup, sizes.perThread);
  for (size_t i = 0; i < sorted.size(); ++i)
    setShared(sorted[i], unit, b.add(first, static_cast<int64_t>(i)));
  b.barrier();
}

SortNetwork::Items SortNetwork::sort(Items x) {
  return sortInBlock(sortInWarp(sortInThread(std::move(x))));
}

void SortNetwork::compareExchange(SortItem &x, SortItem &y) {
  Value swaps = items.isBefore(y, x);
  SortItem first = items.choose(swaps, y, x);
  y = items.choose(swaps, x, y);
  x = first;
}

/// Emits the last steps, whose distances are within the thread.
SortNetwork::Items SortNetwork::mergeInThread(Items x) {
  for (size_t distance = x.size() / 2; distance > 0; distance /= 2)
    for (size_t i = 0; i < x.size(); ++i)
      if ((i & distance) == 0)
        compareExchange(x[i], x[i + distance]);
  return x;
}

SortNetwork::Items SortNetwork::sortInThread(Items x) {
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

/// Keeps the smaller items in the lower of two threads, whose indices differ in
/// bit `distance`.
SortNetwork::Items SortNetwork::keep(const Items &own, const Items &others,
                                     Value distance) {
  Value bit = arith::AndIOp::create(b.b, b.loc, inGroup, distance);
  Value isUpper = arith::CmpIOp::create(b.b, b.loc, arith::CmpIPredicate::ne,
                                        bit, b.constant(0));
  Items result;
  for (auto [x, y] : llvm::zip_equal(own, others)) {
    Value takes =
        arith::XOrIOp::create(b.b, b.loc, items.isBefore(y, x), isUpper);
    result.push_back(items.choose(takes, y, x));
  }
  return result;
}

SortNetwork::Items SortNetwork::exchangeInWarp(const Items &x, Value mask,
                                               bool isMirrored,
                                               Value distance) {
  Items others;
  for (size_t i = 0; i < x.size(); ++i)
    others.push_back(
        items.exchange(isMirrored ? x[x.size() - 1 - i] : x[i], mask));
  return keep(x, others, distance);
}

SortNetwork::Items SortNetwork::exchangeInBlock(const Items &x, Value mask,
                                                bool isMirrored,
                                                Value distance) {
  Items others;
  for (size_t i = 0; i < x.size(); ++i)
    items.store(x[i], memory,
                b.add(thread, static_cast<int64_t>(i) * sizes.threads()));
  b.barrier();
  Value partner = b.bitXor(thread, mask);
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t from = isMirrored ? x.size() - 1 - i : i;
    others.push_back(items.load(
        memory, b.add(partner, static_cast<int64_t>(from) * sizes.threads())));
  }
  b.barrier();
  return keep(x, others, distance);
}

SortNetwork::Items
SortNetwork::loop(Value count, const Items &x,
                  function_ref<Items(Value, const Items &)> body) {
  const size_t words = x.front().size();
  auto pack = [&](ValueRange flat) {
    Items result;
    for (size_t i = 0; i < flat.size(); i += words)
      result.emplace_back(flat.slice(i, words));
    return result;
  };
  auto flatten = [](const Items &from) {
    KernelBuilder::Values flat;
    for (const SortItem &item : from)
      flat.append(item.begin(), item.end());
    return flat;
  };
  return pack(b.loop(count, flatten(x), [&](Value i, ValueRange flat) {
    return flatten(body(i, pack(flat)));
  }));
}

/// Emits `steps` steps at distances of `first`, first / 2, ... threads in a
/// warp, then those within the thread.
SortNetwork::Items SortNetwork::halveInWarp(const Items &x, Value first,
                                            Value steps) {
  return mergeInThread(loop(steps, x, [&](Value step, const Items &y) {
    Value distance = arith::ShRUIOp::create(b.b, b.loc, first, step);
    return exchangeInWarp(y, distance, /*isMirrored=*/false, distance);
  }));
}

SortNetwork::Items SortNetwork::sortInWarp(const Items &x) {
  const int64_t levels =
      llvm::Log2_64(std::min(sizes.group, b.target.warpSize));
  if (levels == 0)
    return x;
  return loop(b.constant(levels), x, [&](Value level, const Items &y) {
    // 2^(level + 1) threads.
    Value half = shiftLeft(1, level);
    Value mask = b.sub(shiftLeft(2, level), b.constant(1));
    Items mirrored = exchangeInWarp(y, mask, /*isMirrored=*/true, half);
    return halveInWarp(mirrored, b.shr(half, 1), level);
  });
}

SortNetwork::Items SortNetwork::sortInBlock(const Items &x) {
  const int64_t warpSize = b.target.warpSize;
  const int64_t inWarp = llvm::Log2_64(warpSize);
  const int64_t levels = llvm::Log2_64(sizes.group) - inWarp;
  if (levels <= 0)
    return x;
  return loop(b.constant(levels), x, [&](Value level, const Items &y) {
    Value half = shiftLeft(warpSize, level);
    Value mask = b.sub(shiftLeft(2 * warpSize, level), b.constant(1));
    Items mirrored = exchangeInBlock(y, mask, /*isMirrored=*/true, half);
    Value first = b.shr(half, 1);
    Items near = loop(level, mirrored, [&](Value step, const Items &z) {
      Value distance = arith::ShRUIOp::create(b.b, b.loc, first, step);
      return exchangeInBlock(z, distance, /*isMirrored=*/false, distance);
    });
    return halveInWarp(near, b.constant(warpSize / 2), b.constant(inWarp));
  });
}

} // namespace gensyn::gpu

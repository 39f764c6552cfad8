// Integer atomics. Lanes take their turns in ascending order; blocks that run
// on other host threads are kept apart by the host's atomic operations.

#include "../Machine/Access.h"
#include "../Machine/WarpOps.h"

#include <atomic>
#include <type_traits>

namespace gensyn::ptx {
namespace {

template <class T> T next(AtomicOp op, T old, T b, T c) {
  using S = std::make_unsigned_t<T>;
  switch (op) {
  case AtomicOp::Add:
    return static_cast<T>(S(old) + S(b));
  case AtomicOp::Min:
    return old < b ? old : b;
  case AtomicOp::Max:
    return old > b ? old : b;
  case AtomicOp::And:
    return old & b;
  case AtomicOp::Or:
    return old | b;
  case AtomicOp::Xor:
    return old ^ b;
  case AtomicOp::Exchange:
    return b;
  case AtomicOp::CompareAndSwap:
    return old == b ? c : old;
  case AtomicOp::Increment:
    return S(old) >= S(b) ? 0 : old + 1;
  case AtomicOp::Decrement:
    return old == 0 || S(old) > S(b) ? b : old - 1;
  }
  return old;
}

template <class T> T perform(AtomicOp op, uint64_t address, T b, T c) {
  std::atomic_ref<T> cell(*reinterpret_cast<T *>(address));
  T old = cell.load(std::memory_order_relaxed);
  while (!cell.compare_exchange_weak(old, next(op, old, b, c),
                                     std::memory_order_relaxed)) {
  }
  return old;
}

template <class T> Status run(Warp &warp, const Code &code, uint32_t mask) {
  uint64_t addresses[warpSize];
  Access access{.operand = 0,
                .isWide = code.wideAddress,
                .offset = code.immediate,
                .space = code.space,
                .bytes = sizeof(T),
                .alignment = sizeof(T),
                .isWrite = true,
                .isAtomic = true};
  if (!locate(warp, code, access, mask, addresses))
    return Status::Fault;
  if (warp.races != nullptr &&
      !recordAccess(warp, code, mask, addresses, sizeof(T), AccessKind::Atomic))
    return Status::Fault;
  auto words = [&](Reference reference) {
    return reinterpret_cast<T *>(warp.bases[reference >> 31] +
                                 (reference & ~constantBit));
  };
  const T *b = words(code.source[1]);
  const T *c = code.source[2] == noReference ? b : words(code.source[2]);
  T *dest = words(code.dest[0]);
  auto op = static_cast<AtomicOp>(code.detail & 15);
  for (unsigned lane = 0; lane != warpSize; ++lane)
    if ((mask >> lane & 1) != 0)
      dest[lane] = perform<T>(op, addresses[lane], b[lane], c[lane]);
  return Status::Continue;
}

} // namespace

Status runAtomic(Warp &warp, const Code &code, uint32_t mask) {
  bool isSigned = (code.detail & 16) != 0, isWide = (code.detail & 32) != 0;
  if (isWide)
    return isSigned ? run<int64_t>(warp, code, mask)
                    : run<uint64_t>(warp, code, mask);
  return isSigned ? run<int32_t>(warp, code, mask)
                  : run<uint32_t>(warp, code, mask);
}

} // namespace gensyn::ptx

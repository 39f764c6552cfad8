// Instructions that involve several lanes, or the block.

#ifndef GENSYN_PTX_WARPOPS_H
#define GENSYN_PTX_WARPOPS_H

#include "Machine.h"

#include <string_view>

namespace gensyn::ptx {

/// mov from a special register: `immediate` is a `SpecialRegister`.
Status runSpecial(Warp &warp, const Code &code, uint32_t mask);

enum class ShuffleMode : uint8_t { Up, Down, Butterfly, Index };
/// Operands: value, lane or offset, clamp and segment, member mask. Results:
/// value and optionally a predicate that is true if the source lane was in
/// range. `detail` is the mode.
Status runShuffle(Warp &warp, const Code &code, uint32_t mask);

enum class VoteMode : uint8_t { All, Any, Uniform, Ballot };
/// Operands: predicate, member mask.
Status runVote(Warp &warp, const Code &code, uint32_t mask);

/// Operands: value, member mask; `detail` 1 is match.all, 2 a 64-bit value.
Status runMatch(Warp &warp, const Code &code, uint32_t mask);
/// Operand: member mask. Results: the lowest participating lane, and a
/// predicate that is true if it is this one.
Status runElect(Warp &warp, const Code &code, uint32_t mask);
Status runActivemask(Warp &warp, const Code &code, uint32_t mask);

enum class ReduceOp : uint8_t { Add, Min, Max, And, Or, Xor };
/// Operands: value, member mask. `detail` is the operation, `saturate` says
/// that the type is signed.
Status runRedux(Warp &warp, const Code &code, uint32_t mask);

enum class AtomicOp : uint8_t {
  Add,
  Min,
  Max,
  And,
  Or,
  Xor,
  Exchange,
  CompareAndSwap,
  Increment,
  Decrement
};
/// Operands: address, value, second value; the result is the old value.
/// `detail`: the operation + 16 if the type is signed + 32 if it has 64 bits.
Status runAtomic(Warp &warp, const Code &code, uint32_t mask);

/// ldmatrix: the operand is the address, the list has a register for each
/// matrix. `detail`: 1 transposes, 2 needs valid addresses of all lanes.
Status runLoadMatrix(Warp &warp, const Code &code, uint32_t mask);

Status runTrap(Warp &warp, const Code &code, uint32_t mask);

enum class BarrierMode : uint8_t { Sync, Arrive, Popc, And, Or };
/// Operands: barrier, number of threads (or none), predicate (or none).
/// `detail` is the mode; the result is written when the barrier opens.
Status runBarrier(Warp &warp, const Code &code, uint32_t mask);
/// bar.warp.sync: operand is the member mask.
Status runWarpBarrier(Warp &warp, const Code &code, uint32_t mask);

/// cp.async: operands are the shared and the global address and, perhaps, the
/// bytes to read. `detail` holds the bytes of the copy, `immediate` the offset
/// of the first address and `listBegin` the second's, as 32 bits.
Status runCopy(Warp &warp, const Code &code, uint32_t mask);
Status runCopyCommit(Warp &warp, const Code &code, uint32_t mask);
/// `immediate` groups may stay open; -1 waits for everything, committed or not.
Status runCopyWait(Warp &warp, const Code &code, uint32_t mask);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_WARPOPS_H

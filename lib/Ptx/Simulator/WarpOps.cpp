// Exchanges between the lanes of a warp, special registers and barriers.

#include "../Machine/WarpOps.h"

#include "../Machine/Access.h"
#include "../Machine/Selector.h"
#include "Block.h"

#include <algorithm>
#include <bit>

namespace gensyn::ptx {
namespace {

template <class W> W *words(Warp &warp, Reference reference) {
  return reinterpret_cast<W *>(warp.bases[reference >> 31] +
                               (reference & ~constantBit));
}

uint32_t predicateValue(Warp &warp, const Code &code, unsigned operand) {
  uint32_t value = *words<uint32_t>(warp, code.source[operand]);
  return code.sourceNegated ? ~value : value;
}

/// Sets a predicate, which an instruction may leave out.
void setPredicate(Warp &warp, Reference reference, uint32_t mask,
                  uint32_t value) {
  if (reference == noReference)
    return;
  uint32_t *word = words<uint32_t>(warp, reference);
  *word = (*word & ~mask) | (value & mask);
}

template <class F> void forLanes(uint32_t mask, F function) {
  for (; mask != 0; mask &= mask - 1)
    function(static_cast<uint32_t>(std::countr_zero(mask)));
}

/// All threads that the member mask names must be present, and the executing
/// ones must be named.
bool checkMembers(Warp &warp, const Code &code, unsigned operand,
                  uint32_t mask) {
  const uint32_t *members = words<uint32_t>(warp, code.source[operand]);
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    uint32_t lane = static_cast<uint32_t>(std::countr_zero(rest));
    if ((members[lane] >> lane & 1) == 0) {
      raise(warp, code, FaultKind::Shuffle, lane,
            "the member mask does not name the executing thread");
      return false;
    }
    if ((members[lane] & warp.live & ~mask) != 0) {
      raise(warp, code, FaultKind::Shuffle, lane,
            "the member mask names threads that are elsewhere");
      return false;
    }
  }
  return true;
}

uint32_t specialValue(const Warp &warp, SpecialRegister which, uint32_t lane) {
  const LaunchContext &launch = warp.block->context;
  auto component = [&](const std::array<uint32_t, 3> &triple,
                       SpecialRegister first) {
    return triple[static_cast<size_t>(which) - static_cast<size_t>(first)];
  };
  switch (which) {
  case SpecialRegister::TidX:
    return warp.threadId[0][lane];
  case SpecialRegister::TidY:
    return warp.threadId[1][lane];
  case SpecialRegister::TidZ:
    return warp.threadId[2][lane];
  case SpecialRegister::NtidX:
  case SpecialRegister::NtidY:
  case SpecialRegister::NtidZ:
    return component(launch.blockSize, SpecialRegister::NtidX);
  case SpecialRegister::CtaidX:
  case SpecialRegister::CtaidY:
  case SpecialRegister::CtaidZ:
    return component(warp.block->blockId, SpecialRegister::CtaidX);
  case SpecialRegister::NctaidX:
  case SpecialRegister::NctaidY:
  case SpecialRegister::NctaidZ:
    return component(launch.gridSize, SpecialRegister::NctaidX);
  case SpecialRegister::LaneId:
    return lane;
  case SpecialRegister::WarpId:
    return warp.index;
  case SpecialRegister::NWarpId:
    return static_cast<uint32_t>(warp.block->warps.size());
  case SpecialRegister::LanemaskEq:
    return 1u << lane;
  case SpecialRegister::LanemaskLe:
    return ~0u >> (31 - lane);
  case SpecialRegister::LanemaskLt:
    return (1u << lane) - 1;
  case SpecialRegister::LanemaskGe:
    return ~0u << lane;
  case SpecialRegister::LanemaskGt:
    return ~0u << lane << 1;
  case SpecialRegister::DynamicSharedBytes:
    return static_cast<uint32_t>(launch.dynamicSharedBytes);
  case SpecialRegister::TotalSharedBytes:
    return static_cast<uint32_t>(launch.sharedBytes);
  }
  return 0;
}

/// The source lane of a shuffle, as the manual computes it.
uint32_t shuffleLane(ShuffleMode mode, uint32_t lane, uint32_t b, uint32_t c,
                     bool &inRange) {
  uint32_t offset = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  uint32_t highest = (lane & segment) | (clamp & ~segment);
  uint32_t lowest = lane & segment;
  uint32_t from = lane;
  switch (mode) {
  case ShuffleMode::Up:
    from = lane - offset;
    inRange = static_cast<int32_t>(from) >= static_cast<int32_t>(highest);
    break;
  case ShuffleMode::Down:
    from = lane + offset;
    inRange = from <= highest;
    break;
  case ShuffleMode::Butterfly:
    from = lane ^ offset;
    inRange = from <= highest;
    break;
  case ShuffleMode::Index:
    from = lowest | (offset & ~segment);
    inRange = from <= highest;
    break;
  }
  return inRange ? from : lane;
}

} // namespace

Status runSpecial(Warp &warp, const Code &code, uint32_t mask) {
  auto *dest = words<uint32_t>(warp, code.dest[0]);
  auto which = static_cast<SpecialRegister>(code.immediate);
  forLanes(mask, [&](uint32_t lane) {
    dest[lane] = specialValue(warp, which, lane);
  });
  return Status::Continue;
}

Status runShuffle(Warp &warp, const Code &code, uint32_t mask) {
  if (!checkMembers(warp, code, 3, mask))
    return Status::Fault;
  // The result's register may be an operand's.
  uint32_t value[warpSize], b[warpSize], c[warpSize];
  std::copy_n(words<uint32_t>(warp, code.source[0]), warpSize, value);
  std::copy_n(words<uint32_t>(warp, code.source[1]), warpSize, b);
  std::copy_n(words<uint32_t>(warp, code.source[2]), warpSize, c);
  auto *dest = words<uint32_t>(warp, code.dest[0]);
  auto mode = static_cast<ShuffleMode>(code.detail);
  uint32_t inRange = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    bool hit = false;
    uint32_t from = shuffleLane(mode, lane, b[lane], c[lane], hit);
    if ((mask >> from & 1) == 0)
      return raise(warp, code, FaultKind::Shuffle, lane,
                   "reads from a thread that does not take part");
    dest[lane] = value[from];
    inRange |= uint32_t(hit) << lane;
  }
  setPredicate(warp, code.dest[1], mask, inRange);
  return Status::Continue;
}

Status runVote(Warp &warp, const Code &code, uint32_t mask) {
  if (!checkMembers(warp, code, 1, mask))
    return Status::Fault;
  uint32_t holds = predicateValue(warp, code, 0) & mask;
  switch (static_cast<VoteMode>(code.detail)) {
  case VoteMode::All:
    setPredicate(warp, code.dest[0], mask, holds == mask ? ~0u : 0);
    break;
  case VoteMode::Any:
    setPredicate(warp, code.dest[0], mask, holds != 0 ? ~0u : 0);
    break;
  case VoteMode::Uniform:
    setPredicate(warp, code.dest[0], mask,
                 holds == mask || holds == 0 ? ~0u : 0);
    break;
  case VoteMode::Ballot: {
    auto *dest = words<uint32_t>(warp, code.dest[0]);
    forLanes(mask, [&](uint32_t lane) { dest[lane] = holds; });
    break;
  }
  }
  return Status::Continue;
}

Status runMatch(Warp &warp, const Code &code, uint32_t mask) {
  if (!checkMembers(warp, code, 1, mask))
    return Status::Fault;
  bool wide = (code.detail & 2) != 0, all = (code.detail & 1) != 0;
  auto value = [&](uint32_t lane) -> uint64_t {
    return wide ? words<uint64_t>(warp, code.source[0])[lane]
                : words<uint32_t>(warp, code.source[0])[lane];
  };
  uint32_t equal[warpSize] = {};
  forLanes(mask, [&](uint32_t lane) {
    forLanes(mask, [&](uint32_t other) {
      equal[lane] |= uint32_t(value(lane) == value(other)) << other;
    });
  });
  auto *dest = words<uint32_t>(warp, code.dest[0]);
  uint32_t complete = 0;
  forLanes(mask, [&](uint32_t lane) {
    bool whole = equal[lane] == mask;
    complete |= uint32_t(whole) << lane;
    dest[lane] = !all || whole ? equal[lane] : 0;
  });
  setPredicate(warp, code.dest[1], mask, complete);
  return Status::Continue;
}

Status runElect(Warp &warp, const Code &code, uint32_t mask) {
  if (!checkMembers(warp, code, 0, mask))
    return Status::Fault;
  auto leader = static_cast<uint32_t>(std::countr_zero(mask));
  auto *dest = words<uint32_t>(warp, code.dest[0]);
  forLanes(mask, [&](uint32_t lane) { dest[lane] = leader; });
  setPredicate(warp, code.dest[1], mask, 1u << leader);
  return Status::Continue;
}

Status runActivemask(Warp &warp, const Code &code, uint32_t mask) {
  auto *dest = words<uint32_t>(warp, code.dest[0]);
  forLanes(mask, [&](uint32_t lane) { dest[lane] = mask; });
  return Status::Continue;
}

Status runRedux(Warp &warp, const Code &code, uint32_t mask) {
  if (!checkMembers(warp, code, 1, mask))
    return Status::Fault;
  const uint32_t *value = words<uint32_t>(warp, code.source[0]);
  uint32_t result = value[std::countr_zero(mask)];
  bool isSigned = code.saturate;
  forLanes(mask & (mask - 1), [&](uint32_t lane) {
    uint32_t next = value[lane];
    bool isLess =
        isSigned ? static_cast<int32_t>(next) < static_cast<int32_t>(result)
                 : next < result;
    switch (static_cast<ReduceOp>(code.detail)) {
    case ReduceOp::Add:
      result += next;
      break;
    case ReduceOp::Min:
      result = isLess ? next : result;
      break;
    case ReduceOp::Max:
      result = isLess ? result : next;
      break;
    case ReduceOp::And:
      result &= next;
      break;
    case ReduceOp::Or:
      result |= next;
      break;
    case ReduceOp::Xor:
      result ^= next;
      break;
    }
  });
  auto *dest = words<uint32_t>(warp, code.dest[0]);
  forLanes(mask, [&](uint32_t lane) { dest[lane] = result; });
  return Status::Continue;
}

Status runTrap(Warp &warp, const Code &code, uint32_t mask) {
  return raise(warp, code, FaultKind::Trap, std::countr_zero(mask),
               "the program executed trap");
}

Status runWarpBarrier(Warp &warp, const Code &code, uint32_t mask) {
  if (!checkMembers(warp, code, 0, mask))
    return Status::Fault;
  if (warp.races != nullptr)
    warp.races->synchronizeLanes(warp.index);
  return Status::Continue;
}

Status runBarrier(Warp &warp, const Code &code, uint32_t mask) {
  uint32_t lane = static_cast<uint32_t>(std::countr_zero(mask));
  if (mask != warp.live)
    return raise(warp, code, FaultKind::Barrier, lane,
                 "only some threads of the warp are at this barrier");
  uint32_t id = words<uint32_t>(warp, code.source[0])[lane];
  if (id > 15)
    return raise(warp, code, FaultKind::Barrier, lane,
                 "a block has barriers 0 to 15");
  uint32_t expected = 0;
  if (code.source[1] != noReference) {
    expected = words<uint32_t>(warp, code.source[1])[lane];
    if (expected == 0 || expected % warpSize != 0)
      return raise(warp, code, FaultKind::Barrier, lane,
                   "a barrier waits for a multiple of 32 threads");
  }
  uint32_t holds = 0;
  if (code.source[2] != noReference)
    holds = predicateValue(warp, code, 2) & mask;
  return warp.block->arrive(warp, code, id, expected, holds);
}

} // namespace gensyn::ptx

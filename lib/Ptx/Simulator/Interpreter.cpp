// One warp: straight lines of instructions, and the divergence and
// reconvergence of its threads.

#include "../Machine/Access.h"
#include "Block.h"

#include <bit>

namespace gensyn::ptx {
namespace {

inline uint32_t guardMask(const Warp &warp, Reference guard, bool negated) {
  uint32_t value;
  __builtin_memcpy(&value, warp.bases[guard >> 31] + (guard & ~constantBit), 4);
  return negated ? ~value : value;
}

/// Represents an instruction of which only the line is known.
Code placeholder(uint32_t line) {
  Code code;
  code.line = line;
  return code;
}

} // namespace

Status Block::runCodes(Warp &warp, WarpControl &control,
                       const BasicBlock &block) {
  const Code *codes = context.kernel->codes.data();
  uint32_t position = control.resume;
  control.resume = noBlock;
  if (position == noBlock) {
    position = block.begin;
    uint64_t length = block.end - block.begin + (block.flow != Flow::Next);
    threadInstructions += length * std::popcount(warp.active);
    if (!spend(length))
      return raise(warp, placeholder(block.line), FaultKind::Limit,
                   std::countr_zero(warp.active), nullptr);
  }
  const Code *end = codes + block.end;
  for (const Code *code = codes + position; code != end; ++code) {
    uint32_t mask = warp.active;
    if (code->guard != noReference) {
      mask &= guardMask(warp, code->guard, code->guardNegated);
      if (mask == 0)
        continue;
    }
    Status status = code->run(warp, *code, mask);
    if (status != Status::Continue) {
      control.resume = static_cast<uint32_t>(code + 1 - codes);
      return status;
    }
  }
  return Status::Continue;
}

/// Pops entries that have reached their reconvergence point or have no thread
/// left. Returns false if the warp has ended.
bool Block::settle(Warp &warp, WarpControl &control) {
  std::vector<StackEntry> &stack = control.stack;
  while (!stack.empty()) {
    StackEntry &top = stack.back();
    top.mask &= warp.live;
    if (top.block == noBlock)
      warp.live &= ~top.mask; // ran off the end of the kernel
    else if (top.mask != 0 && top.block != top.reconverge)
      break;
    stack.pop_back();
  }
  if (stack.empty()) {
    control.phase = WarpPhase::Done;
    return false;
  }
  warp.active = stack.back().mask;
  return true;
}

/// Some threads branch to `target`, the rest to `other`; they reconverge at the
/// block's immediate post-dominator.
void Block::diverge(Warp &warp, WarpControl &control, const BasicBlock &block,
                    uint32_t taken, uint32_t target, uint32_t other) {
  std::vector<StackEntry> &stack = control.stack;
  StackEntry top = stack.back();
  uint32_t meet = block.reconverge;
  // The entry's own reconvergence point needs no further entry, so a loop that
  // threads leave one by one does not grow the stack.
  if (meet == top.reconverge)
    stack.pop_back();
  else
    stack.back().block = meet;
  auto push = [&](uint32_t where, uint32_t mask) {
    if (where != meet || meet == noBlock)
      stack.push_back({where, meet, mask});
  };
  push(other, warp.active & ~taken);
  push(target, taken);
}

Status Block::followIndexed(Warp &warp, WarpControl &control,
                            const BasicBlock &block, uint32_t mask) {
  const auto *index = reinterpret_cast<const uint32_t *>(
      warp.bases[block.index >> 31] + (block.index & ~constantBit));
  uint32_t first = index[std::countr_zero(mask)];
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    if (index[std::countr_zero(rest)] >= block.targets.size())
      return raise(warp, placeholder(block.line), FaultKind::Trap,
                   std::countr_zero(rest),
                   "the index of brx.idx is past the end of its list");
  // Threads that branch elsewhere return to this branch.
  uint32_t same = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    if (index[std::countr_zero(rest)] == first)
      same |= rest & (0 - rest);
  uint32_t target = block.targets[first];
  uint32_t others = warp.active & ~same;
  if (others == 0) {
    control.stack.back().block = target;
    return Status::Continue;
  }
  uint32_t here = static_cast<uint32_t>(&block - context.kernel->blocks.data());
  diverge(warp, control, block, same, target, here);
  // The second visit must not execute the instructions before the branch.
  auto &stack = control.stack;
  for (size_t i = stack.size(); i-- != 0;)
    if (stack[i].block == here && stack[i].mask == others) {
      stack[i].atBranch = true;
      break;
    }
  return Status::Continue;
}

Status Block::follow(Warp &warp, WarpControl &control,
                     const BasicBlock &block) {
  uint32_t mask = warp.active;
  if (block.guard != noReference)
    mask &= guardMask(warp, block.guard, block.guardNegated);
  StackEntry &top = control.stack.back();
  switch (block.flow) {
  case Flow::Next:
    top.block = block.next;
    break;
  case Flow::Branch:
    if (mask == warp.active)
      top.block = block.target;
    else if (mask == 0)
      top.block = block.next;
    else
      diverge(warp, control, block, mask, block.target, block.next);
    break;
  case Flow::Indexed:
    if (mask == 0)
      top.block = block.next;
    else
      return followIndexed(warp, control, block, mask);
    break;
  case Flow::Return:
    warp.live &= ~mask;
    top.block = block.next;
    break;
  }
  return Status::Continue;
}

Status Block::runWarp(Warp &warp, WarpControl &control) {
  while (settle(warp, control)) {
    StackEntry &top = control.stack.back();
    const BasicBlock &block = context.kernel->blocks[top.block];
    if (top.atBranch) {
      top.atBranch = false;
    } else {
      Status status = runCodes(warp, control, block);
      if (status != Status::Continue)
        return status;
    }
    if (follow(warp, control, block) == Status::Fault)
      return Status::Fault;
  }
  return Status::Continue;
}

} // namespace gensyn::ptx

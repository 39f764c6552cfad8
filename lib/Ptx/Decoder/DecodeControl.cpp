// Decoding of branches, barriers and exchanges between lanes.

#include "../Machine/WarpOps.h"
#include "Decoder.h"

namespace gensyn::ptx {

bool Decoder::decodeBra() {
  opcode.take("uni");
  if (!expectOperands(1, 1))
    return false;
  const Operand &target = instruction->operands[0];
  if (target.kind != Operand::Kind::Label)
    return fail("the target of a branch is not a label");
  current.isFlow = true;
  current.flow = Flow::Branch;
  current.target = target.index;
  return true;
}

bool Decoder::decodeBrx() {
  opcode.takeAll({"idx", "uni"});
  if (!expectOperands(2, 2))
    return false;
  const Operand &targets = instruction->operands[1];
  if (targets.kind != Operand::Kind::Targets)
    return fail("brx.idx needs the name of a list of targets");
  current.isFlow = true;
  current.flow = Flow::Indexed;
  current.targets = function.branchTargets[targets.index];
  // Every branch has a copy of its list.
  branchTargets += current.targets.size();
  if (branchTargets > (uint64_t(1) << 22))
    return fail("its brx.idx have more targets than the simulator takes");
  return source(0, 0, Type::U32);
}

bool Decoder::decodeReturn() {
  opcode.take("uni");
  current.isFlow = true;
  current.flow = Flow::Return;
  return expectOperands(0, 0);
}

bool Decoder::decodeTrap() { return expectOperands(0, 0) && finish(runTrap); }

bool Decoder::memberMask(unsigned slot, size_t operand) {
  return source(slot, operand, Type::B32);
}

bool Decoder::decodeBarrier() {
  opcode.takeAll({"cta", "aligned"});
  if (opcode.take("warp")) {
    opcode.take("sync");
    return expectOperands(1, 1) && memberMask(0, 0) && finish(runWarpBarrier);
  }
  auto setMode = [this](BarrierMode mode) {
    current.code.detail = static_cast<uint16_t>(mode);
  };
  // The operands of the reductions start with the result and end with the
  // predicate.
  size_t first = 0, last = instruction->operands.size();
  if (opcode.take("red")) {
    if (!expectOperands(3, 4))
      return false;
    first = 1;
    --last;
    bool isPopc = opcode.take("popc");
    setMode(isPopc               ? BarrierMode::Popc
            : opcode.take("and") ? BarrierMode::And
            : opcode.take("or")  ? BarrierMode::Or
                                 : BarrierMode::Sync);
    opcode.takeType();
    if (!dest(0, isPopc ? Type::U32 : Type::Pred) ||
        !predicateSource(2, instruction->operands[last]))
      return false;
  } else if (opcode.take("arrive")) {
    setMode(BarrierMode::Arrive);
    if (!expectOperands(2, 2))
      return false;
  } else if (!opcode.take("sync") || !expectOperands(1, 2)) {
    return error ? false : unsupported();
  }
  return source(0, first, Type::U32) &&
         (last - first < 2 || source(1, first + 1, Type::U32)) &&
         finish(runBarrier);
}

bool Decoder::decodeShfl() {
  if (!opcode.take("sync"))
    return fail("shfl without .sync does not exist on supported targets");
  ShuffleMode mode = opcode.take("up")     ? ShuffleMode::Up
                     : opcode.take("down") ? ShuffleMode::Down
                     : opcode.take("bfly") ? ShuffleMode::Butterfly
                                           : ShuffleMode::Index;
  opcode.take("idx");
  Type type = opcode.takeType();
  current.code.detail = static_cast<uint16_t>(mode);
  return expectOperands(5, 5) && destPair(0, type, Type::Pred) &&
         source(0, 1, type) && source(1, 2, Type::B32) &&
         source(2, 3, Type::B32) && memberMask(3, 4) && finish(runShuffle);
}

bool Decoder::decodeVote() {
  if (!opcode.take("sync"))
    return fail("vote without .sync does not exist on supported targets");
  bool isBallot = opcode.take("ballot");
  VoteMode mode = isBallot             ? VoteMode::Ballot
                  : opcode.take("all") ? VoteMode::All
                  : opcode.take("any") ? VoteMode::Any
                                       : VoteMode::Uniform;
  if (mode == VoteMode::Uniform)
    opcode.take("uni");
  Type type = opcode.takeType();
  current.code.detail = static_cast<uint16_t>(mode);
  return expectOperands(3, 3) && dest(0, isBallot ? type : Type::Pred) &&
         predicateSource(0, instruction->operands[1]) && memberMask(1, 2) &&
         finish(runVote);
}

bool Decoder::decodeMatch() {
  bool isAll = opcode.take("all");
  opcode.takeAll({"any", "sync"});
  Type type = opcode.takeType();
  current.code.detail =
      static_cast<uint16_t>((isAll ? 1 : 0) + (byteWidth(type) == 8 ? 2 : 0));
  return expectOperands(3, 3) && destPair(0, Type::B32, Type::Pred) &&
         source(0, 1, type) && memberMask(1, 2) && finish(runMatch);
}

bool Decoder::decodeElect() {
  opcode.take("sync");
  return expectOperands(2, 2) && destPair(0, Type::B32, Type::Pred) &&
         memberMask(0, 1) && finish(runElect);
}

bool Decoder::decodeActivemask() {
  opcode.takeType();
  return expectOperands(1, 1) && dest(0, Type::B32) && finish(runActivemask);
}

bool Decoder::decodeRedux() {
  struct Name {
    std::string_view name;
    ReduceOp op;
  };
  static constexpr Name names[] = {
      {"add", ReduceOp::Add}, {"min", ReduceOp::Min}, {"max", ReduceOp::Max},
      {"and", ReduceOp::And}, {"or", ReduceOp::Or},   {"xor", ReduceOp::Xor}};
  opcode.take("sync");
  Type type = opcode.takeType();
  if (type != Type::U32 && type != Type::S32 && type != Type::B32)
    return unsupported();
  for (const Name &name : names)
    if (opcode.take(name.name)) {
      current.code.detail = static_cast<uint16_t>(name.op);
      current.code.saturate = type == Type::S32;
      return expectOperands(3, 3) && dest(0, type) && source(0, 1, type) &&
             memberMask(1, 2) && finish(runRedux);
    }
  return unsupported();
}

} // namespace gensyn::ptx

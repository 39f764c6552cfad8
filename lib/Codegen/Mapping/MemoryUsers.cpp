// See MemoryUsers.h.

#include "MemoryUsers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gensyn::mapping {

int64_t alignedBytes(int64_t size) {
  return int64_t(llvm::alignTo(std::max<int64_t>(size, 1), 64));
}

ResidentEnds findResidentEnds(ModuleOp module) {
  ResidentEnds ends;
  for (auto segment : module.getOps<task::SegmentOp>())
    for (auto core : segment.getBody().getOps<task::CoreOp>()) {
      const auto repetitions = int64_t(segment.getRepetitions().size());
      for (auto resident : core.getBody().getOps<task::ResidentOp>()) {
        int64_t bytes = int64_t(resident.getRowBytes());
        for (int64_t count : resident.getCounts())
          bytes *= count;
        bytes += repetitions * int64_t(resident.getStep());
        int64_t &end = ends[core.getCore()];
        end =
            std::max(end, int64_t(resident.getAddress()) + alignedBytes(bytes));
      }
    }
  return ends;
}

SmallVector<Operation *> FormerUsers::take(int64_t begin, int64_t size) {
  const int64_t end = begin + alignedBytes(size);
  llvm::SetVector<Operation *> users;
  std::vector<Past> kept;
  for (Past &block : past) {
    if (block.end <= begin || end <= block.begin) {
      kept.push_back(std::move(block));
      continue;
    }
    users.insert_range(block.users);
    if (block.begin < begin)
      kept.push_back({block.begin, begin, block.users});
    if (end < block.end)
      kept.push_back({end, block.end, block.users});
  }
  past = std::move(kept);
  return users.takeVector();
}

void FormerUsers::add(int64_t begin, int64_t size,
                      ArrayRef<Operation *> users) {
  past.push_back(
      {begin, begin + alignedBytes(size), SmallVector<Operation *>(users)});
}

MulticastWaits::MulticastWaits(task::SegmentOp segment) : segment(segment) {
  for (auto core : segment.getBody().getOps<task::CoreOp>())
    for (auto multicast : core.getBody().getOps<task::MulticastOp>())
      states[multicast.getNumber()].op = multicast;
}

void MulticastWaits::addFormerUser(uint32_t number,
                                   task::TaskOpInterface user) {
  State &state = states[number];
  if (state.op->getBlock() == user->getBlock()) {
    cast<task::TaskOpInterface>(state.op.getOperation())
        .addAfter(user.getEnd());
    return;
  }
  if (!state.counter) {
    state.counter = segment.getCounters();
    segment.setCounters(uint32_t(*state.counter) + 1);
  }
  SmallVector<int32_t> signals(user.getSignals());
  if (llvm::is_contained(signals, *state.counter))
    return;
  signals.push_back(*state.counter);
  user.setSignals(signals);
  ++state.users;
}

void MulticastWaits::setAwaits() {
  for (auto &[number, state] : states) {
    if (!state.counter)
      continue;
    SmallVector<int32_t> awaits(state.op.getAwaits());
    awaits.append({*state.counter, state.users});
    state.op.setAwaits(awaits);
  }
}

} // namespace gensyn::mapping

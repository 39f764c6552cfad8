// See RematProposal.h.

#include "RematProposal.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using gensyn::repro::KernelOp;

namespace gensyn::codegen {

/// Number of operations that cost as much as moving a byte: the processor's
/// operations in the time that memory delivers one.
static constexpr int64_t kFlopsPerByte = 4;
/// Maximum number of kernels that are recomputed for one value.
static constexpr size_t kMostKernels = 64;
/// Values that are this many times smaller than the value that needs them are
/// kept rather than recomputed.
static constexpr int64_t kSmall = 8;

/// A kernel is cheap if it costs at most this part of its late readers.
static constexpr int64_t kCheapShare = 8;

static int64_t valueBytes(Value value) {
  auto tensor = cast<RankedTensorType>(value.getType());
  return tensor.getNumElements() *
         byteWidth(*repro::getElementType(tensor.getElementType()));
}

/// Returns the bytes of the value in the arena.
static int64_t arenaBytes(Value value) {
  return llvm::alignTo(static_cast<uint64_t>(valueBytes(value)), 64);
}

/// Returns the number of floating-point operations, plus bytes converted to
/// operations.
static int64_t costOf(KernelOp kernel) {
  int64_t bytes = 0;
  for (Value value : kernel.getInputs())
    bytes += valueBytes(value);
  for (Value value : kernel.getResults())
    bytes += valueBytes(value);
  return countKernelFlops(kernel) + kFlopsPerByte * bytes;
}

/// True if the value is live at the point only for later readers; finds the
/// first of those.
bool RematProposal::isKeptForLater(Value value) {
  bool isLate = false, isUsed = false;
  Operation *first = nullptr;
  forEachReader(value, [&](Operation *reader) {
    isUsed |= reader == point || reader->hasTrait<OpTrait::IsTerminator>();
    if (!point->isBeforeInBlock(reader))
      return;
    isLate = true;
    if (!first || reader->isBeforeInBlock(first))
      first = reader;
  });
  if (!isLate || isUsed)
    return false;
  if (!place || first->isBeforeInBlock(place))
    place = first;
  return true;
}

/// True if the memory of the value is live at the point or after it anyway.
bool RematProposal::isThereLate(Value storage) const {
  bool isLate = false;
  forEachReader(storage, [&](Operation *reader) {
    isLate |= !reader->isBeforeInBlock(point);
  });
  return isLate;
}

bool RematProposal::find(function_ref<bool(OpResult)> choose) {
  if (root.getScheduleAttr() || !root->isBeforeInBlock(point))
    return false;
  SmallVector<Value> dropped;
  for (OpResult result : root.getResults())
    if (timeline.blockOf.contains(result) && choose(result) &&
        isKeptForLater(result)) {
      dropped.push_back(result);
      rootBytes += arenaBytes(result);
    }
  saved = rootBytes;
  for (Value value : dropped)
    if (!require(value, /*isMust=*/true))
      return false;
  if (!dropped.empty())
    findCost();
  return !dropped.empty();
}

/// Makes `value`, a kernel's result, available at the place. Returns false if
/// that costs too much; `isMust` ignores the cost.
bool RematProposal::require(Value value, bool isMust) {
  auto kernel = value.getDefiningOp<KernelOp>();
  const unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto found = items.find(kernel); found != items.end()) {
    found->second.insert(number);
    return true;
  }
  if (items.size() >= kMostKernels)
    return false;
  for (Value input : kernel.getInputs()) {
    Value storage = repro::getStorage(input);
    Operation *op = storage.getDefiningOp();
    if (!op || isa<repro::ConstantOp>(op))
      continue;
    if (auto found = items.find(dyn_cast<KernelOp>(op)); found != items.end()) {
      found->second.insert(cast<OpResult>(storage).getResultNumber());
      continue;
    }
    if (!op->isBeforeInBlock(place)) { // a clone that is needed earlier now
      if (!require(storage, true))
        return false;
      continue;
    }
    if (point->isBeforeInBlock(op) || isThereLate(storage) ||
        !timeline.blockOf.contains(storage))
      continue;
    if (requireDead(storage))
      continue;
    saved -= arenaBytes(storage);
    if (!isMust && saved <= 0)
      return false;
  }
  items[kernel].insert(number);
  return true;
}

/// The same for a value whose last use is before the point: an earlier clone
/// suffices. Returns false if it is better kept.
bool RematProposal::requireDead(Value storage) {
  const auto itemsBefore = items;
  const auto standsBefore = stands;
  const int64_t savedBefore = saved;
  Value other;
  for (Value clone : again.lookup(originOf.lookup_or(storage, storage))) {
    Operation *op = clone.getDefiningOp();
    if (op->getBlock() && point->isBeforeInBlock(op) &&
        (!other || op->isBeforeInBlock(other.getDefiningOp())))
      other = clone;
  }
  if (other && (other.getDefiningOp()->isBeforeInBlock(place) ||
                require(other, false))) {
    stands[storage] = other;
    return true;
  }
  auto producer = storage.getDefiningOp<KernelOp>();
  const bool isSmall = kSmall * valueBytes(storage) <= rootBytes;
  if (producer && !producer.getScheduleAttr() && !isSmall &&
      require(storage, false))
    return true;
  items = itemsBefore;
  stands = standsBefore;
  saved = savedBefore;
  return false;
}

void RematProposal::findCost() {
  // A kernel without remaining uses is not computed twice, only later.
  llvm::SmallPtrSet<Operation *, 8> dying;
  for (auto &[kernel, numbers] : llvm::reverse(items)) {
    const bool isClone = !kernel->isBeforeInBlock(place);
    bool dies = kernel.getFaultingOps().empty();
    for (OpResult result : kernel.getResults()) {
      const bool isMoved = numbers.contains(result.getResultNumber());
      forEachReader(result, [&, isMoved](Operation *reader) {
        dies &= dying.contains(reader) ||
                (isMoved && point->isBeforeInBlock(reader));
      });
    }
    if (dies || isClone)
      dying.insert(kernel);
    else
      cost += costOf(kernel);
  }
}

/// True if the kernel has only elementwise ops, and ops that cost nothing.
static bool isElementwise(KernelOp kernel) {
  return llvm::all_of(
      kernel.getBlock().without_terminator(), [](Operation &op) {
        return op.hasTrait<OpTrait::Elementwise>() ||
               repro::getElementCost(&op) == repro::ElementCost::Free;
      });
}

/// Moves the place forward to the last op that reads an operand, which is in
/// memory until then anyway. A parameter is: a read after its update would keep
/// the update from being written over it. Returns false if that is not behind
/// the point.
bool RematProposal::moveToOperands() {
  for (Value input : root.getInputs()) {
    Value storage = repro::getStorage(input);
    if (storage.getDefiningOp<repro::ConstantOp>())
      continue;
    Operation *last = nullptr;
    forEachReader(storage, [&](Operation *reader) {
      if (reader->getBlock() == place->getBlock() &&
          point->isBeforeInBlock(reader) &&
          (!last || last->isBeforeInBlock(reader)))
        last = reader;
    });
    if (!last)
      return false;
    if (last->isBeforeInBlock(place))
      place = last;
  }
  return true;
}

bool RematProposal::findCheap(function_ref<bool(OpResult)> choose) {
  if (!isElementwise(root) || !root.getFaultingOps().empty() || !find(choose) ||
      items.size() != 1 || !moveToOperands())
    return false;
  int64_t readers = 0;
  for (OpResult result : root.getResults())
    forEachReader(result, [&](Operation *reader) {
      if (auto kernel = dyn_cast<KernelOp>(reader);
          kernel && !kernel->isBeforeInBlock(place))
        readers += costOf(kernel);
    });
  return kCheapShare * cost <= readers;
}

void RematProposal::apply(RematEdits &edits, Again &again,
                          llvm::DenseMap<Value, Value> &originOf) {
  llvm::DenseMap<Value, Value> made;
  for (auto &[kernel, numbers] : items) {
    // A clone that moves takes all its uses along.
    if (!kernel->isBeforeInBlock(place))
      for (OpResult result : kernel.getResults())
        if (!result.use_empty())
          numbers.insert(result.getResultNumber());
    SmallVector<unsigned> sorted(numbers.begin(), numbers.end());
    llvm::sort(sorted);
    KernelOp clone =
        edits.clone(kernel, sorted, place, [&](Value input) -> Value {
          Value storage = repro::getStorage(input);
          if (Value other = stands.lookup(storage))
            storage = other;
          if (Value other = made.lookup(storage))
            return other;
          return storage == repro::getStorage(input) ? input : storage;
        });
    for (auto [number, result] : llvm::zip_equal(sorted, clone.getResults())) {
      Value old = kernel.getResult(number);
      made[old] = result;
      Value origin = originOf.lookup_or(old, old);
      originOf[result] = origin;
      again[origin].push_back(result);
      edits.onRollback([&again, &originOf, origin, result = Value(result)] {
        llvm::erase(again[origin], result);
        originOf.erase(result);
      });
    }
  }
  for (auto &[old, result] : made)
    edits.replaceFrom(old, result, place);
  SmallVector<KernelOp> olds;
  for (auto &[kernel, numbers] : items)
    olds.push_back(kernel);
  for (KernelOp kernel : llvm::reverse(olds))
    edits.removeDead(kernel);
}

} // namespace gensyn::codegen

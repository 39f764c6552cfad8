// The task dialect's ops and types.

#include "gensyn/Dialect/Task/IR/Task.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn::task;

#include "gensyn/Dialect/Task/IR/TaskDialect.cpp.inc"
#include "gensyn/Dialect/Task/IR/TaskInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "gensyn/Dialect/Task/IR/TaskTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "gensyn/Dialect/Task/IR/TaskAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "gensyn/Dialect/Task/IR/TaskOps.cpp.inc"

uint32_t ComputeOp::getQueue() { return 0; }
uint32_t FetchOp::getQueue() { return 1 + getChannel(); }
uint32_t StoreOp::getQueue() { return 1 + getChannel(); }
uint32_t MulticastOp::getQueue() { return 1 + getChannel(); }

/// Every multicast has a number of its own, and buffers of its bytes.
LogicalResult SegmentOp::verifyRegions() {
  llvm::DenseMap<uint32_t, MulticastOp> multicasts;
  for (auto core : getBody().getOps<CoreOp>())
    for (auto multicast : core.getBody().getOps<MulticastOp>())
      if (!multicasts.try_emplace(multicast.getNumber(), multicast).second)
        return multicast.emitOpError("has number ")
               << multicast.getNumber() << ", which another one has, too";
  llvm::DenseSet<uint32_t> filled;
  for (auto core : getBody().getOps<CoreOp>()) {
    for (auto buffer : core.getBody().getOps<BufferOp>()) {
      std::optional<uint32_t> number = buffer.getMulticast();
      if (!number)
        continue;
      MulticastOp multicast = multicasts.lookup(*number);
      if (!multicast)
        return buffer.emitOpError("is filled by multicast ")
               << *number << ", which is not in its segment";
      uint64_t bytes = multicast.getRowBytes();
      for (int64_t count : multicast.getCounts())
        bytes = llvm::SaturatingMultiply(bytes, uint64_t(count));
      if (bytes != buffer.getBytes())
        return buffer.emitOpError("of ")
               << buffer.getBytes() << " bytes is filled by multicast "
               << *number << " of " << bytes;
      filled.insert(*number);
    }
  }
  for (auto core : getBody().getOps<CoreOp>())
    for (auto multicast : core.getBody().getOps<MulticastOp>())
      if (!filled.contains(multicast.getNumber()))
        return multicast.emitOpError("fills no buffer");
  return success();
}

void TaskDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "gensyn/Dialect/Task/IR/TaskTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "gensyn/Dialect/Task/IR/TaskAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "gensyn/Dialect/Task/IR/TaskOps.cpp.inc"
      >();
}

mlir::LogicalResult FetchOp::verify() {
  if (!getAhead())
    return success();
  if ((*this)->getParentOfType<SegmentOp>().getRepetitions().empty())
    return emitOpError("is ahead, and its segment has no repetitions");
  if (!getEnd().use_empty())
    return emitOpError("is ahead, and a task waits for it");
  if (!getAwaits().empty() || !getSignals().empty())
    return emitOpError("is ahead, and has counters");
  for (Operation *op = (*this)->getNextNode(); op; op = op->getNextNode())
    if (auto other = dyn_cast<TaskOpInterface>(op))
      if (other.getQueue() == getQueue() &&
          !(isa<FetchOp>(op) && cast<FetchOp>(op).getAhead()))
        return emitOpError("is ahead, and another task follows in its queue");
  return success();
}

mlir::LogicalResult SegmentOp::verify() {
  ArrayRef<int32_t> buffers = getBuffers();
  int32_t last = -1;
  for (int32_t buffer : buffers) {
    if (buffer <= last)
      return emitOpError("has buffer ")
             << buffer << ", expected one above " << last;
    last = buffer;
  }
  for (auto [number, repetition] :
       llvm::enumerate(getRepetitions().getAsRange<RepetitionAttr>())) {
    auto check = [&](size_t found, size_t expected, StringRef what) {
      if (found == expected)
        return success();
      return LogicalResult(emitOpError("repetition ")
                           << number + 1 << " has " << found << " " << what
                           << ", expected " << expected);
    };
    if (failed(check(repetition.getLaunches().size(), getLaunches().size(),
                     "launches")) ||
        failed(
            check(repetition.getBuffers().size(), buffers.size(), "buffers")))
      return failure();
    for (int32_t buffer : repetition.getBuffers())
      if (buffer < 0)
        return emitOpError("repetition ") << number + 1 << " has buffer "
                                          << buffer << ", expected at least 0";
  }
  return success();
}

// Tasks that run too early, or never.

#include "Mapping.h"

using namespace mlir;

namespace gensyn::wrong {

/// Keeps those of the tasks that must have ended for which `keeps` is true.
static void keepAfter(task::TaskOpInterface op,
                      function_ref<bool(Operation *)> keeps) {
  MutableOperandRange after = op.getAfterMutable();
  SmallVector<Value> kept;
  for (OpOperand &operand : after)
    if (keeps(operand.get().getDefiningOp()))
      kept.push_back(operand.get());
  after.assign(kept);
}

/// Moves a task before the ones of its core on which it does not depend.
static void moveUp(Operation *op) {
  Operation *before = nullptr;
  for (Operation *other = op->getPrevNode(); other;
       other = other->getPrevNode()) {
    if (isa<task::BufferOp>(other) ||
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return operand.getDefiningOp() == other;
        }))
      break;
    before = other;
  }
  if (before)
    op->moveBefore(before);
}

static void forgetFetch(ModuleOp module) {
  module.walk([](task::ComputeOp compute) {
    keepAfter(compute, [](Operation *op) { return !isa<task::FetchOp>(op); });
  });
}

static void forgetFormerUser(ModuleOp module) {
  module.walk([](task::FetchOp fetch) {
    keepAfter(fetch, [](Operation *op) { return !isa<task::ComputeOp>(op); });
  });
}

static void forgetLaunch(ModuleOp module) {
  module.walk([](task::TaskOpInterface op) { op.setAwaits({}); });
}

static void awaitOneCoreLess(ModuleOp module) {
  module.walk([](task::TaskOpInterface op) {
    SmallVector<int32_t> awaits(op.getAwaits());
    for (size_t i = 1; i < awaits.size(); i += 2)
      --awaits[i];
    op.setAwaits(awaits);
  });
}

static void signalEarly(ModuleOp module) {
  module.walk([](task::StoreOp store) {
    const SmallVector<int32_t> signals(store.getSignals());
    store.setSignals({});
    for (Value before : store.getAfter())
      if (auto compute = before.getDefiningOp<task::ComputeOp>()) {
        compute.setSignals(signals);
        return;
      }
  });
}

static void loseSignal(ModuleOp module) {
  module.walk([](task::SegmentOp segment) {
    task::TaskOpInterface last;
    segment.walk([&](task::TaskOpInterface op) {
      if (!op.getSignals().empty())
        last = op;
    });
    if (last)
      last.setSignals({});
  });
}

/// Moves fetches that await a launch before the core's own tasks of it.
static void prefetchAwaiting(ModuleOp module) {
  forEachCore(module, [](task::CoreOp core) {
    for (auto fetch : listOf<task::FetchOp>(core))
      if (!fetch.getAwaits().empty())
        moveUp(fetch);
  });
}

/// Moves fetches before the one that awaits their launch for them.
static void prefetchPassesWait(ModuleOp module) {
  forEachCore(module, [](task::CoreOp core) {
    for (auto fetch : listOf<task::FetchOp>(core)) {
      bool hasWaited = false;
      keepAfter(fetch, [&](Operation *op) {
        const bool waits = !cast<task::TaskOpInterface>(op).getAwaits().empty();
        hasWaited |= waits;
        return !waits;
      });
      if (hasWaited)
        moveUp(fetch);
    }
  });
}

static void multicastEarly(ModuleOp module) {
  module.walk([](task::MulticastOp multicast) { multicast.setAwaits({}); });
}

/// The last core is none of those that get the bytes, and does not wait.
static void multicastMissesCore(ModuleOp module) {
  module.walk([](task::SegmentOp segment) {
    task::BufferOp last;
    segment.walk([&](task::BufferOp buffer) {
      if (buffer.getMulticast())
        last = buffer;
    });
    if (last)
      last.removeMulticastAttr();
  });
}

ArrayRef<WrongMapping> getWrongTimes() {
  static const WrongMapping changes[] = {
      {"wrong-map-forget-fetch", "a computation does not wait for its operands",
       forgetFetch},
      {"wrong-map-forget-former-user",
       "a fetch does not wait for the former user of its memory",
       forgetFormerUser},
      {"wrong-map-forget-launch", "no task waits for other cores",
       forgetLaunch},
      {"wrong-map-await-one-core-less", "a launch waits for one core too few",
       awaitOneCoreLess},
      {"wrong-map-signal-early", "a core signals before its last store",
       signalEarly},
      {"wrong-map-lose-signal", "the last core does not signal", loseSignal},
      {"wrong-map-prefetch-awaiting",
       "a fetch that awaits a launch passes tasks of it", prefetchAwaiting},
      {"wrong-map-multicast-early",
       "a multicast does not wait for the former users of its memory",
       multicastEarly},
      {"wrong-map-multicast-misses-core", "a core gets no bytes of a multicast",
       multicastMissesCore},
      {"wrong-map-prefetch-passes-wait",
       "a fetch passes the one that waits for it", prefetchPassesWait},
  };
  return changes;
}

} // namespace gensyn::wrong

// Addresses and paths that are not those of the values.

#include "Mapping.h"

using namespace mlir;

namespace gensyn::wrong {

/// Lets each result begin 64 bytes early: in the operand before it, as all
/// buffers begin at multiples of 64.
static void overlap(ModuleOp module) {
  module.walk([](task::ComputeOp compute) {
    auto result = compute.getBuffers().back().getDefiningOp<task::BufferOp>();
    if (result && result.getAddress().value_or(0) >= 64)
      result.setAddress(*result.getAddress() - 64);
  });
}

/// Gives each buffer memory of its own.
static void reuseNothing(ModuleOp module) {
  forEachCore(module, [](task::CoreOp core) {
    int64_t next = 0;
    for (auto buffer : listOf<task::BufferOp>(core)) {
      buffer.setAddress(next);
      next += int64_t(llvm::alignTo(uint64_t(buffer.getBytes()), 64));
    }
  });
}

/// Calls `change` with each copy's path.
static void forEachPath(task::CoreOp core,
                        function_ref<DenseI32ArrayAttr(Operation *)> change) {
  for (Operation &op : core.getBody().front())
    if (isa<task::FetchOp, task::StoreOp>(op))
      op.setAttr("path", change(&op));
}

static void dropFlow(ModuleOp module) {
  forEachCore(module, [](task::CoreOp core) {
    forEachPath(core, [&](Operation *) {
      return DenseI32ArrayAttr::get(core.getContext(), {});
    });
  });
}

/// Gives each core the paths of the one before it.
static void swapPaths(ModuleOp module) {
  DenseI32ArrayAttr in, out;
  forEachCore(module, [&](task::CoreOp core) {
    DenseI32ArrayAttr nextIn = in, nextOut = out;
    forEachPath(core, [&](Operation *op) {
      auto own = op->getAttrOfType<DenseI32ArrayAttr>("path");
      const bool isFetch = isa<task::FetchOp>(op);
      (isFetch ? nextIn : nextOut) = own;
      DenseI32ArrayAttr other = isFetch ? in : out;
      return other ? other : own;
    });
    in = nextIn;
    out = nextOut;
  });
}

/// Lets each fetch lead once around in a circle before, over the first links of
/// a row of nodes.
static void leadInCircle(ModuleOp module) {
  forEachCore(module, [](task::CoreOp core) {
    forEachPath(core, [&](Operation *op) {
      auto own = op->getAttrOfType<DenseI32ArrayAttr>("path");
      if (!isa<task::FetchOp>(op) || own.empty())
        return own;
      SmallVector<int32_t> path = {0, 2, 3, 1};
      llvm::append_range(path, own.asArrayRef());
      return DenseI32ArrayAttr::get(op->getContext(), path);
    });
  });
}

/// Changes the buffers of each segment's last repetition.
static void changeLastRepetition(
    ModuleOp module,
    function_ref<void(MutableArrayRef<int32_t>, task::SegmentOp)> change) {
  module.walk([&](task::SegmentOp segment) {
    SmallVector<Attribute> all(segment.getRepetitions().getValue());
    if (all.empty())
      return;
    auto last = cast<task::RepetitionAttr>(all.back());
    SmallVector<int32_t> buffers(last.getBuffers());
    change(buffers, segment);
    all.back() = task::RepetitionAttr::get(module.getContext(),
                                           last.getLaunches(), buffers);
    segment.setRepetitionsAttr(ArrayAttr::get(module.getContext(), all));
  });
}

static void swapBoundBuffers(ModuleOp module) {
  changeLastRepetition(module,
                       [](MutableArrayRef<int32_t> buffers, task::SegmentOp) {
                         std::swap(buffers[0], buffers[1]);
                       });
}

static void repeatWithFirstBuffer(ModuleOp module) {
  changeLastRepetition(
      module, [](MutableArrayRef<int32_t> buffers, task::SegmentOp segment) {
        buffers[1] = segment.getBuffers()[1];
      });
}

ArrayRef<WrongMapping> getWrongPlaces() {
  static const WrongMapping changes[] = {
      {"wrong-map-overlap", "a result begins in an operand", overlap},
      {"wrong-map-reuse-nothing", "memory is not used again", reuseNothing},
      {"wrong-map-drop-flow", "copies have no path", dropFlow},
      {"wrong-map-path-in-circle", "fetches lead once around before",
       leadInCircle},
      {"wrong-map-path-of-other-core", "copies have paths of another core",
       swapPaths},
      {"wrong-map-swap-bound-buffers",
       "a repetition has two buffers in each other's place", swapBoundBuffers},
      {"wrong-map-repeat-with-first-buffer",
       "a repetition has a buffer of the first one", repeatWithFirstBuffer},
  };
  return changes;
}

} // namespace gensyn::wrong

// Numbers the streams of a function's draws; see docs/Numerics.md, random_c2.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Numerics/Philox.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_ASSIGNSTREAMSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {
struct AssignStreams final : impl::AssignStreamsPassBase<AssignStreams> {
  using AssignStreamsPassBase::AssignStreamsPassBase;
  void runOnOperation() override {
    SmallVector<RandomBitsOp> unnumbered;
    llvm::SmallDenseSet<uint64_t> taken;
    getOperation().walk<WalkOrder::PreOrder>([&](RandomBitsOp op) {
      if (std::optional<uint64_t> stream = op.getStream())
        taken.insert(*stream);
      else
        unnumbered.push_back(op);
    });
    uint64_t next = random::kFirstStream;
    for (RandomBitsOp op : unnumbered) {
      while (taken.contains(next))
        ++next;
      op.setStream(next++);
    }
  }
};
} // namespace
} // namespace gensyn::repro

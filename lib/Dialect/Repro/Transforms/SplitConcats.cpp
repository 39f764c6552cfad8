// Splits concats of many operands into trees of concats of few.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-split-concats"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_SPLITCONCATSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Joins neighbours, `width` at a time and as evenly as possible, until no more
/// than `width` are left.
void split(ConcatOp concat, size_t width) {
  OpBuilder builder(concat);
  SmallVector<Value> parts(concat.getOperands());
  while (parts.size() > width) {
    const size_t groups = llvm::divideCeil(parts.size(), width);
    SmallVector<Value> joined;
    for (size_t i = 0; i < groups; ++i) {
      const size_t begin = parts.size() * i / groups,
                   end = parts.size() * (i + 1) / groups;
      joined.push_back(ConcatOp::create(
          builder, concat.getLoc(), ValueRange(parts).slice(begin, end - begin),
          concat.getDim()));
    }
    parts = std::move(joined);
  }
  concat.getOperandsMutable().assign(parts);
}

struct SplitConcats final : impl::SplitConcatsPassBase<SplitConcats> {
  using SplitConcatsPassBase::SplitConcatsPassBase;

  void runOnOperation() override {
    if (width < 2) {
      getOperation().emitError("concats of at most ")
          << unsigned(width) << " operands, expected 2 or more";
      return signalPassFailure();
    }
    SmallVector<ConcatOp> wide;
    getOperation().walk([&](ConcatOp concat) {
      if (concat.getNumOperands() > width)
        wide.push_back(concat);
    });
    for (ConcatOp concat : wide) {
      LDBG() << "splits a concat of " << concat.getNumOperands()
             << " operands at " << concat.getLoc();
      split(concat, width);
    }
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE

// The freeze line: checks, then stamps version and digest.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Numerics/Version.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_FREEZEPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {
struct Freeze final : impl::FreezePassBase<Freeze> {
  using FreezePassBase::FreezePassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyFrozen(module)))
      return signalPassFailure();
    auto digest = computeDigest(module);
    if (failed(digest))
      return signalPassFailure();
    mlir::Builder builder(module.getContext());
    module->setAttr(kNumericsAttr, builder.getI64IntegerAttr(kNumericsVersion));
    module->setAttr(kDigestAttr, builder.getStringAttr(*digest));
  }
};
} // namespace
} // namespace gensyn::repro

// Expands operators that have no conversion but a function body in their
// schema.

#include "gensyn/Conversion/OnnxToRepro/Passes.h"

#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "onnx/defs/schema.h"

namespace gensyn {
#define GEN_PASS_DEF_INLINEUNCONVERTIBLEPASS
#include "gensyn/Conversion/OnnxToRepro/Passes.h.inc"

namespace {
struct InlineUnconvertible final
    : impl::InlineUnconvertiblePassBase<InlineUnconvertible> {
  using InlineUnconvertiblePassBase::InlineUnconvertiblePassBase;
  void runOnOperation() override {
    auto wanted = [](const ::onnx::OpSchema &schema) {
      return !isConvertible(schema.domain(), schema.Name(),
                            schema.SinceVersion());
    };
    if (failed(onnx::inlineFunctions(getOperation(), wanted)))
      signalPassFailure();
  }
};
} // namespace
} // namespace gensyn

// Index arithmetic of the models of ops.

#ifndef GENSYN_LIB_CODEGEN_EMIT_ELEMENTINDEX_H
#define GENSYN_LIB_CODEGEN_EMIT_ELEMENTINDEX_H

#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "gensyn/Dialect/Repro/Interfaces/ElementEmitter.h"

namespace gensyn::emit {

/// Constants come from the emitter, which creates each once per region.
class ElementIndex final : public codegen::IndexBuilder {
public:
  explicit ElementIndex(repro::ElementEmitter &emitter)
      : IndexBuilder(emitter.builder, emitter.location), emitter(emitter) {}

  mlir::Value constant(int64_t value) const override {
    return emitter.apply(mlir::getAffineConstantExpr(value, b.getContext()),
                         {});
  }

private:
  repro::ElementEmitter &emitter;
};

} // namespace gensyn::emit

#endif

// The conversion from the train dialect to repro.

#ifndef GENSYN_CONVERSION_TRAINTOREPRO_PASSES_H
#define GENSYN_CONVERSION_TRAINTOREPRO_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn {
#define GEN_PASS_DECL_CONVERTTRAINTOREPROPASS
#define GEN_PASS_REGISTRATION
#include "gensyn/Conversion/TrainToRepro/Passes.h.inc"
} // namespace gensyn

#endif

// Registers the dialects, passes and pipelines of all tools in one place: a new
// dialect or pass edits one line of Register.cpp and no tool.

#ifndef GENSYN_PIPELINES_REGISTER_H
#define GENSYN_PIPELINES_REGISTER_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace gensyn {

/// Our dialects, the upstream ones that our pipelines produce, and the external
/// models of our interfaces.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Our passes and named pipelines, and the upstream passes that users combine
/// with them.
void registerAllPasses();

/// A context of one thread with all of these dialects loaded.
std::unique_ptr<mlir::MLIRContext> createContext();

/// One with the dialects of frozen programs alone, which takes less time and
/// memory.
std::unique_ptr<mlir::MLIRContext> createReferenceContext();

} // namespace gensyn

#endif

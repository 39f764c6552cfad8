// Inputs and outputs of a program, as a plan records them.

#ifndef GENSYN_LIB_PIPELINES_PORTS_H
#define GENSYN_LIB_PIPELINES_PORTS_H

#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace gensyn {

/// The first error in the types and `gensyn.*` attributes of a frozen program's
/// `main`, which may come from a text; empty if setPorts() may read them.
std::string whyNotPorts(mlir::func::FuncOp main);

/// The first mismatch between `main` and the inputs, outputs, donations and
/// faults of `plan`, which is stored beside the text of `main` in a file; empty
/// if there is none. `main` has passed whyNotPorts().
std::string whyNotPlanOf(mlir::func::FuncOp main, const plan::Plan &plan);

/// Sets names, roles and starting values of the plan's inputs and outputs, and
/// the input that each output replaces. Paths of files are below `folder`.
void setPorts(mlir::func::FuncOp main, llvm::StringRef folder,
              plan::Plan &plan);

} // namespace gensyn

#endif

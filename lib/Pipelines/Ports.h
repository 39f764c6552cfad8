// Inputs and outputs of a program, as a plan has them.

#ifndef GENSYN_LIB_PIPELINES_PORTS_H
#define GENSYN_LIB_PIPELINES_PORTS_H

#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace gensyn {

/// What is wrong with the types and `gensyn.*` attributes of a frozen program's
/// `main`, which may come from a text; empty where setPorts() may read them.
std::string whyNotPorts(mlir::func::FuncOp main);

/// What inputs, outputs, donations and faults of `plan`, which lay beside the
/// text of `main` in a file, say otherwise than `main`; empty where nothing.
/// For a `main` that whyNotPorts() takes.
std::string whyNotPlanOf(mlir::func::FuncOp main, const plan::Plan &plan);

/// Sets names, roles and starting values of the plan's inputs and outputs, and
/// which output replaces which input. Paths of files are below `folder`.
void setPorts(mlir::func::FuncOp main, llvm::StringRef folder,
              plan::Plan &plan);

} // namespace gensyn

#endif

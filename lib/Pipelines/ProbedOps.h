// Ops of a frozen program: their list, and their values as results of the
// program.

#ifndef GENSYN_LIB_PIPELINES_PROBEDOPS_H
#define GENSYN_LIB_PIPELINES_PROBEDOPS_H

#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Executable/probe.pb.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn {

/// Adds an entry for each op in the body of @main, in its order, without the
/// terminator. Ops in regions belong to the op that contains them.
void listProgramOps(mlir::ModuleOp module, plan::ProbeResponse &response);

/// Appends the results of the ops at `probed.positions` to those of @main, in
/// that order, and sets the digest anew. The order of every sum is an attribute
/// by now, so no value changes. Returns false, with `error` filled, if there is
/// no such op.
bool returnValuesOf(const plan::ProbedOps &probed, mlir::ModuleOp module,
                    plan::Error &error);

} // namespace gensyn

#endif

// Compiles a function of kernels for a machine of many cores.

#ifndef GENSYN_LIB_PIPELINES_MACHINETARGET_H
#define GENSYN_LIB_PIPELINES_MACHINETARGET_H

#include "Compiler.h"
#include "Report.h"
#include "gensyn/Executable/mapping.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn {

/// Fills plan, mapping and code of an executable whose target is
/// "machine:NAME". The request has the machine's file, and the instruction set
/// that values are simulated with. `main` becomes the function that was mapped,
/// which may be another one of its module. Returns false after filling `error`.
bool compileForMachine(mlir::func::FuncOp &main,
                       const plan::CompileRequest &request,
                       plan::Executable &executable, const Report &report,
                       plan::Error &error);

/// Identifies a mapping: sets the digest of everything that it says, without
/// the code of this host.
void setDigest(mapping::Mapping &mapping);

} // namespace gensyn

#endif

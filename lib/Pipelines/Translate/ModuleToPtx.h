// PTX of a module that is in memory.

#ifndef GENSYN_LIB_PIPELINES_MODULETOPTX_H
#define GENSYN_LIB_PIPELINES_MODULETOPTX_H

#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace gensyn {

struct ModuleToPtxOptions {
  int sm = 90; ///< the GPU generation
  /// "fast", "accurate", "exact", "sliced", or empty for "fast"; for a module
  /// that is not frozen.
  std::string accuracy;
  /// See CrashReproducer.h; empty: none.
  std::string crashReproducer;
  /// Schedules of kernels (ScheduleFile.h), and the name of their file.
  std::string schedules, schedulesName;
};

/// Translates the gpu.modules of a module as they are, or the repro ops of its
/// function @main through the remaining stages, which change the module. The
/// text is the data of the first Code of `executable`; a plan and a digest are
/// there for repro ops alone. Returns false after an error: `error` is filled,
/// or the context has reported it.
bool moduleToPtx(mlir::ModuleOp module, const ModuleToPtxOptions &options,
                 plan::Executable &executable, plan::Error &error);

} // namespace gensyn

#endif

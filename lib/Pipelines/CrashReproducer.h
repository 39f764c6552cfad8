// What a pass that fails or crashes was given, in a folder, where it is asked
// for.

#ifndef GENSYN_LIB_PIPELINES_CRASHREPRODUCER_H
#define GENSYN_LIB_PIPELINES_CRASHREPRODUCER_H

#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>

namespace gensyn {

/// True if `folder` is empty, or names a folder that is new or has nothing in
/// it. Else fills `error`: a reproducer replaces no file.
bool checkReproducerFolder(const std::string &folder, plan::Error &error);

/// Makes the first pass of `pipeline` that fails or crashes leave
/// `folder`/reproducer.mlir: the module in front of it, and itself as the
/// pipeline that gensyn-opt --run-reproducer runs. A crash becomes an error.
/// Does nothing where `folder` is empty. The threads of the pipeline's context
/// must be disabled.
void addReproducer(mlir::PassManager &pipeline, const std::string &folder);

/// addReproducer for the passes below the frozen program; empty where `folder`
/// is.
std::function<void(mlir::PassManager &)>
makeReproducer(const std::string &folder);

/// Keeps a copy of the frozen program while it lives.
class FrozenCopy {
public:
  /// Copies nothing where `folder` is empty.
  FrozenCopy(mlir::ModuleOp module, const std::string &folder);

  /// Writes `folder`/frozen.mlir.
  void write() const;

private:
  std::string folder;
  mlir::OwningOpRef<mlir::ModuleOp> copy;
};

} // namespace gensyn

#endif

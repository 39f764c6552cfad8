// Saves the input of a pass that fails or crashes in a folder, on request.

#ifndef GENSYN_LIB_PIPELINES_CRASHREPRODUCER_H
#define GENSYN_LIB_PIPELINES_CRASHREPRODUCER_H

#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>

namespace gensyn {

/// True if `folder` is empty, or names a new or empty folder. Otherwise sets
/// `error`: a reproducer must not overwrite files.
bool checkReproducerFolder(const std::string &folder, plan::Error &error);

/// Makes the first pass of `pipeline` that fails or crashes write
/// `folder`/reproducer.mlir: its input module, with itself as the pipeline for
/// gensyn-opt --run-reproducer. A crash becomes an error. Does nothing if
/// `folder` is empty. Multithreading must be disabled in the pipeline's
/// context.
void addReproducer(mlir::PassManager &pipeline, const std::string &folder);

/// addReproducer for the passes below the frozen program; empty if `folder` is.
std::function<void(mlir::PassManager &)>
makeReproducer(const std::string &folder);

/// Keeps a copy of the frozen program while it lives.
class FrozenCopy {
public:
  /// Copies nothing if `folder` is empty.
  FrozenCopy(mlir::ModuleOp module, const std::string &folder);

  /// Writes `folder`/frozen.mlir.
  void write() const;

private:
  std::string folder;
  mlir::OwningOpRef<mlir::ModuleOp> copy;
};

} // namespace gensyn

#endif

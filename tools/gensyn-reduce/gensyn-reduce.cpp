// gensyn-reduce: mlir-reduce with our dialects and passes. It needs an
// interestingness test; this folder has ours.

#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Pipelines/Register.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  gensyn::FloatEnvironment environment; // folding is arithmetic
  gensyn::registerAllPasses();
  mlir::DialectRegistry registry;
  gensyn::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}

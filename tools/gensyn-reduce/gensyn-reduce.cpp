// gensyn-reduce: mlir-reduce with our dialects and passes. What a module is
// reduced by is an interestingness test; those in this folder are ours.

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

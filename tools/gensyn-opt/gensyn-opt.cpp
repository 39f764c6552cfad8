// gensyn-opt: reads MLIR, runs passes, prints MLIR.

#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Pipelines/Register.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  gensyn::FloatEnvironment environment; // folding is arithmetic
  mlir::DialectRegistry registry;
  gensyn::registerAllDialects(registry);
  gensyn::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "gensyn: bit-reproducible machine learning\n", registry));
}

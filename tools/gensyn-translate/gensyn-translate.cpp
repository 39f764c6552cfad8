// gensyn-translate: files to MLIR and MLIR to files.

#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Pipelines/PtxTranslation.h"
#include "gensyn/Translation/Onnx/Register.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  gensyn::FloatEnvironment environment; // folding is arithmetic
  // Set by a translation that fails; MLIR's driver only says that something
  // did. It stays 5 where no translation was reached: the input or output could
  // not be opened.
  int exitCode = 5;
  gensyn::registerOnnxTranslations(exitCode);
  gensyn::registerPtxTranslations(exitCode);
  llvm::LogicalResult result = mlir::mlirTranslateMain(
      argc, argv, "gensyn: bit-reproducible machine learning\n");
  return llvm::failed(result) ? exitCode : 0;
}

// gensyn-translate: translates files to MLIR and MLIR to files.

#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Pipelines/TranslateMain.h"

int main(int argc, char **argv) {
  gensyn::FloatEnvironment environment; // folding is arithmetic
  return gensyn::runTranslateMain(argc, argv);
}

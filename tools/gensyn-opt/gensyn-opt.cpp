// gensyn-opt: reads MLIR, runs passes, prints MLIR.

#include "gensyn/CheckBits/OptMain.h"

int main(int argc, char **argv) {
  return gensyn::checkbits::runOptMain(argc, argv);
}

// gensyn-opt with wrong passes, to test --check-bits, and test-split-ops.

#include "MapPass/MapPass.h"
#include "SplitPass/SplitPass.h"
#include "WrongPasses.h"
#include "gensyn/CheckBits/OptMain.h"

int main(int argc, char **argv) {
  gensyn::wrong::registerWrongPasses();
  gensyn::testing::registerMapPass();
  gensyn::testing::registerSplitPass();
  return gensyn::checkbits::runOptMain(argc, argv);
}

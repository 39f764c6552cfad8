// gensyn-opt with wrong passes, to test --check-bits, and test-split-ops.

#include "WrongPasses.h"
#include "SplitPass/SplitPass.h"
#include "gensyn/CheckBits/OptMain.h"

int main(int argc, char **argv) {
  gensyn::wrong::registerWrongPasses();
  gensyn::testing::registerSplitPass();
  return gensyn::checkbits::runOptMain(argc, argv);
}

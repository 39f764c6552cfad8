// gensyn-opt with wrong passes, to test --check-bits, test-split-ops and
// test-join-tensors.

#include "MapPass/MapPass.h"
#include "SplitPass/SplitPass.h"
#include "TensorPass/TensorPass.h"
#include "WrongPasses.h"
#include "gensyn/CheckBits/OptMain.h"

int main(int argc, char **argv) {
  gensyn::wrong::registerWrongPasses();
  gensyn::testing::registerMapPass();
  gensyn::testing::registerSplitPass();
  gensyn::testing::registerTensorPass();
  return gensyn::checkbits::runOptMain(argc, argv);
}

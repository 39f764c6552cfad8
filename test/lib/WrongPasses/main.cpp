// gensyn-opt with wrong passes, to test --check-bits.

#include "WrongPasses.h"
#include "gensyn/CheckBits/OptMain.h"

int main(int argc, char **argv) {
  gensyn::wrong::registerWrongPasses();
  return gensyn::checkbits::runOptMain(argc, argv);
}

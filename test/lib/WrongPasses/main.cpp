// gensyn-opt with wrong passes: what --check-bits is tested with.

#include "WrongPasses.h"
#include "gensyn/CheckBits/OptMain.h"

int main(int argc, char **argv) {
  gensyn::wrong::registerWrongPasses();
  return gensyn::checkbits::runOptMain(argc, argv);
}

// Sums that are long for a processor's stack; the other reductions are in
// ReductionTest.cpp, which is run on the simulator too.

#include "RunProgram.h"

#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;

namespace {

/// Lanes are there once: a block's own would fill the stack, here with 32 MB.
TEST(Reduction, ManyBlocksOfManyLanes) {
  for (const char *dims : {"65536, 1", "1, 65536"}) {
    const bool isRow = dims[0] == '1';
    const std::string from = isRow ? "1x65536xf64" : "65536x1xf64";
    expectBits("func.func @f(%x: tensor<" + from +
               ">) -> tensor<1xf64> {\n  %s = repro.reduce sum %x domain <[1, "
               "65536], reduce [1]> maps [affine_map<(d0, d1) -> (" +
               (isRow ? "d0, d1" : "d1, d0") +
               ")>, affine_map<(d0, d1) -> (d0)>] order blocked<16, "
               "lanes<1024>, sequential> : tensor<" +
               from + "> -> tensor<1xf64>\n  return %s : tensor<1xf64>\n}");
  }
}

} // namespace

// Draws against the reference: in vectors and alone, whatever the walk.

#include "RunProgram.h"

#include "gensyn/Numerics/Native.h"
#include "gensyn/Numerics/Philox.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::cpu::testing;

namespace {

// Concatenated rows with a remainder, together with an input of the same shape.
TEST(Random, DropoutInRows) {
  expectBits(R"(
    func.func @f(%key: tensor<2xui32>, %step: tensor<ui32>, %x: tensor<6x7x10xf32>) -> tensor<6x7x10xf32> {
      %draw = repro.constant dense<0> : tensor<ui32>
      %bits = repro.random_bits %key, %step, %draw stream 5 : tensor<6x7x10xui32>
      %p = repro.constant dense<1000000000> : tensor<6x7x10xui32>
      %keep = repro.compare ge %bits, %p : tensor<6x7x10xui32>
      %zero = repro.constant dense<0.0> : tensor<6x7x10xf32>
      %y = repro.select %keep, %x, %zero : tensor<6x7x10xf32>
      return %y : tensor<6x7x10xf32>
    })");
}

// Several blocks a row, rows that begin in the middle of a Philox block.
TEST(Random, LongRows) {
  expectBits(R"(
    func.func @f(%key: tensor<2xui32>, %step: tensor<ui32>, %draw: tensor<ui32>, %b: tensor<3xui32>) -> tensor<3x9001xui32> {
      %bits = repro.random_bits %key, %step, %draw stream 4294967295 : tensor<3x9001xui32>
      %bb = repro.broadcast %b dims [0] : tensor<3xui32> to tensor<3x9001xui32>
      %y = repro.xor %bits, %bb : tensor<3x9001xui32>
      return %y : tensor<3x9001xui32>
    })");
}

// A draw that the row repeats, one along the row that rows repeat, and a draw
// number that is computed.
TEST(Random, BroadcastDraws) {
  expectBits(R"(
    func.func @f(%key: tensor<2xui32>, %step: tensor<ui32>, %x: tensor<5x37xui32>, %i: tensor<i64>) -> tensor<5x37xui32> {
      %draw = repro.convert %i : tensor<i64> to tensor<ui32>
      %a = repro.random_bits %key, %step, %draw stream 1 : tensor<5xui32>
      %aa = repro.broadcast %a dims [0] : tensor<5xui32> to tensor<5x37xui32>
      %b = repro.random_bits %key, %step, %draw stream 2 : tensor<37xui32>
      %bb = repro.broadcast %b dims [1] : tensor<37xui32> to tensor<5x37xui32>
      %c = repro.xor %aa, %bb : tensor<5x37xui32>
      %y = repro.xor %c, %x : tensor<5x37xui32>
      return %y : tensor<5x37xui32>
    })");
}

// Random bits in other schedules and the baseline.
TEST(Random, Elsewhere) {
  expectBits(R"(
    func.func @f(%key: tensor<2xui32>, %step: tensor<ui32>, %x: tensor<4x100xf32>)
        -> (tensor<ui32>, tensor<0x3xui32>, tensor<4xf32>, tensor<7x2xui32>, tensor<4xui32>) {
      %one = repro.random_bits %key, %step, %step stream 1 : tensor<ui32>
      %none = repro.random_bits %key, %step, %step stream 2 : tensor<0x3xui32>
      %bits = repro.random_bits %key, %step, %step stream 3 : tensor<4x100xui32>
      %eight = repro.constant dense<8> : tensor<4x100xui32>
      %upper = repro.shr %bits, %eight : tensor<4x100xui32>
      %u = repro.convert %upper : tensor<4x100xui32> to tensor<4x100xf32>
      %s = repro.reduce sum %u domain <[4, 100], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        order lanes<32> : tensor<4x100xf32> -> tensor<4xf32>
      %pairs = repro.random_bits %key, %step, %step stream 4 : tensor<3x7x2xui32>
      %part = repro.slice %pairs start [1, 0, 0] limit [2, 7, 2] stride [1, 1, 1] : tensor<3x7x2xui32> to tensor<1x7x2xui32>
      %flat = repro.reshape %part : tensor<1x7x2xui32> to tensor<7x2xui32>
      %m = repro.reduce max %bits domain <[4, 100], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        : tensor<4x100xui32> -> tensor<4xui32>
      return %one, %none, %s, %flat, %m : tensor<ui32>, tensor<0x3xui32>, tensor<4xf32>, tensor<7x2xui32>, tensor<4xui32>
    })");
}

// random_r1: the interpreter against the block of each element by itself.
TEST(Random, ReferenceRandomR1) {
  Program program(R"(
    func.func @f(%key: tensor<2xui32>, %step: tensor<ui32>, %draw: tensor<ui32>) -> tensor<3x7xui32> {
      %bits = repro.random_bits %key, %step, %draw stream 9 : tensor<3x7xui32>
      return %bits : tensor<3x7xui32>
    })");
  std::vector<Tensor> inputs = program.makeInputs(3);
  std::vector<Tensor> results = program.interpret(inputs);
  ASSERT_EQ(results.size(), 1u);
  const Tensor &key = inputs[0], &step = inputs[1], &number = inputs[2];
  random::Draw<Native> draw = {{key.as<uint32_t>()[0], key.as<uint32_t>()[1]},
                               *step.as<uint32_t>(),
                               *number.as<uint32_t>(),
                               9};
  const Tensor &bits = results[0];
  for (uint64_t i = 0; i < 21; ++i)
    EXPECT_EQ(bits.as<uint32_t>()[i], random::bitsAt(Native(), draw, i));
}

} // namespace

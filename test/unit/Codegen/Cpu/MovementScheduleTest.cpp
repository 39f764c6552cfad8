// Moved elements in vectors, against the reference. Which kernels the schedule
// takes is tested with its name, since what it leaves has the same bits.

#include "RunProgram.h"

#include <gtest/gtest.h>

using namespace gensyn::cpu;
using namespace gensyn::cpu::testing;

namespace {

void expectTaken(const std::string &text) {
  EXPECT_EQ(schedulesOf(text).back(), "movement") << text;
  expectBits(text);
}

void expectLeft(const std::string &text) {
  EXPECT_EQ(schedulesOf(text).back(), "baseline") << text;
  expectBits(text);
}

// The gradient of attention's split: heads side by side again, in thirds of a
// row.
TEST(MovementSchedule, PadsOfHeads) {
  expectTaken(R"(
    func.func @f(%q: tensor<2x4x6x16xf32>, %k: tensor<2x4x16x6xf32>, %s: tensor<f32>) -> tensor<2x6x192xf32> {
      %zero = repro.constant dense<0.0> : tensor<f32>
      %t = repro.transpose %q [0, 2, 1, 3] : tensor<2x4x6x16xf32> to tensor<2x6x4x16xf32>
      %r = repro.reshape %t : tensor<2x6x4x16xf32> to tensor<2x6x64xf32>
      %p = repro.pad %r, %zero low [0, 0, 128] high [0, 0, 0] interior [0, 0, 0] : tensor<2x6x64xf32>, tensor<f32> to tensor<2x6x192xf32>
      %b = repro.broadcast %s dims [] : tensor<f32> to tensor<2x4x16x6xf32>
      %m = repro.mul %k, %b : tensor<2x4x16x6xf32>
      %n = repro.reshape %m : tensor<2x4x16x6xf32> to tensor<8x16x6xf32>
      %o = repro.transpose %n [0, 2, 1] : tensor<8x16x6xf32> to tensor<8x6x16xf32>
      %u = repro.reshape %o : tensor<8x6x16xf32> to tensor<2x4x6x16xf32>
      %v = repro.transpose %u [0, 2, 1, 3] : tensor<2x4x6x16xf32> to tensor<2x6x4x16xf32>
      %w = repro.reshape %v : tensor<2x6x4x16xf32> to tensor<2x6x64xf32>
      %x = repro.pad %w, %zero low [0, 0, 64] high [0, 0, 64] interior [0, 0, 0] : tensor<2x6x64xf32>, tensor<f32> to tensor<2x6x192xf32>
      %y = repro.add %p, %x : tensor<2x6x192xf32>
      return %y : tensor<2x6x192xf32>
    })");
}

// The parts of a vector of 4 would not do for 8 or 16 lanes.
TEST(MovementSchedule, NarrowParts) {
  expectTaken(R"(
    func.func @f(%a: tensor<5x12xf32>, %b: tensor<5x20xf32>) -> tensor<5x32xf32> {
      %y = repro.concat %a, %b dim 1 : (tensor<5x12xf32>, tensor<5x20xf32>) -> tensor<5x32xf32>
      return %y : tensor<5x32xf32>
    })");
  expectTaken(R"(
    func.func @f(%a: tensor<5x12xf32>, %b: tensor<5x8xf32>, %c: tensor<5x3xf32>) -> tensor<5x23xf32> {
      %y = repro.concat %a, %b, %c dim 1 : (tensor<5x12xf32>, tensor<5x8xf32>, tensor<5x3xf32>) -> tensor<5x23xf32>
      return %y : tensor<5x23xf32>
    })");
  expectLeft(R"(
    func.func @f(%a: tensor<5x13xf32>, %b: tensor<5x19xf32>) -> tensor<5x32xf32> {
      %y = repro.concat %a, %b dim 1 : (tensor<5x13xf32>, tensor<5x19xf32>) -> tensor<5x32xf32>
      return %y : tensor<5x32xf32>
    })");
  expectLeft(R"(
    func.func @f(%a: tensor<3x24xf32>) -> tensor<3x32xf32> {
      %zero = repro.constant dense<1.0> : tensor<f32>
      %y = repro.pad %a, %zero low [0, 3] high [0, 5] interior [0, 0] : tensor<3x24xf32>, tensor<f32> to tensor<3x32xf32>
      return %y : tensor<3x32xf32>
    })");
}

// A slice may start within a vector, but an op that reads the slice cannot
// split it.
TEST(MovementSchedule, Slices) {
  expectTaken(R"(
    func.func @f(%a: tensor<6x40xf32>) -> tensor<6x19xf32> {
      %y = repro.slice %a start [0, 3] limit [6, 40] stride [1, 2] : tensor<6x40xf32> to tensor<6x19xf32>
      return %y : tensor<6x19xf32>
    })");
  expectTaken(R"(
    func.func @f(%a: tensor<4x5x16xf32>) -> tensor<4x64xf32> {
      %n = repro.neg %a : tensor<4x5x16xf32>
      %r = repro.reshape %n : tensor<4x5x16xf32> to tensor<4x80xf32>
      %y = repro.slice %r start [0, 16] limit [4, 80] stride [1, 1] : tensor<4x80xf32> to tensor<4x64xf32>
      return %y : tensor<4x64xf32>
    })");
  expectLeft(R"(
    func.func @f(%a: tensor<4x5x16xf32>) -> tensor<4x64xf32> {
      %n = repro.neg %a : tensor<4x5x16xf32>
      %r = repro.reshape %n : tensor<4x5x16xf32> to tensor<4x80xf32>
      %y = repro.slice %r start [0, 3] limit [4, 67] stride [1, 1] : tensor<4x80xf32> to tensor<4x64xf32>
      return %y : tensor<4x64xf32>
    })");
}

// Rows of 35 elements instead of 7: 2 vectors of 16 and 3 lanes of another
// instead of 5 times a vector of 4 and 3 elements. The operand has the joined
// dimensions in front of the last one, or not at all.
TEST(MovementSchedule, JoinedDimensions) {
  expectTaken(R"(
    func.func @f(%a: tensor<2x5x7x3xf32>, %b: tensor<3xf32>, %c: tensor<4x5x7xf32>, %z: tensor<f32>) -> tensor<2x8x5x7xf32> {
      %t = repro.transpose %a [0, 3, 1, 2] : tensor<2x5x7x3xf32> to tensor<2x3x5x7xf32>
      %s = repro.broadcast %b dims [1] : tensor<3xf32> to tensor<2x3x5x7xf32>
      %m = repro.mul %t, %s : tensor<2x3x5x7xf32>
      %p = repro.pad %m, %z low [0, 0, 0, 0] high [0, 1, 0, 0] interior [0, 0, 0, 0] : tensor<2x3x5x7xf32>, tensor<f32> to tensor<2x4x5x7xf32>
      %e = repro.broadcast %c dims [1, 2, 3] : tensor<4x5x7xf32> to tensor<2x4x5x7xf32>
      %r = repro.reverse %e dims [1] : tensor<2x4x5x7xf32>
      %l = repro.slice %r start [0, 1, 0, 0] limit [2, 4, 5, 7] stride [1, 2, 1, 1] : tensor<2x4x5x7xf32> to tensor<2x2x5x7xf32>
      %g = repro.reshape %l : tensor<2x2x5x7xf32> to tensor<4x1x5x7xf32>
      %h = repro.neg %g : tensor<4x1x5x7xf32>
      %i = repro.reshape %h : tensor<4x1x5x7xf32> to tensor<2x2x5x7xf32>
      %y = repro.concat %p, %i, %i dim 1 : (tensor<2x4x5x7xf32>, tensor<2x2x5x7xf32>, tensor<2x2x5x7xf32>) -> tensor<2x8x5x7xf32>
      return %y : tensor<2x8x5x7xf32>
    })");
  // Of some dimensions only: the lanes would read the same elements again.
  expectTaken(R"(
    func.func @f(%a: tensor<9x3x5xf32>, %b: tensor<5xf32>, %c: tensor<3xf32>, %d: tensor<9x5x3xf32>) -> tensor<9x3x5xf32> {
      %s = repro.broadcast %b dims [2] : tensor<5xf32> to tensor<9x3x5xf32>
      %t = repro.broadcast %c dims [1] : tensor<3xf32> to tensor<9x3x5xf32>
      %u = repro.transpose %d [0, 2, 1] : tensor<9x5x3xf32> to tensor<9x3x5xf32>
      %m = repro.mul %a, %s : tensor<9x3x5xf32>
      %n = repro.add %m, %t : tensor<9x3x5xf32>
      %y = repro.add %n, %u : tensor<9x3x5xf32>
      return %y : tensor<9x3x5xf32>
    })");
}

// Of an extent of 1 any stride keeps all, but it would move lanes.
TEST(MovementSchedule, StrideOfOneElement) {
  expectBits(R"(
    func.func @f(%a: tensor<9x5x1xf32>) -> tensor<7x5x1xf32> {
      %y = repro.slice %a start [2, 0, 0] limit [9, 5, 1] stride [1, 1, 2] : tensor<9x5x1xf32> to tensor<7x5x1xf32>
      return %y : tensor<7x5x1xf32>
    })");
}

// One of the operands is read for each vector, wherever it ends.
TEST(MovementSchedule, ConcatsOfManyOperands) {
  expectTaken(R"(
    func.func @f(%a: tensor<2x3x20xf32>, %b: tensor<2x1x20xf32>, %c: tensor<2x0x20xf32>, %d: tensor<2x4x20xf32>, %s: tensor<20xi1>) -> tensor<2x13x20xf32> {
      %n = repro.mul %b, %b : tensor<2x1x20xf32>
      %q = repro.broadcast %s dims [2] : tensor<20xi1> to tensor<2x4x20xi1>
      %e = repro.select %q, %d, %d : tensor<2x4x20xf32>
      %y = repro.concat %n, %a, %c, %d, %b, %e dim 1 : (tensor<2x1x20xf32>, tensor<2x3x20xf32>, tensor<2x0x20xf32>, tensor<2x4x20xf32>, tensor<2x1x20xf32>, tensor<2x4x20xf32>) -> tensor<2x13x20xf32>
      return %y : tensor<2x13x20xf32>
    })");
}

TEST(MovementSchedule, BytesReversedAndInFront) {
  expectTaken(R"(
    func.func @f(%p: tensor<20x7xi1>, %x: tensor<7x20xf64>, %z: tensor<f64>) -> (tensor<7x20xf64>, tensor<7x20xi1>) {
      %t = repro.transpose %p [1, 0] : tensor<20x7xi1> to tensor<7x20xi1>
      %r = repro.reverse %x dims [0, 1] : tensor<7x20xf64>
      %q = repro.pad %r, %z low [2, 0] high [1, 0] interior [0, 0] : tensor<7x20xf64>, tensor<f64> to tensor<10x20xf64>
      %s = repro.slice %q start [1, 0] limit [8, 20] stride [1, 1] : tensor<10x20xf64> to tensor<7x20xf64>
      %y = repro.select %t, %s, %x : tensor<7x20xf64>
      %n = repro.not %t : tensor<7x20xi1>
      return %y, %n : tensor<7x20xf64>, tensor<7x20xi1>
    })");
}

// Rows of results that are columns of an operand, as many at once as a vector
// has lanes: with rows and lanes left over; beside an operand that is read as
// it is; after another dimension has been split off; of which a part is read.
TEST(MovementSchedule, Transposes) {
  expectTaken(R"(
    func.func @f(%a: tensor<37x50xf32>, %b: tensor<50x37xf32>) -> tensor<50x37xf32> {
      %t = repro.transpose %a [1, 0] : tensor<37x50xf32> to tensor<50x37xf32>
      %y = repro.add %t, %b : tensor<50x37xf32>
      return %y : tensor<50x37xf32>
    })");
  expectTaken(R"(
    func.func @f(%a: tensor<2x7x7x40xi32>) -> tensor<2x40x7x7xi32> {
      %y = repro.transpose %a [0, 3, 1, 2] : tensor<2x7x7x40xi32> to tensor<2x40x7x7xi32>
      return %y : tensor<2x40x7x7xi32>
    })");
  expectTaken(R"(
    func.func @f(%a: tensor<19x96xf32>) -> tensor<1x2x48x19xf32> {
      %r = repro.reshape %a : tensor<19x96xf32> to tensor<19x2x48xf32>
      %t = repro.transpose %r [1, 2, 0] : tensor<19x2x48xf32> to tensor<2x48x19xf32>
      %y = repro.reshape %t : tensor<2x48x19xf32> to tensor<1x2x48x19xf32>
      return %y : tensor<1x2x48x19xf32>
    })");
  expectTaken(R"(
    func.func @f(%a: tensor<40x90xf32>) -> tensor<33x32xf32> {
      %s = repro.slice %a start [3, 20] limit [35, 53] stride [1, 1] : tensor<40x90xf32> to tensor<32x33xf32>
      %y = repro.transpose %s [1, 0] : tensor<32x33xf32> to tensor<33x32xf32>
      return %y : tensor<33x32xf32>
    })");
  // Every other column: rows are not adjacent.
  expectTaken(R"(
    func.func @f(%a: tensor<32x90xf32>) -> tensor<45x32xf32> {
      %s = repro.slice %a start [0, 0] limit [32, 90] stride [1, 2] : tensor<32x90xf32> to tensor<32x45xf32>
      %y = repro.transpose %s [1, 0] : tensor<32x45xf32> to tensor<45x32xf32>
      return %y : tensor<45x32xf32>
    })");
}

// Rows of a table with an addition. A fault is that of the row's first element,
// as in code that computes element by element.
TEST(MovementSchedule, Gathers) {
  for (const char *bounds : {"fault", "zero"})
    expectTaken(std::string(R"(
    func.func @f(%t: tensor<7x37xf32>, %i: tensor<3x5xi64>, %p: tensor<5x37xf32>) -> tensor<3x5x37xf32> {
      %g = repro.gather %t[%i] maps [affine_map<(d0, d1, d2)[s0] -> (s0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds )") +
                bounds +
                R"( : tensor<7x37xf32>, tensor<3x5xi64> -> tensor<3x5x37xf32>
      %b = repro.broadcast %p dims [1, 2] : tensor<5x37xf32> to tensor<3x5x37xf32>
      %y = repro.add %g, %b : tensor<3x5x37xf32>
      return %y : tensor<3x5x37xf32>
    })");
  // The first element of a fault would be in the last lane.
  expectLeft(R"(
    func.func @f(%t: tensor<7x16xf32>, %i: tensor<5xi64>) -> tensor<5x16xf32> {
      %g = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<7x16xf32>, tensor<5xi64> -> tensor<5x16xf32>
      %y = repro.reverse %g dims [1] : tensor<5x16xf32>
      return %y : tensor<5x16xf32>
    })");
  // Another element of the table for each lane.
  expectLeft(R"(
    func.func @f(%t: tensor<9xf32>, %i: tensor<33xi64>) -> tensor<33xf32> {
      %g = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
        bounds zero : tensor<9xf32>, tensor<33xi64> -> tensor<33xf32>
      return %g : tensor<33xf32>
    })");
}

} // namespace

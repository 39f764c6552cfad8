// The contraction schedule on the simulator against the op's own evaluation,
// bit for bit: odd shapes, every layout and tile, special values.

#include "Contract/ContractSchedule.h"
#include "../RunOnSimulator.h"
#include "Contract/ContractSizes.h"
#include "ProgramText.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::gpu {
namespace {

using cpu::testing::ContractCase;
using cpu::testing::mapsOf;
using cpu::testing::matmul;
using cpu::testing::tensorOf;
using testing::Compiled;
using testing::Program;

void check(const ContractCase &form, int sm, const std::string &schedule,
           uint32_t seed) {
  SCOPED_TRACE(std::string(form.name) + " on sm_" + std::to_string(sm) + " " +
               schedule);
  Program program(form.text());
  Schedules schedules;
  schedules.push_back(createContractSchedule());
  Compiled compiled(program, sm, schedule, &schedules);
  ASSERT_EQ(compiled.takenBy, std::vector<std::string>{"contract"});
  std::vector<std::vector<Tensor>> cases = {program.makeInputs(seed)};
  if (form.lhs.ends_with("f32>") && form.rhs.ends_with("f32>"))
    cases.push_back(program.makeFiniteInputs(seed));
  for (const std::vector<Tensor> &inputs : cases)
    testing::expectBits(program, compiled, inputs);
}

/// Tiles of the table's kinds, small enough for the simulator.
const char *const kTiles[] = {
    "{bm = 64, bn = 64, bk = 16, tm = 4, tn = 8, lanes = 4, stages = 3}",
    "{bm = 32, bn = 64, bk = 8, tm = 8, tn = 8, lanes = 4, stages = 4, "
    "keep_a = true, keep_b = true}",
    "{bm = 64, bn = 32, bk = 16, tm = 16, tn = 4, lanes = 4, stages = 2, "
    "keep_a = true, keep_b = false}",
    "{bm = 32, bn = 32, bk = 8, tm = 4, tn = 4, lanes = 4, stages = 3}",
    "{bm = 8, bn = 64, bk = 16, tm = 4, tn = 4, lanes = 2, stages = 3, "
    "keep_b = true}",
    "{bm = 1, bn = 128, bk = 16, tm = 1, tn = 4, lanes = 1, stages = 3}",
    "{bm = 128, bn = 1, bk = 16, tm = 4, tn = 1, lanes = 32, stages = 3}",
    "{bm = 64, bn = 8, bk = 16, tm = 8, tn = 2, lanes = 8, stages = 2}"};

std::string withRegisters(std::string tile) {
  const size_t at = tile.find("stages = ");
  tile[at + 9] = '2';
  tile.insert(tile.size() - 1, ", async = false");
  return tile;
}

TEST(GpuContractSchedule, MatmulsOfAllLayouts) {
  uint32_t seed = 1;
  for (const char *tile : kTiles)
    for (int i = 0; i < 4; ++i) {
      check(matmul("matmul", 70, 72, 36, i & 1, i & 2), 80, tile, seed++);
      check(matmul("matmul", 70, 72, 36, i & 1, i & 2), 75, withRegisters(tile),
            seed++);
    }
}

TEST(GpuContractSchedule, OddShapes) {
  uint32_t seed = 100;
  for (const char *tile : kTiles)
    for (int i = 0; i < 4; ++i) {
      check(matmul("odd", 35, 67, 19, i & 1, i & 2), 90, tile, seed++);
      check(matmul("even", 34, 66, 2, i & 1, i & 2), 75, withRegisters(tile),
            seed++);
      check(matmul("one point", 3, 5, 1, i & 1, i & 2), 120, tile, seed++);
    }
}

TEST(GpuContractSchedule, OrdersOfBlocks) {
  uint32_t seed = 200;
  // Of the last two, 16 bytes of a thread's sums are of several rows.
  for (const char *tile :
       {kTiles[0], kTiles[1], kTiles[4], kTiles[5], kTiles[6], kTiles[7]})
    for (const char *order : {"blocked<16, sequential, sequential>",
                              "blocked<20, sequential, sequential>",
                              "blocked<7, sequential, sequential>",
                              "blocked<100, sequential, sequential>"})
      for (const char *split : {"split = false", "split = true"})
        for (bool async : {true, false}) {
          std::string text = async ? tile : withRegisters(tile);
          text.insert(text.size() - 1, std::string(", ") + split);
          check(matmul("blocked", 35, 68, 72, false, true, order),
                async ? 80 : 75, text, seed++);
        }
}

TEST(GpuContractSchedule, TheTableOnEveryTarget) {
  uint32_t seed = 300;
  for (int sm : testing::allTargets()) {
    check(matmul("small", 20, 30, 40, false, false), sm, "", seed++);
    check(matmul("row", 1, 200, 33, false, true), sm, "", seed++);
    check(matmul("column", 200, 1, 33, false, false), sm, "", seed++);
    check(matmul("skinny", 6, 40, 300, false, false,
                 "blocked<64, sequential, sequential>"),
          sm, "", seed++);
  }
}

/// Convolutions and other contractions that are no plain products.
std::vector<ContractCase> otherForms() {
  std::vector<ContractCase> all = cpu::testing::contractForms();
  all.push_back({"batches of one operand", tensorOf({3, 12, 20}),
                 tensorOf({20, 24}), tensorOf({3, 12, 24}),
                 "domain <[3, 12, 24, 20], reduce [3]>" +
                     mapsOf(4, {"d0, d1, d3", "d3, d2", "d0, d1, d2"}) +
                     " bounds [in, in] order sequential"});
  all.push_back(
      {"conv 1x1", tensorOf({2, 12, 6, 6}), tensorOf({8, 12, 1, 1}),
       tensorOf({2, 8, 6, 6}),
       "domain <[2, 8, 6, 6, 12], reduce [4]>" +
           mapsOf(5, {"d0, d4, d2, d3", "d1, d4, 0, 0", "d0, d1, d2, d3"}) +
           " bounds [in, in] order sequential"});
  all.push_back({"conv stride 2, dilation 2", tensorOf({2, 3, 9, 9}),
                 tensorOf({4, 3, 3, 3}), tensorOf({2, 4, 4, 4}),
                 "domain <[2, 4, 4, 4, 3, 3, 3], reduce [4, 5, 6]>" +
                     mapsOf(7, {"d0, d4, 2 * d2 + 2 * d5 - 1, "
                                "2 * d3 + 2 * d6 - 1",
                                "d1, d4, d5, d6", "d0, d1, d2, d3"}) +
                     " bounds [zero, in] order sequential"});
  all.push_back({"conv of groups", tensorOf({2, 2, 3, 7, 7}),
                 tensorOf({2, 4, 3, 3, 3}), tensorOf({2, 2, 4, 7, 7}),
                 "domain <[2, 2, 4, 7, 7, 3, 3, 3], reduce [5, 6, 7]>" +
                     mapsOf(8, {"d0, d1, d5, d3 + d6 - 1, d4 + d7 - 1",
                                "d1, d2, d5, d6, d7", "d0, d1, d2, d3, d4"}) +
                     " bounds [zero, in] order sequential"});
  // Points that are left out, results that fall outside.
  all.push_back({"data gradient of stride 2", tensorOf({2, 5, 4, 4}),
                 tensorOf({5, 3, 3, 3}), tensorOf({2, 3, 8, 8}),
                 "domain <[2, 3, 5, 2, 5, 2, 5, 2, 2], reduce [6, 7, 8]>" +
                     mapsOf(9, {"d0, d6, d2 - d7, d4 - d8",
                                "d6, d1, 2 * d7 + d3, 2 * d8 + d5",
                                "d0, d1, 2 * d2 + d3 - 1, 2 * d4 + d5 - 1"}) +
                     " bounds [zero, skip] order sequential"});
  // Windows of one point: only the batch determines which points are skipped.
  all.push_back({"data gradient of stride 2, one point", tensorOf({2, 6, 2, 2}),
                 tensorOf({6, 4, 1, 1}), tensorOf({2, 4, 4, 4}),
                 "domain <[2, 4, 3, 2, 3, 2, 6, 1, 1], reduce [6, 7, 8]>" +
                     mapsOf(9, {"d0, d6, d2 - d7 - 1, d4 - d8 - 1",
                                "d6, d1, 2 * d7 + d3, 2 * d8 + d5",
                                "d0, d1, 2 * d2 + d3 - 2, 2 * d4 + d5 - 2"}) +
                     " bounds [zero, skip] order sequential"});
  return all;
}

TEST(GpuContractSchedule, ConvolutionsAndOtherForms) {
  uint32_t seed = 400;
  for (const ContractCase &form : otherForms()) {
    check(form, 90, "", seed++);
    check(form, 75, "", seed++);
    check(form, 80, kTiles[0], seed++);
    check(form, 120, kTiles[1], seed++);
    check(form, 75, withRegisters(kTiles[2]), seed++);
  }
}

// contract_r1: elements of 16 and 8 bits widen exactly.
TEST(GpuContractSchedule, NarrowOperands) {
  uint32_t seed = 500;
  for (const char *element : {"f16", "bf16", "f8E4M3FN", "f8E5M2"})
    for (int i = 0; i < 4; ++i) {
      check(matmul("narrow", 36, 40, 24, i & 1, i & 2, "sequential", element,
                   element),
            90, "", seed++);
      check(matmul("mixed", 21, 33, 17, i & 1, i & 2, "sequential", "f32",
                   element),
            75, "", seed++);
    }
}

// contract_c2: elements outside of a window and padding of a tile read as 0,
// even if the type has no zero bit pattern.
TEST(GpuContractSchedule, ATypeWithoutZero) {
  const ContractCase form = {"scales", tensorOf({1, 9}),
                             tensorOf({1, 3}, "f8E8M0FNU"), tensorOf({11}),
                             "domain <[11, 3], reduce [1]>" +
                                 mapsOf(2, {"0, d0 - d1", "0, d1", "d0"}) +
                                 " bounds [zero, in] order sequential"};
  const ContractCase gradient = {
      "scales of taps", tensorOf({1, 5}), tensorOf({1, 3}, "f8E8M0FNU"),
      tensorOf({5}),
      "domain <[5, 7], reduce [1]>" +
          mapsOf(2, {"0, d0 + d1 - 3", "0, d1 - 2", "d0"}) +
          " bounds [skip, zero] order sequential"};
  uint32_t seed = 550;
  for (const ContractCase &one : {form, gradient})
    for (int sm : {75, 90}) {
      SCOPED_TRACE(std::string(one.name) + " on sm_" + std::to_string(sm));
      Program program(one.text());
      std::vector<Tensor> inputs = program.makeFiniteInputs(seed++);
      // Scales of 2^-127, with which a sum is small enough to show one more.
      for (Tensor &input : inputs)
        if (input.elementType() != ElementType::F32)
          std::memset(input.data(), 0, static_cast<size_t>(input.byteSize()));
      std::vector<Tensor> expected = program.interpret(inputs);
      std::vector<Tensor> actual = Compiled(program, sm).run(inputs);
      ASSERT_EQ(actual.size(), 1u);
      EXPECT_EQ(testing::firstDifference(expected[0], actual[0]), "");
    }
}

// Threads without a part in the copies look up a point all the same.
TEST(GpuContractSchedule, ThreadsBeyondTheTableOfPoints) {
  const ContractCase form = {
      "few taps", tensorOf({2, 2}), tensorOf({3, 2, 2}, "f8E4M3FNUZ"),
      tensorOf({3, 1}),
      "domain <[3, 1, 2, 2], reduce [2, 3]>" +
          mapsOf(4, {"d2, d1 * 3 + d3 * 3 - 1", "d0, d2, d3", "d0, d1"}) +
          " bounds [zero, in] order sequential"};
  for (int sm : {75, 80, 90})
    check(form, sm, "", 560);
}

// contract_r3: every product underflows to -0, and so does the chain.
TEST(GpuContractSchedule, ZeroResultsArePositive) {
  Program program(matmul("underflow", 5, 20, 3, false, false).text());
  std::vector<Tensor> inputs = program.makeInputs(1);
  std::fill_n(inputs[0].as<float>(), inputs[0].numElements(), -1e-30f);
  std::fill_n(inputs[1].as<float>(), inputs[1].numElements(), 1e-30f);
  for (int sm : {75, 90}) {
    std::vector<Tensor> actual = Compiled(program, sm).run(inputs);
    ASSERT_EQ(actual.size(), 1u);
    EXPECT_TRUE(actual[0].bitEqual(Tensor(ElementType::F32, {5, 20})));
  }
}

/// A kernel of one contraction with an epilogue.
const char *const kEpilogues[] = {
    // Bias of columns, activation, residual, two results, one of them narrow.
    R"(func.func @f(%a: tensor<36x24xf32>, %b: tensor<24x40xf32>,
    %bias: tensor<40xf32>, %rest: tensor<36x40xf32>)
    -> (tensor<36x40xf32>, tensor<36x40xbf16>) {
  %y:2 = repro.kernel "k" (%x = %a : tensor<36x24xf32>,
      %w = %b : tensor<24x40xf32>, %v = %bias : tensor<40xf32>,
      %r = %rest : tensor<36x40xf32>)
      -> (tensor<36x40xf32>, tensor<36x40xbf16>) {
    %c = repro.contract %x, %w domain <[36, 40, 24], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>,
            affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential
      : tensor<36x24xf32>, tensor<24x40xf32> -> tensor<36x40xf32>
    %wide = repro.broadcast %v dims [1] : tensor<40xf32> to tensor<36x40xf32>
    %s = repro.add %c, %wide : tensor<36x40xf32>
    %zero = repro.constant dense<0.0> : tensor<36x40xf32>
    %m = repro.max %s, %zero : tensor<36x40xf32>
    %o = repro.add %m, %r : tensor<36x40xf32>
    %n = repro.convert %s : tensor<36x40xf32> to tensor<36x40xbf16>
    repro.yield %o, %n : tensor<36x40xf32>, tensor<36x40xbf16>
  }
  return %y#0, %y#1 : tensor<36x40xf32>, tensor<36x40xbf16>
})",
    // A convolution with a bias per channel, a mask of its sign, a reshape.
    R"(func.func @f(%a: tensor<2x3x6x8xf32>, %b: tensor<5x3x3x3xf32>,
    %bias: tensor<5xf32>) -> (tensor<2x240xf32>, tensor<2x5x6x8xi1>) {
  %y:2 = repro.kernel "k" (%x = %a : tensor<2x3x6x8xf32>,
      %w = %b : tensor<5x3x3x3xf32>, %v = %bias : tensor<5xf32>)
      -> (tensor<2x240xf32>, tensor<2x5x6x8xi1>) {
    %c = repro.contract %x, %w domain <[2, 5, 6, 8, 3, 3, 3], reduce [4, 5, 6]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5, d6)
              -> (d0, d4, d2 + d5 - 1, d3 + d6 - 1)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
      bounds [zero, in] order sequential
      : tensor<2x3x6x8xf32>, tensor<5x3x3x3xf32> -> tensor<2x5x6x8xf32>
    %wide = repro.broadcast %v dims [1] : tensor<5xf32> to tensor<2x5x6x8xf32>
    %s = repro.add %c, %wide : tensor<2x5x6x8xf32>
    %zero = repro.constant dense<0.0> : tensor<2x5x6x8xf32>
    %p = repro.compare gt %s, %zero : tensor<2x5x6x8xf32>
    %t = repro.tanh %s : tensor<2x5x6x8xf32>
    %o = repro.reshape %t : tensor<2x5x6x8xf32> to tensor<2x240xf32>
    repro.yield %o, %p : tensor<2x240xf32>, tensor<2x5x6x8xi1>
  }
  return %y#0, %y#1 : tensor<2x240xf32>, tensor<2x5x6x8xi1>
})",
    // The epilogue also reads the operands of the contraction.
    R"(func.func @f(%a: tensor<40x40xf32>, %b: tensor<40x40xf32>)
    -> tensor<40x40xf32> {
  %y = repro.kernel "k" (%x = %a : tensor<40x40xf32>,
      %w = %b : tensor<40x40xf32>) -> (tensor<40x40xf32>) {
    %c = repro.contract %x, %w domain <[40, 40, 40], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>,
            affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential
      : tensor<40x40xf32>, tensor<40x40xf32> -> tensor<40x40xf32>
    %t = repro.tanh %x : tensor<40x40xf32>
    %o = repro.add %c, %t : tensor<40x40xf32>
    %m = repro.mul %o, %w : tensor<40x40xf32>
    repro.yield %m : tensor<40x40xf32>
  }
  return %y : tensor<40x40xf32>
})",
    R"(func.func @f(%a: tensor<5x8x40xf32>, %b: tensor<40x40xf32>)
    -> tensor<40x40xf32> {
  %y = repro.kernel "k" (%x = %a : tensor<5x8x40xf32>,
      %w = %b : tensor<40x40xf32>) -> (tensor<40x40xf32>) {
    %c = repro.contract %x, %w domain <[5, 8, 40, 40], reduce [3]>
      maps [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>,
            affine_map<(d0, d1, d2, d3) -> (d3, d2)>,
            affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
      bounds [in, in] order sequential
      : tensor<5x8x40xf32>, tensor<40x40xf32> -> tensor<5x8x40xf32>
    %t = repro.add %c, %x : tensor<5x8x40xf32>
    %r = repro.reshape %t : tensor<5x8x40xf32> to tensor<40x40xf32>
    %o = repro.add %r, %w : tensor<40x40xf32>
    repro.yield %o : tensor<40x40xf32>
  }
  return %y : tensor<40x40xf32>
})"};

TEST(GpuContractSchedule, Epilogues) {
  uint32_t seed = 600;
  for (const char *text : kEpilogues) {
    Program program(text);
    for (int sm : {75, 80, 90, 120})
      for (const char *schedule : {"", kTiles[0], kTiles[2], kTiles[5]}) {
        SCOPED_TRACE(std::to_string(sm) + schedule);
        std::string tile = schedule;
        if (sm == 75 && !tile.empty())
          tile = withRegisters(tile);
        std::vector<Tensor> inputs = program.makeFiniteInputs(seed++);
        std::vector<Tensor> expected = program.interpret(inputs);
        Compiled compiled(program, sm, tile);
        EXPECT_EQ(compiled.takenBy, std::vector<std::string>{"contract"});
        std::vector<Tensor> actual = compiled.run(inputs);
        ASSERT_EQ(actual.size(), expected.size());
        for (size_t i = 0; i < expected.size(); ++i)
          ASSERT_EQ(testing::firstDifference(expected[i], actual[i]), "");
      }
  }
}

std::string withWideOffsets(std::string tile) {
  return tile.insert(tile.size() - 1, ", wide = true");
}

// Offsets of 64 bits, which large tensors need; LargeTensorsTest.cpp has those.
TEST(GpuContractSchedule, WideOffsets) {
  uint32_t seed = 700;
  const std::string registers = withWideOffsets(withRegisters(kTiles[2]));
  for (const ContractCase &form : otherForms()) {
    check(form, 90, "{wide = true}", seed++);
    check(form, 80, withWideOffsets(kTiles[0]), seed++);
    check(form, 75, registers, seed++);
  }
  for (int i = 0; i < 4; ++i)
    for (const char *split : {", split = false}", ", split = true}"}) {
      std::string tile = withWideOffsets(kTiles[1]);
      tile.replace(tile.size() - 1, 1, split);
      check(matmul("blocked", 35, 68, 72, i & 1, i & 2,
                   "blocked<20, sequential, sequential>"),
            90, tile, seed++);
    }
  for (const char *text : kEpilogues) {
    Program program(text);
    for (int sm : {75, 90})
      testing::expectBits(
          program, *std::make_unique<Compiled>(program, sm, "{wide = true}"),
          program.makeFiniteInputs(seed++));
  }
}

TEST(GpuContractSchedule, SizesAreChecked) {
  ContractSizes sizes;
  const Target &turing = getTarget(*machine::findGpu(75)),
               &hopper = getTarget(*machine::findGpu(90));
  EXPECT_FALSE(checkContractSizes(sizes, hopper));
  EXPECT_EQ(checkContractSizes(sizes, turing),
            "the target has no asynchronous copies");
  sizes.bk = 32;
  EXPECT_EQ(checkContractSizes(sizes, hopper), "bk is not 8 or 16");
  sizes = {};
  sizes.tm = 6;
  EXPECT_EQ(checkContractSizes(sizes, hopper), "a size is not a power of two");
  sizes = {};
  sizes.lanes = 32;
  EXPECT_EQ(checkContractSizes(sizes, hopper),
            "a block's tile is not made of warps' tiles");
}

} // namespace
} // namespace gensyn::gpu

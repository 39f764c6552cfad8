// Attention without a matrix of scores, forward and backward, on the simulator
// against the reference: sizes around those of tiles, blocks of orders,
// layouts, masks.

#include "../RunOnSimulator.h"
#include "AttentionText.h"

#include <cmath>
#include <gtest/gtest.h>

namespace gensyn::gpu {
namespace {

using cpu::testing::Attention;
using testing::Program;

/// Expects as many kernels of the schedule, and the reference's bits.
void expectContractedRows(const Attention &attention, size_t kernels,
                          uint32_t seed = 1,
                          llvm::ArrayRef<int> targets = {90}) {
  const std::string text = attention.text();
  SCOPED_TRACE(text);
  Program program(text);
  program.forms = {"nearby", "contracted-rows"};
  for (int sm : targets) {
    SCOPED_TRACE("sm_" + std::to_string(sm));
    testing::Compiled compiled(program, sm);
    EXPECT_EQ(size_t(llvm::count(compiled.takenBy, "contracted-rows")),
              kernels);
    testing::expectBits(program, compiled, program.makeFiniteInputs(seed));
    testing::expectBits(program, compiled, program.makeInputs(seed));
  }
}

TEST(ContractedRowsSchedule, SizesAroundTiles) {
  for (int64_t keys : {4, 33, 130})
    for (int64_t queries : {1, 48, 137}) {
      Attention attention;
      attention.keys = keys;
      attention.queries = queries;
      attention.dims = 1 + keys % 7;
      attention.values = 1 + queries % 70;
      expectContractedRows(attention, 1, uint32_t(keys + queries));
    }
}

// Tiles of operands that end within a tile of scores.
TEST(ContractedRowsSchedule, PartsOfTiles) {
  Attention attention;
  attention.queries = 16;
  attention.keys = 48;
  attention.hasBackward = true;
  expectContractedRows(attention, 2);
}

TEST(ContractedRowsSchedule, WholeTiles) {
  Attention attention;
  attention.heads = 1;
  attention.queries = attention.keys = 128;
  attention.dims = attention.values = 64;
  attention.hasBackward = true;
  expectContractedRows(attention, 2, 1, testing::allTargets());
}

TEST(ContractedRowsSchedule, MasksAndBiases) {
  Attention attention;
  attention.queries = attention.keys = 51;
  attention.isCausal = true;
  expectContractedRows(attention, 1);
  attention.hasBias = true;
  expectContractedRows(attention, 1);
}

// Tiles of later keys need no scores, unless an operand is too large.
TEST(ContractedRowsSchedule, MaskedTiles) {
  for (bool addsMask : {false, true})
    for (bool hasBackward : {false, true}) {
      Attention attention;
      attention.heads = 1;
      attention.queries = attention.keys = 200;
      attention.isCausal = !addsMask;
      attention.addsMask = addsMask;
      attention.hasBackward = hasBackward;
      expectContractedRows(attention, 1 + size_t(hasBackward));
      attention.rowOrder = "blocked<128, lanes<32>, sequential>";
      attention.keyOrder = attention.queryOrder =
          "blocked<128, sequential, sequential>";
      expectContractedRows(attention, 1 + size_t(hasBackward));
    }
}

// What is hidden has a probability.
TEST(ContractedRowsSchedule, HiddenProbabilities) {
  Attention attention;
  attention.heads = 1;
  attention.queries = attention.keys = 130;
  attention.isCausal = true;
  for (const char *hidden : {"-3.0", "-103.0"}) {
    attention.hidden = hidden;
    expectContractedRows(attention, 1);
  }
}

// A zero times an infinite value is NaN, and an infinite score is not lost in
// a mask, also where they are hidden.
TEST(ContractedRowsSchedule, HiddenOperandsOfAnySize) {
  for (bool addsMask : {false, true})
    for (float large : {INFINITY, 0x1p127F}) {
      Attention attention;
      attention.heads = 1;
      attention.queries = attention.keys = 130;
      attention.isCausal = !addsMask;
      attention.addsMask = addsMask;
      Program program(attention.text());
      program.forms = {"nearby", "contracted-rows"};
      testing::Compiled compiled(program, 90);
      ASSERT_EQ(compiled.takenBy.back(), "contracted-rows");
      for (size_t operand : {1, 2}) {
        std::vector<Tensor> inputs = program.makeFiniteInputs(1);
        inputs[operand].as<float>()[inputs[operand].numElements() - 1] = large;
        testing::expectBits(program, compiled, inputs);
      }
    }
}

TEST(ContractedRowsSchedule, Layouts) {
  Attention attention;
  attention.q = "qhd";
  attention.k = "hdk";
  attention.v = "khv";
  attention.y = "qhv";
  expectContractedRows(attention, 1);
  attention.k = "dhk";
  attention.v = "vkh";
  attention.y = "vhq";
  expectContractedRows(attention, 1);
  // Sizes that vectors of four divide.
  attention.keys = 68;
  attention.queries = 36;
  attention.dims = 12;
  attention.values = 20;
  expectContractedRows(attention, 1);
  attention.q = "hdq";
  attention.v = "hvk";
  attention.y = "hqv";
  expectContractedRows(attention, 1);
}

TEST(ContractedRowsSchedule, Lanes) {
  for (int64_t lanes : {16, 64, 128}) {
    Attention attention;
    attention.keys = 300;
    attention.hasBackward = true;
    attention.rowOrder = "lanes<" + std::to_string(lanes) + ">";
    expectContractedRows(attention, 2, uint32_t(lanes));
  }
}

TEST(ContractedRowsSchedule, BlocksOfOrders) {
  Attention attention;
  attention.heads = 1;
  attention.keys = 300;
  attention.rowOrder = "blocked<128, lanes<32>, lanes<4>>";
  attention.keyOrder = "blocked<128, sequential, sequential>";
  expectContractedRows(attention, 1);
  attention.rowOrder = "blocked<128, lanes<16>, sequential>";
  attention.queries = 300;
  attention.hasBackward = true;
  attention.queryOrder = "blocked<128, sequential, sequential>";
  expectContractedRows(attention, 2);
}

TEST(ContractedRowsSchedule, Backward) {
  Attention attention;
  attention.hasBackward = true;
  expectContractedRows(attention, 2);
  attention.isCausal = attention.hasBias = true;
  attention.queries = 77;
  attention.values = 70;
  expectContractedRows(attention, 2);
  attention.q = "qhd";
  attention.k = "hdk";
  attention.v = "khv";
  attention.y = "qhv";
  expectContractedRows(attention, 2);
}

// Wide heads take smaller tiles, where memory is small in particular.
TEST(ContractedRowsSchedule, WideHeads) {
  Attention attention;
  attention.hasBackward = true;
  attention.dims = attention.values = 128;
  attention.queries = 40;
  expectContractedRows(attention, 2, 1, {75, 90});
}

} // namespace
} // namespace gensyn::gpu

// Attention as one kernel, forward and backward, against the reference: sizes
// around those of tiles and vectors, blocks of orders, layouts, masks.

#include "AttentionText.h"
#include "RunProgram.h"

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::cpu {

std::unique_ptr<Schedule> createContractedRowsSchedule();

namespace {

using testing::Attention;

void expectContractedRows(const Attention &attention, size_t kernels,
                          uint32_t seed = 1) {
  const std::string text = attention.text();
  SCOPED_TRACE(text);
  testing::Program program(text);
  program.forms = {"nearby", "contracted-rows"};
  OwningOpRef<ModuleOp> module = program.formKernels();
  size_t found = 0;
  module->walk([&](repro::KernelOp kernel) {
    found +=
        repro::getKernelForm(kernel).kind == repro::KernelKind::ContractedRows;
  });
  ASSERT_EQ(found, kernels);
  std::vector<std::vector<Tensor>> cases = {program.makeFiniteInputs(seed),
                                            program.makeInputs(seed)};
  // Each attention on one of the targets.
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  for (auto [number, target] : llvm::enumerate(targets))
    if (testing::isInTurn(program.turn + number, targets.size()))
      testing::expectBits(program, createContractedRowsSchedule(), *target,
                          cases);
}

TEST(ContractedRowsSchedule, SizesAroundTiles) {
  for (int64_t keys : {4, 33, 130})
    for (int64_t queries : {1, 48, 197}) {
      Attention attention;
      attention.keys = keys;
      attention.queries = queries;
      attention.dims = 1 + keys % 7;
      attention.values = 1 + queries % 70;
      expectContractedRows(attention, 1, uint32_t(keys + queries));
    }
}

TEST(ContractedRowsSchedule, MasksAndBiases) {
  Attention attention;
  attention.queries = attention.keys = 51;
  attention.isCausal = true;
  expectContractedRows(attention, 1);
  attention.hasBias = true;
  expectContractedRows(attention, 1);
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
}

TEST(ContractedRowsSchedule, BlocksOfOrders) {
  Attention attention;
  attention.keys = 300;
  attention.rowOrder = "blocked<128, lanes<16>, lanes<4>>";
  attention.keyOrder = "blocked<64, sequential, sequential>";
  expectContractedRows(attention, 1);
}

// A block that ends within a vector of columns leaves the next one's alone,
// whose slot still has the values that it reads.
TEST(ContractedRowsSchedule, BlocksWithinVectors) {
  Attention attention;
  attention.rowOrder = "blocked<11, lanes<16>, sequential>";
  attention.scoreOrder = "blocked<3, sequential, sequential>";
  for (bool hasBackward : {false, true}) {
    attention.hasBackward = hasBackward;
    expectContractedRows(attention, 1 + size_t(hasBackward));
  }
}

// Scores are computed again from q, k and two numbers a row.
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

TEST(ContractedRowsSchedule, SumsInBlocksOfQueries) {
  for (int64_t block : {1, 24, 100}) {
    Attention attention;
    attention.hasBackward = true;
    attention.queries = 101;
    attention.queryOrder =
        "blocked<" + std::to_string(block) + ", sequential, sequential>";
    expectContractedRows(attention, 2, uint32_t(block));
  }
}

} // namespace
} // namespace gensyn::cpu

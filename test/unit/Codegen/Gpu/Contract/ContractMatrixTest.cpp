// Contractions of 8-bit integers on matrix units, on the simulator against the
// op's own evaluation, bit for bit: every way of copying, every tile and
// generation.

#include "../RunOnSimulator.h"
#include "Contract/ContractAccess.h"
#include "Contract/ContractSchedule.h"
#include "Contract/ContractSizes.h"
#include "ProgramText.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::gpu {
namespace {

using codegen::GemmTensor;
using cpu::testing::ContractCase;
using cpu::testing::countOf;
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
  EXPECT_NE(compiled.ptx.find("mma.sync.aligned"), std::string::npos);
  testing::expectBits(program, compiled, program.makeInputs(seed));
}

ContractCase bytes(const char *name, int64_t m, int64_t n, int64_t k, bool ta,
                   bool tb, const std::string &a = "i8",
                   const std::string &b = "i8", const std::string &c = "i32") {
  return matmul(name, m, n, k, ta, tb, "", a, b, c);
}

/// Tiles of the table's kinds, small enough for the simulator.
const char *const kTiles[] = {
    "{bm = 64, bn = 64, bk = 64, tm = 4, tn = 8, lanes = 8, stages = 3}",
    "{bm = 32, bn = 64, bk = 64, tm = 2, tn = 16, lanes = 8, stages = 4}",
    "{bm = 128, bn = 32, bk = 64, tm = 8, tn = 4, lanes = 8, stages = 2}",
    "{bm = 16, bn = 64, bk = 64, tm = 2, tn = 4, lanes = 8, stages = 4}",
    "{bm = 64, bn = 16, bk = 64, tm = 2, tn = 4, lanes = 8, stages = 3}"};

std::string withRegisters(std::string tile) {
  const size_t at = tile.find("stages = ");
  tile[at + 9] = '2';
  tile.insert(tile.size() - 1, ", async = false");
  return tile;
}

// Rows and points that are contiguous, in runs of 16, 8, 4 and single bytes.
TEST(GpuContractMatrix, MatmulsOfAllLayouts) {
  uint32_t seed = 1;
  for (const char *tile : kTiles)
    for (int i = 0; i < 4; ++i) {
      check(bytes("sixteen", 80, 96, 144, i & 1, i & 2), 80, tile, seed++);
      check(bytes("sixteen", 80, 96, 144, i & 1, i & 2), 75,
            withRegisters(tile), seed++);
      check(bytes("eight", 72, 40, 104, i & 1, i & 2), 90, tile, seed++);
      check(bytes("four", 36, 68, 84, i & 1, i & 2), 100, tile, seed++);
      check(bytes("odd", 35, 67, 147, i & 1, i & 2), 120, tile, seed++);
      check(bytes("odd", 35, 67, 147, i & 1, i & 2), 75, withRegisters(tile),
            seed++);
    }
}

// contract_r1: elements are widened with their sign; contract_r2: sums modulo
// 2^32, of which narrower results are taken.
TEST(GpuContractMatrix, Types) {
  uint32_t seed = 100;
  const char *const types[][3] = {
      {"i8", "i8", "i32"},    {"i8", "i8", "i16"},    {"i8", "i8", "i8"},
      {"ui8", "ui8", "ui32"}, {"ui8", "ui8", "ui16"}, {"ui8", "ui8", "ui8"}};
  for (const auto &[a, b, c] : types)
    for (int sm : {75, 90})
      check(bytes("types", 20, 36, 40, false, true, a, b, c), sm, "", seed++);
}

TEST(GpuContractMatrix, TheTableOnEveryTarget) {
  uint32_t seed = 200;
  for (int sm : testing::allTargets()) {
    check(bytes("small", 20, 30, 40, false, false), sm, "", seed++);
    check(bytes("row", 1, 200, 160, false, true), sm, "", seed++);
    check(bytes("column", 200, 1, 33, false, false), sm, "", seed++);
    check(bytes("one point", 3, 5, 1, true, false), sm, "", seed++);
    check(bytes("large", 130, 260, 192, false, false), sm, "", seed++);
  }
}

TEST(GpuContractMatrix, LargestTiles) {
  const std::string tile = "{bm = 128, bn = 256, bk = 64, tm = 8, tn = 16, "
                           "lanes = 8, stages = 3}";
  check(bytes("wide", 130, 272, 208, false, true), 90, tile, 250);
  check(bytes("narrow", 130, 272, 208, true, false), 75, withRegisters(tile),
        251);
}

// Points are parted for the grid, and not.
TEST(GpuContractMatrix, LongSums) {
  uint32_t seed = 300;
  for (const char *split : {"{split = true}", "{split = false}"})
    for (int sm : {75, 80})
      for (int i = 0; i < 4; ++i)
        check(bytes("long", 4, 36, 2100, i & 1, i & 2), sm, split, seed++);
}

// Convolutions, their gradients, batches, and other forms that are no plain
// products.
TEST(GpuContractMatrix, ConvolutionsAndOtherForms) {
  uint32_t seed = 400;
  std::vector<ContractCase> all = cpu::testing::contractForms();
  // Channels last: runs of channels are points.
  all.push_back({"conv of channels", tensorOf({2, 6, 7, 16}),
                 tensorOf({3, 3, 16, 20}), tensorOf({2, 6, 7, 20}),
                 "domain <[2, 6, 7, 20, 3, 3, 16], reduce [4, 5, 6]>" +
                     mapsOf(7, {"d0, d1 + d4 - 1, d2 + d5 - 1, d6",
                                "d4, d5, d6, d3", "d0, d1, d2, d3"}) +
                     " bounds [zero, in]"});
  all.push_back({"data gradient of stride 2", tensorOf({2, 5, 4, 4}),
                 tensorOf({5, 3, 3, 3}), tensorOf({2, 3, 8, 8}),
                 "domain <[2, 3, 5, 2, 5, 2, 5, 2, 2], reduce [6, 7, 8]>" +
                     mapsOf(9, {"d0, d6, d2 - d7, d4 - d8",
                                "d6, d1, 2 * d7 + d3, 2 * d8 + d5",
                                "d0, d1, 2 * d2 + d3 - 1, 2 * d4 + d5 - 1"}) +
                     " bounds [zero, skip]"});
  for (ContractCase &form : all) {
    auto toInteger = [](std::string &type, const char *element) {
      type.replace(type.find("f32"), 3, element);
    };
    toInteger(form.lhs, "i8");
    toInteger(form.rhs, "i8");
    toInteger(form.result, "i32");
    form.form = form.form.substr(0, form.form.find(" order "));
    check(form, 90, "", seed++);
    check(form, 75, "", seed++);
    check(form, 80, kTiles[0], seed++);
    check(form, 120, kTiles[1], seed++);
    check(form, 75, withRegisters(kTiles[2]), seed++);
  }
}

// An epilogue of scales, a bias of columns, and a result of 8 bits.
TEST(GpuContractMatrix, Epilogue) {
  Program program(R"(
func.func @f(%a: tensor<36x48xi8>, %b: tensor<40x48xi8>,
    %bias: tensor<40xf32>) -> (tensor<36x40xi32>, tensor<36x40xf32>) {
  %y:2 = repro.kernel "k" (%x = %a : tensor<36x48xi8>,
      %w = %b : tensor<40x48xi8>, %v = %bias : tensor<40xf32>)
      -> (tensor<36x40xi32>, tensor<36x40xf32>) {
    %c = repro.contract %x, %w domain <[36, 40, 48], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>,
            affine_map<(d0, d1, d2) -> (d1, d2)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in]
      : tensor<36x48xi8>, tensor<40x48xi8> -> tensor<36x40xi32>
    %f = repro.convert %c : tensor<36x40xi32> to tensor<36x40xf32>
    %wide = repro.broadcast %v dims [1] : tensor<40xf32> to tensor<36x40xf32>
    %s = repro.add %f, %wide : tensor<36x40xf32>
    %t = repro.tanh %s : tensor<36x40xf32>
    repro.yield %c, %t : tensor<36x40xi32>, tensor<36x40xf32>
  }
  return %y#0, %y#1 : tensor<36x40xi32>, tensor<36x40xf32>
})");
  uint32_t seed = 500;
  for (int sm : testing::allTargets()) {
    SCOPED_TRACE(sm);
    Compiled compiled(program, sm);
    EXPECT_EQ(compiled.takenBy, std::vector<std::string>{"contract"});
    EXPECT_NE(compiled.ptx.find("mma.sync.aligned"), std::string::npos);
    testing::expectBits(program, compiled, program.makeFiniteInputs(seed++));
  }
}

// What a generation has no matrix instruction for, and what is asked for.
TEST(GpuContractMatrix, OtherTypesAreMultipliedOneByOne) {
  const char *const types[][3] = {{"i8", "i16", "i32"},
                                  {"i8", "i8", "i64"},
                                  {"i4", "i8", "i32"},
                                  {"i32", "i32", "i32"}};
  for (const auto &[a, b, c] : types) {
    Program program(bytes("other", 20, 24, 40, false, true, a, b, c).text());
    Compiled compiled(program, 90);
    EXPECT_EQ(compiled.ptx.find("mma.sync"), std::string::npos);
  }
  Program program(bytes("bytes", 20, 24, 40, false, true).text());
  EXPECT_EQ(Compiled(program, 90, "{matrix = false}").ptx.find("mma.sync"),
            std::string::npos);
  // Two instructions for 16 rows in place of four.
  auto shapes = [&](int sm) {
    const std::string ptx = Compiled(program, sm).ptx;
    return std::pair(countOf(ptx, "m16n8k32") > 0, countOf(ptx, "m8n8k16") > 0);
  };
  EXPECT_EQ(shapes(90), std::pair(true, false));
  EXPECT_EQ(shapes(75), std::pair(false, true));
}

TEST(GpuContractMatrix, Copies) {
  auto copyOf = [](int64_t rows, int64_t points, bool transposed) {
    return getMatrixCopy(
        codegen::viewOfMatmul(rows, 1, points, transposed, false),
        GemmTensor::A);
  };
  for (int64_t run : {4, 8, 16}) {
    const MatrixCopy copy = copyOf(7, 3 * run, false);
    EXPECT_TRUE(copy.isDirect());
    EXPECT_EQ(copy.points, run);
    EXPECT_EQ(copy.lanes * copy.points, 64);
  }
  const MatrixCopy square = copyOf(12, 7, true);
  EXPECT_EQ(square.rows, 4);
  EXPECT_EQ(square.points, 4);
  EXPECT_EQ(square.accesses(), 4);
  EXPECT_FALSE(square.isDirect());
  // Single bytes: lanes are where the neighbours are.
  EXPECT_EQ(copyOf(13, 7, true).lanes, 1);
  EXPECT_EQ(copyOf(13, 7, false).lanes, 16);
  EXPECT_EQ(copyOf(13, 7, false).accesses(), 4);
}

TEST(GpuContractMatrix, SizesAreChecked) {
  const Target &hopper = getTarget(*machine::findGpu(90));
  ContractSizes sizes;
  sizes.matrix = true;
  EXPECT_EQ(checkContractSizes(sizes, hopper), "bk is not 64");
  sizes.bk = 64;
  EXPECT_EQ(checkContractSizes(sizes, hopper),
            "lanes is not 8, that of the matrix units");
  sizes.lanes = 8;
  EXPECT_FALSE(checkContractSizes(sizes, hopper));
  sizes.bm = 8;
  sizes.tm = 1;
  EXPECT_EQ(checkContractSizes(sizes, hopper),
            "a warp's tile is smaller than 16 x 16");
  sizes = {.bm = 16,
           .bn = 16,
           .bk = 64,
           .tm = 2,
           .tn = 4,
           .lanes = 8,
           .matrix = true};
  EXPECT_EQ(checkContractSizes(sizes, hopper),
            "a block has fewer threads than points");
}

} // namespace
} // namespace gensyn::gpu

// The contraction schedule against the op's own evaluation, bit for bit: odd
// shapes, odd sizes, every way of packing, special values, all targets.

#include "Contract/ContractSchedule.h"
#include "ProgramText.h"
#include "RunProgram.h"

#include <array>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::ContractCase;
using testing::listOf;
using testing::mapsOf;
using testing::matmul;
using testing::tensorOf;

std::vector<ContractCase> forms() {
  std::vector<ContractCase> all = testing::contractForms();
  llvm::append_range(all, testing::convolutionsOfSmallImages());
  for (int i = 0; i < 4; ++i)
    all.push_back(
        matmul("matmul", 23, 75, 37, i & 1, i & 2,
               i < 2 ? "sequential" : "blocked<10, sequential, sequential>"));
  all.push_back(matmul("one row", 1, 130, 21, false, false, "sequential"));
  all.push_back(matmul("one column", 31, 1, 21, false, false, "sequential"));
  // Few rows: B is read in place, row by row or by squares.
  for (int64_t rows : {1, 2, 3, 4})
    for (bool tb : {false, true})
      all.push_back(matmul(
          "few rows", rows, tb ? 32 + 9 * rows : 150 * rows, 43, rows == 2, tb,
          rows == 3 ? "blocked<20, sequential, sequential>" : "sequential"));
  all.push_back(matmul("tall", 90, 5, 3, false, true, "sequential"));
  // A vector of A's rows reaches over two points more, into the next tile's.
  all.push_back(matmul("three rows", 3, 16, 127, true, false, "sequential"));
  // Without the padding of "conv", rows of the image are not whole.
  all.push_back({"conv valid", tensorOf({2, 3, 8, 20}), tensorOf({4, 3, 3, 3}),
                 tensorOf({2, 4, 6, 18}),
                 "domain <[2, 4, 6, 18, 3, 3, 3], reduce [4, 5, 6]>" +
                     mapsOf(7, {"d0, d4, d2 + d5, d3 + d6", "d1, d4, d5, d6",
                                "d0, d1, d2, d3"}) +
                     " bounds [in, in] order sequential"});
  all.push_back({"conv stride 2", tensorOf({2, 3, 9, 9}),
                 tensorOf({4, 3, 3, 3}), tensorOf({2, 4, 5, 5}),
                 "domain <[2, 4, 5, 5, 3, 3, 3], reduce [4, 5, 6]>" +
                     mapsOf(7, {"d0, d4, 2 * d2 + d5 - 1, 2 * d3 + d6 - 1",
                                "d1, d4, d5, d6", "d0, d1, d2, d3"}) +
                     " bounds [zero, in] order sequential"});
  // Channels are adjacent: the rows of a product are read by pointers.
  auto channelsLast = [&](std::array<int64_t, 4> image, int64_t filters,
                          std::array<int64_t, 2> taps, int64_t stride,
                          int64_t dilation, int64_t pad, const char *order,
                          bool isImageFirst = false) {
    auto [images, height, width, channels] = image;
    auto positions = [&](int64_t extent, int64_t window) {
      return (extent + 2 * pad - dilation * (window - 1) - 1) / stride + 1;
    };
    const int64_t rows = positions(height, taps[0]),
                  columns = positions(width, taps[1]);
    auto index = [&](const char *position, const char *tap) {
      return std::to_string(stride) + " * " + position + " + " +
             std::to_string(dilation) + " * " + tap + " - " +
             std::to_string(pad);
    };
    const std::string position = index("d2", "d5") + ", " + index("d3", "d6"),
                      window = isImageFirst ? "d0, d4, " + position
                                            : "d0, " + position + ", d4";
    all.push_back(
        {"channels last",
         isImageFirst ? tensorOf({images, channels, height, width})
                      : tensorOf({images, height, width, channels}),
         tensorOf({filters, channels, taps[0], taps[1]}),
         tensorOf({images, rows, columns, filters}),
         "domain <" +
             listOf(
                 {images, filters, rows, columns, channels, taps[0], taps[1]}) +
             ", reduce [4, 5, 6]>" +
             mapsOf(7, {window.c_str(), "d1, d4, d5, d6", "d0, d2, d3, d1"}) +
             " bounds [" + (pad > 0 ? "zero" : "in") + ", in] order " + order});
  };
  // Visits begin between taps. (Shorter blocks are joined, and A is packed.)
  const char *inBlocks = "blocked<70, sequential, sequential>";
  channelsLast({2, 5, 7, 9}, 21, {3, 3}, 1, 1, 1, "sequential");
  channelsLast({1, 8, 5, 20}, 37, {3, 3}, 2, 1, 1, inBlocks);
  channelsLast({2, 9, 9, 3}, 18, {5, 5}, 2, 1, 2, "sequential");
  channelsLast({1, 9, 11, 4}, 17, {3, 2}, 1, 3, 2,
               "blocked<7, sequential, sequential>");
  channelsLast({3, 5, 4, 33}, 40, {1, 1}, 2, 1, 0, "sequential");
  channelsLast({1, 6, 6, 17}, 5, {2, 3}, 1, 1, 0, inBlocks);
  channelsLast({1, 12, 12, 2}, 16, {7, 7}, 2, 1, 3, "sequential");
  // In bounds, rows have a pointer each, and taps offsets: of groups of five
  // taps, which differ, of seven, which are equal, and of one.
  channelsLast({1, 8, 9, 8}, 37, {5, 2}, 1, 1, 0, inBlocks);
  channelsLast({2, 5, 17, 12}, 18, {3, 7}, 2, 1, 0, inBlocks);
  channelsLast({2, 9, 11, 3}, 18, {3, 7}, 2, 1, 0, "sequential", true);
  channelsLast({1, 9, 8, 12}, 37, {3, 2}, 1, 2, 0, inBlocks, true);
  channelsLast({2, 3, 19, 2}, 16, {1, 11}, 1, 1, 0, "sequential", true);
  channelsLast({1, 9, 9, 1}, 21, {5, 5}, 1, 1, 0, "sequential", true);
  // Weight gradients of 1x1 convolutions: points are contiguous within an
  // image.
  for (const char *order :
       {"sequential", "blocked<33, sequential, sequential>"})
    all.push_back(
        {"weight gradient 1x1", tensorOf({3, 9, 5, 5}), tensorOf({3, 19, 5, 5}),
         tensorOf({9, 19}),
         "domain <[9, 19, 3, 5, 5], reduce [2, 3, 4]>" +
             mapsOf(5, {"d2, d0, d3, d4", "d2, d1, d3, d4", "d0, d1"}) +
             " bounds [in, in] order " + order});
  // Weight gradients of windows: vectors along points, which are contiguous
  // within an image, with bounds, or within a row of the image.
  for (auto [images, height, width] :
       {std::array<int64_t, 3>{2, 8, 8}, {1, 5, 13}, {3, 7, 7}})
    for (const char *order :
         {"sequential", "blocked<50, sequential, sequential>"}) {
      const std::string size = listOf({9, 5, 3, 3, images, height, width});
      all.push_back(
          {"weight gradient of windows", tensorOf({images, 9, height, width}),
           tensorOf({images, 5, height, width}), tensorOf({9, 5, 3, 3}),
           "domain <" + size + ", reduce [4, 5, 6]>" +
               mapsOf(7, {"d4, d0, d5, d6", "d4, d1, d5 + d2 - 1, d6 + d3 - 1",
                          "d0, d1, d2, d3"}) +
               " bounds [in, zero] order " + order});
    }
  all.push_back({"weight gradient of long rows", tensorOf({2, 9, 2, 50}),
                 tensorOf({2, 5, 4, 52}), tensorOf({9, 5, 3, 3}),
                 "domain <[9, 5, 3, 3, 2, 2, 50], reduce [4, 5, 6]>" +
                     mapsOf(7, {"d4, d0, d5, d6", "d4, d1, d5 + d2, d6 + d3",
                                "d0, d1, d2, d3"}) +
                     " bounds [in, in] order sequential"});
  // Columns with gaps in the image, along the last dimension and whole.
  for (int64_t stride : {2, 3, 5}) {
    const std::string s = std::to_string(stride);
    const std::string window =
        "d0, d4, " + s + " * d2 + d5 - 1, " + s + " * d3 + d6 - 1";
    all.push_back(
        {"conv with gaps", tensorOf({2, 3, 3 * stride, 36 * stride}),
         tensorOf({4, 3, 2, 3}), tensorOf({2, 4, 3, 36}),
         "domain <[2, 4, 3, 36, 3, 2, 3], reduce [4, 5, 6]>" +
             mapsOf(7, {window.c_str(), "d1, d4, d5, d6", "d0, d1, d2, d3"}) +
             " bounds [zero, in] order sequential"});
    const std::string row = "d2, " + s + " * d1";
    all.push_back({"row with gaps", tensorOf({7, 39 * stride}),
                   tensorOf({5, 7}), tensorOf({5, 39}),
                   "domain <[5, 39, 7], reduce [2]>" +
                       mapsOf(3, {row.c_str(), "d0, d2", "d0, d1"}) +
                       " bounds [in, in] order sequential"});
  }
  // Data gradients of strided convolutions: phases with 2, 1 and 0 points in
  // each direction, results out of bounds, blocks of different lengths.
  auto dataGradient = [&](const char *name, int64_t taps, int64_t halves,
                          const char *order) {
    auto text = [](int64_t number) { return std::to_string(number); };
    all.push_back({name, tensorOf({2, 5, 9, 9}), tensorOf({5, 4, taps, taps}),
                   tensorOf({2, 4, 18, 18}),
                   "domain <[2, 4, 10, 2, 10, 2, 5, " + text(halves) + ", " +
                       text(halves) + "], reduce [6, 7, 8]>" +
                       mapsOf(9, {"d0, d6, d2 - d7, d4 - d8",
                                  "d6, d1, 2 * d7 + d3, 2 * d8 + d5",
                                  "d0, d1, 2 * d2 + d3 - 1, 2 * d4 + d5 - 1"}) +
                       " bounds [zero, skip] order " + order});
  };
  dataGradient("gradient 3x3", 3, 2, "sequential");
  dataGradient("gradient 3x3 in blocks", 3, 2,
               "blocked<7, sequential, sequential>");
  dataGradient("gradient 1x1", 1, 1, "sequential");
  dataGradient("gradient 4x4", 4, 2, "blocked<10, sequential, sequential>");
  // Points are skipped where the window leaves the image: each position of the
  // result has a product of its own.
  all.push_back(
      {"skip", tensorOf({2, 5, 5}), tensorOf({5, 3, 3}), tensorOf({2, 3, 3}),
       "domain <[2, 3, 3, 5, 5], reduce [3, 4]>" +
           mapsOf(5, {"d0, d3 - d1, d4 - d2", "d3, d1, d2", "d0, d1, d2"}) +
           " bounds [skip, in] order sequential"});
  // Three points are skipped, so that the last block is longer than the first.
  all.push_back(
      {"skip in blocks", tensorOf({3, 65}), tensorOf({2, 3, 4}),
       tensorOf({2, 20}),
       "domain <[2, 20, 3, 4], reduce [2, 3]>" +
           mapsOf(4, {"d2, 3 * d1 + 3 * d3 - 2", "d0, d2, d3", "d0, d1"}) +
           " bounds [skip, in] order blocked<3, sequential, sequential>"});
  // Along a stride of 3 and of 6: columns with gaps, and scattered ones.
  for (int64_t stride : {3, 6}) {
    const std::string s = std::to_string(stride),
                      result = "d0, " + s + " * d1 + d2";
    all.push_back({"transposed conv", tensorOf({4, 20}),
                   tensorOf({4, 3, stride}), tensorOf({3, 20 * stride}),
                   "domain <[3, 20, " + s + ", 4], reduce [3]>" +
                       mapsOf(4, {"d3, d1", "d3, d0, d2", result.c_str()}) +
                       " bounds [in, in] order "
                       "blocked<3, sequential, sequential>"});
  }
  // Every second pixel of the result: the rows of a product are pixels.
  all.push_back({"transposed conv of pixels", tensorOf({48, 4, 6}),
                 tensorOf({48, 37, 2, 2}), tensorOf({37, 8, 12}),
                 "domain <[37, 4, 2, 6, 2, 48], reduce [5]>" +
                     mapsOf(6, {"d5, d1, d3", "d5, d0, d2, d4",
                                "d0, 2 * d1 + d2, 2 * d3 + d4"}) +
                     " bounds [in, in] order sequential"});
  return all;
}

/// Sizes at random; the schedule fits them to the shapes.
GemmSizes randomSizes(std::mt19937 &random, int64_t lanes) {
  auto draw = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  GemmSizes sizes;
  sizes.lanes = lanes;
  sizes.nv = draw(1, 4);
  sizes.mr = draw(1, (lanes == 16 ? 28 : 14) / sizes.nv);
  sizes.kc = draw(1, 30);
  sizes.rows = draw(1, 20);
  sizes.tileRows = draw(1, 20);
  sizes.group = draw(1, 3);
  sizes.unroll = draw(1, 5);
  sizes.packA = draw(0, 1);
  sizes.packB = draw(0, 1);
  sizes.joined = draw(1, 3);
  sizes.prefetch = draw(0, 1) * draw(1, 200);
  return sizes;
}

std::string print(const GemmSizes &sizes) {
  std::string text;
  for (int64_t number :
       {sizes.lanes, sizes.mr, sizes.nv, sizes.kc, sizes.rows, sizes.tileRows,
        sizes.group, sizes.unroll, int64_t{sizes.packA}, int64_t{sizes.packB},
        sizes.joined, sizes.prefetch})
    text += std::to_string(number) + " ";
  return text;
}

bool matches(testing::Program &program, const Schedule &schedule,
             const Target &target) {
  bool all = true;
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  kernels->walk([&](repro::KernelOp kernel) {
    all = all && schedule.match(kernel, target);
  });
  return all;
}

/// Some tables for the contraction and the bits of each.
void check(const ContractCase &form, const Target &target,
           const std::vector<std::optional<GemmSizes>> &tables, uint32_t seed,
           std::optional<unsigned> lasting = std::nullopt) {
  testing::Program program(form.text());
  if (lasting)
    program.setLasting(*lasting);
  std::vector<std::vector<Tensor>> cases = {program.makeInputs(seed),
                                            program.makeFiniteInputs(seed)};
  for (const std::optional<GemmSizes> &table : tables) {
    SCOPED_TRACE(form.name + std::string(" with ") +
                 (table ? print(*table) : "the table"));
    std::unique_ptr<Schedule> schedule = createContractSchedule(table);
    ASSERT_TRUE(matches(program, *schedule, target));
    testing::expectBits(program, std::move(schedule), target, cases);
  }
}

TEST(ContractSchedule, TableHasTheOpsBitsOnEveryTarget) {
  uint32_t seed = 1;
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  for (auto [number, target] : llvm::enumerate(targets))
    for (const auto &[i, form] : llvm::enumerate(forms()))
      if (++seed; testing::isInTurn(i + number, targets.size()))
        check(form, *target, {std::nullopt}, seed);
}

TEST(ContractSchedule, OddSizesHaveTheOpsBits) {
  std::mt19937 random(2);
  const Target &target = *testing::getRunnableTargets().back();
  for (const auto &[i, form] : llvm::enumerate(forms())) {
    std::vector<std::optional<GemmSizes>> tables;
    for (auto [j, lanes] : llvm::enumerate(std::array{4, 8, 16}))
      if (const GemmSizes sizes = randomSizes(random, lanes);
          testing::isInTurn(i + j, 3))
        tables.push_back(sizes);
    check(form, target, tables, random());
  }
}

/// The form with other element types; integers have no order.
ContractCase withTypes(ContractCase form, const std::string &lhs,
                       const std::string &rhs, const std::string &result) {
  auto change = [](std::string &tensor, const std::string &element) {
    tensor.replace(tensor.find("f32"), 3, element);
  };
  change(form.lhs, lhs);
  change(form.rhs, rhs);
  change(form.result, result);
  if (result.find('i') != std::string::npos)
    form.form.resize(form.form.find(" order "));
  return form;
}

/// The number of launches before runs, and of those that pack in each run.
std::pair<int, int> countPacking(const ContractCase &form, const Target &target,
                                 unsigned lasting) {
  testing::Program program(form.text());
  program.setLasting(lasting);
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  CompileOptions options;
  options.target = &target;
  options.plan.preparedBytes = uint64_t(1) << 30;
  plan::Plan plan;
  EXPECT_TRUE(succeeded(
      compile(*kernels->getOps<func::FuncOp>().begin(), options, plan)));
  std::pair<int, int> count;
  for (const plan::Launch &launch : plan.launches()) {
    count.first += launch.prepares();
    count.second += StringRef(launch.kernel()).ends_with("_pack");
  }
  return count;
}

// Panels of an operand that is the same in all runs are made before them. Each
// form on one of the targets and with one of the operands, by turns.
TEST(ContractSchedule, OperandsThatLastHaveTheOpsBits) {
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  std::mt19937 random(3);
  uint32_t seed = 1;
  for (const ContractCase &form : forms()) {
    const Target &target = *targets[++seed % targets.size()];
    check(form, target, {std::nullopt}, seed, random() % 2);
  }
}

TEST(ContractSchedule, OperandsThatLastArePackedBeforeRuns) {
  using Counts = std::pair<int, int>;
  const Target &target = *gensyn::machine::findCpu("x86-64-v4");
  for (int64_t rows : {1, 4, 30, 160})
    for (bool tb : {false, true}) {
      const ContractCase form =
          matmul("rows", rows, 300, 43, false, tb, "sequential");
      const bool isInPlace = rows <= 4 && !tb;
      EXPECT_EQ(countPacking(form, target, 1), Counts(!isInPlace, 0)) << rows;
      EXPECT_EQ(countPacking(form, target, 0), Counts(0, 0)) << rows;
    }
  // Too many rows, elements that are widened, a matrix for each batch.
  for (auto [rows, tb, packs] : {std::tuple<int64_t, bool, int>{161, false, 0},
                                 {1024, true, 1},
                                 {1025, true, 0}})
    EXPECT_EQ(
        countPacking(matmul("tall", rows, 300, 43, false, tb, "sequential"),
                     target, 1),
        Counts(packs, 0))
        << rows;
  EXPECT_EQ(countPacking(
                withTypes(matmul("bf16", 8, 300, 43, false, true, "sequential"),
                          "f32", "bf16", "f32"),
                target, 1),
            Counts(0, 0));
  // One row reads them as they are in memory, also contiguous columns.
  for (bool tb : {false, true})
    EXPECT_EQ(countPacking(
                  withTypes(matmul("row", 1, 300, 43, false, tb, "sequential"),
                            "f32", "bf16", "f32"),
                  target, 1),
              Counts(1, 0));
  // Rows of A that are packed are so before runs, or in each.
  const ContractCase transposed =
      matmul("transposed", 170, 300, 43, true, false, "sequential");
  EXPECT_EQ(countPacking(transposed, target, 0), Counts(1, 0));
  EXPECT_EQ(countPacking(transposed, target, 1), Counts(0, 1));
}

const char *const kTypes[][3] = {
    {"bf16", "bf16", "f32"}, {"f16", "f16", "f32"},
    {"f32", "bf16", "f32"},  {"f8E4M3FN", "f8E5M2", "f32"},
    {"f64", "f64", "f64"},   {"f32", "f64", "f64"},
    {"bf16", "f32", "f64"},  {"i8", "i8", "i32"},
    {"ui8", "ui8", "ui32"},  {"i32", "i32", "i32"},
    {"i64", "i32", "i64"},   {"i8", "i4", "i8"},
    {"ui4", "ui16", "ui16"}};

// contract_r1 and contract_r2: all types, each with some forms.
TEST(ContractSchedule, NarrowAndWideTypesHaveTheOpsBits) {
  std::mt19937 random(4);
  const std::vector<ContractCase> all = forms();
  for (const Target *target : testing::getRunnableTargets())
    for (const auto &[lhs, rhs, result] : kTypes)
      for (int i = 0; i < 2; ++i) {
        const ContractCase &form = all[random() % all.size()];
        SCOPED_TRACE(std::string(lhs) + " " + rhs + " " + result);
        check(withTypes(form, lhs, rhs, result), *target,
              {i == 0 ? std::nullopt : std::optional(randomSizes(random, 8))},
              random());
      }
}

// Points are multiplied two at a time where operands are packed: odd numbers of
// points, of rows and of columns, every way of packing both operands. Each form
// on one of the targets.
TEST(ContractSchedule, PairsOfPointsHaveTheOpsBits) {
  constexpr const char *types[][3] = {{"i8", "i8", "i32"},
                                      {"ui8", "ui8", "ui32"},
                                      {"i16", "i8", "i32"},
                                      {"i16", "i16", "i32"},
                                      {"i4", "i16", "i16"}};
  std::mt19937 random(7);
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  for (const ContractCase &form : forms()) {
    const auto &[lhs, rhs, result] = types[random() % std::size(types)];
    const Target &target = *targets[random() % targets.size()];
    GemmSizes sizes = randomSizes(random, target.lanes(4));
    sizes.packA = sizes.packB = true;
    SCOPED_TRACE(std::string(lhs) + " " + rhs + " " + result);
    check(withTypes(form, lhs, rhs, result), target,
          {random() % 2 ? std::nullopt : std::optional(sizes)}, random());
  }
}

// B is read in place: along the columns, tiles are joined and visits fetch
// ahead; along the points, lanes of several narrow elements are transposed, and
// points and columns are left over.
TEST(ContractSchedule, FewRowsOfAllTypesHaveTheOpsBits) {
  std::mt19937 random(5);
  bool isTransposed = false; // both ways for each type, by an odd number
  for (const Target *target : testing::getRunnableTargets()) {
    for (const auto &[lhs, rhs, result] : kTypes) {
      SCOPED_TRACE(std::string(lhs) + " " + rhs + " " + result);
      isTransposed = !isTransposed;
      const int rows = 1 + int(random() % 4), points = 140 + int(random() % 64);
      auto make = [&](int n) {
        return withTypes(matmul("few rows", n, isTransposed ? 39 : 600, points,
                                false, isTransposed),
                         lhs, rhs, result);
      };
      check(make(rows), *target, {std::nullopt}, random());
      // Panels are made before runs, and not widened.
      if (StringRef(rhs).ends_with("16"))
        check(make(1), *target, {std::nullopt}, random(), 1);
    }
    static_assert(std::size(kTypes) % 2 == 1);
  }
}

TEST(ContractSchedule, LongChainsCrossPanelsAndBlocks) {
  GemmSizes sizes;
  sizes.kc = 100;
  check(matmul("long", 13, 70, 2500, false, false,
               "blocked<1024, sequential, sequential>"),
        *testing::getRunnableTargets().back(), {std::nullopt, sizes}, 3);
}

// The sums of several blocks stay in registers while the points go on.
TEST(ContractSchedule, ShortBlocksAreJoined) {
  GemmSizes sizes;
  sizes.kc = 100;
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  for (auto [i, block] : llvm::enumerate(std::array{1, 2, 5, 64, 65}))
    for (auto [number, target] : llvm::enumerate(targets)) {
      if (!testing::isInTurn(i + number, targets.size()))
        continue;
      check(matmul("short blocks", 13, 70, 620, true, false,
                   ("blocked<" + std::to_string(block) +
                    ", sequential, sequential>")
                       .c_str()),
            *target, {std::nullopt, sizes}, unsigned(block));
    }
}

// contract_r3: every product underflows to -0, and so does the chain.
TEST(ContractSchedule, ZeroResultsArePositive) {
  testing::Program program(matmul("underflow", 5, 20, 3, false, false).text());
  std::vector<Tensor> inputs = program.makeInputs(1);
  std::fill_n(inputs[0].as<float>(), inputs[0].numElements(), -1e-30f);
  std::fill_n(inputs[1].as<float>(), inputs[1].numElements(), 1e-30f);
  for (const Target *target : testing::getRunnableTargets()) {
    Schedules schedules;
    schedules.push_back(createContractSchedule());
    schedules.push_back(createBaselineSchedule());
    CompileOptions options;
    options.target = target;
    options.schedules = &schedules;
    std::vector<Tensor> actual = program.run(inputs, options);
    ASSERT_EQ(actual.size(), 1u);
    EXPECT_TRUE(actual[0].bitEqual(Tensor(ElementType::F32, {5, 20})))
        << target->name;
  }
}

TEST(ContractSchedule, LeavesWhatItCannotReadToTheBaseline) {
  // The points that take part are no box.
  ContractCase skip{"skip", tensorOf({2, 5}), tensorOf({3, 3, 3}),
                    tensorOf({2, 3}),
                    "domain <[2, 3, 3, 3], reduce [2, 3]>" +
                        mapsOf(4, {"d0, d2 + d3 - 1", "d1, d2, d3", "d0, d1"}) +
                        " bounds [skip, in] order sequential"};
  ContractCase lanes = matmul("lanes", 4, 16, 64, false, false, "lanes<32>");
  // The type of scales has no zero, which a vector's other lanes get.
  ContractCase scales = matmul("scales", 4, 16, 64, false, false, "sequential",
                               "f8E8M0FNU", "f32");
  for (const ContractCase &form : {skip, lanes, scales}) {
    testing::Program program(form.text());
    EXPECT_FALSE(matches(program, *createContractSchedule(),
                         *gensyn::machine::findCpu("x86-64-v4")))
        << form.name;
  }
}

TEST(ContractSchedule, SizesAreChecked) {
  const GemmMachine machine;
  GemmSizes sizes;
  EXPECT_FALSE(checkSizes(sizes, machine));
  sizes.mr = 8;
  EXPECT_EQ(checkSizes(sizes, machine),
            "a register tile of mr x nv vectors does not fit the registers");
  sizes = {};
  sizes.lanes = 12;
  EXPECT_EQ(checkSizes(sizes, machine), "lanes is not 2, 4, 8 or 16");
  sizes = {};
  sizes.kc = 0;
  EXPECT_EQ(checkSizes(sizes, machine), "a size is not positive");
}

} // namespace
} // namespace gensyn::cpu

// Transposes by tiles on the simulator, which detects races and reads of
// uninitialized words, against the reference: permutations, edges, types,
// adjacent ops, several operands.

#include "../RunOnSimulator.h"
#include "Pointwise/TransposeLayout.h"
#include "ProgramText.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace gensyn;
using namespace gensyn::gpu::testing;
using gensyn::cpu::testing::countOf;
using gensyn::cpu::testing::listOf;
using gensyn::cpu::testing::tensorOf;

namespace {

/// Bits and faults of a program of one kernel, by `schedule` and, where that is
/// "transpose", with the tiles of `sizes`; the last PTX.
std::string expectTranspose(const std::string &text,
                            const std::string &schedule = "transpose",
                            const std::vector<std::string> &sizes = {""}) {
  SCOPED_TRACE(text);
  Program program(text);
  std::vector<Tensor> inputs = program.makeInputs(3);
  std::string ptx;
  for (const std::string &size : sizes) {
    SCOPED_TRACE(size);
    for (int sm : {75, 90}) {
      gpu::testing::Compiled compiled(program, sm, size);
      EXPECT_EQ(compiled.takenBy, std::vector<std::string>{schedule});
      expectBits(program, compiled, inputs);
      EXPECT_EQ(compiled.ptx.find(".local"), std::string::npos);
      ptx = compiled.ptx;
    }
  }
  return ptx;
}

/// A transpose and nothing else.
std::string transposeOf(const std::vector<int64_t> &shape,
                        const std::vector<int64_t> &order,
                        const std::string &element = "f32") {
  std::vector<int64_t> result;
  for (int64_t dim : order)
    result.push_back(shape[static_cast<size_t>(dim)]);
  const std::string from = tensorOf(shape, element),
                    to = tensorOf(result, element);
  return "func.func @f(%x: " + from + ") -> " + to +
         " {\n%y = repro.transpose %x " + listOf(order) + " : " + from +
         " to " + to + "\nreturn %y : " + to + "\n}";
}

// Whole tiles, with 16 bytes in every access of global memory.
TEST(GpuTranspose, Matrix) {
  std::string ptx = expectTranspose(transposeOf({64, 96}, {1, 0}));
  EXPECT_EQ(countOf(ptx, "ld.global"), 2u);
  EXPECT_EQ(countOf(ptx, "ld.global.nc.v4.b32"), 2u);
  EXPECT_EQ(countOf(ptx, "st.global"), 2u);
  EXPECT_EQ(countOf(ptx, "st.global.v4.b32"), 2u);
  EXPECT_EQ(countOf(ptx, "st.shared.b32"), 8u);
  EXPECT_EQ(countOf(ptx, "ld.shared.b32"), 8u);
  EXPECT_EQ(countOf(ptx, "bar.sync"), 1u);
}

// Extents that tiles, vectors and words do not divide.
TEST(GpuTranspose, Edges) {
  for (int64_t rows : {8, 33, 36, 65})
    for (int64_t columns : {9, 32, 50, 68})
      expectTranspose(transposeOf({rows, columns}, {1, 0}));
}

TEST(GpuTranspose, Tiles) {
  const std::vector<std::string> sizes = {
      "{tile_x = 64, tile_y = 64, threads = 256}",
      "{tile_x = 32, tile_y = 64, threads = 64}",
      "{tile_x = 8, tile_y = 128, threads = 32}",
      "{tile_x = 128, tile_y = 32, threads = 512}"};
  expectTranspose(transposeOf({130, 72}, {1, 0}), "transpose", sizes);
  expectTranspose(transposeOf({67, 75}, {1, 0}), "transpose", sizes);
  // Not a power of two, unknown, or too large for shared memory.
  Program program(transposeOf({64, 64}, {1, 0}));
  for (const char *bad :
       {"{tile_x = 24}", "{rows = 4 : i64}", "{tile_x = 1024, tile_y = 1024}"})
    EXPECT_EQ(gpu::testing::Compiled(program, 90, bad).takenBy,
              std::vector<std::string>{""})
        << bad;
}

// Larger than 2^20 elements: tiles of 64 by 64, one of them at each edge.
TEST(GpuTranspose, Large) {
  std::string ptx = expectTranspose(transposeOf({1028, 1032}, {1, 0}));
  EXPECT_EQ(countOf(ptx, ".reqntid 256"), 1u);
}

TEST(GpuTranspose, Types) {
  for (const char *type :
       {"f16", "bf16", "i8", "i1", "f64", "i64", "ui16", "f8E4M3FN", "i32"})
    for (auto [rows, columns] : {std::pair{160, 272}, {35, 70}, {9, 12}})
      expectTranspose(transposeOf({rows, columns}, {1, 0}, type));
  // 128 bytes of each row, with 16 in an access.
  std::string ptx = expectTranspose(transposeOf({128, 256}, {1, 0}, "i8"));
  EXPECT_EQ(countOf(ptx, "ld.global.nc.v4.b32"), 4u);
  EXPECT_EQ(countOf(ptx, "st.global.v4.b32"), 4u);
  EXPECT_EQ(countOf(ptx, "st.shared.b32"), 16u);
  EXPECT_EQ(countOf(ptx, "ld.shared.b32"), 16u);
  ptx = expectTranspose(transposeOf({128, 256}, {1, 0}, "f16"));
  EXPECT_EQ(countOf(ptx, "ld.global.nc.v4.b32"), 2u);
  EXPECT_EQ(countOf(ptx, "st.shared.b32"), 8u);
}

/// True if threads of a warp (of its half, for words of 8 bytes) that ask for
/// different words ask for different banks.
void expectNoConflicts(const gpu::TransposeDeal &deal, int64_t wordBytes,
                       llvm::function_ref<int64_t(int64_t, int64_t)> wordAt) {
  const int64_t banks = 32 * 4 / wordBytes;
  std::map<int64_t, std::set<int64_t>> words;
  for (int64_t lane = 0; lane < 32; ++lane) {
    if (lane % banks == 0)
      words.clear();
    const int64_t word = wordAt(lane % deal.fastLanes, lane / deal.fastLanes);
    words[word % banks].insert(word);
    EXPECT_EQ(words[word % banks].size(), 1u) << "lane " << lane;
  }
}

TEST(GpuTranspose, Banks) {
  for (const char *type : {"f32", "f16", "i8", "f64"})
    for (auto [rows, columns] :
         {std::pair{512, 640}, {1024, 2048}, {513, 642}, {511, 641}}) {
      SCOPED_TRACE(std::string(type) + " " + std::to_string(rows));
      Program program(transposeOf({rows, columns}, {1, 0}, type));
      // Loads the dialects of code.
      gpu::testing::Compiled compiled(program, 90);
      auto module = program.formKernels();
      module->walk([](repro::KernelOp kernel) {
        auto layout =
            gpu::layOutTranspose(kernel, gpu::getTarget(*machine::findGpu(90)));
        ASSERT_TRUE(layout);
        const gpu::TransposePart &part = layout->parts.front();
        const gpu::StagedRead &staged = part.staged.front();
        // The accesses of one thread differ by constants.
        expectNoConflicts(gpu::dealReads(part, staged, layout->threads),
                          staged.wordBytes(), [&](int64_t fast, int64_t row) {
                            return row * staged.pitch + fast * staged.vector;
                          });
        expectNoConflicts(
            gpu::dealResults(part, layout->threads), staged.wordBytes(),
            [&](int64_t fast, int64_t row) {
              return fast * part.width / staged.pack * staged.pitch + row;
            });
      });
    }
}

TEST(GpuTranspose, Permutations) {
  for (const std::vector<int64_t> &order : std::vector<std::vector<int64_t>>{
           {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}})
    for (const std::vector<int64_t> &shape :
         std::vector<std::vector<int64_t>>{{9, 12, 40}, {16, 33, 10}})
      expectTranspose(transposeOf(shape, order));
  // NCHW to NHWC and back, and the heads of attention for the product with K.
  expectTranspose(transposeOf({2, 24, 7, 8}, {0, 2, 3, 1}));
  expectTranspose(transposeOf({2, 7, 7, 24}, {0, 3, 1, 2}));
  expectTranspose(transposeOf({2, 34, 4, 12}, {0, 2, 3, 1}));
  expectTranspose(transposeOf({8, 9, 10, 11}, {3, 2, 1, 0}));
  // Permutations that keep rows, and tensors that are too narrow.
  expectTranspose(transposeOf({4, 34, 2, 16}, {0, 2, 1, 3}), "pointwise");
  expectTranspose(transposeOf({7, 100}, {1, 0}), "pointwise");
  expectTranspose(transposeOf({100, 7}, {1, 0}), "pointwise");
}

// Reshapes, slices, reversals and broadcasts on the way.
TEST(GpuTranspose, Movement) {
  expectTranspose(R"(
  func.func @f(%x: tensor<2x33x144xf32>) -> tensor<2x3x16x33xf32> {
    %s = repro.slice %x start [0, 0, 48] limit [2, 33, 96] stride [1, 1, 1] : tensor<2x33x144xf32> to tensor<2x33x48xf32>
    %r = repro.reshape %s : tensor<2x33x48xf32> to tensor<2x33x3x16xf32>
    %t = repro.transpose %r [0, 2, 3, 1] : tensor<2x33x3x16xf32> to tensor<2x3x16x33xf32>
    return %t : tensor<2x3x16x33xf32>
  })");
  expectTranspose(R"(
  func.func @f(%x: tensor<24x40xf32>) -> tensor<3x40x24xf32> {
    %v = repro.reverse %x dims [0] : tensor<24x40xf32>
    %t = repro.transpose %v [1, 0] : tensor<24x40xf32> to tensor<40x24xf32>
    %b = repro.broadcast %t dims [1, 2] : tensor<40x24xf32> to tensor<3x40x24xf32>
    return %b : tensor<3x40x24xf32>
  })");
  // An odd beginning leaves no vectors; every other row.
  std::string ptx = expectTranspose(R"(
  func.func @f(%x: tensor<64x65xf16>) -> tensor<64x32xf16> {
    %s = repro.slice %x start [0, 1] limit [64, 65] stride [2, 1] : tensor<64x65xf16> to tensor<32x64xf16>
    %t = repro.transpose %s [1, 0] : tensor<32x64xf16> to tensor<64x32xf16>
    return %t : tensor<64x32xf16>
  })");
  EXPECT_EQ(countOf(ptx, "ld.global.nc.v"), 0u);
  // Next to padding a tile would read out of bounds.
  expectTranspose(R"(
  func.func @f(%x: tensor<32x64xf32>) -> tensor<66x32xf32> {
    %z = repro.constant dense<0.0> : tensor<f32>
    %p = repro.pad %x, %z low [0, 1] high [0, 1] interior [0, 0] : tensor<32x64xf32>, tensor<f32> to tensor<32x66xf32>
    %t = repro.transpose %p [1, 0] : tensor<32x66xf32> to tensor<66x32xf32>
    return %t : tensor<66x32xf32>
  })",
                  "pointwise");
}

// Work on elements before and after, with operands along either side.
TEST(GpuTranspose, Fused) {
  std::string ptx = expectTranspose(R"(
  func.func @f(%x: tensor<40x36xf32>, %b: tensor<36xf32>, %c: tensor<40xf32>, %y: tensor<36x40xf32>) -> tensor<36x40xf32> {
    %bb = repro.broadcast %b dims [1] : tensor<36xf32> to tensor<40x36xf32>
    %s = repro.add %x, %bb : tensor<40x36xf32>
    %e = repro.exp %s : tensor<40x36xf32>
    %t = repro.transpose %e [1, 0] : tensor<40x36xf32> to tensor<36x40xf32>
    %cc = repro.broadcast %c dims [1] : tensor<40xf32> to tensor<36x40xf32>
    %m = repro.mul %t, %cc : tensor<36x40xf32>
    %a = repro.sub %m, %y : tensor<36x40xf32>
    return %a : tensor<36x40xf32>
  })");
  EXPECT_GE(countOf(ptx, "bar.sync"), 1u);
  expectTranspose(R"(
  func.func @f(%x: tensor<40x36xi32>, %y: tensor<40x36xi32>, %z: tensor<36x40xi32>) -> tensor<36x40xi32> {
    %d = repro.div %x, %y : tensor<40x36xi32>
    %t = repro.transpose %d [1, 0] : tensor<40x36xi32> to tensor<36x40xi32>
    %r = repro.rem %t, %z : tensor<36x40xi32>
    return %r : tensor<36x40xi32>
  })");
  // A matrix and its own transpose; wide and narrow elements together.
  expectTranspose(R"(
  func.func @f(%x: tensor<68x68xf32>) -> tensor<68x68xf32> {
    %t = repro.transpose %x [1, 0] : tensor<68x68xf32> to tensor<68x68xf32>
    %s = repro.add %x, %t : tensor<68x68xf32>
    return %s : tensor<68x68xf32>
  })");
}

TEST(GpuTranspose, SeveralOperands) {
  std::string ptx = expectTranspose(R"(
  func.func @f(%x: tensor<3x40x64xf32>, %y: tensor<3x40x64xf16>, %m: tensor<40x64xi1>, %z: tensor<3x64x40xf64>) -> (tensor<3x64x40xf32>, tensor<3x64x40xf64>) {
    %r:2 = repro.kernel "four" (%a = %x : tensor<3x40x64xf32>, %b = %y : tensor<3x40x64xf16>, %c = %m : tensor<40x64xi1>, %d = %z : tensor<3x64x40xf64>) -> (tensor<3x64x40xf32>, tensor<3x64x40xf64>) {
      %h = repro.convert %b : tensor<3x40x64xf16> to tensor<3x40x64xf32>
      %mm = repro.broadcast %c dims [1, 2] : tensor<40x64xi1> to tensor<3x40x64xi1>
      %s = repro.select %mm, %a, %h : tensor<3x40x64xf32>
      %t = repro.transpose %s [0, 2, 1] : tensor<3x40x64xf32> to tensor<3x64x40xf32>
      %w = repro.convert %t : tensor<3x64x40xf32> to tensor<3x64x40xf64>
      %v = repro.add %w, %d : tensor<3x64x40xf64>
      repro.yield %t, %v : tensor<3x64x40xf32>, tensor<3x64x40xf64>
    }
    return %r#0, %r#1 : tensor<3x64x40xf32>, tensor<3x64x40xf64>
  })");
  // Four of f32, four of f16, sixteen of i1, and nothing else than %z.
  EXPECT_GE(countOf(ptx, "st.shared"), 3u);
  // One of two axes is staged; the other operand is read from global memory.
  expectTranspose(R"(
  func.func @f(%x: tensor<16x20x24xf32>, %y: tensor<20x24x16xf32>) -> tensor<24x20x16xf32> {
    %s = repro.transpose %x [2, 1, 0] : tensor<16x20x24xf32> to tensor<24x20x16xf32>
    %t = repro.transpose %y [1, 0, 2] : tensor<20x24x16xf32> to tensor<24x20x16xf32>
    %a = repro.add %s, %t : tensor<24x20x16xf32>
    return %a : tensor<24x20x16xf32>
  })");
}

/// A chain of transposes, reversals, slices and merged dimensions.
std::string randomMovement(std::mt19937 &random) {
  auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const char *types[] = {"f32", "f32", "f16", "i8", "f64"};
  const std::string element = types[below(5)];
  const int64_t extents[] = {1, 2, 5, 8, 9, 12, 16, 24, 33, 40};
  std::vector<int64_t> shape;
  int64_t elements = 1;
  for (size_t rank = 2 + below(3); shape.size() < rank && elements < 4000;) {
    shape.push_back(extents[below(10)]);
    elements *= shape.back();
  }
  const std::string from = tensorOf(shape, element);
  std::string body, value = "%x", type = from;
  auto add = [&](const std::string &op, const std::vector<int64_t> &next) {
    const std::string to = tensorOf(next, element);
    const std::string name = "%v" + std::to_string(body.size());
    body += name + " = repro." + op + " : " + type + " to " + to + "\n";
    value = name;
    type = to;
    shape = next;
  };
  for (int step = 0; step < 4; ++step) {
    const size_t dim = below(shape.size());
    std::vector<int64_t> next = shape;
    if (step % 2 == 0) {
      std::vector<int64_t> order(shape.size());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      for (size_t k = 0; k < order.size(); ++k)
        next[k] = shape[static_cast<size_t>(order[k])];
      add("transpose " + value + " " + listOf(order), next);
    } else if (below(2) == 0) {
      std::vector<int64_t> start(shape.size(), 0), stride(shape.size(), 1);
      start[dim] = shape[dim] / 4;
      stride[dim] = 1 + static_cast<int64_t>(below(2));
      next[dim] = llvm::divideCeil(shape[dim] - start[dim], stride[dim]);
      add("slice " + value + " start " + listOf(start) + " limit " +
              listOf(shape) + " stride " + listOf(stride),
          next);
    } else if (dim + 1 < shape.size()) {
      next[dim] *= next[dim + 1];
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(dim) + 1);
      add("reshape " + value, next);
    }
  }
  return "func.func @f(%x: " + from + ") -> " + type + " {\n" + body +
         "return " + value + " : " + type + "\n}";
}

TEST(GpuTranspose, RandomMovement) {
  std::mt19937 random(11);
  size_t taken = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string text = randomMovement(random);
    SCOPED_TRACE(text);
    Program program(text);
    std::vector<Tensor> inputs = program.makeInputs(3);
    std::vector<Tensor> expected = program.interpret(inputs);
    gpu::testing::Compiled compiled(program, 80);
    taken += llvm::is_contained(compiled.takenBy, "transpose");
    std::vector<Tensor> actual = compiled.run(inputs);
    ASSERT_EQ(actual.size(), 1u);
    EXPECT_EQ(firstDifference(expected[0], actual[0]), "");
  }
  EXPECT_GE(taken, 15u);
}

// Results of other shapes and numbers of elements in one kernel: attention's
// queries, keys and values of one product.
TEST(GpuTranspose, Parts) {
  expectTranspose(R"(
  func.func @f(%x: tensor<2x24x192xf32>, %s: tensor<70xf32>) -> (tensor<2x24x64xf32>, tensor<2x4x24x16xf32>, tensor<2x4x16x24xf32>) {
    %r:3 = repro.kernel "parts" (%a = %x : tensor<2x24x192xf32>) -> (tensor<2x24x64xf32>, tensor<2x4x24x16xf32>, tensor<2x4x16x24xf32>) {
      %v = repro.slice %a start [0, 0, 128] limit [2, 24, 192] stride [1, 1, 1] : tensor<2x24x192xf32> to tensor<2x24x64xf32>
      %q = repro.slice %a start [0, 0, 0] limit [2, 24, 64] stride [1, 1, 1] : tensor<2x24x192xf32> to tensor<2x24x64xf32>
      %qr = repro.reshape %q : tensor<2x24x64xf32> to tensor<2x24x4x16xf32>
      %qt = repro.transpose %qr [0, 2, 1, 3] : tensor<2x24x4x16xf32> to tensor<2x4x24x16xf32>
      %k = repro.slice %a start [0, 0, 64] limit [2, 24, 128] stride [1, 1, 1] : tensor<2x24x192xf32> to tensor<2x24x64xf32>
      %kr = repro.reshape %k : tensor<2x24x64xf32> to tensor<2x24x4x16xf32>
      %kt = repro.transpose %kr [0, 2, 3, 1] : tensor<2x24x4x16xf32> to tensor<2x4x16x24xf32>
      %n = repro.neg %kt : tensor<2x4x16x24xf32>
      repro.yield %v, %qt, %n : tensor<2x24x64xf32>, tensor<2x4x24x16xf32>, tensor<2x4x16x24xf32>
    }
    return %r#0, %r#1, %r#2 : tensor<2x24x64xf32>, tensor<2x4x24x16xf32>, tensor<2x4x16x24xf32>
  })");
  expectTranspose(R"(
  func.func @f(%x: tensor<32x40xf32>, %s: tensor<70xf32>, %y: tensor<24x33xf16>) -> (tensor<70xf32>, tensor<40x32xf32>, tensor<33x24xf16>) {
    %r:3 = repro.kernel "parts" (%a = %x : tensor<32x40xf32>, %b = %s : tensor<70xf32>, %c = %y : tensor<24x33xf16>) -> (tensor<70xf32>, tensor<40x32xf32>, tensor<33x24xf16>) {
      %n = repro.neg %b : tensor<70xf32>
      %t = repro.transpose %a [1, 0] : tensor<32x40xf32> to tensor<40x32xf32>
      %u = repro.transpose %c [1, 0] : tensor<24x33xf16> to tensor<33x24xf16>
      repro.yield %n, %t, %u : tensor<70xf32>, tensor<40x32xf32>, tensor<33x24xf16>
    }
    return %r#0, %r#1, %r#2 : tensor<70xf32>, tensor<40x32xf32>, tensor<33x24xf16>
  })");
}

// A result overwrites an operand that is read at the same elements, and another
// result reads that operand too.
TEST(GpuTranspose, InPlace) {
  const std::string text = R"(
  func.func @f(%x: tensor<40x36xf32>, %y: tensor<36x40xf32>) -> (tensor<36x40xf32>, tensor<36x40xf32>) {
    %k = repro.kernel "neg" (%a = %y : tensor<36x40xf32>) -> (tensor<36x40xf32>) {
      %n = repro.neg %a : tensor<36x40xf32>
      repro.yield %n : tensor<36x40xf32>
    }
    %r:2 = repro.kernel "add" (%a = %x : tensor<40x36xf32>, %b = %k : tensor<36x40xf32>) -> (tensor<36x40xf32>, tensor<36x40xf32>) {
      %t = repro.transpose %a [1, 0] : tensor<40x36xf32> to tensor<36x40xf32>
      %s = repro.add %t, %b : tensor<36x40xf32>
      %m = repro.neg %b : tensor<36x40xf32>
      repro.yield %s, %m : tensor<36x40xf32>, tensor<36x40xf32>
    }
    %u = repro.kernel "mul" (%a = %r#0 : tensor<36x40xf32>) -> (tensor<36x40xf32>) {
      %n = repro.mul %a, %a : tensor<36x40xf32>
      repro.yield %n : tensor<36x40xf32>
    }
    return %u, %r#1 : tensor<36x40xf32>, tensor<36x40xf32>
  })";
  Program program(text);
  std::vector<Tensor> inputs = program.makeInputs(5);
  std::vector<Tensor> expected = program.interpret(inputs);
  gpu::testing::Compiled compiled(program, 80);
  EXPECT_EQ(compiled.takenBy[1], "transpose");
  EXPECT_EQ(compiled.plan.memory().written_in_place(), 1u);
  std::vector<Tensor> actual = compiled.run(inputs);
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(firstDifference(expected[i], actual[i]), "");
}

} // namespace

// Rows that are sorted by threads, warps, blocks and launches.

#include "../RunOnSimulator.h"
#include "ProgramText.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::gpu::testing;

namespace {

struct Sort {
  std::string shape, count, type = "f32", direction = "ascending";
  int dim = 1;

  std::string text() const {
    const std::string from = "tensor<" + shape + "x" + type + ">";
    const std::string to = "tensor<" + count + "x" + type + ">";
    const std::string positions = "tensor<" + count + "xi32>";
    size_t at = 0;
    for (int i = 0; i < dim; ++i)
      at = count.find('x', at) + 1;
    return "func.func @f(%x: " + from + ") -> (" + to + ", " + positions +
           ") {\n%v, %p = repro.sort " + direction + " %x dim " +
           std::to_string(dim) + " count " +
           std::to_string(std::stoll(count.substr(at))) + " : " + from +
           " -> " + to + ", " + positions + "\nreturn %v, %p : " + to + ", " +
           positions + "\n}";
  }
};

/// Expects the reference's bits; returns the launches' names.
std::string expectSort(const std::string &text,
                       const std::vector<Tensor> &inputs, int sm = 80,
                       const std::string &schedule = "") {
  SCOPED_TRACE(text);
  Program program(text);
  gpu::testing::Compiled compiled(program, sm, schedule);
  EXPECT_EQ(compiled.takenBy, std::vector<std::string>{"sort"});
  expectBits(program, compiled, inputs);
  EXPECT_EQ(compiled.ptx.find(".local"), std::string::npos);
  return compiled.ptx;
}

std::string expectSort(const Sort &sort, int sm = 80,
                       const std::string &schedule = "") {
  return expectSort(sort.text(), Program(sort.text()).makeInputs(7), sm,
                    schedule);
}

size_t countEntries(const std::string &ptx) {
  return cpu::testing::countOf(ptx, ".entry");
}

// Every number of threads a row has, and rows that end within a block.
TEST(GpuSort, Lengths) {
  for (const char *direction : {"ascending", "descending"})
    for (int64_t extent : {1, 2, 3, 5, 8, 9, 31, 32, 33, 100, 257, 1000}) {
      const std::string rows = extent > 300 ? "2x" : "37x";
      const std::string shape = rows + std::to_string(extent);
      expectSort({shape, shape, "f32", direction});
    }
}

TEST(GpuSort, Types) {
  for (const char *type :
       {"i1", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "f64"})
    for (const char *direction : {"ascending", "descending"}) {
      expectSort({"3x70", "3x70", type, direction});
      expectSort({"3x300", "3x300", type, direction}, 80, "{chunk = 64}");
    }
}

// sort_r1: all NaNs are equal, zeros are not, and positions decide.
TEST(GpuSort, Ties) {
  for (const char *direction : {"ascending", "descending"}) {
    const Sort sort{"2x600", "2x600", "f32", direction};
    std::vector<Tensor> inputs = Program(sort.text()).makeInputs(1);
    const uint32_t patterns[] = {0x7FC00000, 0xFFC00001, 0x7F800001, 0x7F800000,
                                 0xFF800000, 0,          0x80000000, 1};
    std::mt19937 random(3);
    for (int64_t i = 0; i < inputs[0].numElements(); ++i)
      std::memcpy(inputs[0].data() + i * 4, &patterns[random() % 8], 4);
    expectSort(sort.text(), inputs);
    expectSort(sort.text(), inputs, 80, "{chunk = 32}");
    std::memset(inputs[0].data(), 0, inputs[0].byteSize());
    expectSort(sort.text(), inputs);
    expectSort(sort.text(), inputs, 80, "{chunk = 32, ways = 3}");
    // The last of all keys, which still precedes the padding of rows.
    std::memset(inputs[0].data(), 0xFF, inputs[0].byteSize());
    expectSort(sort.text(), inputs);
  }
}

TEST(GpuSort, FirstOnes) {
  for (int64_t count : {1, 2, 31, 64, 99})
    for (const char *schedule : {"", "{chunk = 8}", "{chunk = 32, ways = 2}"}) {
      const std::string kept = "5x" + std::to_string(count);
      expectSort({"5x100", kept, "f32", "descending"}, 80, schedule);
    }
}

// Interleaved rows.
TEST(GpuSort, Dimensions) {
  expectSort({"40x7", "40x7", "f32", "ascending", 0});
  expectSort({"3x100x9", "3x20x9", "f32", "descending", 1});
  expectSort({"2x9x33x5", "2x4x33x5", "i16", "ascending", 1});
  expectSort({"300x3", "300x3", "f64", "ascending", 0});
  expectSort({"200x3", "120x3", "f32", "ascending", 0}, 80, "{chunk = 16}");
}

// Longer than what a block holds, or cut up to fill the device: chunks, and
// merges of up to eight.
TEST(GpuSort, LongRows) {
  EXPECT_EQ(countEntries(expectSort({"1x2048", "1x2048"})), 1u);
  EXPECT_EQ(countEntries(expectSort({"1x8000", "1x8000"})), 2u);
  EXPECT_EQ(countEntries(expectSort({"2x20000", "2x20000"}, 90)), 3u);
  EXPECT_EQ(countEntries(expectSort({"2x20000", "2x50"}, 90)), 3u);
  const Sort wide{"1x8000", "1x8000", "i64"};
  EXPECT_EQ(countEntries(expectSort(wide, 90, "{chunk = 8192}")), 1u);
  EXPECT_EQ(countEntries(expectSort(wide, 75, "{chunk = 4096}")), 2u);
}

// Values that are computed, twice: to sort them, and at their positions.
TEST(GpuSort, Fused) {
  const std::string text = R"(
  func.func @f(%x: tensor<4x60xf32>, %s: tensor<4xf32>) -> (tensor<4x40xf32>, tensor<4x40xi32>) {
    %b = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x60xf32>
    %m = repro.mul %x, %b : tensor<4x60xf32>
    %n = repro.sqrt %m : tensor<4x60xf32>
    %v, %p = repro.sort descending %n dim 1 count 40 : tensor<4x60xf32> -> tensor<4x40xf32>, tensor<4x40xi32>
    return %v, %p : tensor<4x40xf32>, tensor<4x40xi32>
  })";
  std::vector<Tensor> inputs = Program(text).makeInputs(2);
  expectSort(text, inputs);
  expectSort(text, inputs, 80, "{chunk = 16}");
}

} // namespace

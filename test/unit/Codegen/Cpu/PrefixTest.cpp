// scan and sort, against the reference.

#include "RunProgram.h"

#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;

namespace {

// scan_r1: blocks of any length, the last one short.
TEST(Scan, EveryOrder) {
  for (const char *kind : {"sum", "product"})
    for (const char *order :
         {"sequential", "blocked<1, sequential, sequential>",
          "blocked<7, sequential, sequential>",
          "blocked<16, sequential, sequential>",
          "blocked<100, sequential, sequential>"})
      for (const char *type : {"f32", "f64"})
        expectBits(std::string("func.func @f(%x: tensor<3x37x2x") + type +
                   ">) -> tensor<3x37x2x" + type + "> {\n  %y = repro.scan " +
                   kind + " %x dim 1 order " + order + " : tensor<3x37x2x" +
                   type + ">\n  return %y : tensor<3x37x2x" + type + ">\n}");
}

TEST(Scan, WithoutOrder) {
  for (const char *type : {"f32", "i8", "ui64"})
    for (const char *kind : {"max", "min"})
      expectBits(std::string("func.func @f(%x: tensor<21x4x") + type +
                 ">) -> tensor<21x4x" + type + "> {\n  %y = repro.scan " +
                 kind + " %x dim 0 : tensor<21x4x" + type +
                 ">\n  return %y : tensor<21x4x" + type + ">\n}");
  expectBits(R"(
    func.func @f(%x: tensor<19xi32>, %e: tensor<2x0xf32>, %n: tensor<0x2xf32>) -> (tensor<19xi32>, tensor<2x0xf32>, tensor<0x2xf32>) {
      %y = repro.scan sum %x dim 0 : tensor<19xi32>
      %z = repro.scan sum %e dim 1 order sequential : tensor<2x0xf32>
      %m = repro.scan sum %n dim 1 order sequential : tensor<0x2xf32>
      return %y, %z, %m : tensor<19xi32>, tensor<2x0xf32>, tensor<0x2xf32>
    })");
}

TEST(Scan, Fused) {
  expectBits(R"(
    func.func @f(%x: tensor<4x33xf32>) -> tensor<4x33xf32> {
      %m = repro.mul %x, %x : tensor<4x33xf32>
      %r = repro.reverse %m dims [1] : tensor<4x33xf32>
      %s = repro.scan sum %r dim 1 order blocked<8, sequential, sequential> : tensor<4x33xf32>
      %y = repro.reverse %s dims [1] : tensor<4x33xf32>
      return %y : tensor<4x33xf32>
    })");
}

std::string sort(const std::string &direction, const std::string &type,
                 int extent, int count) {
  const std::string in = "tensor<3x" + std::to_string(extent) + "x2x" + type;
  const std::string shape = "tensor<3x" + std::to_string(count) + "x2x";
  return "func.func @f(%x: " + in + ">) -> (" + shape + type + ">, " + shape +
         "i32>) {\n  %v, %p = repro.sort " + direction + " %x dim 1 count " +
         std::to_string(count) + " : " + in + "> -> " + shape + type + ">, " +
         shape + "i32>\n  return %v, %p : " + shape + type + ">, " + shape +
         "i32>\n}";
}

// sort_r1: with NaNs, zeros of both signs and many equal elements.
TEST(Sort, EveryType) {
  for (const char *direction : {"ascending", "descending"})
    for (const char *type :
         {"f32", "f64", "i1", "i8", "ui8", "i64", "ui64", "i32"})
      for (auto [extent, count] :
           {std::pair(67, 67), std::pair(40, 7), std::pair(5, 1),
            std::pair(1, 1), std::pair(2, 2)})
        expectBits(sort(direction, type, extent, count));
}

TEST(Sort, NothingOrOneResult) {
  expectBits(sort("ascending", "f32", 0, 0));
  expectBits(sort("descending", "f32", 6, 0));
  expectBits(R"(
    func.func @f(%x: tensor<30xf32>, %y: tensor<30xf32>) -> (tensor<30xi32>, tensor<4xf32>) {
      %s = repro.add %x, %y : tensor<30xf32>
      %v, %p = repro.sort ascending %s dim 0 count 30 : tensor<30xf32> -> tensor<30xf32>, tensor<30xi32>
      %w, %q = repro.sort descending %s dim 0 count 4 : tensor<30xf32> -> tensor<4xf32>, tensor<4xi32>
      %n = repro.neg %w : tensor<4xf32>
      return %p, %n : tensor<30xi32>, tensor<4xf32>
    })");
}

} // namespace

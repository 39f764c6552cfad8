// scan and sort, against the reference.

#include "RunProgram.h"

#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;

namespace {

// scan_r1: blocks of any length, the last one short.
TEST(Scan, EveryOrder) {
  for (const char *kind : {"sum", "product"})
    for (const char *type : {"f32", "f64"}) {
      std::string body, results, types;
      int number = 0;
      for (const char *order :
           {"sequential", "blocked<1, sequential, sequential>",
            "blocked<7, sequential, sequential>",
            "blocked<37, sequential, sequential>",
            "blocked<100, sequential, sequential>"}) {
        const std::string name = "%y" + std::to_string(number++);
        const std::string tensor = std::string("tensor<3x37x2x") + type + ">";
        body += "  " + name + " = repro.scan " + kind + " %x dim 1 order " +
                order + " : " + tensor + "\n";
        results += (results.empty() ? "" : ", ") + name;
        types += (types.empty() ? "" : ", ") + tensor;
      }
      expectBits(std::string("func.func @f(%x: tensor<3x37x2x") + type +
                 ">) -> (" + types + ") {\n" + body + "  return " + results +
                 " : " + types + "\n}");
    }
}

// Columns that vectors compute at once: of every number of bytes, fewer than a
// vector and more than a tile has, with an operand of the kernel's own.
TEST(Scan, AdjacentColumns) {
  for (const char *columns : {"5", "37", "150"})
    for (auto [type, order] :
         {std::pair("f32", " order blocked<7, sequential, sequential>"),
          std::pair("f64", " order sequential"), std::pair("i8", ""),
          std::pair("i64", "")}) {
      const std::string tensor =
          std::string("tensor<3x16x") + columns + "x" + type + ">";
      const std::string zero = type[0] == 'f' ? "dense<1.5>" : "dense<3>";
      expectBits("func.func @f(%x: " + tensor + ") -> " + tensor +
                 " {\n  %c = repro.constant " + zero + " : tensor<" + type +
                 ">\n  %b = repro.broadcast %c dims [] : tensor<" + type +
                 "> to " + tensor + "\n  %m = repro.mul %x, %b : " + tensor +
                 "\n  %y = repro.scan sum %m dim 1" + order + " : " + tensor +
                 "\n  return %y : " + tensor + "\n}");
    }
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

/// One function that sorts rows of 67 elements: all, some and one of them.
std::string sort(const std::string &direction, const std::string &type) {
  std::string body, results, types;
  for (const char *count : {"67", "7", "1"}) {
    const std::string name = count;
    const std::string shape = "tensor<3x" + name + "x2x";
    body += "  %v" + name + ", %p" + name + " = repro.sort " + direction +
            " %x dim 1 count " + name + " : tensor<3x67x2x" + type + "> -> " +
            shape + type + ">, " + shape + "i32>\n";
    results += (results.empty() ? "%v" : ", %v") + name + ", %p" + name;
    types +=
        (types.empty() ? "" : ", ") + shape + type + ">, " + shape + "i32>";
  }
  return "func.func @f(%x: tensor<3x67x2x" + type + ">) -> (" + types +
         ") {\n" + body + "  return " + results + " : " + types + "\n}";
}

// sort_r1: with NaNs, zeros of both signs and many equal elements.
TEST(Sort, EveryType) {
  for (const char *direction : {"ascending", "descending"})
    for (const char *type : {"f32", "f64", "i1", "i8", "ui64"})
      expectBits(sort(direction, type));
}

TEST(Sort, NothingOrOneResult) {
  expectBits(R"(
    func.func @f(%x: tensor<30xf32>, %y: tensor<30xf32>, %e: tensor<3x0xf32>)
        -> (tensor<30xi32>, tensor<4xf32>, tensor<3x0xf32>, tensor<0xf32>, tensor<1xi32>, tensor<2xf32>) {
      %s = repro.add %x, %y : tensor<30xf32>
      %v, %p = repro.sort ascending %s dim 0 count 30 : tensor<30xf32> -> tensor<30xf32>, tensor<30xi32>
      %w, %q = repro.sort descending %s dim 0 count 4 : tensor<30xf32> -> tensor<4xf32>, tensor<4xi32>
      %n = repro.neg %w : tensor<4xf32>
      %f, %g = repro.sort ascending %e dim 1 count 0 : tensor<3x0xf32> -> tensor<3x0xf32>, tensor<3x0xi32>
      %h, %i = repro.sort descending %x dim 0 count 0 : tensor<30xf32> -> tensor<0xf32>, tensor<0xi32>
      %a = repro.slice %x start [3] limit [4] stride [1] : tensor<30xf32> to tensor<1xf32>
      %b, %c = repro.sort descending %a dim 0 count 1 : tensor<1xf32> -> tensor<1xf32>, tensor<1xi32>
      %d = repro.slice %x start [5] limit [7] stride [1] : tensor<30xf32> to tensor<2xf32>
      %j, %k = repro.sort descending %d dim 0 count 2 : tensor<2xf32> -> tensor<2xf32>, tensor<2xi32>
      return %p, %n, %f, %h, %c, %j : tensor<30xi32>, tensor<4xf32>, tensor<3x0xf32>, tensor<0xf32>, tensor<1xi32>, tensor<2xf32>
    })");
}

// Loops over columns that have no element, of a value of another shape.
TEST(Scan, OfNothing) {
  expectBits(R"(
    func.func @f(%x: tensor<31x3x2xi8>) -> tensor<2x0xi8> {
      %b = repro.broadcast %x dims [0, 2, 3] : tensor<31x3x2xi8> to tensor<31x0x3x2x13xi8>
      %r = repro.reshape %b : tensor<31x0x3x2x13xi8> to tensor<2x0xi8>
      %s = repro.scan sum %r dim 0 : tensor<2x0xi8>
      return %s : tensor<2x0xi8>
    })");
}

} // namespace

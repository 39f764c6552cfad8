// contract, reduce and arg_reduce in every order and shape of window, against
// the reference.

#include "RunProgram.h"

#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;

namespace {

const char *const kOrders[] = {
    "sequential",
    "lanes<4>",
    "lanes<32>",
    "blocked<7, sequential, sequential>",
    "blocked<8, lanes<4>, sequential>",
    "blocked<16, blocked<5, sequential, sequential>, lanes<2>>"};

TEST(Reduction, MatmulInEveryOrder) {
  for (const char *order : kOrders)
    for (const char *type : {"f32", "f64"}) {
      const std::string e = type;
      expectBits("func.func @f(%a: tensor<9x53x" + e + ">, %b: tensor<53x6x" +
                 e + ">) -> tensor<9x6x" + e + R"(> {
        %c = repro.contract %a, %b domain <[9, 6, 53], reduce [2]>
          maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
                affine_map<(d0, d1, d2) -> (d0, d1)>]
          bounds [in, in] order )" +
                 order + " : tensor<9x53x" + e + ">, tensor<53x6x" + e +
                 "> -> tensor<9x6x" + e + ">\n  return %c : tensor<9x6x" + e +
                 ">\n}");
    }
}

// domain_r1: no tuple reaches an element of the result.
TEST(Reduction, DomainsWithoutTuples) {
  const char *const maps =
      "maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> "
      "(d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] bounds [in, in] ";
  for (const char *domain : {"[0, 2, 4096]", "[3, 0, 4096]", "[0, 0, 4096]"})
    for (const char *order : {"order sequential", "order lanes<8>",
                              "order blocked<64, sequential, sequential>"})
      expectBits(std::string("func.func @f(%a: tensor<3x4096xf32>, %b: "
                             "tensor<4096x2xf32>) -> tensor<3x2xf32> {\n"
                             "%c = repro.contract %a, %b domain <") +
                 domain + ", reduce [2]> " + maps + order +
                 " : tensor<3x4096xf32>, tensor<4096x2xf32> -> "
                 "tensor<3x2xf32>\n return %c : tensor<3x2xf32>\n}");
  expectBits(R"(
    func.func @f(%x: tensor<3x40xf32>, %i: tensor<40x3xi32>, %b: tensor<3x40xi1>)
        -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi1>) {
      %s = repro.reduce sum %x domain <[0, 40], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        order lanes<8> : tensor<3x40xf32> -> tensor<3xf32>
      %p = repro.reduce product %x domain <[0, 40], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        order sequential : tensor<3x40xf32> -> tensor<3xf32>
      %c = repro.reduce sum %i domain <[40, 0], reduce [0]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]
        : tensor<40x3xi32> -> tensor<3xi32>
      %m = repro.reduce max %x domain <[0, 40], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        : tensor<3x40xf32> -> tensor<3xf32>
      %n = repro.reduce and %b domain <[0, 40], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        : tensor<3x40xi1> -> tensor<3xi1>
      return %s, %p, %c, %m, %n
        : tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi1>
    })");
}

TEST(Reduction, NarrowAndIntegerContract) {
  expectBits(R"(
    func.func @f(%a: tensor<5x40xbf16>, %b: tensor<40x3xf16>, %i: tensor<5x40xi8>, %j: tensor<40x3xi32>)
        -> (tensor<5x3xf32>, tensor<5x3xi32>) {
      %c = repro.contract %a, %b domain <[5, 3, 40], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order lanes<8> : tensor<5x40xbf16>, tensor<40x3xf16> -> tensor<5x3xf32>
      %d = repro.contract %i, %j domain <[5, 3, 40], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] : tensor<5x40xi8>, tensor<40x3xi32> -> tensor<5x3xi32>
      return %c, %d : tensor<5x3xf32>, tensor<5x3xi32>
    })");
}

// Convolution, stride 2, padding 1, and its two gradients.
TEST(Reduction, ConvolutionAndGradients) {
  expectBits(R"(
    func.func @f(%x: tensor<2x3x9x9xf32>, %w: tensor<4x3x3x3xf32>, %g: tensor<2x4x5x5xf32>)
        -> (tensor<2x4x5x5xf32>, tensor<2x3x9x9xf32>, tensor<4x3x3x3xf32>) {
      %y = repro.contract %x, %w domain <[2, 4, 5, 5, 3, 3, 3], reduce [4, 5, 6]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5 - 1, d3 * 2 + d6 - 1)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
        bounds [zero, in] order sequential : tensor<2x3x9x9xf32>, tensor<4x3x3x3xf32> -> tensor<2x4x5x5xf32>
      %dx = repro.contract %g, %w domain <[2, 3, 6, 2, 6, 2, 4, 2, 2], reduce [6, 7, 8]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d6, d2 - d7, d4 - d8)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d6, d1, d7 * 2 + d3, d8 * 2 + d5)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2 * 2 + d3 - 1, d4 * 2 + d5 - 1)>]
        bounds [zero, skip] order sequential : tensor<2x4x5x5xf32>, tensor<4x3x3x3xf32> -> tensor<2x3x9x9xf32>
      %dw = repro.contract %g, %x domain <[4, 3, 3, 3, 2, 5, 5], reduce [4, 5, 6]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d0, d5, d6)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d1, d5 * 2 + d2 - 1, d6 * 2 + d3 - 1)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
        bounds [in, zero] order blocked<25, sequential, sequential> : tensor<2x4x5x5xf32>, tensor<2x3x9x9xf32> -> tensor<4x3x3x3xf32>
      return %y, %dx, %dw : tensor<2x4x5x5xf32>, tensor<2x3x9x9xf32>, tensor<4x3x3x3xf32>
    })");
}

/// The gradient of a window sum (shape P) from [2, o, k] to [2, length], with
/// `maps` over `domain`.
std::string windowGradient(const std::string &operand,
                           const std::string &domain, const std::string &from,
                           const std::string &to, const std::string &length) {
  const std::string dims =
      domain.find(',', domain.find(',') + 1) == domain.rfind(',')
          ? "(d0, d1, d2) -> "
          : "(d0, d1, d2, d3) -> ";
  const std::string last = dims.find("d3") == std::string::npos ? "2" : "3";
  const std::string in = "tensor<2x" + operand + "xf32>";
  const std::string out = "tensor<2x" + length + "xf32>";
  return "func.func @f(%g: " + in + ") -> " + out +
         " {\n  %a = repro.reduce sum %g domain <[" + domain + "], reduce [" +
         last + "]> maps [affine_map<" + dims + from + ">, affine_map<" + dims +
         to + ">] order sequential : " + in + " -> " + out +
         "\n  return %a : " + out + "\n}\n";
}

// Strides and dilations with and without a common factor, and result elements
// that no iterators reach.
TEST(Reduction, WindowGradients) {
  expectBits(windowGradient("3x2", "2, 3, 3, 1", "(d0, d1 - d3, d3 * 3 + d2)",
                            "(d0, d1 * 3 + d2 - 1)", "11"));
  expectBits(windowGradient("5x3", "2, 9, 2, 2",
                            "(d0, d1 - d3 * 3, d3 * 2 + d2)",
                            "(d0, d1 * 2 + d2 * 3 - 2)", "14"));
  expectBits(windowGradient("4x2", "2, 6, 2", "(d0, d1 - d2, d2)",
                            "(d0, d1 * 2 - 1)", "10"));
  expectBits(windowGradient("4x3", "2, 6, 2, 2", "(d0, d1 - d3, d3 * 2 + d2)",
                            "(d0, d1 * 4 + d2 * 2 + 1)", "17"));
}

TEST(Reduction, RowsInEveryOrder) {
  for (const char *order : kOrders)
    for (const char *kind : {"sum", "product"})
      expectBits(std::string(R"(
        func.func @f(%x: tensor<5x70xf32>) -> tensor<5xf32> {
          %m = repro.mul %x, %x : tensor<5x70xf32>
          %s = repro.reduce )") +
                 kind + R"( %m domain <[5, 70], reduce [1]>
            maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
            order )" +
                 order +
                 R"( : tensor<5x70xf32> -> tensor<5xf32>
          return %s : tensor<5xf32>
        })");
}

TEST(Reduction, KindsWithoutOrder) {
  for (const char *type : {"f32", "f64", "i8", "ui32", "i64"})
    for (const char *kind : {"max", "min"}) {
      const std::string e = type;
      expectBits("func.func @f(%x: tensor<33x7x3x" + e + ">) -> tensor<33x3x" +
                 e + "> {\n  %s = repro.reduce " + kind +
                 R"( %x domain <[33, 7, 3], reduce [1]>
            maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>]
            : tensor<33x7x3x)" +
                 e + "> -> tensor<33x3x" + e + ">\n  return %s : tensor<33x3x" +
                 e + ">\n}");
    }
  for (const char *kind : {"and", "or"})
    expectBits(std::string("func.func @f(%x: tensor<33x3xi1>) -> tensor<33xi1> "
                           "{\n  %s = repro.reduce ") +
               kind + R"( %x domain <[33, 3], reduce [1]>
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
          : tensor<33x3xi1> -> tensor<33xi1>
        return %s : tensor<33xi1>
      })");
}

// Max pooling 3x3, stride 2, padding 1, its winners, and empty windows.
TEST(Reduction, Pooling) {
  expectBits(R"(
    func.func @f(%x: tensor<2x3x9x9xf32>) -> (tensor<2x3x5x5xf32>, tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>) {
      %y = repro.reduce max %x domain <[2, 3, 5, 5, 3, 3], reduce [4, 5]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4 - 1, d3 * 2 + d5 - 1)>,
              affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>] : tensor<2x3x9x9xf32> -> tensor<2x3x5x5xf32>
      %i = repro.arg_reduce max %x domain <[2, 3, 5, 5, 3, 3], reduce [4, 5]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4 - 1, d3 * 2 + d5 - 1)>,
              affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>] : tensor<2x3x9x9xf32> -> tensor<2x3x5x5xi32>
      %j = repro.arg_reduce min last %x domain <[2, 3, 5, 5, 3, 3], reduce [4, 5]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4 - 1, d3 * 2 + d5 - 1)>,
              affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>] : tensor<2x3x9x9xf32> -> tensor<2x3x5x5xi32>
      return %y, %i, %j : tensor<2x3x5x5xf32>, tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>
    })");
}

} // namespace

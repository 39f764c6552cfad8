// gather and scatter, alone and fused, against the reference.

#include "RunProgram.h"

#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;

namespace {

// Rows of a table: the indices run from -4 to 4 and far beyond (gather_r1).
TEST(Gather, Rows) {
  for (const char *bounds : {"fault", "zero"})
    for (const char *type : {"f32", "f64", "bf16", "i1", "ui8"})
      expectBits(std::string("func.func @f(%t: tensor<7x5x") + type +
                 ">, %i: tensor<23xi64>) -> tensor<23x5x" + type +
                 R"(> {
        %y = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
          bounds )" +
                 bounds + " : tensor<7x5x" + type +
                 ">, tensor<23xi64> -> tensor<23x5x" + type +
                 ">\n  return %y : tensor<23x5x" + type + ">\n}");
}

// Two indices, one of them broadcast, with an offset and a stride.
TEST(Gather, TwoIndices) {
  expectBits(R"(
    func.func @f(%t: tensor<4x3x6xf32>, %i: tensor<5xi32>, %j: tensor<3x5xi64>) -> tensor<5x3x2xf32> {
      %y = repro.gather %t[%i, %j]
        maps [affine_map<(d0, d1, d2)[s0, s1] -> (s0 + d1 - 1, s1 - d1 + 2, d2 * 2 + 1)>,
              affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d1, d0)>]
        bounds fault : tensor<4x3x6xf32>, tensor<5xi32>, tensor<3x5xi64> -> tensor<5x3x2xf32>
      return %y : tensor<5x3x2xf32>
    })");
}

// A static view that leaves its tensor: diagonals.
TEST(Gather, WithoutIndices) {
  expectBits(R"(
    func.func @f(%t: tensor<4x6xf32>) -> tensor<7x4xf32> {
      %y = repro.gather %t[] maps [affine_map<(d0, d1) -> (d1, d1 + d0 - 2)>]
        bounds zero : tensor<4x6xf32> -> tensor<7x4xf32>
      return %y : tensor<7x4xf32>
    })");
}

TEST(Gather, NothingToReadFrom) {
  expectBits(R"(
    func.func @f(%t: tensor<0x3xf32>, %i: tensor<4xi64>, %u: tensor<4x0xf32>) -> (tensor<4x3xf32>, tensor<4x0xf32>) {
      %y = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<0x3xf32>, tensor<4xi64> -> tensor<4x3xf32>
      %z = repro.gather %u[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<4x0xf32>, tensor<4xi64> -> tensor<4x0xf32>
      return %y, %z : tensor<4x3xf32>, tensor<4x0xf32>
    })");
}

// Between arithmetic on the table, on the indices and on the result; and under
// ops that read a part of it, which finds all its faults nevertheless (g7).
TEST(Gather, Fused) {
  expectBits(R"(
    func.func @f(%t: tensor<9x5xf32>, %i: tensor<12xi64>, %b: tensor<12x5xf32>) -> (tensor<12x5xf32>, tensor<6x5xf32>, tensor<12xf32>) {
      %e = repro.sqrt %t : tensor<9x5xf32>
      %n = repro.constant dense<9> : tensor<i64>
      %nn = repro.broadcast %n dims [] : tensor<i64> to tensor<12xi64>
      %j = repro.rem %i, %nn : tensor<12xi64>
      %y = repro.gather %e[%j] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<9x5xf32>, tensor<12xi64> -> tensor<12x5xf32>
      %z = repro.add %y, %b : tensor<12x5xf32>
      %p = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<9x5xf32>, tensor<12xi64> -> tensor<12x5xf32>
      %s = repro.slice %p start [0, 0] limit [12, 5] stride [2, 1] : tensor<12x5xf32> to tensor<6x5xf32>
      %q = repro.gather %t[%j] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds zero : tensor<9x5xf32>, tensor<12xi64> -> tensor<12x5xf32>
      %m = repro.mul %q, %b : tensor<12x5xf32>
      %r = repro.reduce sum %m domain <[12, 5], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        order lanes<4> : tensor<12x5xf32> -> tensor<12xf32>
      return %z, %s, %r : tensor<12x5xf32>, tensor<6x5xf32>, tensor<12xf32>
    })");
}

std::string scatter(const std::string &kind, const std::string &type,
                    const std::string &bounds) {
  return "func.func @f(%b: tensor<7x6x" + type + ">, %u: tensor<40x6x" + type +
         ">, %i: tensor<40xi64>) -> tensor<7x6x" + type +
         "> {\n  %y = repro.scatter " + kind + R"( %b, %u[%i]
      maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds )" +
         bounds + " : tensor<7x6x" + type + ">, tensor<40x6x" + type +
         ">, tensor<40xi64>\n  return %y : tensor<7x6x" + type + ">\n}";
}

// Columns along the last dimension, many updates of one element (scatter_r1 to
// scatter_r3).
TEST(Scatter, RowsOfEveryKind) {
  for (const char *kind : {"set", "add", "mul", "min", "max"})
    expectBits(scatter(kind, "f32", "fault"));
  for (auto [kind, type] : {std::pair("min", "f64"), std::pair("add", "i8"),
                            std::pair("mul", "i64"), std::pair("max", "ui32")})
    expectBits(scatter(kind, type, "fault"));
  expectBits(scatter("set", "f16", "zero"));
  expectBits(scatter("set", "i1", "zero"));
}

// More columns than a tile has, next to others that are not in its row.
TEST(Scatter, LongRows) {
  expectBits(R"(
    func.func @f(%b: tensor<3x5x130xf32>, %u: tensor<3x11x130xf32>, %i: tensor<3x11xi64>) -> tensor<3x5x130xf32> {
      %y = repro.scatter add %b, %u[%i]
        maps [affine_map<(d0, d1, d2)[s0] -> (d0, s0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds fault : tensor<3x5x130xf32>, tensor<3x11x130xf32>, tensor<3x11xi64>
      return %y : tensor<3x5x130xf32>
    })");
}

// Adjacent columns whose updates have places of their own: fewer than a vector,
// more than a tile has, and some without an update.
TEST(Scatter, AdjacentColumns) {
  for (const char *kind : {"set", "add", "max"})
    for (auto [result, updates] :
         {std::pair("5x7", "11x7"), std::pair("5x37", "11x37"),
          std::pair("4x150", "9x150"), std::pair("4x150", "9x70")})
      for (const char *bounds : {"fault", "zero"}) {
        const std::string base = std::string("tensor<") + result + "xf32>",
                          update = std::string("tensor<") + updates + "xf32>",
                          index = std::string("tensor<") + updates + "xi64>";
        expectBits("func.func @f(%b: " + base + ", %u: " + update + ", %i: " +
                   index + ") -> " + base + " {\n  %y = repro.scatter " + kind +
                   " %b, %u[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, "
                   "affine_map<(d0, d1) -> (d0, d1)>] bounds " +
                   bounds + " : " + base + ", " + update + ", " + index +
                   "\n  return %y : " + base + "\n}");
      }
  // Narrow elements, and a base of the kernel's own.
  expectBits(R"(
    func.func @f(%a: tensor<40xi8>, %u: tensor<9x40xi8>, %i: tensor<9x40xi32>) -> tensor<6x40xi8> {
      %b = repro.broadcast %a dims [1] : tensor<40xi8> to tensor<6x40xi8>
      %y = repro.scatter mul %b, %u[%i]
        maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
        bounds zero : tensor<6x40xi8>, tensor<9x40xi8>, tensor<9x40xi32>
      return %y : tensor<6x40xi8>
    })");
}

// One column: every dimension of the result is an index.
TEST(Scatter, Points) {
  expectBits(R"(
    func.func @f(%b: tensor<3x4xf32>, %u: tensor<30xf32>, %i: tensor<30xi64>, %j: tensor<30xi32>) -> tensor<3x4xf32> {
      %y = repro.scatter add %b, %u[%i, %j]
        maps [affine_map<(d0)[s0, s1] -> (s0, s1 + 1)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]
        bounds zero : tensor<3x4xf32>, tensor<30xf32>, tensor<30xi64>, tensor<30xi32>
      return %y : tensor<3x4xf32>
    })");
}

// Slices of the base beyond the updates have owners, too; and updates beyond
// the base are dropped.
TEST(Scatter, ExtentsThatDiffer) {
  for (const char *rows : {"3", "8"})
    expectBits(std::string("func.func @f(%b: tensor<5x6xf32>, %u: tensor<") +
               rows + "x4xf32>, %i: tensor<" + rows +
               R"(x4xi64>) -> tensor<5x6xf32> {
        %y = repro.scatter set %b, %u[%i]
          maps [affine_map<(d0, d1)[s0] -> (d0, s0)>, affine_map<(d0, d1) -> (d0, d1)>]
          bounds fault : tensor<5x6xf32>, tensor<)" +
               rows + "x4xf32>, tensor<" + rows +
               "x4xi64>\n  return %y : tensor<5x6xf32>\n}");
}

// Operands that the kernel computes, and a result that is read at once.
TEST(Scatter, Fused) {
  expectBits(R"(
    func.func @f(%x: tensor<40x6xf32>, %i: tensor<40xi64>) -> tensor<7x6xf32> {
      %z = repro.constant dense<0.0> : tensor<f32>
      %b = repro.broadcast %z dims [] : tensor<f32> to tensor<7x6xf32>
      %u = repro.mul %x, %x : tensor<40x6xf32>
      %n = repro.constant dense<7> : tensor<i64>
      %nn = repro.broadcast %n dims [] : tensor<i64> to tensor<40xi64>
      %j = repro.rem %i, %nn : tensor<40xi64>
      %y = repro.scatter add %b, %u[%j]
        maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds zero : tensor<7x6xf32>, tensor<40x6xf32>, tensor<40xi64>
      %s = repro.sqrt %y : tensor<7x6xf32>
      return %s : tensor<7x6xf32>
    })");
}

TEST(Scatter, Nothing) {
  expectBits(R"(
    func.func @f(%b: tensor<0x6xf32>, %c: tensor<3x2xf32>, %u: tensor<4x6xf32>, %v: tensor<0x2xf32>, %i: tensor<4xi64>, %j: tensor<0xi64>)
        -> (tensor<0x6xf32>, tensor<3x2xf32>) {
      %y = repro.scatter add %b, %u[%i]
        maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<0x6xf32>, tensor<4x6xf32>, tensor<4xi64>
      %z = repro.scatter add %c, %v[%j]
        maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<3x2xf32>, tensor<0x2xf32>, tensor<0xi64>
      return %y, %z : tensor<0x6xf32>, tensor<3x2xf32>
    })");
}

/// A base without elements that is computed in the kernel.
TEST(Scatter, NothingFused) {
  expectBits(R"(
    func.func @f(%b: tensor<3x0xf32>, %u: tensor<1x1xf32>, %i: tensor<1xi64>)
        -> tensor<1x0xf32> {
      %r = repro.reverse %b dims [0] : tensor<3x0xf32>
      %c = repro.reshape %r : tensor<3x0xf32> to tensor<1x0xf32>
      %y = repro.scatter set %c, %u[%i]
        maps [affine_map<(d0, d1)[s0] -> (d1, s0)>, affine_map<(d0, d1) -> (d0)>]
        bounds zero : tensor<1x0xf32>, tensor<1x1xf32>, tensor<1xi64>
      return %y : tensor<1x0xf32>
    })");
}

} // namespace

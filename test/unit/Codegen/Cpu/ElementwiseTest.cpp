// Every elementwise op, compiled for every instruction set, against the
// reference, on ordinary, random and special values.

#include "RunProgram.h"

#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;

namespace {

std::string unary(const std::string &op, const std::string &type) {
  const std::string t = "tensor<17x61x" + type + ">";
  return "func.func @f(%a: " + t + ") -> " + t + " {\n  %y = repro." + op +
         " %a : " + t + "\n  return %y : " + t + "\n}\n";
}

std::string binary(const std::string &op, const std::string &type) {
  const std::string t = "tensor<3001x" + type + ">";
  return "func.func @f(%a: " + t + ", %b: " + t + ") -> " + t +
         " {\n  %y = repro." + op + " %a, %b : " + t + "\n  return %y : " + t +
         "\n}\n";
}

TEST(Elementwise, Arithmetic) {
  for (const char *op : {"add", "sub", "mul", "div", "rem", "min", "max"})
    for (const char *type : {"f32", "f64", "i8", "i32", "i64", "ui8", "ui32",
                             "ui64"})
      expectBits(binary(op, type));
}

TEST(Elementwise, Bits) {
  for (const char *op : {"and", "or", "xor"})
    for (const char *type : {"i1", "i16", "ui64"})
      expectBits(binary(op, type));
  for (const char *op : {"shl", "shr"})
    for (const char *type : {"i8", "i32", "ui16", "ui64"})
      expectBits(binary(op, type));
  for (const char *type : {"i1", "i32", "ui8"})
    expectBits(unary("not", type));
}

TEST(Elementwise, Unary) {
  for (const char *op : {"neg", "abs"})
    for (const char *type : {"f32", "f64", "i8", "i64"})
      expectBits(unary(op, type));
  for (const char *op : {"sqrt", "round floor", "round ceil", "round trunc",
                         "round even"})
    for (const char *type : {"f32", "f64"})
      expectBits(unary(op, type));
}

TEST(Elementwise, Functions) {
  for (const char *op :
       {"exp", "expm1", "log", "log1p", "tanh", "sigmoid", "erf"})
    expectBits(unary(op, "f32"));
}

TEST(Elementwise, Fma) {
  for (const char *type : {"f32", "f64"}) {
    const std::string t = std::string("tensor<20000x") + type + ">";
    expectBits("func.func @f(%a: " + t + ", %b: " + t + ", %c: " + t +
               ") -> " + t + " {\n  %y = repro.fma %a, %b, %c : " + t +
               "\n  return %y : " + t + "\n}\n");
  }
}

TEST(Elementwise, CompareAndSelect) {
  for (const char *kind : {"eq", "ne", "lt", "le", "gt", "ge"})
    for (const char *type : {"f32", "f64", "i8", "ui8", "f16", "bf16", "i1"}) {
      const std::string t = std::string("tensor<997x") + type + ">";
      expectBits("func.func @f(%a: " + t + ", %b: " + t +
                 ") -> (tensor<997xi1>, " + t + ") {\n  %p = repro.compare " +
                 kind + " %a, %b : " + t +
                 "\n  %y = repro.select %p, %b, %a : " + t +
                 "\n  return %p, %y : tensor<997xi1>, " + t + "\n}\n");
    }
}

TEST(Elementwise, Convert) {
  const char *types[] = {"f32", "f64", "f16", "bf16", "i1",
                         "i8",  "i32", "i64", "ui8",  "ui64"};
  for (const char *from : types)
    for (const char *to : types)
      if (from != to) {
        const std::string a = std::string("tensor<2003x") + from + ">";
        const std::string b = std::string("tensor<2003x") + to + ">";
        expectBits("func.func @f(%a: " + a + ") -> " + b +
                   " {\n  %y = repro.convert %a : " + a + " to " + b +
                   "\n  return %y : " + b + "\n}\n");
      }
}

// g4: payloads pass through select and movement, not through arithmetic.
TEST(Elementwise, NanLeavesArithmeticCanonical) {
  expectBits(R"(
    func.func @f(%a: tensor<999xf32>, %b: tensor<999xf32>, %p: tensor<999xi1>)
        -> (tensor<999xf32>, tensor<999xf32>) {
      %s = repro.add %a, %b : tensor<999xf32>
      %n = repro.neg %s : tensor<999xf32>
      %y = repro.select %p, %n, %a : tensor<999xf32>
      %r = repro.reverse %y dims [0] : tensor<999xf32>
      %m = repro.mul %r, %r : tensor<999xf32>
      return %r, %m : tensor<999xf32>, tensor<999xf32>
    })");
}

} // namespace

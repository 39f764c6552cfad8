// Every elementwise op, compiled for every instruction set, against the
// reference, on ordinary, random and special values.

#include "RunProgram.h"

#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;

namespace {

/// Many ops in one program, a kernel each: compiled together, linked once.
class Batch {
public:
  ~Batch() {
    expectBits("func.func @f(" + arguments + ") -> (" + types + ") {\n" + body +
               "  return " + results + " : " + types + "\n}\n");
  }

  /// An argument of that type; its name.
  std::string take(const std::string &type) {
    const std::string name = "%a" + std::to_string(count++);
    arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
    return name;
  }

  /// The value of `text`, an op without its result; it is a result of the
  /// program.
  std::string give(const std::string &text, const std::string &type) {
    const std::string name = "%r" + std::to_string(count++);
    body += "  " + name + " = " + text + "\n";
    results += (results.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + type;
    return name;
  }

  void unary(const std::string &op, const std::string &element) {
    const std::string type = "tensor<17x61x" + element + ">";
    give("repro." + op + " " + take(type) + " : " + type, type);
  }

  void binary(const std::string &op, const std::string &element) {
    const std::string type = "tensor<3001x" + element + ">";
    const std::string a = take(type), b = take(type);
    give("repro." + op + " " + a + ", " + b + " : " + type, type);
  }

private:
  int count = 0;
  std::string arguments, body, results, types;
};

TEST(Elementwise, Arithmetic) {
  Batch batch;
  for (const char *op : {"add", "sub", "mul", "div", "rem", "min", "max"})
    for (const char *type :
         {"f32", "f64", "i8", "i32", "i64", "ui8", "ui32", "ui64"})
      batch.binary(op, type);
}

TEST(Elementwise, Bits) {
  Batch batch;
  for (const char *op : {"and", "or", "xor"})
    for (const char *type : {"i1", "i16", "ui64"})
      batch.binary(op, type);
  for (const char *op : {"shl", "shr"})
    for (const char *type : {"i8", "i32", "ui16", "ui64"})
      batch.binary(op, type);
  for (const char *type : {"i1", "i32", "ui8"})
    batch.unary("not", type);
}

TEST(Elementwise, Unary) {
  Batch batch;
  for (const char *op : {"neg", "abs"})
    for (const char *type : {"f32", "f64", "i8", "i64"})
      batch.unary(op, type);
  for (const char *op :
       {"sqrt", "round floor", "round ceil", "round trunc", "round even"})
    for (const char *type : {"f32", "f64"})
      batch.unary(op, type);
}

TEST(Elementwise, Functions) {
  Batch batch;
#define GENSYN_FUNCTION(Stem, name) batch.unary(#name, "f32");
#include "gensyn/Numerics/Functions.def"
  batch.binary("pow", "f32");
}

/// So many vectors that some leave a lane to f64, and most do not.
TEST(Elementwise, FunctionsOfPairs) {
  Batch batch;
  const std::string type = "tensor<16384xf32>";
#define GENSYN_FUNCTION(Stem, name)                                            \
  batch.give("repro." #name " " + batch.take(type) + " : " + type, type);
#include "gensyn/Numerics/Functions/WordTables.def"
}

// function_r2 and function_r3.
TEST(Elementwise, function_r3_F64) {
  Batch batch;
  for (const char *op :
       {"exp", "log", "expm1", "log1p", "sigmoid", "tanh", "erf"})
    batch.unary(op, "f64");
}

TEST(Elementwise, Fma) {
  Batch batch;
  for (const char *element : {"f32", "f64"}) {
    const std::string type = std::string("tensor<20000x") + element + ">";
    const std::string a = batch.take(type), b = batch.take(type);
    batch.give("repro.fma " + a + ", " + b + ", " + batch.take(type) + " : " +
                   type,
               type);
  }
}

TEST(Elementwise, CompareAndSelect) {
  Batch batch;
  for (const char *kind : {"eq", "ne", "lt", "le", "gt", "ge"})
    for (const char *element :
         {"f32", "f64", "i8", "ui8", "f16", "bf16", "i1"}) {
      const std::string type = std::string("tensor<997x") + element + ">";
      const std::string a = batch.take(type), b = batch.take(type);
      const std::string operands = a + ", " + b + " : " + type;
      const std::string p =
          batch.give(std::string("repro.compare ") + kind + " " + operands,
                     "tensor<997xi1>");
      batch.give("repro.select " + p + ", " + b + ", " + a + " : " + type,
                 type);
    }
}

TEST(Elementwise, Convert) {
  Batch batch;
  const char *types[] = {"f32", "f64", "f16", "bf16", "i1",
                         "i8",  "i32", "i64", "ui8",  "ui64"};
  for (const char *from : types)
    for (const char *to : types)
      if (from != to) {
        const std::string a = std::string("tensor<2003x") + from + ">";
        const std::string b = std::string("tensor<2003x") + to + ">";
        batch.give("repro.convert " + batch.take(a) + " : " + a + " to " + b,
                   b);
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

// g4: what leaves a number as it is, is arithmetic; the operand is none.
TEST(Elementwise, AnOperandKeepsItsPayload) {
  expectBits(R"(
    func.func @f(%a: tensor<997xf32>)
        -> (tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>) {
      %one = repro.constant dense<1.0> : tensor<997xf32>
      %zero = repro.constant dense<0.0> : tensor<997xf32>
      %m = repro.mul %a, %one : tensor<997xf32>
      %d = repro.div %a, %one : tensor<997xf32>
      %s = repro.sub %a, %zero : tensor<997xf32>
      %n = repro.neg %a : tensor<997xf32>
      %t = repro.neg %n : tensor<997xf32>
      %r = repro.reverse %a dims [0] : tensor<997xf32>
      %e = repro.reverse %r dims [0] : tensor<997xf32>
      %c = repro.convert %r : tensor<997xf32> to tensor<997xf32>
      return %m, %d, %s, %t, %e, %a, %r, %c : tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>, tensor<997xf32>
    })");
}

} // namespace

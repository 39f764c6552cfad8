// Elementwise and movement ops for DerivativeTest.

#include "DerivativeCases.h"

namespace gensyn::train::test {

static std::string unary(const std::string &op) {
  return "func.func @main(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {\n"
         "  %y = repro." +
         op + " %x : tensor<2x3xf64>\n  return %y : tensor<2x3xf64>\n}\n";
}

static std::string binary(const std::string &op) {
  return "func.func @main(%a: tensor<2x3xf64>, %b: tensor<2x3xf64>) -> "
         "tensor<2x3xf64> {\n  %y = repro." +
         op + " %a, %b : tensor<2x3xf64>\n  return %y : tensor<2x3xf64>\n}\n";
}

// Ops through which no gradient flows: f is locally constant in x, and its
// product with x has the derivative f.
static std::string constantTimes(const std::string &lines) {
  return "func.func @main(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {\n" + lines +
         "  %y = repro.mul %f, %x : tensor<2x3xf64>\n"
         "  return %y : tensor<2x3xf64>\n}\n";
}

static std::string integers(const std::string &op) {
  return constantTimes(
      "  %i = repro.convert %x : tensor<2x3xf64> to tensor<2x3xi32>\n"
      "  %one = repro.constant dense<1> : tensor<2x3xi32>\n  %j = repro." +
      op +
      " : tensor<2x3xi32>\n"
      "  %f = repro.convert %j : tensor<2x3xi32> to tensor<2x3xf64>\n");
}

std::vector<DerivativeCase> elementwiseCases() {
  Range positive{0.5, 3.0}, inside{-0.7, 2.0}, within{-0.8, 0.8};
  std::vector<DerivativeCase> cases = {
      {unary("neg"), {}},
      {unary("abs"), {}},
      {unary("sqrt"), {positive}},
      {unary("exp"), {}},
      {unary("expm1"), {}},
      {unary("log"), {positive}},
      {unary("log1p"), {inside}},
      {unary("sin"), {}},
      {unary("cos"), {}},
      {unary("tan"), {{-1.2, 1.2}}},
      {unary("asin"), {within}},
      {unary("acos"), {within}},
      {unary("atan"), {}},
      {unary("sinh"), {}},
      {unary("cosh"), {}},
      {unary("tanh"), {}},
      {unary("asinh"), {}},
      {unary("acosh"), {{1.3, 4.0}}},
      {unary("atanh"), {within}},
      {unary("sigmoid"), {}},
      {unary("erf"), {}},
      {binary("add"), {}},
      {binary("sub"), {}},
      {binary("mul"), {}},
      {binary("div"), {{-2, 2}, positive}},
      {binary("pow"), {positive, {-3, 3}}},
      {binary("rem"), {{-5, 5}, positive}},
      {binary("min"), {}},
      {binary("max"), {}},
      {integers("and %i, %one"), {{-5, 5}}},
      {integers("or %i, %one"), {{-5, 5}}},
      {integers("xor %i, %one"), {{-5, 5}}},
      {integers("shl %i, %one"), {{1, 9}}},
      {integers("shr %i, %one"), {{-9, 9}}},
      {integers("not %i"), {{-5, 5}}},
  };
  for (std::string kind : {"floor", "ceil", "trunc", "even"})
    cases.push_back({constantTimes("  %f = repro.round " + kind +
                                   " %x : tensor<2x3xf64>\n"),
                     {{-4.8, 5.3}}});
  cases.push_back({R"(
func.func @main(%a: tensor<4xf64>, %b: tensor<4xf64>, %c: tensor<4xf64>) -> tensor<4xf64> {
  %y = repro.fma %a, %b, %c : tensor<4xf64>
  return %y : tensor<4xf64>
})",
                   {}});
  cases.push_back({R"(
func.func @main(%a: tensor<4xf64>, %b: tensor<4xf64>, %c: tensor<4xf64>) -> tensor<4xf64> {
  %p = repro.compare lt %a, %b : tensor<4xf64>
  %d = repro.mul %a, %c : tensor<4xf64>
  %y = repro.select %p, %d, %b : tensor<4xf64>
  return %y : tensor<4xf64>
})",
                   {}});
  // Rounding to f32 is a staircase of steps of 2^-23 under the difference.
  cases.push_back({R"(
func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> {
  %n = repro.convert %a : tensor<4xf64> to tensor<4xf32>
  %s = repro.mul %n, %n : tensor<4xf32>
  %y = repro.convert %s : tensor<4xf32> to tensor<4xf64>
  return %y : tensor<4xf64>
})",
                   {{1.0, 2.0}},
                   0.03});
  // Several uses of a value, and a value that is its own factor.
  cases.push_back({R"(
func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> {
  %s = repro.mul %a, %a : tensor<4xf64>
  %e = repro.exp %a : tensor<4xf64>
  %t = repro.mul %s, %e : tensor<4xf64>
  %y = repro.div %t, %a : tensor<4xf64>
  return %y : tensor<4xf64>
})",
                   {{0.5, 2.0}}});
  return cases;
}

std::vector<DerivativeCase> movementCases() {
  return {
      // Dropout: through the kept elements flows the factor, through bits and
      // mask nothing.
      {R"(
func.func @main(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %key = repro.constant dense<[7, 1]> : tensor<2xui32>
  %step = repro.constant dense<3> : tensor<ui32>
  %bits = repro.random_bits %key, %step, %step stream 1 : tensor<3x4xui32>
  %p = repro.constant dense<1717986918> : tensor<3x4xui32>
  %keep = repro.compare ge %bits, %p : tensor<3x4xui32>
  %factor = repro.constant dense<1.6666666666666667> : tensor<3x4xf64>
  %scaled = repro.mul %x, %factor : tensor<3x4xf64>
  %zero = repro.constant dense<0.0> : tensor<3x4xf64>
  %y = repro.select %keep, %scaled, %zero : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
})",
       {}},
      {R"(
func.func @main(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %i = repro.iota dim 1 : tensor<2x3xi64>
  %f = repro.convert %i : tensor<2x3xi64> to tensor<2x3xf64>
  %c = repro.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %a = repro.mul %x, %f : tensor<2x3xf64>
  %y = repro.add %a, %c : tensor<2x3xf64>
  return %y : tensor<2x3xf64>
})",
       {}},
      {R"(
func.func @main(%x: tensor<2x6xf64>) -> tensor<3x4xf64> {
  %y = repro.reshape %x : tensor<2x6xf64> to tensor<3x4xf64>
  return %y : tensor<3x4xf64>
})",
       {}},
      {R"(
func.func @main(%x: tensor<2x3x4xf64>) -> tensor<4x2x3xf64> {
  %y = repro.transpose %x [2, 0, 1] : tensor<2x3x4xf64> to tensor<4x2x3xf64>
  return %y : tensor<4x2x3xf64>
})",
       {}},
      {R"(
func.func @main(%x: tensor<3x2xf64>) -> tensor<2x3x2x2x2xf64> {
  %y = repro.broadcast %x dims [1, 3] : tensor<3x2xf64> to tensor<2x3x2x2x2xf64>
  return %y : tensor<2x3x2x2x2xf64>
})",
       {}},
      {R"(
func.func @main(%x: tensor<f64>) -> tensor<2x3xf64> {
  %y = repro.broadcast %x dims [] : tensor<f64> to tensor<2x3xf64>
  return %y : tensor<2x3xf64>
})",
       {}},
      {R"(
func.func @main(%x: tensor<4x9xf64>) -> tensor<2x3xf64> {
  %y = repro.slice %x start [1, 1] limit [3, 8] stride [1, 3] : tensor<4x9xf64> to tensor<2x3xf64>
  return %y : tensor<2x3xf64>
})",
       {}},
      {R"(
func.func @main(%x: tensor<2x3xf64>, %v: tensor<f64>) -> tensor<5x10xf64> {
  %y = repro.pad %x, %v low [1, 2] high [2, 1] interior [0, 2]
      : tensor<2x3xf64>, tensor<f64> to tensor<5x10xf64>
  return %y : tensor<5x10xf64>
})",
       {}},
      {R"(
func.func @main(%a: tensor<2x3xf64>, %b: tensor<2x1xf64>) -> tensor<2x7xf64> {
  %y = repro.concat %a, %b, %a dim 1 : (tensor<2x3xf64>, tensor<2x1xf64>, tensor<2x3xf64>) -> tensor<2x7xf64>
  return %y : tensor<2x7xf64>
})",
       {}},
      {R"(
func.func @main(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %y = repro.reverse %x dims [0, 2] : tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
})",
       {}},
  };
}

} // namespace gensyn::train::test

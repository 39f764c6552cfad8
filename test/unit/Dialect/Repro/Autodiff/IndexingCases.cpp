// Gathers, scatters, prefixes and sorting for DerivativeTest.

#include "DerivativeCases.h"

namespace gensyn::train::test {

// The indices name some rows twice, some never, and one that is not there.
static std::string scatter(const std::string &kind) {
  return R"(
func.func @main(%b: tensor<4x3xf64>, %u: tensor<6x3xf64>) -> tensor<4x3xf64> {
  %i = repro.constant dense<[2, 0, 2, 7, 0, 2]> : tensor<6xi64>
  %y = repro.scatter )" +
         kind + R"( %b, %u[%i]
      maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds zero : tensor<4x3xf64>, tensor<6x3xf64>, tensor<6xi64>
  return %y : tensor<4x3xf64>
})";
}

static std::string scan(const std::string &kind, const std::string &shape,
                        const std::string &dim) {
  return "func.func @main(%x: tensor<" + shape + "xf64>) -> tensor<" + shape +
         "xf64> {\n  %y = repro.scan " + kind + " %x dim " + dim +
         " : tensor<" + shape + "xf64>\n  return %y : tensor<" + shape +
         "xf64>\n}\n";
}

static std::string sort(const std::string &direction) {
  return "func.func @main(%x: tensor<3x7x2xf64>) -> tensor<3x4x2xf64> {\n"
         "  %y, %p = repro.sort " +
         direction +
         " %x dim 1 count 4 : tensor<3x7x2xf64> -> tensor<3x4x2xf64>, "
         "tensor<3x4x2xi32>\n  return %y : tensor<3x4x2xf64>\n}\n";
}

std::vector<DerivativeCase> indexingCases() {
  std::vector<DerivativeCase> cases = {{R"(
func.func @main(%t: tensor<4x3xf64>) -> tensor<6x3xf64> {
  %i = repro.constant dense<[2, 0, 2, 7, 0, 2]> : tensor<6xi64>
  %y = repro.gather %t[%i]
      maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds zero : tensor<4x3xf64>, tensor<6xi64> -> tensor<6x3xf64>
  return %y : tensor<6x3xf64>
})",
                                        {}}};
  for (const char *kind : {"set", "add", "min", "max"})
    cases.push_back({scatter(kind), {}});
  for (const char *kind : {"sum", "product"}) {
    cases.push_back({scan(kind, "3x5x2", "1"), {}});
    cases.push_back({scan(kind, "8", "0"), {}});
    cases.push_back({scan(kind, "2x1", "1"), {}});
  }
  for (const char *direction : {"ascending", "descending"})
    cases.push_back({sort(direction), {}});
  return cases;
}

} // namespace gensyn::train::test

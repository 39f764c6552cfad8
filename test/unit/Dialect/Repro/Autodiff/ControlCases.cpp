// Branches and loops for DerivativeTest (if_r2, loop_r3, loop_r4).

#include "DerivativeCases.h"

namespace gensyn::train::test {

std::vector<DerivativeCase> controlCases() {
  const Range unit = {-1, 1};
  std::vector<DerivativeCase> cases;
  // Captures that both sides use, that one side uses, and that none uses.
  for (const char *flag : {"false", "true"})
    cases.push_back(
        {std::string("func.func @main(%x: tensor<3xf64>, %y: tensor<3xf64>, "
                     "%z: tensor<3xf64>) -> tensor<3xf64> {\n"
                     "  %p = repro.constant dense<") +
             flag + R"(> : tensor<i1>
  %u = repro.mul %x, %x : tensor<3xf64>
  %a, %b = repro.if %p (%c = %u : tensor<3xf64>, %d = %y : tensor<3xf64>, %e = %z : tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
    %f = repro.mul %c, %c : tensor<3xf64>
    %g = repro.neg %f : tensor<3xf64>
    repro.yield %f, %g : tensor<3xf64>, tensor<3xf64>
  } else {
    %f = repro.sin %d : tensor<3xf64>
    %g = repro.mul %f, %c : tensor<3xf64>
    repro.yield %g, %c : tensor<3xf64>, tensor<3xf64>
  }
  %r = repro.mul %a, %x : tensor<3xf64>
  return %r : tensor<3xf64>
}
)",
         {unit, unit, unit}});
  // A recurrence of two values with an invariant, and one that has no part.
  cases.push_back({R"(
func.func @main(%x: tensor<3xf64>, %w: tensor<3xf64>, %n: tensor<3xf64>) -> tensor<3xf64> {
  %a, %b, %c = repro.loop trips 4 (%i, %u = %x : tensor<3xf64>, %v = %w : tensor<3xf64>, %o = %n : tensor<3xf64>) invariant (%s = %w : tensor<3xf64>) {
    %k = repro.convert %i : tensor<i64> to tensor<f64>
    %kk = repro.broadcast %k dims [] : tensor<f64> to tensor<3xf64>
    %d = repro.mul %u, %s : tensor<3xf64>
    %e = repro.sin %d : tensor<3xf64>
    %f = repro.fma %kk, %v, %e : tensor<3xf64>
    %g = repro.abs %o : tensor<3xf64>
    repro.yield %f, %u, %g : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
  }
  %r = repro.mul %a, %b : tensor<3xf64>
  return %r : tensor<3xf64>
}
)",
                   {unit, unit, unit}});
  // The flag ends it after a number of iterations that depends on the data.
  cases.push_back({R"(
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %five = repro.constant dense<5.0> : tensor<f64>
  %go = repro.compare lt %x, %five : tensor<f64>
  %a = repro.loop trips 9 while %go (%i, %u = %x : tensor<f64>) invariant (%s = %five : tensor<f64>, %t = %x : tensor<f64>) {
    %d = repro.mul %u, %t : tensor<f64>
    %e = repro.add %d, %u : tensor<f64>
    %next = repro.compare lt %e, %s : tensor<f64>
    repro.yield %next, %e : tensor<i1>, tensor<f64>
  }
  return %a : tensor<f64>
}
)",
                   {{1.1, 1.2}}});
  // A loop in a loop, reading and writing rows.
  cases.push_back({R"(
func.func @main(%x: tensor<3x2xf64>, %h: tensor<2xf64>) -> tensor<3x2xf64> {
  %zero = repro.constant dense<0.0> : tensor<3x2xf64>
  %a, %y = repro.loop trips 3 (%i, %u = %h : tensor<2xf64>, %t = %zero : tensor<3x2xf64>) invariant (%s = %x : tensor<3x2xf64>) {
    %row = repro.gather %s[%i] maps [affine_map<(d0)[s0] -> (s0, d0)>, affine_map<(d0) -> ()>]
        bounds fault : tensor<3x2xf64>, tensor<i64> -> tensor<2xf64>
    %b = repro.loop trips 2 (%j, %c = %u : tensor<2xf64>) invariant (%d = %row : tensor<2xf64>) {
      %e = repro.mul %c, %d : tensor<2xf64>
      %f = repro.tanh %e : tensor<2xf64>
      repro.yield %f : tensor<2xf64>
    }
    %w = repro.scatter set %t, %b[%i] maps [affine_map<(d0)[s0] -> (s0, d0)>, affine_map<(d0) -> ()>]
        bounds zero : tensor<3x2xf64>, tensor<2xf64>, tensor<i64>
    repro.yield %b, %w : tensor<2xf64>, tensor<3x2xf64>
  }
  return %y : tensor<3x2xf64>
}
)",
                   {{0.5, 1.5}, {0.5, 1.5}}});
  // The derivative of a loop's derivative.
  cases.push_back({R"(
func.func @main(%x: tensor<f64>, %w: tensor<f64>) -> tensor<f64> {
  %a = repro.loop trips 3 (%i, %u = %x : tensor<f64>) invariant (%s = %w : tensor<f64>) {
    %d = repro.mul %u, %s : tensor<f64>
    %e = repro.sin %d : tensor<f64>
    repro.yield %e : tensor<f64>
  }
  %g = train.gradient %a wrt (%w) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %g : tensor<f64>
}
)",
                   {{0.5, 1.5}, {0.5, 1.5}}});
  return cases;
}

} // namespace gensyn::train::test

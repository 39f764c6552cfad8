// if, loop and check: plans of several steps against the reference.

#include "RunProgram.h"

#include <gtest/gtest.h>

using namespace gensyn;
using gensyn::cpu::testing::expectBits;

namespace {

TEST(If, BothSides) {
  for (bool taken : {false, true})
    expectBits(R"(
      func.func @f(%p: tensor<i1>, %x: tensor<5xf32>, %y: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
        %s = repro.add %x, %y : tensor<5xf32>
        %a, %b = repro.if %p (%u = %s : tensor<5xf32>, %v = %y : tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
          %n = repro.neg %u : tensor<5xf32>
          repro.yield %n, %n : tensor<5xf32>, tensor<5xf32>
        } else {
          %m = repro.mul %u, %v : tensor<5xf32>
          repro.yield %v, %m : tensor<5xf32>, tensor<5xf32>
        }
        %c = repro.add %a, %s : tensor<5xf32>
        return %c, %b : tensor<5xf32>, tensor<5xf32>
      })",
               {Tensor::scalar(taken),
                Tensor::of<float>({5}, {1, -2, 3, 4.5f, -0.0f}),
                Tensor::of<float>({5}, {0.1f, 7, -3, 1e30f, 0})});
}

// Values from before the loop are read in every iteration, so results of the
// body must not share their memory.
TEST(Loop, CarriedAndInvariant) {
  expectBits(R"(
    func.func @f(%x: tensor<70xf32>, %y: tensor<70xf32>) -> (tensor<70xf32>, tensor<70xf32>, tensor<70xf32>) {
      %s = repro.mul %x, %y : tensor<70xf32>
      %t = repro.add %x, %y : tensor<70xf32>
      %a, %b = repro.loop trips 7 (%i, %u = %s : tensor<70xf32>, %v = %x : tensor<70xf32>) invariant (%w = %t : tensor<70xf32>) {
        %k = repro.convert %i : tensor<i64> to tensor<f32>
        %kk = repro.broadcast %k dims [] : tensor<f32> to tensor<70xf32>
        %e = repro.mul %u, %kk : tensor<70xf32>
        %g = repro.add %e, %w : tensor<70xf32>
        %h = repro.sub %g, %v : tensor<70xf32>
        repro.yield %v, %h : tensor<70xf32>, tensor<70xf32>
      }
      %z = repro.add %a, %t : tensor<70xf32>
      return %a, %b, %z : tensor<70xf32>, tensor<70xf32>, tensor<70xf32>
    })");
}

// loop_r1: the flag ends it; loop_r2: it holds at the bound.
TEST(Loop, While) {
  for (const char *exhaust : {"", " exhaust fault"})
    for (float bound : {-1.0f, 5.0f, 1000.0f})
      expectBits(
          std::string(R"(
        func.func @f(%x: tensor<f32>, %bound: tensor<f32>) -> (tensor<f32>, tensor<i64>) {
          %go = repro.compare lt %x, %bound : tensor<f32>
          %n = repro.constant dense<0> : tensor<i64>
          %a, %c = repro.loop trips 6 while %go)") +
              exhaust +
              R"( (%i, %u = %x : tensor<f32>, %m = %n : tensor<i64>) invariant (%b = %bound : tensor<f32>) {
            %e = repro.add %u, %u : tensor<f32>
            %next = repro.compare lt %e, %b : tensor<f32>
            repro.yield %next, %e, %i : tensor<i1>, tensor<f32>, tensor<i64>
          }
          return %a, %c : tensor<f32>, tensor<i64>
        })",
          {Tensor::scalar(0.75f), Tensor::scalar(bound)});
}

TEST(Loop, NestedWithTape) {
  expectBits(R"(
    func.func @f(%x: tensor<3xf32>) -> tensor<4x3xf32> {
      %zero = repro.constant dense<0.0> : tensor<4x3xf32>
      %r:2 = repro.loop trips 4 (%i, %a = %x : tensor<3xf32>, %t = %zero : tensor<4x3xf32>) {
        %b = repro.loop trips 3 (%j, %c = %a : tensor<3xf32>) invariant (%n = %i : tensor<i64>) {
          %s = repro.add %n, %j : tensor<i64>
          %f = repro.convert %s : tensor<i64> to tensor<f32>
          %g = repro.broadcast %f dims [] : tensor<f32> to tensor<3xf32>
          %d = repro.fma %c, %g, %c : tensor<3xf32>
          repro.yield %d : tensor<3xf32>
        }
        %u = repro.scatter set %t, %b[%i] maps [affine_map<(d0)[s0] -> (s0, d0)>, affine_map<(d0) -> ()>]
            bounds zero : tensor<4x3xf32>, tensor<3xf32>, tensor<i64>
        repro.yield %b, %u : tensor<3xf32>, tensor<4x3xf32>
      }
      return %r#1 : tensor<4x3xf32>
    })");
}

// A carried value that a scatter updates is updated in place where nothing
// reads the old one after the scatter.
TEST(Loop, ScatterInPlace) {
  const char *maps = "maps [affine_map<(d0)[s0] -> (s0, d0)>, "
                     "affine_map<(d0) -> ()>] bounds zero";
  const std::string read = std::string("%old = repro.gather %t[%i] ") + maps +
                           " : tensor<9x70xf32>, tensor<i64> -> "
                           "tensor<70xf32>\n";
  for (const char *kind : {"set", "add"})
    for (bool before : {true, false}) {
      const std::string write =
          std::string("%n = repro.scatter ") + kind + " %t, %m[%i] " + maps +
          " : tensor<9x70xf32>, tensor<70xf32>, tensor<i64>\n";
      expectBits(R"(
    func.func @f(%x: tensor<70xf32>, %y: tensor<9x70xf32>) -> (tensor<70xf32>, tensor<9x70xf32>, tensor<9x70xf32>) {
      %z = repro.neg %y : tensor<9x70xf32>
      %a, %b = repro.loop trips 11 (%i, %s = %x : tensor<70xf32>, %t = %z : tensor<9x70xf32>) {
        %m = repro.mul %s, %s : tensor<70xf32>)" +
                 (before ? read + write : write + read) + R"(
        %g = repro.sub %old, %s : tensor<70xf32>
        repro.yield %g, %n : tensor<70xf32>, tensor<9x70xf32>
      }
      return %a, %b, %z : tensor<70xf32>, tensor<9x70xf32>, tensor<9x70xf32>
    })");
    }
}

// g7: iteration of the outermost loop, then element; an element that only an
// inner loop's later iteration faults at comes later.
TEST(Faults, InLoops) {
  expectBits(R"(
    func.func @f(%t: tensor<4xf32>, %ids: tensor<6xi64>) -> (tensor<3xf32>, tensor<3xf32>) {
      %zero = repro.constant dense<0.0> : tensor<3xf32>
      %two = repro.constant dense<2> : tensor<i64>
      %y = repro.loop trips 2 (%i, %a = %zero : tensor<3xf32>) invariant (%d = %t : tensor<4xf32>, %n = %ids : tensor<6xi64>) {
        %b = repro.loop trips 2 (%j, %c = %a : tensor<3xf32>) invariant (%e = %d : tensor<4xf32>, %m = %n : tensor<6xi64>, %k = %i : tensor<i64>) {
          %s = repro.add %k, %j : tensor<i64>
          %part = repro.gather %m[%s] maps [affine_map<(d0)[s0] -> (d0 + s0)>, affine_map<(d0) -> ()>]
              bounds fault : tensor<6xi64>, tensor<i64> -> tensor<3xi64>
          %g = repro.gather %e[%part] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
              bounds fault : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
          %h = repro.add %c, %g : tensor<3xf32>
          repro.yield %h : tensor<3xf32>
        }
        repro.yield %b : tensor<3xf32>
      }
      %big = repro.slice %ids start [3] limit [6] stride [1] : tensor<6xi64> to tensor<3xi64>
      %z = repro.gather %t[%big] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
          bounds fault : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
      return %y, %z : tensor<3xf32>, tensor<3xf32>
    })",
             {Tensor::of<float>({4}, {1, 2, 3, 4}),
              Tensor::of<int64_t>({6}, {0, 1, 2, 3, 4, 9})});
}

TEST(Faults, Check) {
  for (bool ok : {false, true})
    expectBits(R"(
      func.func @f(%ok: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
        %y = repro.neg %x : tensor<3xf32>
        repro.check %ok "promised" : tensor<i1>
        %z = repro.if %ok (%a = %y : tensor<3xf32>, %q = %ok : tensor<i1>) -> tensor<3xf32> {
          repro.yield %a : tensor<3xf32>
        } else {
          repro.check %q "in a branch" : tensor<i1>
          repro.yield %a : tensor<3xf32>
        }
        return %z : tensor<3xf32>
      })",
               {Tensor::scalar(ok), Tensor::of<float>({3}, {1, 2, 3})});
}

} // namespace

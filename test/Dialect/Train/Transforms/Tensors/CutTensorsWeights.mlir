// Weights are divided although the gradient of an operand reads other parts of
// them than the product: columns forward, and rows backward.
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=2})' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=2})' --remarks-filter=tensors -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: tiles = [array<i64: 0, 512, 0, 256>, array<i64: 0, 512, 0, 256, 0, 256, 0, 512>]}
// CHECK-SAME: tiles = [array<i64: 0, 512, 256, 256>, array<i64: 0, 512, 256, 256, 256, 256, 0, 512>]}

// A half and three quarters of 1 MiB. What is in both tiles counts once.
// REMARK: ParameterBytes=1310720, Percent=50.0, {{.*}} Rank=0
// REMARK: ParameterBytes=1310720, Percent=50.0, {{.*}} Rank=1
module {
  func.func @microbatch(%x: tensor<16x512xf32> {gensyn.name = "x", gensyn.role = "input"}, %w0: tensor<512x512xf32> {gensyn.name = "w0", gensyn.role = "parameter"}, %w1: tensor<512x512xf32> {gensyn.name = "w1", gensyn.role = "parameter"}, %s0: tensor<512x512xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"}, %s1: tensor<512x512xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"}, %s2: tensor<16x512xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"}) -> (tensor<512x512xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"}, tensor<512x512xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"}, tensor<16x512xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"}) attributes {train.donated = array<i64: 3, 4, 5>} {
    %p0 = repro.contract %x, %w0 domain <[16, 512, 512], reduce [2]> maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] bounds [in, in] order sequential : tensor<16x512xf32>, tensor<512x512xf32> -> tensor<16x512xf32>
    %h0 = repro.exp %p0 : tensor<16x512xf32>
    %p1 = repro.contract %h0, %w1 domain <[16, 512, 512], reduce [2]> maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] bounds [in, in] order sequential : tensor<16x512xf32>, tensor<512x512xf32> -> tensor<16x512xf32>
    %h1 = repro.exp %p1 : tensor<16x512xf32>
    %n2 = repro.add %s2, %h1 : tensor<16x512xf32>
    %m1 = repro.mul %h1, %h1 : tensor<16x512xf32>
    %dw1 = repro.contract %h0, %m1 domain <[512, 512, 16], reduce [2]> maps [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] bounds [in, in] order sequential : tensor<16x512xf32>, tensor<16x512xf32> -> tensor<512x512xf32>
    %g1 = repro.contract %m1, %w1 domain <[16, 512, 512], reduce [2]> maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] bounds [in, in] order sequential : tensor<16x512xf32>, tensor<512x512xf32> -> tensor<16x512xf32>
    %n1 = repro.add %s1, %dw1 : tensor<512x512xf32>
    %m0 = repro.mul %g1, %h0 : tensor<16x512xf32>
    %dw0 = repro.contract %x, %m0 domain <[512, 512, 16], reduce [2]> maps [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] bounds [in, in] order sequential : tensor<16x512xf32>, tensor<16x512xf32> -> tensor<512x512xf32>
    %g0 = repro.contract %m0, %w0 domain <[16, 512, 512], reduce [2]> maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] bounds [in, in] order sequential : tensor<16x512xf32>, tensor<512x512xf32> -> tensor<16x512xf32>
    %n0 = repro.add %s0, %dw0 : tensor<512x512xf32>
    return %n0, %n1, %n2 : tensor<512x512xf32>, tensor<512x512xf32>, tensor<16x512xf32>
  }
  func.func @update(%s0: tensor<512x512xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"}, %s1: tensor<512x512xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "input"}, %s2: tensor<16x512xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "input"}, %w0: tensor<512x512xf32> {gensyn.name = "w0", gensyn.role = "parameter"}, %w1: tensor<512x512xf32> {gensyn.name = "w1", gensyn.role = "parameter"}) -> (tensor<512x512xf32> {gensyn.name = "w0", gensyn.role = "parameter"}, tensor<512x512xf32> {gensyn.name = "w1", gensyn.role = "parameter"}, tensor<16x512xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %u0 = repro.sub %w0, %s0 : tensor<512x512xf32>
    %u1 = repro.sub %w1, %s1 : tensor<512x512xf32>
    return %u0, %u1, %s2 : tensor<512x512xf32>, tensor<512x512xf32>, tensor<16x512xf32>
  }
}

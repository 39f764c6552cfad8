// Parameters that two stages read.
// RUN: split-file %s %t
// RUN: gensyn-opt %t/tied.mlir --pass-pipeline='builtin.module(train-cut-stages{stages=2 slack=0})' | FileCheck %t/tied.mlir
// RUN: gensyn-opt %t/outer.mlir --pass-pipeline='builtin.module(train-cut-stages{stages=2 slack=0})' | FileCheck %t/outer.mlir

//--- tied.mlir
// The first and the last layer have one parameter. Both stages read it, and the
// last stage's part of its gradient goes to the first one, which has the sum.
// The bias is added in the first stage, so its gradient is there, although what
// arrives is all that it depends on.
// CHECK: {contributions = array<i64>, parameters = ["w", "b"], sums = array<i64: 1, 2>}
// CHECK-SAME: {contributions = array<i64>, parameters = ["w"], sums = array<i64: 0>}

// CHECK-LABEL: func.func @segment_0(
// CHECK-SAME: -> (tensor<4xf32> {gensyn.name = "gensyn.cut.0", gensyn.role = "output"})

// CHECK-LABEL: func.func @segment_1(
// CHECK-SAME: %[[W:[^:]+]]: tensor<4xf32> {gensyn.name = "w"
// CHECK-SAME: %[[H2:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.cut.0"
// CHECK: %[[H3:.+]] = repro.mul %[[H2]], %[[W]]
// CHECK: %[[D3:.+]] = repro.add %[[H3]], %[[H3]]
// CHECK: %[[D2:.+]] = repro.mul %[[D3]], %[[W]]
// CHECK: return %{{.+}}, %[[D3]], %[[D2]] :

// CHECK-LABEL: func.func @segment_2(
// CHECK-SAME: %[[H2:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.cut.0"
// CHECK-SAME: %[[D3:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.cut.1"
// CHECK-SAME: %[[D2:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.cut.2"
// CHECK: %[[LAST:.+]] = repro.mul %[[H2]], %[[D3]]
// CHECK: repro.reduce sum %[[D2]]
// CHECK: %[[FIRST:.+]] = repro.mul %{{.+}}, %[[D2]]
// CHECK: repro.add %[[LAST]], %[[FIRST]]
module {
  func.func @microbatch(
      %x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %b: tensor<f32> {gensyn.name = "b", gensyn.role = "parameter"},
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
      %s1: tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
      %s2: tensor<f32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"})
      -> (tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
          tensor<f32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"}) {
    %bs = repro.broadcast %b dims [] : tensor<f32> to tensor<4xf32>
    %h1 = repro.mul %x, %w : tensor<4xf32>
    %h2 = repro.add %h1, %bs : tensor<4xf32>
    %h3 = repro.mul %h2, %w : tensor<4xf32>
    %h4 = repro.mul %h3, %h3 : tensor<4xf32>
    %d3 = repro.add %h3, %h3 : tensor<4xf32>
    %dwb = repro.mul %h2, %d3 : tensor<4xf32>
    %d2 = repro.mul %d3, %w : tensor<4xf32>
    %db = repro.reduce sum %d2 domain <[4], reduce [0]> maps [affine_map<(i) -> (i)>, affine_map<(i) -> ()>] order lanes<4> : tensor<4xf32> -> tensor<f32>
    %dwa = repro.mul %x, %d2 : tensor<4xf32>
    %dw = repro.add %dwb, %dwa : tensor<4xf32>
    %n0 = repro.add %s0, %h4 : tensor<4xf32>
    %n1 = repro.add %s1, %dw : tensor<4xf32>
    %n2 = repro.add %s2, %db : tensor<f32>
    return %n0, %n1, %n2 : tensor<4xf32>, tensor<4xf32>, tensor<f32>
  }
  func.func @update(
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"},
      %s1: tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "input"},
      %s2: tensor<f32> {gensyn.name = "gensyn.sum.2", gensyn.role = "input"},
      %w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %b: tensor<f32> {gensyn.name = "b", gensyn.role = "parameter"})
      -> (tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
          tensor<f32> {gensyn.name = "b", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0 = repro.sub %w, %s1 : tensor<4xf32>
    %1 = repro.sub %b, %s2 : tensor<f32>
    return %0, %1, %s0 : tensor<4xf32>, tensor<f32>, tensor<4xf32>
  }
}

//--- outer.mlir
// The last layer's part of a tied parameter's gradient is larger than what it is
// computed from: that travels, and the product is computed where the sum is.
// CHECK: parameters = ["w"], sums = array<i64: 1>}
// CHECK-SAME: parameters = ["w"], sums = array<i64: 0>}
// CHECK-LABEL: func.func @segment_0(
// CHECK: repro.contract
// CHECK-NOT: repro.tanh
// CHECK-LABEL: func.func @segment_1(
// CHECK-NOT: tensor<4x4xf32> {gensyn.name = "gensyn.cut
// CHECK: repro.tanh
// CHECK-LABEL: func.func @segment_2(
// CHECK-COUNT-2: -> tensor<4x4xf32>
// CHECK: repro.add
module {
  func.func @microbatch(
      %x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w: tensor<4x4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
      %s1: tensor<4x4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"})
      -> (tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
          tensor<4x4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"}) {
    %h1 = repro.contract %w, %x domain <[4, 4], reduce [1]> maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>] bounds [in, in] order sequential : tensor<4x4xf32>, tensor<4xf32> -> tensor<4xf32>
    %r = repro.tanh %h1 : tensor<4xf32>
    %h2 = repro.contract %w, %r domain <[4, 4], reduce [1]> maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>] bounds [in, in] order sequential : tensor<4x4xf32>, tensor<4xf32> -> tensor<4xf32>
    %l = repro.mul %h2, %h2 : tensor<4xf32>
    %d2 = repro.add %h2, %h2 : tensor<4xf32>
    %dwb = repro.contract %d2, %r domain <[4, 4], reduce []> maps [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>] bounds [in, in] order sequential : tensor<4xf32>, tensor<4xf32> -> tensor<4x4xf32>
    %dr = repro.contract %w, %d2 domain <[4, 4], reduce [1]> maps [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i)>, affine_map<(j, i) -> (j)>] bounds [in, in] order sequential : tensor<4x4xf32>, tensor<4xf32> -> tensor<4xf32>
    %d1 = repro.neg %dr : tensor<4xf32>
    %dwa = repro.contract %d1, %x domain <[4, 4], reduce []> maps [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>] bounds [in, in] order sequential : tensor<4xf32>, tensor<4xf32> -> tensor<4x4xf32>
    %dw = repro.add %dwa, %dwb : tensor<4x4xf32>
    %n0 = repro.add %s0, %l : tensor<4xf32>
    %n1 = repro.add %s1, %dw : tensor<4x4xf32>
    return %n0, %n1 : tensor<4xf32>, tensor<4x4xf32>
  }
  func.func @update(
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"},
      %s1: tensor<4x4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "input"},
      %w: tensor<4x4xf32> {gensyn.name = "w", gensyn.role = "parameter"})
      -> (tensor<4x4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0 = repro.sub %w, %s1 : tensor<4x4xf32>
    return %0, %s0 : tensor<4x4xf32>, tensor<4xf32>
  }
}

// RUN: gensyn-wrong-opt %s --test-split-ops="seed=5 rounds=1" | FileCheck %s
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=2 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops="seed=3 rounds=3" -o %t.mlir

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// Blocks are sums of their own, which the outer order joins.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[A0:.*]] = repro.slice %arg0 start [0, 0] limit [3, 16] stride [1, 1]
// CHECK: %[[B0:.*]] = repro.slice %arg1 start [0, 0] limit [16, 5] stride [1, 1]
// CHECK: repro.contract %[[A0]], %[[B0]] domain <[3, 5, 16], reduce [2]> {{.*}} order sequential
// CHECK: %[[A2:.*]] = repro.slice %arg0 start [0, 32] limit [3, 40] stride [1, 1]
// CHECK: repro.contract %[[A2]], {{.*}} domain <[3, 5, 8], reduce [2]> {{.*}} order sequential
// CHECK: %[[ALL:.*]] = repro.concat {{.*}} dim 0 {{.*}} -> tensor<3x3x5xf32>
// CHECK: repro.reduce sum %[[ALL]] domain <[3, 3, 5], reduce [0]> {{.*}} order lanes<2>
func.func @blocks(%a: tensor<3x40xf32>, %b: tensor<40x5xf32>) -> tensor<3x5xf32> {
  %0 = repro.contract %a, %b domain <[3, 5, 40], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      order blocked<16, sequential, lanes<2>> : tensor<3x40xf32>, tensor<40x5xf32> -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// A part has every P-th point, and so every P-th lane.
// CHECK-LABEL: func.func @lanes
// CHECK: repro.slice %arg0 start [0, 0] limit [3, 37] stride [1, 4]
// CHECK: repro.reduce sum {{.*}} domain <[3, 10], reduce [1]> {{.*}} order lanes<8>
// CHECK: repro.slice %arg0 start [0, 3] limit [3, 40] stride [1, 4]
// CHECK: repro.reduce sum {{.*}} domain <[4, 3], reduce [0]> {{.*}} order lanes<4>
func.func @lanes(%a: tensor<3x40xf32>) -> tensor<3xf32> {
  %0 = repro.reduce sum %a domain <[3, 40], reduce [1]> maps [#full, #row] order lanes<32>
      : tensor<3x40xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// A chain goes on from accumulators, and an exact sum has more bits than its
// type: pieces of neither are ops.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: repro.slice
// CHECK: return
func.func @whole(%a: tensor<40xf32>) -> (tensor<f32>, tensor<f32>) {
  %0 = repro.reduce sum %a domain <[40], reduce [0]> maps [#one, #none] order sequential : tensor<40xf32> -> tensor<f32>
  %1 = repro.reduce sum %a domain <[40], reduce [0]> maps [#one, #none] order exact : tensor<40xf32> -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @any
// CHECK-COUNT-3: repro.reduce max
// CHECK: return
func.func @any(%a: tensor<40xf32>) -> tensor<f32> {
  %0 = repro.reduce max %a domain <[40], reduce [0]> maps [#one, #none] : tensor<40xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(repro-widen-operands)' | FileCheck %s

// Two contractions read one narrow tensor: each has it widened for itself.
// CHECK-LABEL: func.func @main
// CHECK: %[[N:.*]] = repro.kernel "k0_convert"
// CHECK: %[[A:.*]] = repro.kernel "k1_contract_widen0" ({{.*}} = %[[N]] : tensor<4x8xbf16>) -> (tensor<4x8xf32>)
// CHECK: repro.kernel "k1_contract" ({{.*}} = %[[A]] : tensor<4x8xf32>, {{.*}} = %arg1 : tensor<8x4xf32>)
// CHECK: %[[B:.*]] = repro.kernel "k2_contract_widen0" ({{.*}} = %[[N]] : tensor<4x8xbf16>) -> (tensor<4x8xf32>)
// CHECK: repro.kernel "k2_contract" ({{.*}} = %[[B]] : tensor<4x8xf32>
// CHECK: repro.kernel "k3_neg" ({{.*}} = %[[N]] : tensor<4x8xbf16>)
#maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
         affine_map<(d0, d1, d2) -> (d0, d1)>]
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x8xf32>) {
  %n = repro.kernel "k0_convert" (%a = %x : tensor<4x8xf32>) -> tensor<4x8xbf16> {
    %c = repro.convert %a : tensor<4x8xf32> to tensor<4x8xbf16>
    repro.yield %c : tensor<4x8xbf16>
  }
  %p = repro.kernel "k1_contract" (%a = %n : tensor<4x8xbf16>, %b = %w : tensor<8x4xf32>) -> tensor<4x4xf32> {
    %c = repro.contract %a, %b domain <[4, 4, 8], reduce [2]> maps #maps bounds [in, in] order sequential
        : tensor<4x8xbf16>, tensor<8x4xf32> -> tensor<4x4xf32>
    repro.yield %c : tensor<4x4xf32>
  }
  %q = repro.kernel "k2_contract" (%a = %n : tensor<4x8xbf16>, %b = %w : tensor<8x4xf32>) -> tensor<4x4xf32> {
    %c = repro.contract %a, %b domain <[4, 4, 8], reduce [2]> maps #maps bounds [in, in] order sequential
        : tensor<4x8xbf16>, tensor<8x4xf32> -> tensor<4x4xf32>
    repro.yield %c : tensor<4x4xf32>
  }
  %r = repro.kernel "k3_neg" (%a = %n : tensor<4x8xbf16>) -> tensor<4x8xf32> {
    %c = repro.convert %a : tensor<4x8xbf16> to tensor<4x8xf32>
    %d = repro.neg %c : tensor<4x8xf32>
    repro.yield %d : tensor<4x8xf32>
  }
  return %p, %q, %r : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x8xf32>
}

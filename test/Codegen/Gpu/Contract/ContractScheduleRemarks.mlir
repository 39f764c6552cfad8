// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 --remarks-filter=schedule -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=remark:

// Contractions that have a thread for each element, and the reason.
// CHECK: remark: [Passed] ChooseSchedule | Category:schedule | Function=exact | Form=contraction, Reason="contract: its order is neither sequential nor blocks of that", {{.*}}Schedule=pointwise
// CHECK: remark: [Passed] ChooseSchedule | Category:schedule | Function=rows | Form=contraction, Reason="contract: its rows, columns, points or indices exceed 32 bits", {{.*}}Schedule=pointwise
// CHECK: remark: [Passed] ChooseSchedule | Category:schedule | Function=products | Form=contraction, Reason="contract: the result's last dimension is in both operands", {{.*}}Schedule=pointwise
// CHECK: remark: [Passed] ChooseSchedule | Category:schedule | Function=scales | Form=contraction, Reason="contract: the type of an operand has no zero", {{.*}}Schedule=pointwise
// CHECK: remark: [Passed] ChooseSchedule | Category:schedule | Function=taken | Form=contraction, {{.*}}Schedule=contract
func.func @main(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %v: tensor<3000000000x2xf32>, %w: tensor<2xf32>,
                %s: tensor<64x32xf8E8M0FNU>)
    -> (tensor<64x64xf32>, tensor<3000000000xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = repro.kernel "exact" (%x = %a : tensor<64x32xf32>, %y = %b : tensor<32x64xf32>) -> tensor<64x64xf32> {
    %c = repro.contract %x, %y domain <[64, 64, 32], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order exact : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    repro.yield %c : tensor<64x64xf32>
  }
  %1 = repro.kernel "rows" (%x = %v : tensor<3000000000x2xf32>, %y = %w : tensor<2xf32>) -> tensor<3000000000xf32> {
    %c = repro.contract %x, %y domain <[3000000000, 2], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds [in, in] order sequential : tensor<3000000000x2xf32>, tensor<2xf32> -> tensor<3000000000xf32>
    repro.yield %c : tensor<3000000000xf32>
  }
  %2 = repro.kernel "products" (%x = %a : tensor<64x32xf32>, %y = %b : tensor<32x64xf32>) -> tensor<64xf32> {
    %c = repro.contract %x, %y domain <[64, 32], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>]
      bounds [in, in] order sequential : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64xf32>
    repro.yield %c : tensor<64xf32>
  }
  %3 = repro.kernel "scales" (%x = %s : tensor<64x32xf8E8M0FNU>, %y = %b : tensor<32x64xf32>) -> tensor<64x64xf32> {
    %c = repro.contract %x, %y domain <[64, 64, 32], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<64x32xf8E8M0FNU>, tensor<32x64xf32> -> tensor<64x64xf32>
    repro.yield %c : tensor<64x64xf32>
  }
  %4 = repro.kernel "taken" (%x = %a : tensor<64x32xf32>, %y = %b : tensor<32x64xf32>) -> tensor<64x64xf32> {
    %c = repro.contract %x, %y domain <[64, 64, 32], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    repro.yield %c : tensor<64x64xf32>
  }
  return %0, %1, %2, %3, %4
      : tensor<64x64xf32>, tensor<3000000000xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

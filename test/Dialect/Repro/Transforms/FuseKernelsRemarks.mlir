// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels)' --remarks-filter=fusion -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels)' --remarks-filter=schedule -o %t.mlir 2>&1 | FileCheck %s --allow-empty --check-prefix=NONE

// A contraction takes its epilogue; the sort of the result stays a kernel, with
// the reason.
// CHECK: remark: [Passed] FuseKernels | Category:fusion | Function=k1_add | Form=contraction, Parts="k0_contract, k1_add"
// CHECK: remark: [Missed] FuseKernels | Category:fusion | Function=k1_add | Reader=k2_sort, Reason="a scan, sort or scatter stands alone"
// NONE-NOT: remark:
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %c = repro.contract %x, %w domain <[4, 6, 8], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
  %d = repro.broadcast %b dims [1] : tensor<6xf32> to tensor<4x6xf32>
  %s = repro.add %c, %d : tensor<4x6xf32>
  %v, %p = repro.sort ascending %s dim 1 count 6 : tensor<4x6xf32> -> tensor<4x6xf32>, tensor<4x6xi32>
  return %s, %v : tensor<4x6xf32>, tensor<4x6xf32>
}

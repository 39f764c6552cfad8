// Storage types below repro: as bit patterns in loops and in GPU kernels they mean the same as in
// the reference.

// RUN: gensyn-opt %s --check-bits=all --gensyn-kernel-pipeline --convert-repro-to-linalg --convert-linalg-to-loops --canonicalize --cse | FileCheck %s
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(gensyn-kernel-pipeline,convert-repro-to-linalg,convert-linalg-to-parallel-loops,gensyn-map-kernels-to-gpu,canonicalize,gpu.module(gensyn-lower-gpu-to-nvvm,canonicalize,cse))' | FileCheck %s --check-prefix=GPU

// CHECK: func.func @k1_convert(%{{.*}}: memref<97xi8>, %{{.*}}: memref<97xi8>)
// CHECK: func.func @k0_contract(%{{.*}}: memref<5x24xi8>, %{{.*}}: memref<24x3xi8>, %{{.*}}: memref<5x3xf32>)
// GPU: llvm.func @k1_convert({{.*}}nvvm.kernel
// GPU: llvm.func @k1_contract({{.*}}nvvm.kernel
func.func @convert(%a: tensor<97xf32>, %b: tensor<97xf8E4M3FN>, %c: tensor<97xi4>) -> (tensor<97xf8E5M2FNUZ>, tensor<97xf6E3M2FN>, tensor<97xf8E8M0FNU>, tensor<97xf32>, tensor<97xf64>, tensor<97xui2>) {
  %0 = repro.convert %a saturate : tensor<97xf32> to tensor<97xf8E5M2FNUZ>
  %1 = repro.convert %b : tensor<97xf8E4M3FN> to tensor<97xf6E3M2FN>
  %2 = repro.convert %a round up : tensor<97xf32> to tensor<97xf8E8M0FNU>
  %3 = repro.convert %2 : tensor<97xf8E8M0FNU> to tensor<97xf32>
  %4 = repro.convert %c : tensor<97xi4> to tensor<97xf64>
  %5 = repro.convert %a : tensor<97xf32> to tensor<97xui2>
  return %0, %1, %2, %3, %4, %5 : tensor<97xf8E5M2FNUZ>, tensor<97xf6E3M2FN>, tensor<97xf8E8M0FNU>, tensor<97xf32>, tensor<97xf64>, tensor<97xui2>
}

func.func @bits(%a: tensor<97xf32>, %b: tensor<97xf32>, %c: tensor<97xf8E5M2>, %p: tensor<97xi1>) -> (tensor<97xi32>, tensor<97xui8>, tensor<97xi1>, tensor<99xf8E5M2>) {
  %s = repro.sub %a, %b : tensor<97xf32>
  %0 = repro.bitcast %s : tensor<97xf32> to tensor<97xi32>
  %1 = repro.bitcast %c : tensor<97xf8E5M2> to tensor<97xui8>
  %r = repro.reverse %c dims [0] : tensor<97xf8E5M2>
  %2 = repro.compare le %c, %r : tensor<97xf8E5M2>
  %3 = repro.select %p, %c, %r : tensor<97xf8E5M2>
  %v = repro.constant dense<-1.5> : tensor<f8E5M2>
  %4 = repro.pad %3, %v low [1] high [1] interior [0] : tensor<97xf8E5M2>, tensor<f8E5M2> to tensor<99xf8E5M2>
  return %0, %1, %2, %4 : tensor<97xi32>, tensor<97xui8>, tensor<97xi1>, tensor<99xf8E5M2>
}

func.func @contract(%a: tensor<5x24xf4E2M1FN>, %b: tensor<24x3xf8E4M3FNUZ>, %i: tensor<5x24xi4>, %j: tensor<24x3xi4>) -> (tensor<5x3xf32>, tensor<5x3xi32>) {
  %0 = repro.contract %a, %b domain <[5, 3, 24], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order lanes<8> : tensor<5x24xf4E2M1FN>, tensor<24x3xf8E4M3FNUZ> -> tensor<5x3xf32>
  %1 = repro.contract %i, %j domain <[5, 3, 24], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] : tensor<5x24xi4>, tensor<24x3xi4> -> tensor<5x3xi32>
  return %0, %1 : tensor<5x3xf32>, tensor<5x3xi32>
}

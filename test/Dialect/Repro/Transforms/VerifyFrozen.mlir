// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(repro-verify-frozen)'
// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --repro-freeze

func.func @foreign(%x: f32) -> f32 {
  // expected-error @+1 {{'arith.addf' is not an op of the closed set}}
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}

// -----

func.func @unordered(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'repro.reduce' op has no order, so its bits are not defined}}
  %0 = repro.reduce sum %x domain <[2, 3], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<2x3xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

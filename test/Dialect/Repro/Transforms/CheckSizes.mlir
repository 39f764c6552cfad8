// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-check-sizes))' --split-input-file --verify-diagnostics

// As many as there may be, and none at all.
func.func @g2(%x: tensor<1048576x1048576xf32>, %none: tensor<4611686018427387904x4611686018427387904x0xf32>) -> tensor<1048576x1048576xf32> {
  %0 = repro.neg %x : tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}

// -----

// expected-error @+1 {{input 0 has 2199023255552 elements, the most is 1099511627776}}
func.func @g2_input(%x: tensor<2199023255552xf32>) {
  return
}

// -----

// A domain of 2^52 points, the most, and one of 2^53.
func.func @g2_points(%x: tensor<262144x65536xf32>, %y: tensor<65536x262144xf32>, %z: tensor<65536x524288xf32>) -> (tensor<262144x262144xf32>, tensor<262144x524288xf32>) {
  %0 = repro.contract %x, %y domain <[262144, 262144, 65536], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] : tensor<262144x65536xf32>, tensor<65536x262144xf32> -> tensor<262144x262144xf32>
  // expected-error @+1 {{'repro.contract' op walks over 9007199254740992 points, the most is 4503599627370496}}
  %1 = repro.contract %x, %z domain <[262144, 524288, 65536], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] : tensor<262144x65536xf32>, tensor<65536x524288xf32> -> tensor<262144x524288xf32>
  return %0, %1 : tensor<262144x262144xf32>, tensor<262144x524288xf32>
}

// RUN: gensyn-opt %s --repro-check-sizes --split-input-file --verify-diagnostics

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

func.func @g2_result(%x: tensor<4294967296xf32>) -> tensor<4294967296x4294967296xf32> {
  // expected-error @+1 {{result #0 has more than 2^63 elements, the most is 1099511627776}}
  %0 = repro.broadcast %x dims [0] : tensor<4294967296xf32> to tensor<4294967296x4294967296xf32>
  return %0 : tensor<4294967296x4294967296xf32>
}

// -----

func.func @points(%a: tensor<134217728xf32>, %b: tensor<134217728xf32>) -> tensor<f32> {
  // expected-error @+1 {{walks over 18014398509481984 points, the most is 4503599627370496}}
  %0 = repro.contract %a, %b domain <[134217728, 134217728], reduce [0, 1]> maps [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>] bounds [in, in] : tensor<134217728xf32>, tensor<134217728xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

// g2: of operands and results; 0 does not excuse the others.
func.func @g2_operand(%x: tensor<2097152x2097152xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of 32-bit float or 64-bit float or 8-bit signless integer or 16-bit signless integer or 32-bit signless integer or 64-bit signless integer values, of at most 2^40 elements, but got 'tensor<2097152x2097152xf32>'}}
  %0 = repro.neg %x : tensor<2097152x2097152xf32>
  return
}

// -----

func.func @g2_result(%x: tensor<2xf32>) {
  // expected-error @+1 {{, of at most 2^40 elements, but got 'tensor<9223372036854775807x2x2xf32>'}}
  %0 = repro.broadcast %x dims [2] : tensor<2xf32> to tensor<9223372036854775807x2x2xf32>
  return
}

// -----

func.func @g2_zero(%x: tensor<f32>) {
  // expected-error @+1 {{, of at most 2^40 elements, but got 'tensor<0x4294967296x4294967296xf32>'}}
  %0 = repro.broadcast %x dims [] : tensor<f32> to tensor<0x4294967296x4294967296xf32>
  return
}

// -----

func.func @domain_g2(%x: tensor<1048576x1048576xf32>) {
  // expected-error @+1 {{reduces more than 2^40 points}}
  %0 = repro.reduce sum %x domain <[1048576, 1048576, 2], reduce [0, 1, 2]>
      maps [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> ()>] : tensor<1048576x1048576xf32> -> tensor<f32>
  return
}

// -----

// domain_c5: points, coefficients and values of an index.
func.func @domain_c5_points(%x: tensor<1048576xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{the domain has more than 2^60 points}}
  %0 = repro.contract %x, %y domain <[1048576, 1048576, 1048576, 2], reduce [1, 2, 3]>
      maps [affine_map<(i, j, k, l) -> (i)>, affine_map<(i, j, k, l) -> (l)>, affine_map<(i, j, k, l) -> (i)>]
      bounds [in, in] : tensor<1048576xf32>, tensor<2xf32> -> tensor<1048576xf32>
  return
}

// -----

func.func @domain_c5_coefficient(%x: tensor<4xf32>) {
  // expected-error @+1 {{an index of map 0 has a number beyond 2^40 or goes beyond 2^60}}
  %0 = repro.reduce sum %x domain <[4, 1], reduce [1]>
      maps [affine_map<(i, j) -> (i + j * 1099511627777)>, affine_map<(i, j) -> (i)>] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @domain_c5_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{an index of map 0 has a number beyond 2^40 or goes beyond 2^60}}
  %0 = repro.reduce sum %x domain <[4, 2097152], reduce [1]>
      maps [affine_map<(i, j) -> (i + j * 1099511627776)>, affine_map<(i, j) -> (i)>] : tensor<4xf32> -> tensor<4xf32>
  return
}

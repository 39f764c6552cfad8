// Domains, maps, bounds and orders of contractions and reductions.

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @domain_reduced(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{reduced iterators [1, 1] are not increasing below 2}}
  %0 = repro.reduce max %x domain <[4, 4], reduce [1, 1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @domain_negative_extent(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{an iterator has the negative extent -4}}
  %0 = repro.reduce max %x domain <[4, -4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @domain_number_of_maps(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 1 maps, expected 2}}
  %0 = repro.reduce max %x domain <[4, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>] : tensor<4x4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @domain_rank_of_map(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{map 0 has 1 indices, expected 2}}
  %0 = repro.reduce max %x domain <[4, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// domain_c3
func.func @domain_c3_diagonal(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{iterator d0 stands in two indices of the result}}
  %0 = repro.reduce max %x domain <[4, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d0)>] : tensor<4x4xf32> -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @domain_c3_missing(%x: tensor<4x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{the parallel iterator d0 stands in no index of the result}}
  %0 = repro.reduce max %x domain <[4, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>] : tensor<4x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// domain_c4
func.func @domain_c4_shape(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{an index is neither s*o + d*k + c nor q - d*t}}
  %0 = repro.reduce max %x domain <[4, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (2 * d0 - d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @domain_c4_iterator(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{an iterator belongs to two window groups}}
  %0 = repro.reduce max %x domain <[4, 4, 4], reduce [1, 2]>
      maps [affine_map<(d0, d1, d2) -> (d0 + d1, d0 + d2)>, affine_map<(d0, d1, d2) -> (d0)>] : tensor<4x4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @contract_c1_signedness(%x: tensor<4xui8>) -> tensor<i32> {
  // expected-error @+1 {{contracts 'ui8' to 'i32'}}
  %0 = repro.contract %x, %x domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] bounds [in, in] : tensor<4xui8>, tensor<4xui8> -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @contract_c1_narrow(%x: tensor<4xf8E4M3FN>) -> tensor<f8E4M3FN> {
  // expected-error @+1 {{'repro.contract' op result #0 must be}}
  %0 = repro.contract %x, %x domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] bounds [in, in] : tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN> -> tensor<f8E4M3FN>
  return %0 : tensor<f8E4M3FN>
}

// -----

func.func @contract_c2_count(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{has 1 bounds, expected 2}}
  %0 = repro.contract %x, %x domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] bounds [in] : tensor<4xf32>, tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @contract_c2_word(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+2 {{'out' is none of in, zero, skip}}
  %0 = repro.contract %x, %x domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] bounds [in, out] : tensor<4xf32>, tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @reduce_element(%x: tensor<4x4xf32>) -> tensor<4xf64> {
  // expected-error @+1 {{reduces 'f32' to 'f64'}}
  %0 = repro.reduce max %x domain <[4, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x4xf32> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @reduce_c3_logical(%x: tensor<4x4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{combines 'i1' by sum}}
  %0 = repro.reduce sum %x domain <[4, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x4xi1> -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @order_r3_block(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+2 {{blocked<0, ...>: expected a block of at least 1}}
  %0 = repro.reduce sum %x domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] order blocked<0, sequential, sequential> : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @order_r3_levels(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+2 {{more than 4 levels of orders}}
  %0 = repro.reduce sum %x domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] order blocked<2, blocked<2, blocked<2, blocked<2, sequential, sequential>, sequential>, sequential>, sequential> : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// Maps, indices and bounds of gather and scatter.

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

// gather_c1
func.func @gather_number_of_maps(%t: tensor<4xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {
  // expected-error @+1 {{has 1 maps, expected 2}}
  %0 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>]
      bounds fault : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// gather_c1
func.func @gather_maps(%t: tensor<4xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {
  // expected-error @+1 {{map 0 leads from 1 iterators and 0 indices to 1 dimensions, expected 1, 1 and 1}}
  %0 = repro.gather %t[%i] maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// gather_c1
func.func @gather_linear(%t: tensor<4x6xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {
  // expected-error @+1 {{map 0 has an expression that is not a sum of multiples of iterators, a constant and at most one index}}
  %0 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0 * 2, d0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4x6xf32>, tensor<3xi64> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// gather_c1
func.func @gather_reach(%t: tensor<4xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {
  // expected-error @+1 {{map 0 has an expression that goes beyond 2^62}}
  %0 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0 + d0 * 4611686018427387904)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// gather_c2
func.func @gather_permutation(%t: tensor<4xf32>, %i: tensor<3x3xi64>) -> tensor<3xf32> {
  // expected-error @+1 {{map 1 is not a projected permutation}}
  %0 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0, d0)>]
      bounds fault : tensor<4xf32>, tensor<3x3xi64> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// gather_c2
func.func @gather_extent(%t: tensor<4xf32>, %i: tensor<5xi64>) -> tensor<3xf32> {
  // expected-error @+1 {{index 0 has extent 5 in dimension 0, expected 3}}
  %0 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<5xi64> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// gather_c2
func.func @gather_index_type(%t: tensor<4xf32>, %i: tensor<3xui8>) -> tensor<3xf32> {
  // expected-error @+1 {{'repro.gather' op operand #1 must be}}
  %0 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<3xui8> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// gather_c3
func.func @gather_bounds(%t: tensor<4xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {
  // expected-error @+3 {{to be one of: fault, zero}}
  // expected-error @+2 {{failed to parse Repro_IndexBoundAttr}}
  %0 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds skip : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// scatter_c2
func.func @scatter_number_of_maps(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{has 1 maps, expected 2}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>]
      bounds fault : tensor<4xf32>, tensor<3xf32>, tensor<3xi64>
  return %0 : tensor<4xf32>
}

// -----

// scatter_c2
func.func @scatter_maps(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{map 0 leads from 1 iterators and 0 indices to 1 dimensions, expected 1, 1 and 1}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<3xf32>, tensor<3xi64>
  return %0 : tensor<4xf32>
}

// -----

// scatter_c2
func.func @scatter_linear(%t: tensor<4x6xf32>, %u: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<4x6xf32> {
  // expected-error @+1 {{map 0 has an expression that is not a sum of multiples of iterators, a constant and at most one index}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0 * 2, d0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4x6xf32>, tensor<3xf32>, tensor<3xi64>
  return %0 : tensor<4x6xf32>
}

// -----

// scatter_c2
func.func @scatter_reach(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{map 0 has an expression that goes beyond 2^62}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0 + d0 * 4611686018427387904)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<3xf32>, tensor<3xi64>
  return %0 : tensor<4xf32>
}

// -----

// scatter_c2
func.func @scatter_permutation(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3x3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{map 1 is not a projected permutation}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0, d0)>]
      bounds fault : tensor<4xf32>, tensor<3xf32>, tensor<3x3xi64>
  return %0 : tensor<4xf32>
}

// -----

// scatter_c2
func.func @scatter_extent(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<5xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{index 0 has extent 5 in dimension 0, expected 3}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<3xf32>, tensor<5xi64>
  return %0 : tensor<4xf32>
}

// -----

// scatter_c2
func.func @scatter_index_type(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3xui8>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.scatter' op operand #2 must be}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<3xf32>, tensor<3xui8>
  return %0 : tensor<4xf32>
}

// -----

// scatter_c2
func.func @scatter_bounds(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+3 {{to be one of: fault, zero}}
  // expected-error @+2 {{failed to parse Repro_IndexBoundAttr}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds skip : tensor<4xf32>, tensor<3xf32>, tensor<3xi64>
  return %0 : tensor<4xf32>
}

// -----

// scatter_c3
func.func @scatter_within_size(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{does not fault within [0], expected a beginning and an end for each of 1 dimensions, around the result's indices}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds fault within [0] : tensor<4xf32>, tensor<3xf32>, tensor<3xi64>
  return %0 : tensor<4xf32>
}

// -----

// scatter_c3
func.func @scatter_within_range(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{does not fault within [-2, 3], expected a beginning and an end for each of 1 dimensions, around the result's indices}}
  %0 = repro.scatter set %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds fault within [-2, 3] : tensor<4xf32>, tensor<3xf32>, tensor<3xi64>
  return %0 : tensor<4xf32>
}

// -----

func.func @scatter_c1_result(%t: tensor<4xf32>, %u: tensor<3xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{failed to verify that all of {base, result} have same type}}
  %0 = "repro.scatter"(%t, %u) <{bounds = #repro<index_bound fault>, kind = #repro<scatter_kind set>,
      maps = [affine_map<(d0) -> (d0)>]}> : (tensor<4xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

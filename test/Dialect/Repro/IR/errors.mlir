// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @g2(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'repro.neg' op operand #0 must be statically shaped tensor}}
  %0 = repro.neg %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @iota_c1() -> tensor<4xi32> {
  // expected-error @+1 {{dim 1 is out of range for rank 1}}
  %0 = repro.iota dim 1 : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @reshape_c1(%a: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{turns 4 elements into 5}}
  %0 = repro.reshape %a : tensor<4xf32> to tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @transpose_c1(%a: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{[0, 0] is not a permutation of rank 2}}
  %0 = repro.transpose %a [0, 0] : tensor<2x3xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @broadcast_c1(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{dims [1, 0] are not increasing below rank 2}}
  %0 = repro.broadcast %a dims [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @broadcast_c1_rank(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{dims [2] are not increasing below rank 2}}
  %0 = repro.broadcast %a dims [2] : tensor<3xf32> to tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @broadcast_c2(%a: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{dimension 0 has extent 1, expected 4}}
  %0 = repro.broadcast %a dims [0] : tensor<1xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @slice_c1(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{start 1 and limit 5 do not fit extent 4 of dimension 0}}
  %0 = repro.slice %a start [1] limit [5] stride [1] : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pad_c1(%a: tensor<4xf32>, %z: tensor<f32>) -> tensor<3xf32> {
  // expected-error @+1 {{pads by -1, which is negative}}
  %0 = repro.pad %a, %z low [0] high [-1] interior [0] : tensor<4xf32>, tensor<f32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @pad_value(%a: tensor<4xf32>, %v: tensor<1xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{pads with 'tensor<1xf32>', expected a scalar}}
  %0 = repro.pad %a, %v low [1] high [1] interior [0] : tensor<4xf32>, tensor<1xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @concat_of_nothing() -> tensor<6xf32> {
  // expected-error @+1 {{has no operands}}
  %0 = "repro.concat"() <{dim = 0 : i64}> : () -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @concat_c1(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{joins 'tensor<2x3xf32>' and 'tensor<2x4xf32>' along dim 0}}
  %0 = repro.concat %a, %b dim 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @reverse_c1(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{dims [0, 0] are not distinct below rank 2}}
  %0 = repro.reverse %a dims [0, 0] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @domain_c1(%a: tensor<8xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{an index of map 0 has more than two iterators}}
  %0 = repro.reduce max %a domain <[2, 2, 2], reduce [1, 2]>
      maps [affine_map<(d0, d1, d2) -> (4 * d0 + 2 * d1 + d2)>, affine_map<(d0, d1, d2) -> (d0)>]
      : tensor<8xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @domain_c1_linear(%a: tensor<8xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has a map that is not linear in the 2 iterators}}
  %0 = repro.reduce max %a domain <[2, 8], reduce [1]>
      maps [affine_map<(d0, d1) -> (d1 floordiv 2)>, affine_map<(d0, d1) -> (d0)>]
      : tensor<8xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @domain_c2(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{index 0 of the result uses the reduced iterator d1}}
  %0 = repro.reduce max %a domain <[4, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]
      : tensor<4x4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @domain_c3(%a: tensor<4x4x3xf32>) -> tensor<7xf32> {
  // expected-error @+1 {{index 0 of the result reaches an element twice}}
  %0 = repro.reduce max %a domain <[4, 4, 3], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0 + d1)>]
      : tensor<4x4x3xf32> -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @contract_c1(%a: tensor<4xf64>, %b: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{contracts 'f64' to 'f32'}}
  %0 = repro.contract %a, %b domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] bounds [in, in]
      : tensor<4xf64>, tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @contract_c2(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<f32> {
  // expected-error @+1 {{operand 0 is indexed outside its shape, but its bound is 'in'}}
  %0 = repro.contract %a, %b domain <[5], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] bounds [in, in]
      : tensor<4xf32>, tensor<5xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @contract_c3(%a: tensor<4xi32>) -> tensor<i32> {
  // expected-error @+1 {{has an order, but integer sums need none}}
  %0 = repro.contract %a, %a domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] bounds [in, in] order sequential
      : tensor<4xi32>, tensor<4xi32> -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @reduce_c1(%a: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{has an order, but max of 'f32' needs none}}
  %0 = repro.reduce max %a domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] order sequential : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @reduce_c2(%a: tensor<2x3x4xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{reduces dimensions that are not adjacent}}
  %0 = repro.reduce max %a domain <[2, 3, 4], reduce [0, 2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>]
      : tensor<2x3x4xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @reduce_c3(%a: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{combines 'f32' by and}}
  %0 = repro.reduce and %a domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @order_r2(%a: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+2 {{lanes<3>: expected a power of two from 2 to 1024}}
  %0 = repro.reduce sum %a domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] order lanes<3> : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @constant_c1() -> tensor<3xf32> {
  // expected-error @+1 {{failed to verify that all of {value, result} have same type}}
  %0 = "repro.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @slice_c2(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{stride 0 of dimension 0 is below 1}}
  %0 = repro.slice %a start [0] limit [4] stride [0] : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Two tensors of a contraction share an expression of a window.
func.func @domain_c4(%a: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a window group has two input indices}}
  %0 = repro.contract %a, %b domain <[4, 3], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0)>] bounds [in, in]
      : tensor<6xf32>, tensor<6xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @arg_c1(%a: tensor<2147483648xi8>) -> tensor<i32> {
  // expected-error @+1 {{has 2147483648 points, expected fewer than 2^31}}
  %0 = repro.arg_reduce max %a domain <[2147483648], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<2147483648xi8> -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @arg_c2(%a: tensor<2x3x4xf32>) -> tensor<3xi32> {
  // expected-error @+1 {{reduces dimensions that are not adjacent}}
  %0 = repro.arg_reduce max %a domain <[2, 3, 4], reduce [0, 2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>]
      : tensor<2x3x4xf32> -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @convert_c1(%a: tensor<4xf32>) -> tensor<4xf16> {
  // expected-error @+1 {{saturates to 8-bit floats only, not to 'f16'}}
  %0 = repro.convert %a saturate : tensor<4xf32> to tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @bitcast_c1(%a: tensor<4xf32>) -> tensor<4xi64> {
  // expected-error @+1 {{from 'f32' to 'i64' changes the width}}
  %0 = repro.bitcast %a : tensor<4xf32> to tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

// The scale type alone is rounded to by a kind.
func.func @convert_c1_round(%a: tensor<4xf32>) -> tensor<4xf8E5M2> {
  // expected-error @+1 {{'repro.convert' op rounds by a kind to f8E8M0FNU only, not to 'f8E5M2'}}
  %0 = repro.convert %a round up : tensor<4xf32> to tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}

// -----

func.func @reduce_c3_narrow(%a: tensor<4xi4>) -> tensor<i4> {
  // expected-error @+1 {{combines 'i4' by or}}
  %0 = repro.reduce or %a domain <[4], reduce [0]>
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<4xi4> -> tensor<i4>
  return %0 : tensor<i4>
}

// -----

func.func @arg_c3(%a: tensor<4xf16>) -> tensor<i32> {
  // expected-error @+1 {{compares 'f16', which is storage}}
  %0 = repro.arg_reduce max %a domain <[4], reduce [0]>
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<4xf16> -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @gather_c4(%t: tensor<4xf32>) -> tensor<3xf64> {
  // expected-error @+1 {{changes the element type from 'f32' to 'f64'}}
  %0 = repro.gather %t[] maps [affine_map<(d0) -> (d0)>] bounds zero : tensor<4xf32> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

func.func @scatter_c1(%b: tensor<4xbf16>, %u: tensor<3xbf16>, %i: tensor<3xi64>) -> tensor<4xbf16> {
  // expected-error @+1 {{combines 'bf16' by add}}
  %0 = repro.scatter add %b, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
    bounds fault : tensor<4xbf16>, tensor<3xbf16>, tensor<3xi64>
  return %0 : tensor<4xbf16>
}

// -----

func.func @scatter_c1_logical(%b: tensor<4xi1>, %u: tensor<3xi1>, %i: tensor<3xi64>) -> tensor<4xi1> {
  // expected-error @+1 {{combines 'i1' by max}}
  %0 = repro.scatter max %b, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
    bounds fault : tensor<4xi1>, tensor<3xi1>, tensor<3xi64>
  return %0 : tensor<4xi1>
}

// -----

func.func @scatter_c1_types(%b: tensor<4xf32>, %u: tensor<3xf64>, %i: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{meets elements of type 'f32' with updates of type 'f64'}}
  %0 = repro.scatter set %b, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
    bounds fault : tensor<4xf32>, tensor<3xf64>, tensor<3xi64>
  return %0 : tensor<4xf32>
}

// -----

func.func @scan_c1(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has order lanes<4>, expected sequential or blocked<B, sequential, sequential>}}
  %0 = repro.scan sum %a dim 0 order lanes<4> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scan_c1_integers(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{has an order, but sum of 'i32' needs none}}
  %0 = repro.scan sum %a dim 0 order sequential : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @scan_c1_kind(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{has no prefixes by or}}
  %0 = repro.scan or %a dim 0 : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @scan_dim(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{dim 1 is out of range for rank 1}}
  %0 = repro.scan sum %a dim 1 : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @sort_c1(%a: tensor<4xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
  // expected-error @+1 {{takes 5 of 4 elements, expected at most all of fewer than 2^31}}
  %0, %1 = repro.sort ascending %a dim 0 count 5 : tensor<4xf32> -> tensor<5xf32>, tensor<5xi32>
  return %0, %1 : tensor<5xf32>, tensor<5xi32>
}

// -----

func.func @sort_c1_values(%a: tensor<4xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  // expected-error @+1 {{gives 'tensor<3xf32>', expected 'tensor<2xf32>'}}
  %0, %1 = repro.sort ascending %a dim 0 count 2 : tensor<4xf32> -> tensor<3xf32>, tensor<3xi32>
  return %0, %1 : tensor<3xf32>, tensor<3xi32>
}

// -----

func.func @sort_c1_positions(%a: tensor<4xf32>) -> (tensor<2xf32>, tensor<3xi32>) {
  // expected-error @+1 {{gives positions 'tensor<3xi32>' of values 'tensor<2xf32>'}}
  %0, %1 = repro.sort ascending %a dim 0 count 2 : tensor<4xf32> -> tensor<2xf32>, tensor<3xi32>
  return %0, %1 : tensor<2xf32>, tensor<3xi32>
}

// -----

func.func @sort_c2(%a: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xi32>) {
  // expected-error @+1 {{orders 'f16', which is only stored}}
  %0, %1 = repro.sort ascending %a dim 0 count 4 : tensor<4xf16> -> tensor<4xf16>, tensor<4xi32>
  return %0, %1 : tensor<4xf16>, tensor<4xi32>
}

// -----

func.func @sort_dim(%a: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  // expected-error @+1 {{dim 0 is out of range for rank 0}}
  %0, %1 = repro.sort ascending %a dim 0 count 1 : tensor<f32> -> tensor<f32>, tensor<i32>
  return %0, %1 : tensor<f32>, tensor<i32>
}

// -----

func.func @order_r4_nested(%a: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+2 {{exact cannot be part of a blocked order: its blocks would be rounded}}
  %0 = repro.reduce sum %a domain <[4], reduce [0]> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
      order blocked<2, exact, sequential> : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @reduce_c1_exact_product(%a: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{has order exact, which is for sums: a product has as many bits as all its factors together}}
  %0 = repro.reduce product %a domain <[4], reduce [0]> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
      order exact : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @scan_c1_exact(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has order exact, expected sequential or blocked<B, sequential, sequential>}}
  %0 = repro.scan sum %a dim 0 order exact : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// constant_c2
func.func @constant_c2() {
  // expected-error @+1 {{attribute 'value' failed to satisfy constraint: TypedAttr instance dense or a resource of its size, of at most 2^29 bytes}}
  %0 = repro.constant dense<0.0> : tensor<268435456xf32>
  return
}

// -----

func.func @constant_c1_resource() {
  // expected-error @+1 {{attribute 'value' failed to satisfy constraint: TypedAttr instance dense or a resource of its size, of at most 2^29 bytes}}
  %0 = repro.constant dense_resource<absent> : tensor<4xf32>
  return
}

// -----

func.func @constant_c1_sparse() {
  // expected-error @+1 {{attribute 'value' failed to satisfy constraint: TypedAttr instance dense or a resource of its size, of at most 2^29 bytes}}
  %0 = repro.constant sparse<[[0]], [1.0]> : tensor<4xf32>
  return
}

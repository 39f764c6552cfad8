// Counts, types and inferred types of movement, scans and sorts.

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @iota_c1_type() -> tensor<4xf32> {
  // expected-error @+1 {{'repro.iota' op result #0 must be}}
  %0 = repro.iota dim 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @reshape_element(%x: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error @+1 {{changes the element type from 'f32' to 'i32'}}
  %0 = repro.reshape %x : tensor<4xf32> to tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @transpose_type(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+2 {{inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error @+1 {{'repro.transpose' op failed to infer returned types}}
  %0 = repro.transpose %x [1, 0] : tensor<2x3xf32> to tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @broadcast_c1_count(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{has 2 dims, expected 1}}
  %0 = repro.broadcast %x dims [0, 1] : tensor<3xf32> to tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @broadcast_element(%x: tensor<3xf32>) -> tensor<2x3xf64> {
  // expected-error @+1 {{changes the element type from 'f32' to 'f64'}}
  %0 = repro.broadcast %x dims [1] : tensor<3xf32> to tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

// -----

func.func @slice_c1_count(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  // expected-error @+1 {{needs 2 starts, limits and strides}}
  %0 = repro.slice %x start [0] limit [2] stride [1] : tensor<2x6xf32> to tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// -----

func.func @slice_type(%x: tensor<6xf32>) -> tensor<2xf32> {
  // expected-error @+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error @+1 {{'repro.slice' op failed to infer returned types}}
  %0 = repro.slice %x start [0] limit [6] stride [2] : tensor<6xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @pad_c1_count(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  // expected-error @+1 {{needs 1 lows, highs and interiors}}
  %0 = repro.pad %x, %v low [1] high [1] interior [] : tensor<4xf32>, tensor<f32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @pad_element(%x: tensor<4xf32>, %v: tensor<f64>) -> tensor<6xf32> {
  // expected-error @+1 {{changes the element type from 'f64' to 'f32'}}
  %0 = repro.pad %x, %v low [1] high [1] interior [0] : tensor<4xf32>, tensor<f64> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @pad_type(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  // expected-error @+2 {{inferred type(s) 'tensor<9xf32>' are incompatible with return type(s) of operation 'tensor<6xf32>'}}
  // expected-error @+1 {{'repro.pad' op failed to infer returned types}}
  %0 = repro.pad %x, %v low [1] high [1] interior [1] : tensor<4xf32>, tensor<f32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @concat_dim(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{dim 1 is out of range for rank 1}}
  %0 = repro.concat %x, %x dim 1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @concat_c1_element(%x: tensor<2xf32>, %y: tensor<2xf64>) -> tensor<4xf32> {
  // expected-error @+1 {{joins 'tensor<2xf32>' and 'tensor<2xf64>' along dim 0}}
  %0 = repro.concat %x, %y dim 0 : (tensor<2xf32>, tensor<2xf64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @concat_type(%x: tensor<2xf32>) -> tensor<5xf32> {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error @+1 {{'repro.concat' op failed to infer returned types}}
  %0 = repro.concat %x, %x dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @reverse_type(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "repro.reverse"(%x) <{dims = array<i64: 0>}> : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @scan_type(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "repro.scan"(%x) <{dim = 0 : i64, kind = #repro<reduce_kind max>}> : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @sort_c1_negative(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  // expected-error @+1 {{takes -1 of 4 elements, expected at most all of fewer than 2^31}}
  %0, %1 = repro.sort ascending %x dim 0 count -1 : tensor<4xf32> -> tensor<4xf32>, tensor<4xi32>
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @too_few(%x: tensor<f32>, %i: tensor<2x2xi64>) -> tensor<2x2xf32> {
  // expected-error @+1 {{operand 'data' is float32[], expected rank 1 or more}}
  %0 = onnx.GatherElements.v13(%x, %i) : (tensor<f32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @exact(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // expected-error @+1 {{operand 'input' is float32[2,3,4], expected rank 4}}
  %0 = onnx.DepthToSpace.v13(%x) {blocksize = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

func.func @range(%x: tensor<2x2xf32>, %s: tensor<2x2xi64>) -> tensor<*xf32> {
  // expected-error @+1 {{operand 'axes' is int64[2,2], expected rank 0 to 1}}
  %0 = onnx.ReduceSum.v13(%x, %s) : (tensor<2x2xf32>, tensor<2x2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @same_as_another(%x: tensor<1x1x5x5xf32>, %w: tensor<0xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{operand 'W' is float32[0], expected rank 4, that of 'X'}}
  %0 = onnx.Conv.v22(%x, %w) : (tensor<1x1x5x5xf32>, tensor<0xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @one_less(%x: tensor<3x5xf32>, %l: tensor<i64>) -> tensor<*xf32> {
  // expected-error @+1 {{operand 'labels' is int64[], expected rank 1, 1 less than that of 'scores'}}
  %0 = onnx.SoftmaxCrossEntropyLoss.v13(%x, %l) : (tensor<3x5xf32>, tensor<i64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @one_more(%x: tensor<3xi64>, %d: tensor<i64>, %v: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{result 'output' is float32[3], expected rank 2, 1 more than that of 'indices'}}
  %0 = onnx.OneHot.v11(%x, %d, %v) : (tensor<3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @each_of_a_list(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{operand 'inputs' is float32[3], expected rank 2, that of 'inputs'}}
  %0 = onnx.Concat.v13(%x, %y) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// One element is one number, however many dimensions it has.
func.func @one_element(%x: tensor<4xf32>, %s: tensor<f32>, %z: tensor<1xui8>) -> tensor<4xui8> {
  %0 = onnx.QuantizeLinear.v13(%x, %s, %z) : (tensor<4xf32>, tensor<f32>, tensor<1xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

func.func @unlike_scale(%x: tensor<4xf32>, %s: tensor<f32>, %z: tensor<4xui8>) -> tensor<4xui8> {
  // expected-error @+1 {{operand 'y_zero_point' is uint8[4], expected rank 0, that of 'y_scale'}}
  %0 = onnx.QuantizeLinear.v13(%x, %s, %z) : (tensor<4xf32>, tensor<f32>, tensor<4xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// Unknown shapes are valid.
func.func @unranked(%x: tensor<*xf32>, %w: tensor<2x3x4xf32>) -> tensor<*xf32> {
  %0 = onnx.Conv.v22(%x, %w) : (tensor<*xf32>, tensor<2x3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @axis(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %0 = onnx.Softmax.v13(%x) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @axis_at_the_end(%x: tensor<2x3xf32>) -> tensor<6x1xf32> {
  %0 = onnx.Flatten.v13(%x) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<6x1xf32>
  return %0 : tensor<6x1xf32>
}

// -----

func.func @axes_of_the_result(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Unsqueeze.v11(%x) {axes = array<i64: 0, 3>} : (tensor<2x3xf32>) -> tensor<*xf32>
  // expected-error @+1 {{axis 4 is out of range for rank 4}}
  %1 = onnx.Unsqueeze.v11(%x) {axes = array<i64: 0, 4>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

func.func @time_axis(%x: tensor<2x3xf32>, %l: tensor<2xi64>) -> tensor<2x3xf32> {
  // expected-error @+1 {{time_axis 63 is out of range for rank 2}}
  %0 = onnx.ReverseSequence.v10(%x, %l) {time_axis = 63 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @batch_dims(%x: tensor<2x3xf32>, %i: tensor<2x1xi64>) -> tensor<*xf32> {
  // expected-error @+1 {{batch_dims is -1, expected 0 to 1}}
  %0 = onnx.GatherND.v13(%x, %i) {batch_dims = -1 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @tuples(%x: tensor<2x3xf32>, %i: tensor<2x2147483648xi64>) -> tensor<*xf32> {
  // expected-error @+1 {{operand 'indices' is int64[2,2147483648], tuples of 2147483648 indices, expected at most 1 for 'data' of rank 2}}
  %0 = onnx.GatherND.v13(%x, %i) {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2x2147483648xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @rest_of_tuples(%x: tensor<2x3xf32>, %i: tensor<4x1xi64>, %u: tensor<4xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{operand 'updates' is float32[4], expected rank 2}}
  %0 = onnx.ScatterND.v13(%x, %i, %u) : (tensor<2x3xf32>, tensor<4x1xi64>, tensor<4xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// The shape of a zero point is that of the scale, unless both are one number.
func.func @same_shape(%x: tensor<2x3xui8>, %one: tensor<1xf32>, %s: tensor<3xf32>, %z: tensor<ui8>, %z1: tensor<1xui8>) {
  %0 = onnx.DequantizeLinear.v13(%x, %one, %z) : (tensor<2x3xui8>, tensor<1xf32>, tensor<ui8>) -> tensor<2x3xf32>
  // expected-error @+1 {{operand 'x_zero_point' is uint8[1], expected the shape of 'x_scale', float32[3]}}
  %1 = onnx.DequantizeLinear.v13(%x, %s, %z1) : (tensor<2x3xui8>, tensor<3xf32>, tensor<1xui8>) -> tensor<2x3xf32>
  return
}

// -----

func.func @same_rank(%x: tensor<2x3xui8>, %s: tensor<3xf32>, %z: tensor<ui8>) {
  // expected-error @+1 {{operand 'x_zero_point' is uint8[], expected rank 1, that of 'x_scale'}}
  %0 = onnx.DequantizeLinear.v13(%x, %s, %z) : (tensor<2x3xui8>, tensor<3xf32>, tensor<ui8>) -> tensor<2x3xf32>
  return
}

// -----

// One scale belongs to no axis.
func.func @axis_of_scales(%x: tensor<2x3xf32>, %one: tensor<f32>, %s: tensor<3xf32>) {
  %0 = onnx.QuantizeLinear.v13(%x, %one) {axis = 9 : i64} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  // expected-error @+1 {{axis 9 is out of range for rank 2}}
  %1 = onnx.QuantizeLinear.v13(%x, %s) {axis = 9 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xui8>
  return
}

// -----

func.func @default_axis(%x: tensor<3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{axis 1 of the default [1] is out of range for rank 1}}
  %0 = onnx.QuantizeLinear.v13(%x, %s) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xui8>
  return
}

// -----

func.func @default_axes(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{axis 3 of the default [0, 2, 3] is out of range for rank 3}}
  %0 = onnx.MeanVarianceNormalization.v13(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

// Reductions take a scalar for a tensor with one dimension.
func.func @axes_of_a_scalar(%x: tensor<f32>) {
  %0 = onnx.ReduceMax.v11(%x) {axes = array<i64: 0, -1>} : (tensor<f32>) -> tensor<f32>
  // expected-error @+1 {{axis 1 is out of range for rank 0}}
  %1 = onnx.ReduceMax.v11(%x) {axes = array<i64: 1>} : (tensor<f32>) -> tensor<f32>
  return
}

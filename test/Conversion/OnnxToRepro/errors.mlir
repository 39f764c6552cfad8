// RUN: gensyn-opt %s --convert-onnx-to-repro --split-input-file --verify-diagnostics

// All nodes are reported at once.
func.func @unsupported(%x: tensor<4xui8>) -> (tensor<1x1x3xui8>, tensor<1x?xi64>) {
  // expected-error @unknown {{'onnx.ImageDecoder.v20' op the operator is out of reach: compressed image files are decoded before the model}}
  %0 = onnx.ImageDecoder.v20(%x) : (tensor<4xui8>) -> tensor<1x1x3xui8> loc("picture")
  // expected-error @+1 {{'onnx.NonZero.v13' op the size of int64[1,?] depends on data; the model has to declare it}}
  %1 = onnx.NonZero.v13(%0) : (tensor<1x1x3xui8>) -> tensor<1x?xi64>
  return %0, %1 : tensor<1x1x3xui8>, tensor<1x?xi64>
}

// -----

// expected-error @+1 {{input 'x': dimensions of float32[batch,4] are not known}}
func.func @dynamic(%x: tensor<?x4xf32, ["batch", ""]> {onnx.name = "x"}) -> tensor<?x4xf32> {
  %0 = onnx.Relu.v14(%x) : (tensor<?x4xf32, ["batch", ""]>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @strings(%x: tensor<4xf32>) -> tensor<4x!onnx.string> {
  // expected-error @+1 {{'onnx.Cast.v13' op result: elements of type string[4] are not supported}}
  %0 = onnx.Cast.v13(%x) {to = 8 : i64} : (tensor<4xf32>) -> tensor<4x!onnx.string>
  return %0 : tensor<4x!onnx.string>
}

// -----

func.func @rows(%x: tensor<3x65xf32>) -> tensor<2x65xf32> {
  // expected-error @+1 {{'onnx.Unique.v11' op slices of 65 elements are compared, the most supported is 64}}
  %0 = onnx.Unique.v11(%x) {axis = 0 : i64} : (tensor<3x65xf32>) -> tensor<2x65xf32>
  return %0 : tensor<2x65xf32>
}

// -----

func.func @oblong(%x: tensor<2x3xf32>) -> tensor<f32> {
  // expected-error @+1 {{'onnx.Det.v22' op the matrices are not square}}
  %0 = onnx.Det.v22(%x) : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @axes(%x: tensor<2x3xf32>, %axes: tensor<1xi64>) -> tensor<2x1xf32> {
  // expected-error @+1 {{'onnx.ReduceSum.v13' op axes must be constants}}
  %0 = onnx.ReduceSum.v13(%x, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// -----

func.func @reflect(%x: tensor<2xf32>) -> tensor<4xf32> {
  %pads = onnx.constant dense<[2, 0]> : tensor<2xi64>
  // expected-error @+1 {{'onnx.Pad.v13' op mode 'reflect' pads 2 elements to a dimension of 2}}
  %0 = onnx.Pad.v13(%x, %pads) {mode = "reflect"} : (tensor<2xf32>, tensor<2xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @index(%x: tensor<2xf32>) -> tensor<f32> {
  %i = onnx.constant dense<-3> : tensor<i64>
  // expected-error @+1 {{'onnx.Gather.v13' op index -3 is out of range for extent 2}}
  %0 = onnx.Gather.v13(%x, %i) : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @inferred(%x: tensor<2x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{'onnx.Transpose.v13' op is converted to float32[3,2] but was inferred float32[3,3]}}
  %0 = onnx.Transpose.v13(%x) : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @version(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'onnx.Add.v6' op version 6 of the operator is not supported, only 7 13 14}}
  %0 = onnx.Add.v6(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @axis(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'onnx.Softmax.v13' op axis 2 is out of range for rank 2}}
  %0 = onnx.Softmax.v13(%x) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @step(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = onnx.constant dense<0> : tensor<1xi64>
  // expected-error @+1 {{'onnx.Slice.v13' op starts, ends, axes and steps do not fit each other}}
  %0 = onnx.Slice.v13(%x, %zero, %zero, %zero, %zero)
      : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @blocks(%x: tensor<1x4x2x2xf32>) -> tensor<1x1x4x4xf32> {
  // expected-error @+1 {{'onnx.DepthToSpace.v13' op blocksize does not fit the shape}}
  %0 = onnx.DepthToSpace.v13(%x) {blocksize = 0 : i64} : (tensor<1x4x2x2xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

func.func @strides(%x: tensor<1x1x4xf32>) -> tensor<1x1x2xf32> {
  // expected-error @+1 {{'onnx.MaxPool.v12' op kernel, strides and dilations must be positive, pads not negative}}
  %0 = onnx.MaxPool.v12(%x) {kernel_shape = array<i64: 2>, strides = array<i64: 0>} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}

// -----

func.func @dilation(%x: tensor<1x1x4xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x4xf32> {
  // expected-error @+1 {{'onnx.Conv.v11' op kernel, strides, dilations and pads must be below 2^20}}
  %0 = onnx.Conv.v11(%x, %w) {dilations = array<i64: 9223372036854775807>} : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @block(%x: tensor<2x3xi8>, %s: tensor<2x2xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'onnx.DequantizeLinear.v21' op block_size does not fit the shapes}}
  %0 = onnx.DequantizeLinear.v21(%x, %s) {axis = 1 : i64, block_size = -2 : i64} : (tensor<2x3xi8>, tensor<2x2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @parts(%x: tensor<4xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  // expected-error @+1 {{'onnx.Split.v13' op the parts are larger than the whole}}
  %0:2 = onnx.Split.v13(%x) : (tensor<4xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @constant_type() -> tensor<2xcomplex<f32>> {
  // expected-error @+1 {{'onnx.constant' op elements of type complex64[2] are not supported}}
  %0 = onnx.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

func.func @one_channel(%x: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'onnx.BatchNormalization.v9' op 'scale' has 3 elements, expected one for each of 1 channel}}
  %0 = onnx.BatchNormalization.v9(%x, %c, %c, %c, %c)
      : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @one_mean(%x: tensor<2x3xf32>, %c: tensor<3xf32>, %m: tensor<1xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'onnx.BatchNormalization.v9' op 'mean' has 1 element, expected one for each of 3 channels}}
  %0 = onnx.BatchNormalization.v9(%x, %c, %c, %m, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @unknown_shape(%x: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<*xf32> {
  // expected-error @+1 {{'onnx.Reshape.v14' op result: the shape of float32 is not known; the model can declare it}}
  %0 = onnx.Reshape.v14(%x, %s) : (tensor<6xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @unknown_type(%x: tensor<6xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Relu.v14' op result: the type is not known; the model can declare it}}
  %0 = onnx.Relu.v14(%x) : (tensor<6xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @count(%x: tensor<2x3x4xf32>) -> tensor<1xi64> {
  // expected-error @+1 {{'onnx.Shape.v15' op the result has 0 elements of int64, and is declared otherwise}}
  %0 = onnx.Shape.v15(%x) {start = -1 : i64, end = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<1xi64>
  return %0 : tensor<1xi64>
}

// -----

func.func @transposed_pads(%x: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x4xf32> {
  // expected-error @+1 {{'onnx.ConvTranspose.v11' op pads must not be negative and below 2^20}}
  %0 = onnx.ConvTranspose.v11(%x, %w) {pads = array<i64: 1073741824, 0>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @transposed_negative_pads(%x: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x7xf32> {
  // expected-error @+1 {{'onnx.ConvTranspose.v11' op pads must not be negative and below 2^20}}
  %0 = onnx.ConvTranspose.v11(%x, %w) {pads = array<i64: -1, 0>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x7xf32>
  return %0 : tensor<1x1x7xf32>
}

// -----

func.func @transposed_pads_at_the_end(%x: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x4xf32> {
  // expected-error @+1 {{'onnx.ConvTranspose.v11' op pads must not be negative and below 2^20}}
  %0 = onnx.ConvTranspose.v11(%x, %w) {pads = array<i64: 0, 1073741824>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @transposed_extent(%x: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x5xf32> {
  // expected-error @+1 {{'onnx.ConvTranspose.v11' op dimension 2 of the result, 5, is not what the pads leave}}
  %0 = onnx.ConvTranspose.v11(%x, %w) {pads = array<i64: 1, 9>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
  return %0 : tensor<1x1x5xf32>
}

// -----

func.func @transposed_output_padding(%x: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x4xf32> {
  // expected-error @+1 {{'onnx.ConvTranspose.v11' op output_padding must not be negative and below 2^20}}
  %0 = onnx.ConvTranspose.v11(%x, %w) {output_shape = array<i64: 4>, output_padding = array<i64: 9223372036854775807>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @transposed_dilations(%x: tensor<1x1x4xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x4xf32> {
  // expected-error @+1 {{'onnx.ConvTranspose.v11' op strides and dilations must be positive and below 2^20}}
  %0 = onnx.ConvTranspose.v11(%x, %w) {dilations = array<i64: 1073741824>} : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @image_pads(%x: tensor<1x3x4xf32>) -> tensor<1x1x6xf32> {
  %image = onnx.constant dense<6> : tensor<1xi64>
  %block = onnx.constant dense<3> : tensor<1xi64>
  // expected-error @+1 {{'onnx.Col2Im.v18' op block_shape, strides and dilations must be positive, pads not negative, all below 2^20}}
  %0 = onnx.Col2Im.v18(%x, %image, %block) {pads = array<i64: 0, 1073741824>} : (tensor<1x3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x6xf32>
  return %0 : tensor<1x1x6xf32>
}

// -----

func.func @image_extent(%x: tensor<1x3x4xf32>) -> tensor<1x1x6xf32> {
  %image = onnx.constant dense<1099511627776> : tensor<1xi64>
  %block = onnx.constant dense<3> : tensor<1xi64>
  // expected-error @+1 {{'onnx.Col2Im.v18' op the columns do not fit the image}}
  %0 = onnx.Col2Im.v18(%x, %image, %block) : (tensor<1x3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x6xf32>
  return %0 : tensor<1x1x6xf32>
}

// -----

// Two taps each.
func.func @table(%x: tensor<2xf32>) -> tensor<2500000xf32> {
  %none = onnx.none
  %sizes = onnx.constant dense<2500000> : tensor<1xi64>
  // expected-error @+1 {{'onnx.Resize.v19' op needs a table of 5000000 elements, the most is 4194304}}
  %0 = onnx.Resize.v19(%x, %none, %none, %sizes) {mode = "linear"} : (tensor<2xf32>, none, none, tensor<1xi64>) -> tensor<2500000xf32>
  return %0 : tensor<2500000xf32>
}

// -----

func.func @tap_counts(%x: tensor<1x1x2147483648xf32>) -> tensor<1x1x2147483648xf32> {
  // expected-error @+1 {{'onnx.AveragePool.v19' op needs a table of 4294967296 elements, the most is 4194304}}
  %0 = onnx.AveragePool.v19(%x) {kernel_shape = array<i64: 2>, pads = array<i64: 1, 0>} : (tensor<1x1x2147483648xf32>) -> tensor<1x1x2147483648xf32>
  return %0 : tensor<1x1x2147483648xf32>
}

// -----

// A kernel of 2 * 2049 elements.
func.func @taps(%x: tensor<2049xf32>) -> tensor<1xf32> {
  %none = onnx.none
  %sizes = onnx.constant dense<1> : tensor<1xi64>
  // expected-error @+1 {{'onnx.Resize.v19' op antialias of dimension 0 takes 4098 elements, at most 4096}}
  %0 = onnx.Resize.v19(%x, %none, %none, %sizes) {mode = "linear", antialias = 1 : i64} : (tensor<2049xf32>, none, none, tensor<1xi64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @product_of_more_dimensions(%a: tensor<5x2x3xf32>, %b: tensor<6x1x5x3x4xf32>) -> tensor<5x2x4xf32> {
  // expected-error @+1 {{'onnx.MatMul.v13' op a factor of the product has more dimensions than the result}}
  %0 = onnx.MatMul.v13(%a, %b) : (tensor<5x2x3xf32>, tensor<6x1x5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// -----

func.func @product_of_fewer_dimensions(%a: tensor<3xf32>, %b: tensor<5x3x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{'onnx.MatMul.v13' op the result of the product has too few dimensions}}
  %0 = onnx.MatMul.v13(%a, %b) : (tensor<3xf32>, tensor<5x3x4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

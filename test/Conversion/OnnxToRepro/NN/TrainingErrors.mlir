// RUN: gensyn-opt %s --convert-onnx-to-repro --split-input-file --verify-diagnostics

func.func @count(%r: tensor<f32>, %t: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has 2 tensors after R and T, 3 for each that is trained are wanted}}
  %0:2 = onnx.preview.training.Adagrad.v1(%r, %t, %x, %x) : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}

// -----

func.func @types(%r: tensor<f32>, %t: tensor<i64>, %x: tensor<2xf32>, %v: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{tensor 2 after R and T has another type than 0, which it belongs to}}
  %0:2 = onnx.preview.training.Adagrad.v1(%r, %t, %x, %x, %v) : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  return %0#0 : tensor<2xf32>
}

// -----

func.func @rate(%r: tensor<2xf32>, %t: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'R' has more than one element}}
  %0:2 = onnx.preview.training.Adagrad.v1(%r, %t, %x, %x, %x) : (tensor<2xf32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}

// -----

func.func @mode(%r: tensor<f32>, %t: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{mode 'other' is neither 'standard' nor 'nesterov'}}
  %0:2 = onnx.preview.training.Momentum.v1(%r, %t, %x, %x, %x)
      {alpha = 0.5 : f32, beta = 0.25 : f32, norm_coefficient = 0.0 : f32, mode = "other"}
      : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}

// -----

func.func @not_a_number(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = onnx.Mul.v14(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // expected-error @+1 {{'y' is float32[2]; derivatives are taken of one float32 or float64 number}}
  %g = onnx.preview.training.Gradient.v1(%x, %y) {xs = ["x"], y = "y"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %g : tensor<2xf32>
}

// -----

func.func @whole_numbers(%x: tensor<i64>, %y: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'x' of 'xs' is int64[]; derivatives are with respect to float32 and float64}}
  %g = onnx.preview.training.Gradient.v1(%x, %y) {xs = ["x"], y = "y"} : (tensor<i64>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

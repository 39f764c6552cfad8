// RUN: gensyn-opt %s --pass-pipeline="builtin.module(onnx-infer-shapes)" --split-input-file --verify-diagnostics

// What the schemas' inference would read out of bounds.
func.func @axis(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{'onnx.LayerNormalization.v17' op axis 9223372036854775807 is out of range for rank 2}}
  %0:2 = onnx.LayerNormalization.v17(%x, %s) {axis = 9223372036854775807 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @outputs(%x: tensor<8xf32>) {
  // expected-error @+1 {{'onnx.Split.v18' op num_outputs is 1 for 3 outputs}}
  %0:3 = onnx.Split.v18(%x) {num_outputs = 1 : i64} : (tensor<8xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return
}

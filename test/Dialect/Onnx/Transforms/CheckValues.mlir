// RUN: gensyn-opt %s --pass-pipeline="builtin.module(onnx-infer-shapes)" --split-input-file --verify-diagnostics

// Nodes for which the schemas' inference would read out of bounds.
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

// -----

func.func @too_many(%x: tensor<2x5xf32>) {
  // expected-error @+1 {{'onnx.TopK.v1' op K is 6, expected 0 to 5, the size of axis 1}}
  %0:2 = onnx.TopK.v1(%x) {k = 6 : i64} : (tensor<2x5xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @fewer_than_none(%x: tensor<?xf32>) {
  %k = onnx.constant dense<-1> : tensor<1xi64>
  // expected-error @+1 {{'onnx.TopK.v11' op K is -1, expected 0 or more}}
  %0:2 = onnx.TopK.v11(%x, %k) : (tensor<?xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

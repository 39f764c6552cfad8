
module attributes {onnx.opsets = {ai.onnx = 9223372036854775807 : i64}} {
func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Identity.v16(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Cast.v13(%0) {to = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.CastLike.v15(%1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

func.func @cast_like(%x: tensor<4xf32>, %y: tensor<2xi64>) -> tensor<4xi64> {
  %0 = onnx.CastLike.v15(%x, %y) : (tensor<4xf32>, tensor<2xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

func.func @constants() -> (tensor<f32>, tensor<2xi64>, tensor<2xi1>, !onnx.unknown) {
  %0 = onnx.Constant.v13() {value_float = 5.0e-01 : f32} : () -> tensor<f32>
  %1 = onnx.Constant.v13() {value_ints = array<i64: 1, 2>} : () -> tensor<2xi64>
  %2 = onnx.Constant.v13() {value = dense<[true, false]> : tensor<2xi1>} : () -> tensor<2xi1>
  %3 = onnx.Constant.v13() {value_string = "text"} : () -> !onnx.unknown
  return %0, %1, %2, %3 : tensor<f32>, tensor<2xi64>, tensor<2xi1>, !onnx.unknown
}

func.func @dropout(%x: tensor<4xf32>, %r: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = onnx.Dropout.v13(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %on = onnx.constant dense<true> : tensor<i1>
  %1 = onnx.Dropout.v13(%x, %r, %on) : (tensor<4xf32>, tensor<f32>, tensor<i1>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

func.func @split(%x: tensor<2x7xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>) {
  %size = onnx.constant dense<3> : tensor<i64>
  %first = onnx.constant dense<0> : tensor<i64>
  %last = onnx.constant dense<-1> : tensor<i64>
  %s = onnx.SplitToSequence.v11(%x, %size) {axis = 1 : i64} : (tensor<2x7xf32>, tensor<i64>) -> !onnx.seq<tensor<2x?xf32>>
  %0 = onnx.SequenceAt.v11(%s, %first) : (!onnx.seq<tensor<2x?xf32>>, tensor<i64>) -> tensor<2x3xf32>
  %1 = onnx.SequenceAt.v11(%s, %last) : (!onnx.seq<tensor<2x?xf32>>, tensor<i64>) -> tensor<2x1xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x1xf32>
}

func.func @split_dynamic(%x: tensor<2x7xf32>, %i: tensor<i64>) -> tensor<2x?xf32> {
  %size = onnx.constant dense<3> : tensor<i64>
  %s = onnx.SplitToSequence.v11(%x, %size) {axis = 1 : i64} : (tensor<2x7xf32>, tensor<i64>) -> !onnx.seq<tensor<2x?xf32>>
  %0 = onnx.SequenceAt.v11(%s, %i) : (!onnx.seq<tensor<2x?xf32>>, tensor<i64>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
}

func.func @statistics(%x: tensor<2x3xf32>, %c: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>)
    -> (tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>) {
  %0:3 = onnx.BatchNormalization.v15(%x, %c, %c, %m, %v) {training_mode = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1:5 = onnx.BatchNormalization.v9(%x, %c, %c, %m, %v)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %1#0 : tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>
}

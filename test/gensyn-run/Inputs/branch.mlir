module attributes {onnx.ir_version = 10 : i64, onnx.opsets = {ai.onnx = 21 : i64}} {
  func.func @main(%p: tensor<i1> {gensyn.role = "input", onnx.name = "p"}, %x: tensor<3xf32> {gensyn.role = "input", onnx.name = "x"}, %y: tensor<3xf32> {gensyn.role = "input", onnx.name = "y"}) -> (tensor<3xf32> {onnx.name = "z"}) {
    %z = "onnx.If.v21"(%p) ({
      %b = onnx.Neg.v13(%x) : (tensor<3xf32>) -> tensor<3xf32>
      onnx.yield %b : tensor<3xf32>
    }, {
      %a = onnx.Add.v14(%x, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      onnx.yield %a : tensor<3xf32>
    }) : (tensor<i1>) -> tensor<3xf32>
    return %z : tensor<3xf32>
  }
}

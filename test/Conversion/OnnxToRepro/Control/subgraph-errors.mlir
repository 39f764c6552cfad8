// RUN: gensyn-opt %s --convert-onnx-to-repro --split-input-file --verify-diagnostics

func.func @trips(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %yes = onnx.constant dense<true> : tensor<i1>
  // expected-error @+1 {{the number of iterations is not known}}
  %z = "onnx.Loop.v21"(%n, %yes, %x) ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<2xf32>):
    onnx.yield %go, %a : tensor<i1>, tensor<2xf32>
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @endless(%x: tensor<2xf32>) -> tensor<2xf32> {
  %none = onnx.none
  // expected-error @+1 {{it never ends}}
  %z = "onnx.Loop.v21"(%none, %none, %x) ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<2xf32>):
    onnx.yield %go, %a : tensor<i1>, tensor<2xf32>
  }) : (none, none, tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @rowsUntil(%x: tensor<f32>, %next: tensor<i1>) -> tensor<3xf32> {
  %n = onnx.constant dense<3> : tensor<i64>
  %none = onnx.none
  // expected-error @+1 {{the size of output 1 depends on data}}
  %z:2 = "onnx.Loop.v21"(%n, %none, %x) ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<f32>):
    onnx.yield %next, %a, %a : tensor<i1>, tensor<f32>, tensor<f32>
  }) : (tensor<i64>, none, tensor<f32>) -> (tensor<f32>, tensor<3xf32>)
  return %z#1 : tensor<3xf32>
}

// -----

func.func @branches(%p: tensor<i1>, %x: tensor<6xf32>, %y: tensor<3x2xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{the branches give different types: value 0 is float32[3,2], expected float32[6]}}
  %z = "onnx.If.v21"(%p) ({
    onnx.yield %x : tensor<6xf32>
  }, {
    onnx.yield %y : tensor<3x2xf32>
  }) : (tensor<i1>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

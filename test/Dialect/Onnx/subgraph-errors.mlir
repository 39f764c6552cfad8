// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @branchWithInput(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{has a subgraph of 1 input, expected 0}}
  %z = "onnx.If.v21"(%p) ({
    onnx.yield %x : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    onnx.yield %a : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %z : tensor<f32>
}

// -----

func.func @branchOfNothing(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{has a subgraph of 0 outputs, expected 1}}
  %z = "onnx.If.v21"(%p) ({
    onnx.yield %x : tensor<f32>
  }, {
    onnx.yield
  }) : (tensor<i1>) -> tensor<f32>
  return %z : tensor<f32>
}

// -----

func.func @loopWithoutFlag(%n: tensor<i64>, %p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{has a subgraph of 1 output, expected 2}}
  %z = "onnx.Loop.v21"(%n, %p, %x) ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<f32>):
    onnx.yield %a : tensor<f32>
  }) : (tensor<i64>, tensor<i1>, tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}

// -----

func.func @loopWithoutState(%n: tensor<i64>, %p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{has a subgraph of 2 inputs, expected 3}}
  %z = "onnx.Loop.v21"(%n, %p, %x) ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>):
    onnx.yield %go, %x : tensor<i1>, tensor<f32>
  }) : (tensor<i64>, tensor<i1>, tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}

// -----

func.func @scanOfMore(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'num_scan_inputs' is not 1 to 1}}
  %z = "onnx.Scan.v21"(%x) ({
  ^bb0(%a: tensor<f32>):
    onnx.yield %a : tensor<f32>
  }) {num_scan_inputs = 2 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// RUN: gensyn-opt %s --pass-pipeline="builtin.module(onnx-infer-shapes{dims=batch=2})" --split-input-file --verify-diagnostics | FileCheck %s

// Types follow from the bound dimension; the names vanish.
// CHECK-LABEL: func.func @bind
// CHECK-SAME: (%{{.*}}: tensor<2x8xf32>, %{{.*}}: tensor<8x4xf32>) -> tensor<2x4xf32>
func.func @bind(%x: tensor<?x8xf32, ["batch", ""]>, %w: tensor<8x4xf32>) -> !onnx.unknown {
  // CHECK: onnx.MatMul.v13({{.*}}) : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %0 = onnx.MatMul.v13(%x, %w) : (tensor<?x8xf32, ["batch", ""]>, tensor<8x4xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// Shape arithmetic is folded in the same walk, so that Reshape has a static type.
// CHECK-LABEL: func.func @fold
// CHECK-NEXT: %[[S:.*]] = onnx.constant dense<[2, 32]> : tensor<2xi64>
// CHECK-NEXT: onnx.Reshape.v14(%{{.*}}, %[[S]]) : (tensor<2x8x4xf32>, tensor<2xi64>) -> tensor<2x32xf32>
func.func @fold(%x: tensor<?x8x4xf32, ["batch", "", ""]>) -> !onnx.unknown {
  %0 = onnx.constant dense<0> : tensor<i64>
  %axes = onnx.constant dense<0> : tensor<1xi64>
  %shape = onnx.Shape.v15(%x) : (tensor<?x8x4xf32, ["batch", "", ""]>) -> !onnx.unknown
  %first = onnx.Gather.v13(%shape, %0) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  %tail = onnx.Constant.v13() {value_ints = array<i64: 8, 4>} : () -> !onnx.unknown
  %product = onnx.ReduceProd.v13(%tail) : (!onnx.unknown) -> !onnx.unknown
  %vector = onnx.Unsqueeze.v13(%first, %axes) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
  %all = onnx.Concat.v13(%vector, %product) {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %y = onnx.Reshape.v14(%x, %all) : (tensor<?x8x4xf32, ["batch", "", ""]>, !onnx.unknown) -> !onnx.unknown
  return %y : !onnx.unknown
}

// -----

// CHECK-LABEL: func.func @subgraph
// CHECK: onnx.If.v16
// CHECK: -> tensor<2x4xf32>
func.func @subgraph(%c: tensor<i1>, %x: tensor<?x4xf32, ["batch", ""]>) -> !onnx.unknown {
  %y = onnx.If.v16(%c) else_branch {
    %0 = onnx.Neg.v13(%x) : (tensor<?x4xf32, ["batch", ""]>) -> !onnx.unknown
    onnx.yield %0 : !onnx.unknown
  } then_branch {
    %0 = onnx.Abs.v13(%x) : (tensor<?x4xf32, ["batch", ""]>) -> !onnx.unknown
    onnx.yield %0 : !onnx.unknown
  } : (tensor<i1>) -> !onnx.unknown
  return %y : !onnx.unknown
}

// -----

// Functions of other dialects and other encodings of tensors stay as they are.
// CHECK-LABEL: func.func @beside
// CHECK-SAME: (%{{.*}}: tensor<2xf32>, %{{.*}}: tensor<4xf32, "other">) -> tensor<4xf32, "other">
func.func @beside(%b: tensor<?xf32, ["batch"]>, %x: tensor<4xf32, "other">) -> tensor<4xf32, "other"> {
  return %x : tensor<4xf32, "other">
}
// CHECK: llvm.func @kernel() attributes {nvvm.kernel}
gpu.module @kernels {
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

func.func @disagree(%b: tensor<?xf32, ["batch"]>, %x: tensor<2x8xf32>, %w: tensor<9x3xf32>) {
  // expected-error @+1 {{incompatible dimensions for matrix multiplication; A is float32[2,8], B is float32[9,3]}}
  %0 = onnx.MatMul.v13(%x, %w) : (tensor<2x8xf32>, tensor<9x3xf32>) -> !onnx.unknown
  return
}

// -----

// Exporters give dimensions of results the names of others: the size by the name gives way to the
// inferred one, and stays where nothing is inferred.
// CHECK-LABEL: func.func @named_otherwise
// CHECK-SAME: -> (tensor<2x8xf32>, tensor<2x8xf32>)
func.func @named_otherwise(%x: tensor<?x8xf32, ["batch", ""]>, %s: tensor<2xi64>)
    -> (tensor<?x?xf32, ["batch", "batch"]>, tensor<?x8xf32, ["batch", ""]>) {
  // CHECK: onnx.Relu.v14(%{{.*}}) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %0 = onnx.Relu.v14(%x) : (tensor<?x8xf32, ["batch", ""]>) -> tensor<?x?xf32, ["batch", "batch"]>
  // CHECK: onnx.Reshape.v14({{.*}}) : (tensor<2x8xf32>, tensor<2xi64>) -> tensor<2x8xf32>
  %1 = onnx.Reshape.v14(%0, %s) : (tensor<?x?xf32, ["batch", "batch"]>, tensor<2xi64>) -> tensor<?x8xf32, ["batch", ""]>
  return %0, %1 : tensor<?x?xf32, ["batch", "batch"]>, tensor<?x8xf32, ["batch", ""]>
}

// -----

func.func @declared(%b: tensor<?xf32, ["batch"]>, %x: tensor<2x8xf32>) {
  // expected-error @+1 {{result #0 is declared float32[2,9], but it is float32[2,8]}}
  %0 = onnx.Relu.v14(%x) : (tensor<2x8xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @gather_range(%b: tensor<?xf32, ["batch"]>, %x: tensor<2x8xf32>) {
  %i = onnx.constant dense<[0, -9]> : tensor<2xi64>
  // expected-error @+1 {{index -9 is out of range for axis 1 of size 8}}
  %0 = onnx.Gather.v13(%x, %i) {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reshape_count(%b: tensor<?xf32, ["batch"]>, %x: tensor<2x8xf32>) {
  %s = onnx.constant dense<5> : tensor<2xi64>
  // expected-error @+1 {{16 elements do not fit [5,5]}}
  %0 = onnx.Reshape.v14(%x, %s) : (tensor<2x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-error @+1 {{no dimension is named 'batch'; there are 'n', 'seq'}}
module {
  func.func @names(%x: tensor<?x?xf32, ["n", "seq"]>) { return }
}

// -----

// Schemas' functions leave these out: the dimensions that indices leave, a shape and a
// type that are another's, a shape that is a constant.
// CHECK-LABEL: func.func @by_ranks
// CHECK: onnx.GatherND.v13{{.*}} -> tensor<f32>
// CHECK: onnx.GroupNormalization.v21{{.*}} -> tensor<2x4x3xf32>
// CHECK: onnx.MaxUnpool.v11{{.*}} -> tensor<1x1x5xf32>
// CHECK: onnx.MaxUnpool.v11{{.*}} -> tensor<?x?x?xf32>
func.func @by_ranks(%b: tensor<?xf32, ["batch"]>, %x: tensor<2x4x3xf32>, %c: tensor<4xf32>,
                    %i: tensor<3xi64>, %p: tensor<1x1x2xf32>, %at: tensor<1x1x2xi64>) {
  %0 = onnx.GatherND.v13(%x, %i) : (tensor<2x4x3xf32>, tensor<3xi64>) -> tensor<*xf32>
  %1 = onnx.GroupNormalization.v21(%x, %c, %c) {num_groups = 2 : i64}
      : (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
  %shape = onnx.constant dense<[1, 1, 5]> : tensor<3xi64>
  %2 = onnx.MaxUnpool.v11(%p, %at, %shape) {kernel_shape = array<i64: 2>, strides = array<i64: 2>}
      : (tensor<1x1x2xf32>, tensor<1x1x2xi64>, tensor<3xi64>) -> tensor<*xf32>
  %3 = onnx.MaxUnpool.v11(%p, %at, %i) {kernel_shape = array<i64: 2>, strides = array<i64: 2>}
      : (tensor<1x1x2xf32>, tensor<1x1x2xi64>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @by_ranks_declared(%b: tensor<?xf32, ["batch"]>, %x: tensor<2x4x3xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{result 'Y' is float32[2,4,5], expected the shape of 'X', float32[2,4,3]}}
  %0 = onnx.GroupNormalization.v21(%x, %c, %c) {num_groups = 2 : i64}
      : (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5xf32>
  return
}

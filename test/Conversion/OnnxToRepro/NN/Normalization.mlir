// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @batch
// CHECK-SAME: (%[[X:.+]]: tensor<2x3x4xf32>
func.func @batch(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>,
                 %v: tensor<3xf32>) -> tensor<2x3x4xf32> {
  // CHECK: repro.sqrt %{{.+}} : tensor<1x3x1xf32>
  // CHECK: repro.div
  // CHECK: repro.mul %{{.+}} : tensor<1x3x1xf32>
  // CHECK: %[[C:.+]] = repro.sub %[[X]]
  // CHECK: %[[N:.+]] = repro.mul %[[C]]
  // CHECK: repro.add %[[N]]
  %0 = onnx.BatchNormalization.v15(%x, %s, %b, %m, %v)
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// One dimension is the batch, of one channel.
// CHECK-LABEL: @batch_of_one_channel
func.func @batch_of_one_channel(%x: tensor<3xf32>, %c: tensor<1xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  // CHECK: repro.reshape %{{.+}} : tensor<3xf32> to tensor<3x1xf32>
  // CHECK: repro.reshape %{{.+}} : tensor<3x1xf32> to tensor<3xf32>
  %0 = onnx.BatchNormalization.v15(%x, %c, %c, %c, %c)
      : (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
  // CHECK: repro.reduce{{ +}}sum %{{.+}} domain <[3, 1], reduce [0]>
  %1:3 = onnx.BatchNormalization.v15(%x, %c, %c, %c, %c) {training_mode = 1 : i64}
      : (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>)
  return %0, %1#0 : tensor<3xf32>, tensor<3xf32>
}

// Two passes: the squares of the distances from the mean.
// CHECK-LABEL: @layer
// CHECK-SAME: (%[[X:.+]]: tensor<2x3x4xf32>
func.func @layer(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>) {
  // CHECK: repro.reduce{{ +}}sum %[[X]] domain <[2, 3, 4], reduce [1, 2]>
  // CHECK: %[[MEAN:.+]] = repro.div
  // CHECK: %[[C:.+]] = repro.sub %[[X]]
  // CHECK: %[[Q:.+]] = repro.mul %[[C]], %[[C]]
  // CHECK: repro.reduce{{ +}}sum %[[Q]]
  // CHECK: repro.sqrt
  // CHECK: %[[N:.+]] = repro.mul %[[C]]
  // CHECK: %[[Y:.+]] = repro.mul %[[N]]
  // CHECK: return %[[Y]], %[[MEAN]]
  %0:2 = onnx.LayerNormalization.v17(%x, %s) {axis = 1 : i64}
      : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>)
  return %0#0, %0#1 : tensor<2x3x4xf32>, tensor<2x1x1xf32>
}

// Version 18 scales groups, version 21 channels.
// CHECK-LABEL: @group
func.func @group(%x: tensor<2x6x4xf32>, %g: tensor<3xf32>, %c: tensor<6xf32>)
    -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>) {
  // CHECK: repro.reshape %{{.+}} : tensor<2x6x4xf32> to tensor<2x3x8xf32>
  // CHECK: repro.broadcast %{{.+}} : tensor<3xf32> to tensor<2x3x8xf32>
  %0 = onnx.GroupNormalization.v18(%x, %g, %g) {num_groups = 3 : i64}
      : (tensor<2x6x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x6x4xf32>
  // CHECK: repro.reshape %{{.+}} : tensor<2x6x4xf32> to tensor<2x3x8xf32>
  // CHECK: repro.broadcast %{{.+}} : tensor<6xf32> to tensor<2x6x4xf32>
  %1 = onnx.GroupNormalization.v21(%x, %c, %c) {num_groups = 3 : i64}
      : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
  return %0, %1 : tensor<2x6x4xf32>, tensor<2x6x4xf32>
}

// CHECK-LABEL: @others
func.func @others(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %c: tensor<3xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  // CHECK: repro.reduce{{ +}}sum %{{.+}} domain <[2, 3, 4], reduce [2]>
  // CHECK: repro.sqrt
  %0 = onnx.RMSNormalization.v23(%x, %s) : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  // CHECK: repro.reshape %{{.+}} : tensor<2x3xf32> to tensor<2x3x1xf32>
  %1 = onnx.InstanceNormalization.v6(%x, %c, %c) : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  // CHECK: repro.compare{{ +}}eq
  // CHECK: repro.sqrt
  %2 = onnx.LpNormalization.v22(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1, %2 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// The statistics of the batch, and the next stored ones.
// CHECK-LABEL: @training
func.func @training(%x: tensor<2x3xf32>, %c: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK: repro.reduce sum %arg0
  // CHECK: %[[FACTOR:.+]] = repro.sqrt
  // CHECK-DAG: repro.constant dense<0.899999976> : tensor<f32>
  // CHECK-DAG: repro.constant dense<0.100000024> : tensor<f32>
  %0:3 = onnx.BatchNormalization.v15(%x, %c, %c, %c, %c) {training_mode = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// Statistics that are initializers are updated (assign_r1), even if the outputs are unused; before
// version 14 several outputs mean training mode.
// CHECK-LABEL: @main
func.func @main(%x: tensor<2x3xf32> {gensyn.role = "input", onnx.name = "x"},
                %c: tensor<3xf32> {gensyn.role = "parameter", onnx.name = "c"},
                %m: tensor<3xf32> {gensyn.role = "parameter", onnx.name = "m"},
                %v: tensor<3xf32> {gensyn.role = "parameter", onnx.name = "v"}) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK: %[[M:.+]] = repro.add %{{.+}}, %{{.+}} : tensor<3xf32>
  // CHECK: train.assign %[[M]] to %arg2
  // CHECK: %[[V:.+]] = repro.add %{{.+}}, %{{.+}} : tensor<3xf32>
  // CHECK: train.assign %[[V]] to %arg3
  %0 = onnx.BatchNormalization.v15(%x, %c, %c, %m, %v) {training_mode = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: train.assign %{{.+}} to %arg2
  // CHECK: train.assign %{{.+}} to %arg3
  %1:5 = onnx.BatchNormalization.v9(%x, %c, %c, %m, %v)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0, %1#0 : tensor<2x3xf32>, tensor<2x3xf32>
}

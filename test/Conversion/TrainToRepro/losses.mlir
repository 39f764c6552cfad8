// The operations of each loss, in order (loss_r2, loss_r6 to loss_r11).
// RUN: gensyn-opt %s --convert-train-to-repro | FileCheck %s

// CHECK-LABEL: func.func @weighted(
func.func @weighted(%x: tensor<2x3xf32>, %t: tensor<2xi64>) -> tensor<f32> {
  // CHECK: %[[ROW:.+]] = repro.sub %{{.+}}, %{{.+}} : tensor<2xf32>
  // CHECK: dense<[5.000000e-01, 2.000000e+00, 1.250000e+00]> : tensor<3xf32>
  // CHECK: %[[W:.+]] = repro.broadcast %{{.+}} dims [1] : tensor<3xf32> to tensor<2x3xf32>
  // CHECK: %[[PICKED:.+]] = repro.select %{{.+}}, %[[W]], %{{.+}}
  // CHECK: %[[OWN:.+]] = repro.reduce sum %[[PICKED]]
  // CHECK: repro.mul %[[OWN]], %[[ROW]]
  // CHECK: %[[ALL:.+]] = repro.mul %[[W]], %{{.+}} : tensor<2x3xf32>
  // CHECK: repro.reduce sum %[[ALL]]
  // CHECK: %[[SUM:.+]] = repro.reduce sum %{{.+}} domain <[2], reduce [0]>
  // CHECK: %[[TOTAL:.+]] = repro.reduce sum %{{.+}} domain <[2], reduce [0]>
  // CHECK: repro.div %[[SUM]], %[[TOTAL]]
  %l = train.softmax_cross_entropy %x, %t reduction mean {weight = array<f64: 0.5, 2.0, 1.25>, label_smoothing = 0.5 : f64} : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @nll(
func.func @nll(%x: tensor<2x3xf32>, %t: tensor<2xi64>) -> tensor<f32> {
  // CHECK: %[[PICKED:.+]] = repro.select %{{.+}}, %arg0, %{{.+}}
  // CHECK: %[[SUM:.+]] = repro.reduce sum %[[PICKED]]
  // CHECK: repro.neg %[[SUM]]
  // CHECK-NOT: repro.log
  %l = train.nll %x, %t reduction sum : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @smooth_l1(
func.func @smooth_l1(%x: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<f32> {
  // CHECK: %[[DIFFERENCE:.+]] = repro.sub %arg0, %arg1
  // CHECK: %[[D:.+]] = repro.abs %[[DIFFERENCE]]
  // CHECK: %[[NEAR:.+]] = repro.compare lt %[[D]], %{{.+}}
  // CHECK: %[[SMALL:.+]] = repro.select %[[NEAR]], %[[D]], %{{.+}}
  // CHECK: %[[HALF:.+]] = repro.mul %{{.+}}, %[[SMALL]]
  // CHECK: %[[SQUARE:.+]] = repro.mul %[[HALF]], %[[SMALL]]
  // CHECK: %[[SQUARED:.+]] = repro.div %[[SQUARE]], %{{.+}}
  // CHECK: %[[LINEAR:.+]] = repro.sub %[[D]], %{{.+}}
  // CHECK: repro.select %[[NEAR]], %[[SQUARED]], %[[LINEAR]]
  %l = train.smooth_l1 %x, %t reduction sum {beta = 0.75 : f64} : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @l1_of_beta_0(
func.func @l1_of_beta_0(%x: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<f32> {
  // CHECK: %[[D:.+]] = repro.sub %arg0, %arg1
  // CHECK-NEXT: %[[A:.+]] = repro.abs %[[D]]
  // CHECK-NEXT: repro.reduce sum %[[A]]
  %l = train.smooth_l1 %x, %t reduction sum {beta = 0.0 : f64} : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @pos_weight(
func.func @pos_weight(%z: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<f32> {
  // CHECK: %[[Q:.+]] = repro.compare gt %arg0, %{{.+}}
  // CHECK: %[[M:.+]] = repro.select %[[Q]], %{{.+}}, %arg0
  // CHECK: %[[BELOW:.+]] = repro.select %[[Q]], %{{.+}}, %{{.+}}
  // CHECK: %[[MORE:.+]] = repro.sub
  // CHECK: %[[PART:.+]] = repro.mul %[[MORE]], %arg1
  // CHECK: %[[SHARE:.+]] = repro.add %[[PART]], %{{.+}}
  // CHECK-DAG: %[[REST:.+]] = repro.sub %{{.+}}, %arg1
  // CHECK-DAG: %[[EXP:.+]] = repro.exp %[[M]]
  // CHECK-DAG: %[[LOG:.+]] = repro.log1p %[[EXP]]
  // CHECK-DAG: %[[SOFT:.+]] = repro.add %[[LOG]], %[[BELOW]]
  // CHECK-DAG: %[[ONE:.+]] = repro.mul %[[REST]], %arg0
  // CHECK-DAG: %[[TWO:.+]] = repro.mul %[[SHARE]], %[[SOFT]]
  // CHECK: repro.add %[[ONE]], %[[TWO]]
  %l = train.bce_with_logits %z, %t reduction sum {pos_weight = array<f64: 3.0>} : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// No gradient flows through the logarithms.
// CHECK-LABEL: func.func @bce(
func.func @bce(%p: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<f32> {
  // CHECK: %[[P:.+]] = train.stop_gradient %arg0
  // CHECK: %[[LOG:.+]] = repro.log %[[P]]
  // CHECK: %[[A:.+]] = repro.max %[[LOG]], %{{.+}}
  // CHECK: %[[MINUS:.+]] = repro.neg %[[P]]
  // CHECK: %[[LOG1P:.+]] = repro.log1p %[[MINUS]]
  // CHECK: %[[B:.+]] = repro.max %[[LOG1P]], %{{.+}}
  // CHECK: %[[SLOPE:.+]] = train.stop_gradient
  // CHECK: %[[ZERO:.+]] = repro.sub %arg0, %[[P]]
  // CHECK: %[[NONE:.+]] = repro.mul %[[ZERO]], %[[SLOPE]]
  // CHECK: repro.add %{{.+}}, %[[NONE]]
  %l = train.bce %p, %t reduction sum : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @kl_div(
func.func @kl_div(%x: tensor<2x4xf32>, %t: tensor<2x4xf32>) -> tensor<f32> {
  // CHECK: %[[ZERO:.+]] = repro.compare eq %arg1, %{{.+}}
  // CHECK: %[[SAFE:.+]] = repro.select %[[ZERO]], %{{.+}}, %arg1
  // CHECK: %[[LOG:.+]] = repro.log %[[SAFE]]
  // CHECK-DAG: %[[ONE:.+]] = repro.mul %arg1, %[[LOG]]
  // CHECK-DAG: %[[TWO:.+]] = repro.mul %arg1, %arg0
  // CHECK: %[[E:.+]] = repro.sub %[[ONE]], %[[TWO]]
  // CHECK: %[[S:.+]] = repro.reduce sum %[[E]]
  // CHECK: %[[N:.+]] = repro.constant dense<2.000000e+00> : tensor<f32>
  // CHECK: repro.div %[[S]], %[[N]]
  %l = train.kl_div %x, %t reduction batchmean : tensor<2x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @cosine(
func.func @cosine(%x: tensor<2x4xf32>, %t: tensor<2x4xf32>) -> tensor<f32> {
  // CHECK: %[[XT:.+]] = repro.mul %arg0, %arg1
  // CHECK: %[[DOT:.+]] = repro.reduce sum %[[XT]] domain <[2, 4], reduce [1]>
  // CHECK: %[[N:.+]] = repro.mul %{{.+}}, %{{.+}} : tensor<2xf32>
  // CHECK: %[[C:.+]] = repro.div %[[DOT]], %[[N]]
  // CHECK: repro.sub %{{.+}}, %[[C]]
  %l = train.cosine %x, %t reduction mean : tensor<2x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @soft_target(
func.func @soft_target(%x: tensor<2x4xf32>, %t: tensor<2x4xf32>) -> tensor<f32> {
  // CHECK: %[[MAX:.+]] = repro.reduce max %arg0
  // CHECK: %[[S:.+]] = repro.sub %arg0,
  // CHECK: %[[L:.+]] = repro.log %{{.+}} : tensor<2xf32>
  // CHECK: %[[ALL:.+]] = repro.broadcast %[[L]]
  // CHECK: %[[D:.+]] = repro.sub %[[ALL]], %[[S]]
  // CHECK: %[[TERMS:.+]] = repro.mul %arg1, %[[D]]
  // CHECK: %[[ROWS:.+]] = repro.reduce sum %[[TERMS]]
  // CHECK: repro.reduce sum %[[ROWS]]
  %l = train.soft_target_cross_entropy %x, %t reduction mean : tensor<2x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

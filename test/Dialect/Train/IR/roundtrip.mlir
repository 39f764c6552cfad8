// RUN: gensyn-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @stop_gradient
func.func @stop_gradient(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: train.stop_gradient %{{.+}} : tensor<4xf32>
  %y = train.stop_gradient %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @gradient
func.func @gradient(%l: tensor<f32>, %a: tensor<4xf32>, %b: tensor<2x4xf64>) -> (tensor<4xf32>, tensor<2x4xf64>) {
  // CHECK: train.gradient %{{.+}} wrt(%{{.+}}, %{{.+}}) : (tensor<f32>, tensor<4xf32>, tensor<2x4xf64>) -> (tensor<4xf32>, tensor<2x4xf64>)
  %g:2 = train.gradient %l wrt (%a, %b) : (tensor<f32>, tensor<4xf32>, tensor<2x4xf64>) -> (tensor<4xf32>, tensor<2x4xf64>)
  return %g#0, %g#1 : tensor<4xf32>, tensor<2x4xf64>
}

// CHECK-LABEL: func.func @losses
func.func @losses(%x: tensor<8x10xf32>, %t: tensor<8xi64>, %y: tensor<8x10xf32>) {
  // CHECK: train.softmax_cross_entropy %{{.+}}, %{{.+}} reduction mean : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  %0 = train.softmax_cross_entropy %x, %t reduction mean : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  // CHECK: train.softmax_cross_entropy %{{.+}}, %{{.+}} reduction sum {axis = 1 : i64, ignore_index = -100 : i64, label_smoothing = 1.000000e-01 : f64}
  %1 = train.softmax_cross_entropy %x, %t reduction sum {axis = 1 : i64, ignore_index = -100 : i64, label_smoothing = 0.1 : f64}
      : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  // CHECK: train.mse %{{.+}}, %{{.+}} reduction mean : tensor<8x10xf32> -> tensor<f32>
  %2 = train.mse %x, %y reduction mean : tensor<8x10xf32> -> tensor<f32>
  // CHECK: train.l1
  %3 = train.l1 %x, %y reduction sum : tensor<8x10xf32> -> tensor<f32>
  // CHECK: train.huber %{{.+}}, %{{.+}} reduction mean {delta = 5.000000e-01 : f64}
  %4 = train.huber %x, %y reduction mean {delta = 0.5 : f64} : tensor<8x10xf32> -> tensor<f32>
  // CHECK: train.bce_with_logits
  %5 = train.bce_with_logits %x, %y reduction mean : tensor<8x10xf32> -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @sgd
func.func @sgd(%p: tensor<4xf32>, %g: tensor<4xf32>, %v: tensor<4xf32>, %lr: tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>) {
  // Hyper-parameters read back to the same f64.
  // CHECK: train.update #train.sgd<momentum = 0.10000000000000002, dampening = 0.000000e+00, weight_decay = 1.000000e-300, nesterov = true> of %{{.+}}, %{{.+}} rate %{{.+}} states(%{{.+}}) :
  %p1, %v1 = train.update #train.sgd<momentum = 0.10000000000000002, dampening = 0.0, weight_decay = 1.0e-300, nesterov = true>
      of %p, %g rate %lr states (%v) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %p1, %v1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @adam
func.func @adam(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %b: tensor<f64>, %lr: tensor<f64>) {
  %b1:2 = train.advance #train.adam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>
      of %b, %b : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  %p1:3 = train.update #train.adamw<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.01, amsgrad = false>
      of %p, %g rate %lr states (%m, %v) shared (%b, %b) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
// CHECK-LABEL: func.func @other_rules
// CHECK-SAME: #train.adagrad<lr_decay = 1.000000e-01
// CHECK-SAME: #train.rmsprop<alpha = 0.98999999999999999
func.func @other_rules() attributes {
  adagrad = #train.adagrad<lr_decay = 0.1, weight_decay = 0.0, initial_accumulator_value = 0.5, eps = 1.0e-10>,
  rmsprop = #train.rmsprop<alpha = 0.99, eps = 1.0e-8, weight_decay = 0.0, momentum = 0.5, centered = true>
} {
  return
}

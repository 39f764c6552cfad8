// RUN: gensyn-opt %s --convert-train-to-repro --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sgd(
// CHECK-SAME: %[[P:.+]]: tensor<4xf32>, %[[G:.+]]: tensor<4xf32>, %[[V:.+]]: tensor<4xf32>
// CHECK-SAME: %[[RATE:.+]]: tensor<f64>
func.func @sgd(%p: tensor<4xf32>, %g: tensor<4xf32>, %v: tensor<4xf32>, %lr: tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[M:.+]] = repro.constant dense<0.899999976> : tensor<f32>
  // CHECK: %[[MM:.+]] = repro.broadcast %[[M]]
  // CHECK: %[[KEPT:.+]] = repro.mul %[[MM]], %[[V]]
  // CHECK: %[[V1:.+]] = repro.add %[[KEPT]], %[[G]]
  // CHECK: %[[MINUS:.+]] = repro.neg %[[RATE]] : tensor<f64>
  // CHECK: %[[STEP:.+]] = repro.convert %[[MINUS]] : tensor<f64> to tensor<f32>
  // CHECK: %[[LL:.+]] = repro.broadcast %[[STEP]]
  // CHECK: %[[P1:.+]] = repro.fma %[[LL]], %[[V1]], %[[P]]
  // CHECK: return %[[P1]], %[[V1]]
  %0:2 = train.update #train.sgd<momentum = 0.9, dampening = 0.0, weight_decay = 0.0, nesterov = false>
      of %p, %g rate %lr states (%v) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// The bias correction is f64 up to the one rounding to the parameter's type.
// CHECK-LABEL: func.func @adam(
func.func @adam(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %b1: tensor<f64>, %b2: tensor<f64>, %lr: tensor<f64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>) {
  // CHECK-DAG: %[[ONE:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK-DAG: %[[B:.+]] = repro.constant dense<7.500000e-01> : tensor<f64>
  // CHECK: %[[P1:.+]] = repro.mul %[[B]], %arg4 : tensor<f64>
  // CHECK: %[[P2:.+]] = repro.mul %{{.+}}, %arg5 : tensor<f64>
  // CHECK: %[[C1:.+]] = repro.sub %[[ONE]], %[[P1]] : tensor<f64>
  // CHECK: %[[STEP:.+]] = repro.div %arg6, %[[C1]] : tensor<f64>
  // CHECK: %[[MINUS:.+]] = repro.neg %[[STEP]] : tensor<f64>
  // CHECK: %[[C2:.+]] = repro.sub %[[ONE]], %[[P2]] : tensor<f64>
  // CHECK: %[[ROOT:.+]] = repro.sqrt %[[C2]] : tensor<f64>
  // CHECK: repro.convert %[[ROOT]] : tensor<f64> to tensor<f32>
  // CHECK: repro.convert %[[MINUS]] : tensor<f64> to tensor<f32>
  %0:3 = train.update #train.adam<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>
      of %p, %g rate %lr states (%m, %v) shared (%b1, %b2)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:2 = train.advance #train.adam<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>
      of %b1, %b2 : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#0, %0#1, %0#2, %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>
}

// CHECK-NOT: train.

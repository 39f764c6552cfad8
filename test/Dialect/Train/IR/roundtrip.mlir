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
  // CHECK: train.nll %{{.+}}, %{{.+}} reduction sum {ignore_index = 3 : i64} : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  %6 = train.nll %x, %t reduction sum {ignore_index = 3 : i64} : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  // CHECK: train.smooth_l1 %{{.+}}, %{{.+}} reduction mean {beta = 5.000000e-01 : f64}
  %7 = train.smooth_l1 %x, %y reduction mean {beta = 0.5 : f64} : tensor<8x10xf32> -> tensor<f32>
  // CHECK: train.bce_with_logits %{{.+}}, %{{.+}} reduction mean {pos_weight = array<f64: 2.000000e+00>}
  %8 = train.bce_with_logits %x, %y reduction mean {pos_weight = array<f64: 2.0>} : tensor<8x10xf32> -> tensor<f32>
  // CHECK: train.bce %
  %9 = train.bce %x, %y reduction mean : tensor<8x10xf32> -> tensor<f32>
  // CHECK: train.kl_div %{{.+}}, %{{.+}} reduction batchmean {log_target}
  %10 = train.kl_div %x, %y reduction batchmean {log_target} : tensor<8x10xf32> -> tensor<f32>
  // CHECK: train.soft_target_cross_entropy %{{.+}}, %{{.+}} reduction sum {label_smoothing = 1.000000e-01 : f64}
  %12 = train.soft_target_cross_entropy %x, %y reduction sum {label_smoothing = 0.1 : f64} : tensor<8x10xf32> -> tensor<f32>
  // CHECK: train.cosine %{{.+}}, %{{.+}} reduction mean {axis = 0 : i64}
  %11 = train.cosine %x, %y reduction mean {axis = 0 : i64} : tensor<8x10xf32> -> tensor<f32>
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
  // CHECK: train.advance #train.adam<beta1 = {{.+}}, amsgrad = false> of
  %b1:2 = train.advance #train.adam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>
      of %b, %b : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  // CHECK: train.update #train.adamw<beta1 = {{.+}}, amsgrad = false, tensorflow_eps = true>
  %p1:3 = train.update #train.adamw<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.01, amsgrad = false, tensorflow_eps = true>
      of %p, %g rate %lr states (%m, %v) shared (%b, %b) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
// CHECK-LABEL: func.func @other_rules
// CHECK-SAME: #train.adagrad<lr_decay = 1.000000e-01
// CHECK-SAME: #train.adadelta<rho = 9.000000e-01, eps = 9.9999999999999995E-7, weight_decay = 0.000000e+00>
// CHECK-SAME: #train.adafactor<beta2_decay = -8.000000e-01, eps1 = -1.000000e+00, eps2 = 1.000000e-03, d = 1.000000e+00, weight_decay = 0.000000e+00>
// CHECK-SAME: #train.adamax<beta1 = 9.000000e-01, beta2 = 5.000000e-01, eps = 1.000000e-08, weight_decay = 0.000000e+00>
// CHECK-SAME: #train.lamb<beta1 = 9.000000e-01, beta2 = 5.000000e-01, eps = 9.9999999999999995E-7, weight_decay = 1.000000e-02>
// CHECK-SAME: #train.maximize<#train.lion<beta1 = 9.000000e-01, beta2 = 5.000000e-01, weight_decay = 0.000000e+00>>
// CHECK-SAME: #train.muon<weight_decay = 1.000000e-01, momentum = 0.94999999999999996, nesterov = true, a = 3.444500e+00, b = -4.775000e+00, c = 2.031500e+00, eps = 9.9999999999999995E-8, ns_steps = 5, adjust_lr_fn = match_rms_adamw>
// CHECK-SAME: #train.nadam<beta1 = 9.000000e-01, beta2 = 5.000000e-01, eps = 1.000000e-08, weight_decay = 0.000000e+00, momentum_decay = 4.000000e-03, decoupled_weight_decay = true>
// CHECK-SAME: #train.radam<beta1 = 9.000000e-01, beta2 = 5.000000e-01, eps = 1.000000e-08, weight_decay = 0.000000e+00, decoupled_weight_decay = false>
// CHECK-SAME: #train.rmsprop<alpha = 0.98999999999999999
func.func @other_rules() attributes {
  adadelta = #train.adadelta<rho = 0.9, eps = 1.0e-6, weight_decay = 0.0>,
  adafactor = #train.adafactor<beta2_decay = -0.8, eps1 = -1.0, eps2 = 1.0e-3, d = 1.0, weight_decay = 0.0>,
  adamax = #train.adamax<beta1 = 0.9, beta2 = 0.5, eps = 1.0e-8, weight_decay = 0.0>,
  lamb = #train.lamb<beta1 = 0.9, beta2 = 0.5, eps = 1.0e-6, weight_decay = 0.01>,
  lion = #train.maximize<#train.lion<beta1 = 0.9, beta2 = 0.5, weight_decay = 0.0>>,
  muon = #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.4445, b = -4.775, c = 2.0315, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = match_rms_adamw>,
  nadam = #train.nadam<beta1 = 0.9, beta2 = 0.5, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = 4.0e-3, decoupled_weight_decay = true>,
  radam = #train.radam<beta1 = 0.9, beta2 = 0.5, eps = 1.0e-8, weight_decay = 0.0, decoupled_weight_decay = false>,
  a_adagrad = #train.adagrad<lr_decay = 0.1, weight_decay = 0.0, initial_accumulator_value = 0.5, eps = 1.0e-10>,
  rmsprop = #train.rmsprop<alpha = 0.99, eps = 1.0e-8, weight_decay = 0.0, momentum = 0.5, centered = true>
} {
  return
}

// CHECK-LABEL: func.func @schedules
// CHECK-SAME: #train.constant_schedule
// CHECK-SAME: #train.warmup<steps = 100, start = 0.000000e+00, next = #train.cosine_schedule<steps = 1900, final = 1.000000e-01>>
// CHECK-SAME: #train.each_epoch<next = #train.linear_schedule<steps = 5, final = 0.000000e+00>>
// CHECK-SAME: #train.polynomial_schedule<steps = 5, final = 0.000000e+00, power = 2.000000e+00>
// CHECK-SAME: #train.inverse_sqrt_schedule<timescale = 50>
// CHECK-SAME: #train.exponential_schedule<gamma = 9.000000e-01>
// CHECK-SAME: #train.step_schedule<size = 30, gamma = 1.000000e-01>
// CHECK-SAME: #train.multi_step_schedule<milestones = [30, 80], gamma = 1.000000e-01>
// CHECK-SAME: #train.one_cycle_schedule<steps = 1000, rise = 3.000000e-01, div = 2.500000e+01, final_div = 1.000000e+04, linear = false, three_phase = false>
func.func @schedules() attributes {train.schedules = [
    #train.constant_schedule,
    #train.warmup<steps = 100, start = 0.0, next = #train.cosine_schedule<steps = 1900, final = 0.1>>,
    #train.each_epoch<next = #train.linear_schedule<steps = 5, final = 0.0>>,
    #train.polynomial_schedule<steps = 5, final = 0.0, power = 2.0>,
    #train.inverse_sqrt_schedule<timescale = 50>,
    #train.exponential_schedule<gamma = 0.9>,
    #train.step_schedule<size = 30, gamma = 0.1>,
    #train.multi_step_schedule<milestones = [30, 80], gamma = 0.1>,
    #train.one_cycle_schedule<steps = 1000, rise = 0.3, div = 25.0, final_div = 1.0e4, linear = false, three_phase = false>]} {
  return
}

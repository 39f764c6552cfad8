// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @gradient_types(%l: tensor<f32>, %a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{gradients do not have the types of the values they are taken with respect to}}
  %g = train.gradient %l wrt (%a) : (tensor<f32>, tensor<4xf32>) -> tensor<2xf32>
  return %g : tensor<2xf32>
}

// -----

func.func @cross_entropy_c1(%x: tensor<8x10xf32>, %t: tensor<10xi64>) -> tensor<f32> {
  // expected-error @+1 {{target has type 'tensor<10xi64>', not 'tensor<8xi64>'}}
  %l = train.softmax_cross_entropy %x, %t reduction mean : tensor<8x10xf32>, tensor<10xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @axis(%x: tensor<8x10xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{axis -3 is out of range for rank 2}}
  %l = train.softmax_cross_entropy %x, %t reduction mean {axis = -3} : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @smoothing(%x: tensor<8x10xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{label_smoothing 1.5}}
  %l = train.softmax_cross_entropy %x, %t reduction mean {label_smoothing = 1.5 : f64} : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @loss_type(%x: tensor<8xf32>, %t: tensor<8xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %l = train.mse %x, %t reduction mean : tensor<8xf32> -> tensor<f64>
  return %l : tensor<f64>
}

// -----

func.func @delta(%x: tensor<8xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{delta 0.000000e+00 is not above 0}}
  %l = train.huber %x, %t reduction mean {delta = 0.0 : f64} : tensor<8xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @beta(%x: tensor<8xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{beta -1.000000e+00 is not at least 0}}
  %l = train.smooth_l1 %x, %t reduction mean {beta = -1.0 : f64} : tensor<8xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @pos_weight(%x: tensor<2x8xf32>, %t: tensor<2x8xf32>) -> tensor<f32> {
  // expected-error @+1 {{has 2 weights, neither one nor as many as the last dimension has elements}}
  %l = train.bce_with_logits %x, %t reduction mean {pos_weight = array<f64: 1.0, 2.0>} : tensor<2x8xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @weight(%x: tensor<8x3xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{has 2 weights for 3 classes}}
  %l = train.nll %x, %t reduction mean {weight = array<f64: 1.0, 2.0>} : tensor<8x3xf32>, tensor<8xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @nll_target(%x: tensor<8x3xf32>, %t: tensor<3xi64>) -> tensor<f32> {
  // expected-error @+1 {{target has type 'tensor<3xi64>', not 'tensor<8xi64>'}}
  %l = train.nll %x, %t reduction mean : tensor<8x3xf32>, tensor<3xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @cosine_axis(%x: tensor<8x3xf32>, %t: tensor<8x3xf32>) -> tensor<f32> {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %l = train.cosine %x, %t reduction mean {axis = 2 : i64} : tensor<8x3xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @+1 {{steps 0 is not from 1 to 2^53}}
func.func @schedule_steps() attributes {a = #train.cosine_schedule<steps = 0, final = 0.1>} { return }

// -----

// expected-error @+1 {{milestones are not ascending}}
func.func @milestones() attributes {a = #train.multi_step_schedule<milestones = [3, 2], gamma = 0.1>} { return }

// -----

// expected-error @+1 {{a rise in 3.000000e-01 of 3 steps leaves a phase without a step}}
func.func @one_cycle() attributes {a = #train.one_cycle_schedule<steps = 3, rise = 0.3, div = 2.0, final_div = 2.0, linear = false, three_phase = false>} { return }

// -----

func.func @update_c1(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>) -> tensor<4xf32> {
  // expected-error @+1 {{has 0 states where the rule has 1}}
  %0 = train.update #train.sgd<momentum = 0.5, dampening = 0.0, weight_decay = 0.0, nesterov = false>
      of %p, %g rate %lr : (tensor<4xf32>, tensor<4xf32>, tensor<f64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @update_c1_type(%p: tensor<4xf32>, %g: tensor<4xf32>, %v: tensor<2xf32>, %lr: tensor<f64>) -> tensor<4xf32> {
  // expected-error @+1 {{states 'momentum_buffer' has type 'tensor<2xf32>', not 'tensor<4xf32>'}}
  %0, %1 = train.update #train.sgd<momentum = 0.5, dampening = 0.0, weight_decay = 0.0, nesterov = false>
      of %p, %g rate %lr states (%v) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>)
  return %0 : tensor<4xf32>
}

// -----

func.func @update_gradient(%p: tensor<4xf32>, %g: tensor<2xf32>, %lr: tensor<f64>) -> tensor<4xf32> {
  // expected-error @+1 {{gradient and new parameter do not have the parameter's type 'tensor<4xf32>'}}
  %0 = train.update #train.sgd<momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false>
      of %p, %g rate %lr : (tensor<4xf32>, tensor<2xf32>, tensor<f64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @advance(%b: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{has 1 shared states where the rule has 2}}
  %0 = train.advance #train.adam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>
      of %b : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

// expected-error @+1 {{nesterov needs a momentum and no dampening}}
func.func private @sgd_nesterov() attributes {r = #train.sgd<momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = true>}

// -----

// expected-error @+1 {{momentum -1.000000e+00 is below 0}}
func.func private @sgd_momentum() attributes {r = #train.sgd<momentum = -1.0, dampening = 0.0, weight_decay = 0.0, nesterov = false>}

// -----

// expected-error @+1 {{beta2 1.000000e+00 is not at least 0 and below 1}}
func.func private @adam_beta() attributes {r = #train.adam<beta1 = 0.9, beta2 = 1.0, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @adagrad_eps() attributes {r = #train.adagrad<lr_decay = 0.0, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = -1.0>}

// -----

// expected-error @+1 {{alpha -1.000000e+00 is below 0}}
func.func private @rmsprop_alpha() attributes {r = #train.rmsprop<alpha = -1.0, eps = 1.0e-8, weight_decay = 0.0, momentum = 0.0, centered = false>}

// -----

func.func @update_c2(%p: tensor<4xf32>, %g: tensor<4xf32>, %v: tensor<4xf32>, %lr: tensor<f64>) -> tensor<4xf32> {
  // expected-error @+1 {{parameter is no matrix, and Muon changes matrices only; give it a group with another kind of optimizer}}
  %0, %1 = train.update #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.0, b = -4.0, c = 2.0, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>
      of %p, %g rate %lr states (%v) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{ns_steps 100 is not between 0 and 99}}
func.func private @muon_steps() attributes {r = #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.0, b = -4.0, c = 2.0, eps = 1.0e-7, ns_steps = 100, adjust_lr_fn = original>}

// -----

// expected-error @+1 {{momentum_decay -1.000000e+00 is below 0}}
func.func private @nadam_decay() attributes {r = #train.nadam<beta1 = 0.9, beta2 = 0.5, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = -1.0, decoupled_weight_decay = true>}

// -----

// expected-error @+1 {{beta1 1.000000e+00 is not at least 0 and below 1}}
func.func private @radam_beta() attributes {r = #train.radam<beta1 = 1.0, beta2 = 0.5, eps = 1.0e-8, weight_decay = 0.0, decoupled_weight_decay = true>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @adamax_eps() attributes {r = #train.adamax<beta1 = 0.5, beta2 = 0.5, eps = -1.0, weight_decay = 0.0>}

// -----

// expected-error @+1 {{rho 1.500000e+00 is not between 0 and 1}}
func.func private @adadelta_rho() attributes {r = #train.adadelta<rho = 1.5, eps = 1.0e-6, weight_decay = 0.0>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @lion_decay() attributes {r = #train.lion<beta1 = 0.5, beta2 = 0.5, weight_decay = -1.0>}

// -----

// expected-error @+1 {{beta2 -5.000000e-01 is not at least 0 and below 1}}
func.func private @lamb_beta() attributes {r = #train.lamb<beta1 = 0.5, beta2 = -0.5, eps = 1.0e-6, weight_decay = 0.0>}

// -----

// expected-error @+1 {{d 5.000000e-01 is below 1}}
func.func private @adafactor_d() attributes {r = #train.adafactor<beta2_decay = -0.8, eps1 = -1.0, eps2 = 1.0e-3, d = 0.5, weight_decay = 0.0>}

// -----

// expected-error @+1 {{beta2_decay 5.000000e-01 is above 0}}
func.func private @adafactor_decay() attributes {r = #train.adafactor<beta2_decay = 0.5, eps1 = -1.0, eps2 = 1.0e-3, d = 1.0, weight_decay = 0.0>}

// -----

func.func @many_rows(%x: tensor<2097152x2097152xf32>, %t: tensor<2097152xi64>) -> tensor<f32> {
  // expected-error @+1 {{of at most 2^40 elements, but got 'tensor<2097152x2097152xf32>'}}
  %l = train.softmax_cross_entropy %x, %t reduction mean : tensor<2097152x2097152xf32>, tensor<2097152xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @no_rows_of_many(%x: tensor<0x4294967296x4294967296xf32>) -> tensor<f32> {
  // expected-error @+1 {{of at most 2^40 elements, but got 'tensor<0x4294967296x4294967296xf32>'}}
  %l = train.mse %x, %x reduction sum : tensor<0x4294967296x4294967296xf32> -> tensor<f32>
  return %l : tensor<f32>
}

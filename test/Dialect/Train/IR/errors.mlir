// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @gradient_types(%l: tensor<f32>, %a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{gradients do not have the types of the values they are taken with respect to}}
  %g = train.gradient %l wrt (%a) : (tensor<f32>, tensor<4xf32>) -> tensor<2xf32>
  return %g : tensor<2xf32>
}

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

func.func @update_c2(%p: tensor<4xf32>, %g: tensor<4xf32>, %v: tensor<4xf32>, %lr: tensor<f64>) -> tensor<4xf32> {
  // expected-error @+1 {{parameter is not a matrix, and Muon supports matrices only; add a group with another kind of optimizer for it}}
  %0, %1 = train.update #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.0, b = -4.0, c = 2.0, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>
      of %p, %g rate %lr states (%v) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0 : tensor<4xf32>
}

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

// -----

func.func @update_parameter(%p: tensor<4xf32>, %v: tensor<2xf32>, %t: tensor<f64>, %n: tensor<f32>) {
  // expected-error @+1 {{gradient and new parameter do not have the parameter's type 'tensor<4xf32>'}}
  %r0 = train.update #train.sgd<momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false>
      of %p, %p rate %t : (tensor<4xf32>, tensor<4xf32>, tensor<f64>) -> (tensor<2xf32>)
  return
}

// -----

func.func @update_c1_new(%p: tensor<4xf32>, %v: tensor<2xf32>, %t: tensor<f64>, %n: tensor<f32>) {
  // expected-error @+1 {{has 0 new states where the rule has 1}}
  %r0 = train.update #train.sgd<momentum = 0.5, dampening = 0.0, weight_decay = 0.0, nesterov = false>
      of %p, %p rate %t states (%p) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>)
  return
}

// -----

func.func @update_c1_new_type(%p: tensor<4xf32>, %v: tensor<2xf32>, %t: tensor<f64>, %n: tensor<f32>) {
  // expected-error @+1 {{new states 'momentum_buffer' has type 'tensor<2xf32>', not 'tensor<4xf32>'}}
  %r0, %r1 = train.update #train.sgd<momentum = 0.5, dampening = 0.0, weight_decay = 0.0, nesterov = false>
      of %p, %p rate %t states (%p) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>)
  return
}

// -----

func.func @update_c1_shared(%p: tensor<4xf32>, %v: tensor<2xf32>, %t: tensor<f64>, %n: tensor<f32>) {
  // expected-error @+1 {{has 1 shared states where the rule has 0}}
  %r0 = train.update #train.sgd<momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false>
      of %p, %p rate %t shared (%t) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>) -> (tensor<4xf32>)
  return
}

// -----

func.func @update_c1_shared_type(%p: tensor<4xf32>, %v: tensor<2xf32>, %t: tensor<f64>, %n: tensor<f32>) {
  // expected-error @+1 {{shared states 'step' has type 'tensor<f32>', not 'tensor<f64>'}}
  %r0, %r1 = train.update #train.adagrad<lr_decay = 0.1, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>
      of %p, %p rate %t states (%p) shared (%n) : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @advance_type(%t: tensor<f64>, %n: tensor<f32>) {
  // expected-error @+1 {{shared states 'step' has type 'tensor<f32>', not 'tensor<f64>'}}
  %r0 = train.advance #train.adagrad<lr_decay = 0.1, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>
      of %n : (tensor<f32>) -> (tensor<f64>)
  return
}

// -----

func.func @advance_new(%t: tensor<f64>, %n: tensor<f32>) {
  // expected-error @+1 {{has 2 new shared states where the rule has 1}}
  %r0, %r1 = train.advance #train.adagrad<lr_decay = 0.1, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>
      of %t : (tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return
}

// -----

func.func @advance_new_type(%t: tensor<f64>, %n: tensor<f32>) {
  // expected-error @+1 {{new shared states 'step' has type 'tensor<f32>', not 'tensor<f64>'}}
  %r0 = train.advance #train.adagrad<lr_decay = 0.1, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>
      of %t : (tensor<f64>) -> (tensor<f32>)
  return
}

// -----

func.func @stop_gradient_type(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "train.stop_gradient"(%x) : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

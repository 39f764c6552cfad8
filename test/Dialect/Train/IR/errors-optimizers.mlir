// Hyperparameters of optimizers.

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{momentum -1.000000e+00 is below 0}}
func.func private @sgd_momentum() attributes {a = #train.sgd<momentum = -1.0, dampening = 0.0, weight_decay = 0.0, nesterov = false>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @sgd_weight_decay() attributes {a = #train.sgd<momentum = 0.9, dampening = 0.0, weight_decay = -1.0, nesterov = false>}

// -----

// expected-error @+1 {{dampening 0x7FF0000000000000 : f64 is not finite}}
func.func private @sgd_dampening() attributes {a = #train.sgd<momentum = 0.9, dampening = 0x7FF0000000000000, weight_decay = 0.0, nesterov = false>}

// -----

// expected-error @+1 {{nesterov needs a momentum and no dampening}}
func.func private @sgd_nesterov() attributes {a = #train.sgd<momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = true>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @adam_eps() attributes {a = #train.adam<beta1 = 0.9, beta2 = 0.999, eps = -1.0, weight_decay = 0.0, amsgrad = false>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @adam_weight_decay() attributes {a = #train.adam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = -1.0, amsgrad = false>}

// -----

// expected-error @+1 {{beta1 1.000000e+00 is not at least 0 and below 1}}
func.func private @adam_beta1() attributes {a = #train.adam<beta1 = 1.0, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>}

// -----

// expected-error @+1 {{beta2 1.000000e+00 is not at least 0 and below 1}}
func.func private @adam_beta2() attributes {a = #train.adam<beta1 = 0.9, beta2 = 1.0, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @adamw_eps() attributes {a = #train.adamw<beta1 = 0.9, beta2 = 0.999, eps = -1.0, weight_decay = 0.01, amsgrad = false>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @adamw_weight_decay() attributes {a = #train.adamw<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = -1.0, amsgrad = false>}

// -----

// expected-error @+1 {{beta1 1.000000e+00 is not at least 0 and below 1}}
func.func private @adamw_beta1() attributes {a = #train.adamw<beta1 = 1.0, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.01, amsgrad = false>}

// -----

// expected-error @+1 {{beta2 1.000000e+00 is not at least 0 and below 1}}
func.func private @adamw_beta2() attributes {a = #train.adamw<beta1 = 0.9, beta2 = 1.0, eps = 1.0e-8, weight_decay = 0.01, amsgrad = false>}

// -----

// expected-error @+1 {{lr_decay -1.000000e+00 is below 0}}
func.func private @adagrad_lr_decay() attributes {a = #train.adagrad<lr_decay = -1.0, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @adagrad_weight_decay() attributes {a = #train.adagrad<lr_decay = 0.0, weight_decay = -1.0, initial_accumulator_value = 0.0, eps = 1.0e-10>}

// -----

// expected-error @+1 {{initial_accumulator_value -1.000000e+00 is below 0}}
func.func private @adagrad_initial_accumulator_value() attributes {a = #train.adagrad<lr_decay = 0.0, weight_decay = 0.0, initial_accumulator_value = -1.0, eps = 1.0e-10>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @adagrad_eps() attributes {a = #train.adagrad<lr_decay = 0.0, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = -1.0>}

// -----

// expected-error @+1 {{alpha -1.000000e+00 is below 0}}
func.func private @rmsprop_alpha() attributes {a = #train.rmsprop<alpha = -1.0, eps = 1.0e-8, weight_decay = 0.0, momentum = 0.0, centered = false>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @rmsprop_eps() attributes {a = #train.rmsprop<alpha = 0.99, eps = -1.0, weight_decay = 0.0, momentum = 0.0, centered = false>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @rmsprop_weight_decay() attributes {a = #train.rmsprop<alpha = 0.99, eps = 1.0e-8, weight_decay = -1.0, momentum = 0.0, centered = false>}

// -----

// expected-error @+1 {{momentum -1.000000e+00 is below 0}}
func.func private @rmsprop_momentum() attributes {a = #train.rmsprop<alpha = 0.99, eps = 1.0e-8, weight_decay = 0.0, momentum = -1.0, centered = false>}

// -----

// expected-error @+1 {{beta2_decay 5.000000e-01 is above 0}}
func.func private @adafactor_beta2_decay() attributes {a = #train.adafactor<beta2_decay = 0.5, eps1 = -1.0, eps2 = 1.0e-3, d = 1.0, weight_decay = 0.0>}

// -----

// expected-error @+1 {{d 5.000000e-01 is below 1}}
func.func private @adafactor_d() attributes {a = #train.adafactor<beta2_decay = -0.8, eps1 = -1.0, eps2 = 1.0e-3, d = 0.5, weight_decay = 0.0>}

// -----

// expected-error @+1 {{eps1 0x7FF0000000000000 : f64 is not finite}}
func.func private @adafactor_eps1() attributes {a = #train.adafactor<beta2_decay = -0.8, eps1 = 0x7FF0000000000000, eps2 = 1.0e-3, d = 1.0, weight_decay = 0.0>}

// -----

// expected-error @+1 {{d 0x7FF0000000000000 : f64 is not finite}}
func.func private @adafactor_d_finite() attributes {a = #train.adafactor<beta2_decay = -0.8, eps1 = -1.0, eps2 = 1.0e-3, d = 0x7FF0000000000000, weight_decay = 0.0>}

// -----

// expected-error @+1 {{eps2 -1.000000e+00 is below 0}}
func.func private @adafactor_eps2() attributes {a = #train.adafactor<beta2_decay = -0.8, eps1 = -1.0, eps2 = -1.0, d = 1.0, weight_decay = 0.0>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @adafactor_weight_decay() attributes {a = #train.adafactor<beta2_decay = -0.8, eps1 = -1.0, eps2 = 1.0e-3, d = 1.0, weight_decay = -1.0>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @muon_weight_decay() attributes {a = #train.muon<weight_decay = -1.0, momentum = 0.95, nesterov = true, a = 3.4445, b = -4.775, c = 2.0315, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>}

// -----

// expected-error @+1 {{momentum -1.000000e+00 is below 0}}
func.func private @muon_momentum() attributes {a = #train.muon<weight_decay = 0.1, momentum = -1.0, nesterov = true, a = 3.4445, b = -4.775, c = 2.0315, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @muon_eps() attributes {a = #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.4445, b = -4.775, c = 2.0315, eps = -1.0, ns_steps = 5, adjust_lr_fn = original>}

// -----

// expected-error @+1 {{a 0x7FF0000000000000 : f64 is not finite}}
func.func private @muon_a() attributes {a = #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 0x7FF0000000000000, b = -4.775, c = 2.0315, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>}

// -----

// expected-error @+1 {{b 0x7FF0000000000000 : f64 is not finite}}
func.func private @muon_b() attributes {a = #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.4445, b = 0x7FF0000000000000, c = 2.0315, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>}

// -----

// expected-error @+1 {{c 0x7FF0000000000000 : f64 is not finite}}
func.func private @muon_c() attributes {a = #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.4445, b = -4.775, c = 0x7FF0000000000000, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>}

// -----

// expected-error @+1 {{ns_steps 100 is not between 0 and 99}}
func.func private @muon_ns_steps() attributes {a = #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.4445, b = -4.775, c = 2.0315, eps = 1.0e-7, ns_steps = 100, adjust_lr_fn = original>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @nadam_eps() attributes {a = #train.nadam<beta1 = 0.9, beta2 = 0.999, eps = -1.0, weight_decay = 0.0, momentum_decay = 4.0e-3, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @nadam_weight_decay() attributes {a = #train.nadam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = -1.0, momentum_decay = 4.0e-3, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{momentum_decay -1.000000e+00 is below 0}}
func.func private @nadam_momentum_decay() attributes {a = #train.nadam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = -1.0, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{beta1 1.000000e+00 is not at least 0 and below 1}}
func.func private @nadam_beta1() attributes {a = #train.nadam<beta1 = 1.0, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = 4.0e-3, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{beta2 1.000000e+00 is not at least 0 and below 1}}
func.func private @nadam_beta2() attributes {a = #train.nadam<beta1 = 0.9, beta2 = 1.0, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = 4.0e-3, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @radam_eps() attributes {a = #train.radam<beta1 = 0.9, beta2 = 0.999, eps = -1.0, weight_decay = 0.0, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @radam_weight_decay() attributes {a = #train.radam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = -1.0, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{beta1 1.000000e+00 is not at least 0 and below 1}}
func.func private @radam_beta1() attributes {a = #train.radam<beta1 = 1.0, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{beta2 1.000000e+00 is not at least 0 and below 1}}
func.func private @radam_beta2() attributes {a = #train.radam<beta1 = 0.9, beta2 = 1.0, eps = 1.0e-8, weight_decay = 0.0, decoupled_weight_decay = false>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @adamax_eps() attributes {a = #train.adamax<beta1 = 0.9, beta2 = 0.999, eps = -1.0, weight_decay = 0.0>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @adamax_weight_decay() attributes {a = #train.adamax<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = -1.0>}

// -----

// expected-error @+1 {{beta1 1.000000e+00 is not at least 0 and below 1}}
func.func private @adamax_beta1() attributes {a = #train.adamax<beta1 = 1.0, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0>}

// -----

// expected-error @+1 {{beta2 1.000000e+00 is not at least 0 and below 1}}
func.func private @adamax_beta2() attributes {a = #train.adamax<beta1 = 0.9, beta2 = 1.0, eps = 1.0e-8, weight_decay = 0.0>}

// -----

// expected-error @+1 {{rho 1.500000e+00 is not between 0 and 1}}
func.func private @adadelta_rho() attributes {a = #train.adadelta<rho = 1.5, eps = 1.0e-6, weight_decay = 0.0>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @adadelta_eps() attributes {a = #train.adadelta<rho = 0.9, eps = -1.0, weight_decay = 0.0>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @adadelta_weight_decay() attributes {a = #train.adadelta<rho = 0.9, eps = 1.0e-6, weight_decay = -1.0>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @lion_weight_decay() attributes {a = #train.lion<beta1 = 0.9, beta2 = 0.99, weight_decay = -1.0>}

// -----

// expected-error @+1 {{beta1 1.000000e+00 is not at least 0 and below 1}}
func.func private @lion_beta1() attributes {a = #train.lion<beta1 = 1.0, beta2 = 0.99, weight_decay = 0.0>}

// -----

// expected-error @+1 {{beta2 1.000000e+00 is not at least 0 and below 1}}
func.func private @lion_beta2() attributes {a = #train.lion<beta1 = 0.9, beta2 = 1.0, weight_decay = 0.0>}

// -----

// expected-error @+1 {{eps -1.000000e+00 is below 0}}
func.func private @lamb_eps() attributes {a = #train.lamb<beta1 = 0.9, beta2 = 0.999, eps = -1.0, weight_decay = 0.01>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @lamb_weight_decay() attributes {a = #train.lamb<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-6, weight_decay = -1.0>}

// -----

// expected-error @+1 {{beta1 1.000000e+00 is not at least 0 and below 1}}
func.func private @lamb_beta1() attributes {a = #train.lamb<beta1 = 1.0, beta2 = 0.999, eps = 1.0e-6, weight_decay = 0.01>}

// -----

// expected-error @+1 {{beta2 1.000000e+00 is not at least 0 and below 1}}
func.func private @lamb_beta2() attributes {a = #train.lamb<beta1 = 0.9, beta2 = 1.0, eps = 1.0e-6, weight_decay = 0.01>}

// -----

// expected-error @+1 {{lambd -1.000000e+00 is below 0}}
func.func private @asgd_lambd() attributes {a = #train.asgd<lambd = -1.0, alpha = 0.75, t0 = 1.0e6, weight_decay = 0.0>}

// -----

// expected-error @+1 {{alpha -1.000000e+00 is below 0}}
func.func private @asgd_alpha() attributes {a = #train.asgd<lambd = 1.0e-4, alpha = -1.0, t0 = 1.0e6, weight_decay = 0.0>}

// -----

// expected-error @+1 {{t0 -1.000000e+00 is below 0}}
func.func private @asgd_t0() attributes {a = #train.asgd<lambd = 1.0e-4, alpha = 0.75, t0 = -1.0, weight_decay = 0.0>}

// -----

// expected-error @+1 {{weight_decay -1.000000e+00 is below 0}}
func.func private @asgd_weight_decay() attributes {a = #train.asgd<lambd = 1.0e-4, alpha = 0.75, t0 = 1.0e6, weight_decay = -1.0>}

// -----

// expected-error @+1 {{eta_minus 1.000000e+00 is not between 0 and 1}}
func.func private @rprop_eta_minus() attributes {a = #train.rprop<eta_minus = 1.0, eta_plus = 1.2, step_min = 1.0e-6, step_max = 50.0>}

// -----

// expected-error @+1 {{eta_plus 1.000000e+00 is not above 1}}
func.func private @rprop_eta_plus() attributes {a = #train.rprop<eta_minus = 0.5, eta_plus = 1.0, step_min = 1.0e-6, step_max = 50.0>}

// -----

// expected-error @+1 {{step_min -1.000000e+00 is below 0}}
func.func private @rprop_step_min() attributes {a = #train.rprop<eta_minus = 0.5, eta_plus = 1.2, step_min = -1.0, step_max = 50.0>}

// -----

// expected-error @+1 {{step_max -1.000000e+00 is below 0}}
func.func private @rprop_step_max() attributes {a = #train.rprop<eta_minus = 0.5, eta_plus = 1.2, step_min = 1.0e-6, step_max = -1.0>}

// Parameters of schedules.

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{steps 0 is not from 1 to 2^53}}
func.func private @linear_schedule_steps() attributes {a = #train.linear_schedule<steps = 0, final = 0.0>}

// -----

// expected-error @+1 {{final -1.000000e+00 is below 0}}
func.func private @linear_schedule_final() attributes {a = #train.linear_schedule<steps = 2000, final = -1.0>}

// -----

// expected-error @+1 {{steps 0 is not from 1 to 2^53}}
func.func private @cosine_schedule_steps() attributes {a = #train.cosine_schedule<steps = 0, final = 0.1>}

// -----

// expected-error @+1 {{final -1.000000e+00 is below 0}}
func.func private @cosine_schedule_final() attributes {a = #train.cosine_schedule<steps = 1900, final = -1.0>}

// -----

// expected-error @+1 {{steps 0 is not from 1 to 2^53}}
func.func private @polynomial_schedule_steps() attributes {a = #train.polynomial_schedule<steps = 0, final = 0.0, power = 2.0>}

// -----

// expected-error @+1 {{power 0.000000e+00 is not above 0}}
func.func private @polynomial_schedule_power() attributes {a = #train.polynomial_schedule<steps = 2000, final = 0.0, power = 0.0>}

// -----

// expected-error @+1 {{final -1.000000e+00 is below 0}}
func.func private @polynomial_schedule_final() attributes {a = #train.polynomial_schedule<steps = 2000, final = -1.0, power = 2.0>}

// -----

// expected-error @+1 {{timescale 0 is not from 1 to 2^53}}
func.func private @inverse_sqrt_schedule_timescale() attributes {a = #train.inverse_sqrt_schedule<timescale = 0>}

// -----

// expected-error @+1 {{gamma 0.000000e+00 is not above 0}}
func.func private @exponential_schedule_gamma() attributes {a = #train.exponential_schedule<gamma = 0.0>}

// -----

// expected-error @+1 {{size 0 is not from 1 to 2^53}}
func.func private @step_schedule_size() attributes {a = #train.step_schedule<size = 0, gamma = 0.1>}

// -----

// expected-error @+1 {{gamma 0.000000e+00 is not above 0}}
func.func private @step_schedule_gamma() attributes {a = #train.step_schedule<size = 30, gamma = 0.0>}

// -----

// expected-error @+1 {{milestones are not ascending}}
func.func private @multi_step_schedule_milestones() attributes {a = #train.multi_step_schedule<milestones = [3, 2], gamma = 0.1>}

// -----

// expected-error @+1 {{gamma 0.000000e+00 is not above 0}}
func.func private @multi_step_schedule_gamma() attributes {a = #train.multi_step_schedule<milestones = [30, 80], gamma = 0.0>}

// -----

// expected-error @+1 {{steps 0 is not from 1 to 2^53}}
func.func private @one_cycle_schedule_steps() attributes {a = #train.one_cycle_schedule<steps = 0, rise = 0.3, div = 25.0, final_div = 1.0e4, linear = false, three_phase = false>}

// -----

// expected-error @+1 {{div 0.000000e+00 is not above 0}}
func.func private @one_cycle_schedule_div() attributes {a = #train.one_cycle_schedule<steps = 1000, rise = 0.3, div = 0.0, final_div = 1.0e4, linear = false, three_phase = false>}

// -----

// expected-error @+1 {{final_div 0.000000e+00 is not above 0}}
func.func private @one_cycle_schedule_final_div() attributes {a = #train.one_cycle_schedule<steps = 1000, rise = 0.3, div = 25.0, final_div = 0.0, linear = false, three_phase = false>}

// -----

// expected-error @+1 {{a rise in 3.000000e-01 of 3 steps leaves a phase without a step}}
func.func private @one_cycle_schedule_rise() attributes {a = #train.one_cycle_schedule<steps = 3, rise = 0.3, div = 25.0, final_div = 1.0e4, linear = false, three_phase = false>}

// -----

// expected-error @+1 {{steps 0 is not from 1 to 2^53}}
func.func private @cosine_restarts_schedule_steps() attributes {a = #train.cosine_restarts_schedule<steps = 0, growth = 2, final = 0.0>}

// -----

// expected-error @+1 {{growth 0 is not from 1 to 2^53}}
func.func private @cosine_restarts_schedule_growth() attributes {a = #train.cosine_restarts_schedule<steps = 10, growth = 0, final = 0.0>}

// -----

// expected-error @+1 {{final -1.000000e+00 is below 0}}
func.func private @cosine_restarts_schedule_final() attributes {a = #train.cosine_restarts_schedule<steps = 10, growth = 2, final = -1.0>}

// -----

// expected-error @+1 {{up 0 is not from 1 to 2^53}}
func.func private @cyclic_schedule_up() attributes {a = #train.cyclic_schedule<up = 0, down = 2000, div = 10.0, mode = "triangular", gamma = 1.0>}

// -----

// expected-error @+1 {{down 0 is not from 1 to 2^53}}
func.func private @cyclic_schedule_down() attributes {a = #train.cyclic_schedule<up = 2000, down = 0, div = 10.0, mode = "triangular", gamma = 1.0>}

// -----

// expected-error @+1 {{up + down 9007199254740993 is not from 1 to 2^53}}
func.func private @cyclic_schedule_length() attributes {a = #train.cyclic_schedule<up = 9007199254740992, down = 1, div = 10.0, mode = "triangular", gamma = 1.0>}

// -----

// expected-error @+1 {{div 0.000000e+00 is not above 0}}
func.func private @cyclic_schedule_div() attributes {a = #train.cyclic_schedule<up = 2000, down = 2000, div = 0.0, mode = "triangular", gamma = 1.0>}

// -----

// expected-error @+1 {{gamma 0.000000e+00 is not above 0}}
func.func private @cyclic_schedule_gamma() attributes {a = #train.cyclic_schedule<up = 2000, down = 2000, div = 10.0, mode = "triangular", gamma = 0.0>}

// -----

// expected-error @+1 {{mode 'square' is not known}}
func.func private @cyclic_schedule_mode() attributes {a = #train.cyclic_schedule<up = 2000, down = 2000, div = 10.0, mode = "square", gamma = 1.0>}

// -----

// expected-error @+1 {{steps 0 is not from 1 to 2^53}}
func.func private @warmup_steps() attributes {a = #train.warmup<steps = 0, start = 0.0, next = #train.constant_schedule>}

// -----

// expected-error @+1 {{start -1.000000e+00 is below 0}}
func.func private @warmup_start() attributes {a = #train.warmup<steps = 100, start = -1.0, next = #train.constant_schedule>}

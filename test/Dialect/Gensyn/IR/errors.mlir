// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 0 has the role "weight", expected parameter, constant, state, average, input, target, key, step, output, loss or metric}}
func.func @unknown_role(%w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "weight"}) {
  return
}

// -----

// expected-error @+1 {{argument 1 has 'gensyn.role' = 1 : i64, expected a string}}
func.func @role_type(%x: tensor<4xf32> {gensyn.role = "input"}, %w: tensor<4xf32> {gensyn.role = 1}) {
  return
}

// -----

// expected-error @+1 {{result 0 has the role "losses", expected parameter}}
func.func @result_role(%x: tensor<f32>) -> (tensor<f32> {gensyn.role = "losses"}) {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{argument 0 has 'gensyn.name' = unit, expected a string}}
func.func @name_type(%x: tensor<4xf32> {gensyn.name}) {
  return
}

// -----

func.func @on_op(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 'gensyn.role', which belongs on an argument or result of a function}}
  %y = repro.neg %x {gensyn.role = "input"} : tensor<4xf32>
  return
}

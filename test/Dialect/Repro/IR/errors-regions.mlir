// Regions: what their blocks are given and what they hand on. In generic form,
// since the ops' own form cannot say it.

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @kernel_arguments(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has block arguments that differ from its inputs}}
  %0 = "repro.kernel"(%x) <{sym = "k"}> ({
  ^bb0(%y: tensor<3xf32>):
    "repro.yield"(%y) : (tensor<3xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @kernel_terminator(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{must end in repro.yield}}
  %0 = "repro.kernel"(%x) <{sym = "k"}> ({
  ^bb0(%y: tensor<4xf32>):
    "func.return"(%y) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @kernel_results(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{yields other types than its results have}}
  %0 = "repro.kernel"(%x) <{sym = "k"}> ({
  ^bb0(%y: tensor<4xf32>):
    "repro.yield"(%y) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @loop_flag(%x: tensor<4xf32>, %go: tensor<2xi1>) -> tensor<4xf32> {
  // expected-error @+1 {{has the flag 'tensor<2xi1>', expected tensor<i1>}}
  %0 = "repro.loop"(%go, %x) <{exhaust = #repro<exhaust stop>, operandSegmentSizes = array<i32: 1, 1, 0>, trips = 3 : i64}> ({
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    %on = "repro.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "repro.yield"(%on, %a) : (tensor<i1>, tensor<4xf32>) -> ()
  }) : (tensor<2xi1>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @kernel_isolated(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = repro.kernel "k" () -> tensor<4xf32> {
    // expected-error @+1 {{using value defined outside the region}}
    repro.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @loop_isolated(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = repro.loop trips 3 (%i, %a = %x : tensor<4xf32>) {
    // expected-error @+1 {{using value defined outside the region}}
    repro.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @yield_parent(%x: tensor<4xf32>) {
  // expected-error @+1 {{'repro.yield' op expects parent op to be one of 'repro.kernel, repro.if, repro.loop'}}
  repro.yield %x : tensor<4xf32>
}

// -----

func.func @if_c2_arguments(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{gives a region 2 values, expected 1}}
  "repro.if"(%p, %x) ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    "repro.yield"() : () -> ()
  }, {
  ^bb0(%a: tensor<4xf32>):
    "repro.yield"() : () -> ()
  }) : (tensor<i1>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @if_c2_argument_type(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{gives a region 'tensor<3xf32>' as value 0, expected 'tensor<4xf32>'}}
  "repro.if"(%p, %x) ({
  ^bb0(%a: tensor<3xf32>):
    "repro.yield"() : () -> ()
  }, {
  ^bb0(%a: tensor<4xf32>):
    "repro.yield"() : () -> ()
  }) : (tensor<i1>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @loop_c2_arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{gives its body 1 values, expected 2}}
  "repro.loop"(%x) <{exhaust = #repro<exhaust stop>, operandSegmentSizes = array<i32: 0, 1, 0>, trips = 3 : i64}> ({
  ^bb0(%a: tensor<4xf32>):
    "repro.yield"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> (tensor<4xf32>)
  return
}

// -----

func.func @loop_c2_argument_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{gives its body 'tensor<i32>' as value 0, expected 'tensor<i64>'}}
  "repro.loop"(%x) <{exhaust = #repro<exhaust stop>, operandSegmentSizes = array<i32: 0, 1, 0>, trips = 3 : i64}> ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    "repro.yield"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> (tensor<4xf32>)
  return
}

// -----

func.func @loop_c2_results(%x: tensor<4xf32>) {
  // expected-error @+1 {{returns 0 values, expected 1}}
  "repro.loop"(%x) <{exhaust = #repro<exhaust stop>, operandSegmentSizes = array<i32: 0, 1, 0>, trips = 3 : i64}> ({
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    "repro.yield"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @loop_c2_result_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{returns 'tensor<3xf32>' as value 0, expected 'tensor<4xf32>'}}
  "repro.loop"(%x) <{exhaust = #repro<exhaust stop>, operandSegmentSizes = array<i32: 0, 1, 0>, trips = 3 : i64}> ({
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    "repro.yield"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> (tensor<3xf32>)
  return
}

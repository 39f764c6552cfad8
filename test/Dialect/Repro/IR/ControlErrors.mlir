// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @if_c1(%p: tensor<2xi1>) {
  // expected-error @+1 {{has the predicate 'tensor<2xi1>', expected tensor<i1>}}
  "repro.if"(%p) ({
    "repro.yield"() : () -> ()
  }, {
    "repro.yield"() : () -> ()
  }) : (tensor<2xi1>) -> ()
  return
}

// -----

func.func @if_c2(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{yields 'tensor<4xi1>' as value 0, expected 'tensor<4xf32>'}}
  %y = repro.if %p (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    repro.yield %a : tensor<4xf32>
  } else {
    %b = repro.compare eq %a, %a : tensor<4xf32>
    repro.yield %b : tensor<4xi1>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @if_c2_count(%p: tensor<i1>) -> tensor<4xf32> {
  // expected-error @+1 {{yields 0 values, expected 1}}
  %y = repro.if %p () -> tensor<4xf32> {
    repro.yield
  } else {
    repro.yield
  }
  return %y : tensor<4xf32>
}

// -----

func.func @if_isolated(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = repro.if %p () -> tensor<4xf32> {
    // expected-error @+1 {{using value defined outside the region}}
    repro.yield %x : tensor<4xf32>
  } else {
    // expected-note @-4 {{required by region isolation constraints}}
    repro.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @loop_c1() {
  // expected-error @+1 {{has -1 trips, expected 0 or more}}
  repro.loop trips -1 (%i) {
    repro.yield
  }
  return
}

// -----

func.func @loop_c2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{yields 'tensor<4xi1>' as value 0, expected 'tensor<4xf32>'}}
  %y = repro.loop trips 3 (%i, %a = %x : tensor<4xf32>) {
    %b = repro.compare eq %a, %a : tensor<4xf32>
    repro.yield %b : tensor<4xi1>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @loop_c2_flag(%go: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{yields 1 values, expected 2}}
  %y = repro.loop trips 3 while %go (%i, %a = %x : tensor<4xf32>) {
    repro.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @loop_r2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no flag that could hold at its bound}}
  %y = repro.loop trips 3 exhaust fault (%i, %a = %x : tensor<4xf32>) {
    repro.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @check_c1(%ok: tensor<2xi1>) {
  // expected-error @+1 {{checks 'tensor<2xi1>', expected tensor<i1>}}
  repro.check %ok "both" : tensor<2xi1>
  return
}

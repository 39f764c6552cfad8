// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @split(%x: tensor<7xf32>) -> tensor<f32> {
  // expected-error @+1 {{cannot cut 'tensor<7xf32>' into 2}}
  %0 = train.accumulate 2 split(%x) : (tensor<7xf32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %part: tensor<3xf32>):
    %one = repro.constant dense<1.0> : tensor<f32>
    train.yield %one : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @accumulate_c1(%x: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{gives its body other values than it has}}
  %0 = train.accumulate 2 split(%x) : (tensor<8xf32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %part: tensor<3xf32>):
    %one = repro.constant dense<1.0> : tensor<f32>
    train.yield %one : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @accumulate_c2(%s: tensor<f32>) -> tensor<2xf32> {
  // expected-error @+1 {{carries 'tensor<f32>' and yields 'tensor<2xf32>'}}
  %0 = train.accumulate 2 carried(%s) : (tensor<f32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
    %one = repro.constant dense<1.0> : tensor<2xf32>
    train.yield %one : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

func.func @sums(%s: tensor<i32>) -> tensor<i32> {
  // expected-error @+1 {{sums 'tensor<i32>', expected a tensor of floats}}
  %0 = train.accumulate 2 shared(%s) : (tensor<i32>) -> tensor<i32> {
  ^bb0(%i: tensor<i64>, %a: tensor<i32>):
    train.yield %a : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

func.func @yields(%s: tensor<f32>) -> tensor<2xf32> {
  // expected-error @+1 {{yields other values than it returns}}
  %0 = train.accumulate 2 shared(%s) : (tensor<f32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
    train.yield %a : tensor<f32>
  }
  return %0 : tensor<2xf32>
}

// -----

func.func @no_terminator(%s: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expects a non-empty block}}
  %0 = train.accumulate 2 shared(%s) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
  }
  return %0 : tensor<f32>
}

// -----

func.func @assign_type(%x: tensor<4xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{failed to verify that all of {value, stored} have same type}}
  "train.assign"(%x, %y) : (tensor<4xf32>, tensor<2xf32>) -> ()
  return
}

// -----

func.func @accumulate_count(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{attribute 'microbatches' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = train.accumulate 0 shared(%x) : (tensor<4xf32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    %one = repro.constant dense<1.0> : tensor<f32>
    train.yield %one : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @accumulate_isolated(%x: tensor<f32>) -> tensor<f32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = train.accumulate 2 : () -> tensor<f32> {
  ^bb0(%i: tensor<i64>):
    // expected-error @+1 {{using value defined outside the region}}
    train.yield %x : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @yield_parent_train(%x: tensor<4xf32>) {
  // expected-error @+1 {{'train.yield' op expects parent op 'train.accumulate'}}
  train.yield %x : tensor<4xf32>
}

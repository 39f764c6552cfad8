// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(repro-verify-frozen)'
// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --repro-freeze

func.func @foreign(%x: f32) -> f32 {
  // expected-error @+1 {{'arith.addf' is not an op of the closed set}}
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}

// -----

func.func @reduce_c1_frozen(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'repro.reduce' op has no order, so its bits are not defined}}
  %0 = repro.reduce sum %x domain <[2, 3], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<2x3xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @contract_c3_frozen(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{'repro.contract' op has no order, so its bits are not defined}}
  %0 = repro.contract %x, %x domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] bounds [in, in]
      : tensor<4xf32>, tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @scan_c1_frozen(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.scan' op has no order, so its bits are not defined}}
  %0 = repro.scan sum %x dim 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @random_c2_frozen(%key: tensor<2xui32>, %step: tensor<ui32>) -> tensor<4xui32> {
  // expected-error @+1 {{'repro.random_bits' op has no stream, so its bits are not defined}}
  %0 = repro.random_bits %key, %step, %step : tensor<4xui32>
  return %0 : tensor<4xui32>
}

// -----

func.func @random_c2_shared(%key: tensor<2xui32>, %step: tensor<ui32>) -> (tensor<4xui32>, tensor<5xui32>) {
  // expected-note @+1 {{this one}}
  %0 = repro.random_bits %key, %step, %step stream 3 : tensor<4xui32>
  // expected-error @+1 {{'repro.random_bits' op has stream 3, which another draw has}}
  %1 = repro.random_bits %key, %step, %step stream 3 : tensor<5xui32>
  return %0, %1 : tensor<4xui32>, tensor<5xui32>
}

// -----

// One draw, written twice, and draws of one ONNX seed.
func.func @equal_draws(%key: tensor<2xui32>, %step: tensor<ui32>)
    -> (tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<5xui32>) {
  %0 = repro.random_bits %key, %step, %step stream 3 : tensor<4xui32>
  %1 = repro.random_bits %key, %step, %step stream 3 : tensor<4xui32>
  %2 = repro.random_bits %key, %step, %step stream 2147483648 : tensor<4xui32>
  %3 = repro.random_bits %key, %step, %step stream 2147483648 : tensor<5xui32>
  return %0, %1, %2, %3 : tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<5xui32>
}

// -----

// Types that no op of repro accepts. (Their own verifiers check g2.)
func.func @g2(%x: tensor<2x549755813889xf32>) -> tensor<2x549755813889xf32> {
  // expected-error @+1 {{has the type 'tensor<2x549755813889xf32>', which has more than 2^40 elements}}
  return %x : tensor<2x549755813889xf32>
}

// -----

// Names of kernels do not repeat within a function; those of others are free.
module {
  func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = repro.kernel "k0_neg" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      %n = repro.neg %a : tensor<4xf32>
      repro.yield %n : tensor<4xf32>
    }
    return %y : tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note @+1 {{this one}}
    %y = repro.kernel "k0_neg" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      %n = repro.neg %a : tensor<4xf32>
      repro.yield %n : tensor<4xf32>
    }
    // expected-error @+1 {{has the name "k0_neg", which another kernel of the function has}}
    %z = repro.kernel "k0_neg" (%a = %y : tensor<4xf32>) -> tensor<4xf32> {
      %n = repro.neg %a : tensor<4xf32>
      repro.yield %n : tensor<4xf32>
    }
    return %z : tensor<4xf32>
  }
}

// -----

// One op, written for the microbatches of a loop and for the last one.
func.func @random_c2_microbatches(%key: tensor<2xui32>, %step: tensor<ui32>, %x: tensor<4xui32>) -> tensor<4xui32> {
  %zero = repro.constant dense<0> : tensor<ui32>
  %three = repro.constant dense<3> : tensor<ui32>
  %two = repro.constant dense<2> : tensor<ui32>
  %0 = repro.loop trips 2 (%i, %sum = %x : tensor<4xui32>) invariant (%k = %key : tensor<2xui32>, %s = %step : tensor<ui32>) {
    %none = repro.constant dense<0> : tensor<ui32>
    %count = repro.constant dense<3> : tensor<ui32>
    %index = repro.convert %i : tensor<i64> to tensor<ui32>
    %first = repro.mul %s, %count : tensor<ui32>
    %number = repro.add %first, %index : tensor<ui32>
    %bits = repro.random_bits %k, %number, %none stream 5 : tensor<4xui32>
    %next = repro.add %sum, %bits : tensor<4xui32>
    repro.yield %next : tensor<4xui32>
  }
  %begin = repro.mul %step, %three : tensor<ui32>
  %last = repro.add %begin, %two : tensor<ui32>
  %1 = repro.random_bits %key, %last, %zero stream 5 : tensor<4xui32>
  %2 = repro.add %0, %1 : tensor<4xui32>
  return %2 : tensor<4xui32>
}

// -----

// Of another number of microbatches: another op.
func.func @random_c2_other_steps(%key: tensor<2xui32>, %step: tensor<ui32>, %x: tensor<4xui32>) -> tensor<4xui32> {
  %zero = repro.constant dense<0> : tensor<ui32>
  %four = repro.constant dense<4> : tensor<ui32>
  %two = repro.constant dense<2> : tensor<ui32>
  %0 = repro.loop trips 2 (%i, %sum = %x : tensor<4xui32>) invariant (%k = %key : tensor<2xui32>, %s = %step : tensor<ui32>) {
    %none = repro.constant dense<0> : tensor<ui32>
    %count = repro.constant dense<3> : tensor<ui32>
    %index = repro.convert %i : tensor<i64> to tensor<ui32>
    %first = repro.mul %s, %count : tensor<ui32>
    %number = repro.add %first, %index : tensor<ui32>
    // expected-note @+1 {{this one}}
    %bits = repro.random_bits %k, %number, %none stream 5 : tensor<4xui32>
    %next = repro.add %sum, %bits : tensor<4xui32>
    repro.yield %next : tensor<4xui32>
  }
  %begin = repro.mul %step, %four : tensor<ui32>
  %last = repro.add %begin, %two : tensor<ui32>
  // expected-error @+1 {{'repro.random_bits' op has stream 5, which another draw has}}
  %1 = repro.random_bits %key, %last, %zero stream 5 : tensor<4xui32>
  %2 = repro.add %0, %1 : tensor<4xui32>
  return %2 : tensor<4xui32>
}

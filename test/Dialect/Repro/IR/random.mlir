// RUN: gensyn-opt %s --split-input-file --verify-diagnostics | gensyn-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @round_trip
func.func @round_trip(%key: tensor<2xui32>, %step: tensor<ui32>) -> (tensor<4x5xui32>, tensor<0xui32>, tensor<ui32>) {
  %zero = repro.constant dense<0> : tensor<ui32>
  // CHECK: repro.random_bits %{{.*}}, %{{.*}}, %{{.*}} stream 3 : tensor<4x5xui32>
  %0 = repro.random_bits %key, %step, %zero stream 3 : tensor<4x5xui32>
  // CHECK: repro.random_bits %{{.*}}, %{{.*}}, %{{.*}} stream 4294967295 : tensor<0xui32>
  %1 = repro.random_bits %key, %step, %zero stream 4294967295 : tensor<0xui32>
  // CHECK: repro.random_bits %{{.*}}, %{{.*}}, %{{.*}} : tensor<ui32>
  %2 = repro.random_bits %key, %step, %zero : tensor<ui32>
  return %0, %1, %2 : tensor<4x5xui32>, tensor<0xui32>, tensor<ui32>
}

// -----

func.func @random_c1(%key: tensor<2xui32>, %step: tensor<ui32>) -> tensor<131072x131072xui32> {
  // expected-error @+1 {{draws 'tensor<131072x131072xui32>', a draw has fewer than 2^34 words}}
  %0 = repro.random_bits %key, %step, %step : tensor<131072x131072xui32>
  return %0 : tensor<131072x131072xui32>
}

// -----

func.func @random_c2(%key: tensor<2xui32>, %step: tensor<ui32>) -> tensor<4xui32> {
  // expected-error @+1 {{has stream 4294967296, which is not in [0, 2^32)}}
  %0 = repro.random_bits %key, %step, %step stream 4294967296 : tensor<4xui32>
  return %0 : tensor<4xui32>
}

// -----

func.func @random_c2_negative(%key: tensor<2xui32>, %step: tensor<ui32>) -> tensor<4xui32> {
  // expected-error @+1 {{has stream -1, which is not in [0, 2^32)}}
  %0 = repro.random_bits %key, %step, %step stream -1 : tensor<4xui32>
  return %0 : tensor<4xui32>
}

// -----

func.func @words_only(%key: tensor<2xui32>, %step: tensor<ui32>) -> tensor<4xi32> {
  // expected-error @+1 {{result #0 must be statically shaped tensor of 32-bit unsigned integer values}}
  %0 = repro.random_bits %key, %step, %step : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// g2: the number of words does not fit 64 bits.
func.func @random_c1_wraps(%key: tensor<2xui32>, %step: tensor<ui32>, %draw: tensor<ui32>) -> tensor<4294967296x4294967296xui32> {
  // expected-error @+1 {{of at most 2^40 elements, but got 'tensor<4294967296x4294967296xui32>'}}
  %0 = repro.random_bits %key, %step, %draw stream 3 : tensor<4294967296x4294967296xui32>
  return %0 : tensor<4294967296x4294967296xui32>
}

// RUN: gensyn-opt %s --convert-onnx-to-repro --split-input-file --verify-diagnostics | FileCheck %s

// Dropout in inference mode is its operand, and the mask is all true.
// CHECK-LABEL: @dropout
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
func.func @dropout(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  // CHECK: repro.constant dense<true>
  // CHECK: %[[MASK:.+]] = repro.broadcast
  // CHECK: return %[[X]], %[[MASK]]
  %0:2 = onnx.Dropout.v13(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi1>
}

// -----

// The program gets its key and step at the first random op, once.
// CHECK-LABEL: @training
// CHECK-SAME: (%[[X:.+]]: tensor<4xf16>, %[[KEY:.+]]: tensor<2xui32> {gensyn.name = "gensyn.key", gensyn.role = "key"}, %[[STEP:.+]]: tensor<ui32> {gensyn.name = "gensyn.step", gensyn.role = "step"})
func.func @training(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xi1>) {
  %ratio = onnx.constant dense<0.25> : tensor<f32>
  %train = onnx.constant dense<true> : tensor<i1>
  // 1/4 of 2^32, and 1/(1 - 1/4) rounded once.
  // CHECK: %[[ZERO:.+]] = repro.constant dense<0> : tensor<ui32>
  // CHECK: %[[BITS:.+]] = repro.random_bits %[[KEY]], %[[STEP]], %[[ZERO]] : tensor<4xui32>
  // CHECK: repro.constant dense<1073741824> : tensor<ui32>
  // CHECK: %[[KEEP:.+]] = repro.compare ge %[[BITS]], %{{.*}} : tensor<4xui32>
  // CHECK: %[[WIDE:.+]] = repro.convert %[[X]] : tensor<4xf16> to tensor<4xf32>
  // CHECK: repro.constant dense<1.33333337> : tensor<f32>
  // CHECK: %[[SCALED:.+]] = repro.mul %[[WIDE]], %{{.*}} : tensor<4xf32>
  // CHECK: repro.select %[[KEEP]], %[[SCALED]], %{{.*}} : tensor<4xf32>
  %0:2 = onnx.Dropout.v13(%x, %ratio, %train) : (tensor<4xf16>, tensor<f32>, tensor<i1>) -> (tensor<4xf16>, tensor<4xi1>)
  // CHECK: repro.random_bits %[[KEY]], %[[STEP]], %{{.*}} : tensor<4xui32>
  %1:2 = onnx.Dropout.v13(%0#0, %ratio, %train) : (tensor<4xf16>, tensor<f32>, tensor<i1>) -> (tensor<4xf16>, tensor<4xi1>)
  return %1#0, %0#1 : tensor<4xf16>, tensor<4xi1>
}

// -----

// Keeping nothing needs no random numbers.
// CHECK-LABEL: @all_dropped
// CHECK-SAME: (%{{[^,]+}}: tensor<4xf32>)
func.func @all_dropped(%x: tensor<4xf32>) -> tensor<4xf32> {
  %ratio = onnx.constant dense<1.0> : tensor<f32>
  %train = onnx.constant dense<true> : tensor<i1>
  // CHECK: repro.constant dense<false> : tensor<i1>
  // CHECK: repro.select
  %0:2 = onnx.Dropout.v13(%x, %ratio, %train) : (tensor<4xf32>, tensor<f32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xi1>)
  return %0#0 : tensor<4xf32>
}

// -----

// random_r2, and a stream from a seed.
// CHECK-LABEL: @uniform
func.func @uniform() -> tensor<2x3xf32> {
  // CHECK: repro.random_bits %{{.*}} stream 3537279913 : tensor<2x3xui32>
  // CHECK: %[[UPPER:.+]] = repro.shr %{{.*}} : tensor<2x3xui32>
  // CHECK: %[[WHOLE:.+]] = repro.convert %[[UPPER]] : tensor<2x3xui32> to tensor<2x3xf32>
  // CHECK: repro.constant dense<5.96046448E-8> : tensor<f32>
  // CHECK: %[[U:.+]] = repro.mul %[[WHOLE]]
  // CHECK: repro.constant dense<3.000000e+00> : tensor<f32>
  // CHECK: repro.constant dense<-1.000000e+00> : tensor<f32>
  // CHECK: repro.fma %[[U]]
  %0 = onnx.RandomUniform.v1() {shape = array<i64: 2, 3>, low = -1.0 : f32, high = 2.0 : f32, seed = 1.0 : f32} : () -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// random_r4: two words an element; the result is converted to its type.
// CHECK-LABEL: @normal
func.func @normal(%x: tensor<3xf32>) -> tensor<3xf64> {
  // CHECK: repro.random_bits %{{.*}} : tensor<3x2xui32>
  // CHECK: repro.slice %{{.*}} start [0, 0] limit [3, 1]
  // CHECK: repro.slice %{{.*}} start [0, 1] limit [3, 2]
  // CHECK: repro.or
  // CHECK: repro.constant dense<2.32830644E-10> : tensor<f32>
  // CHECK: repro.log
  // CHECK: repro.constant dense<-2.000000e+00> : tensor<f32>
  // CHECK: repro.sqrt
  // CHECK: repro.constant dense<7.31459059E-10> : tensor<f32>
  // CHECK: repro.cos
  // CHECK: repro.mul {{.*}} : tensor<3xf32>
  // CHECK: repro.convert %{{.*}} : tensor<3xf32> to tensor<3xf64>
  // CHECK: repro.fma %{{.*}} : tensor<3xf64>
  %0 = onnx.RandomNormalLike.v22(%x) {dtype = 11 : i64, mean = 1.0 : f32, scale = 3.0 : f32} : (tensor<3xf32>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

// random_r3 of probabilities that are data.
// CHECK-LABEL: @bernoulli
func.func @bernoulli(%p: tensor<4xf32>) -> tensor<4xi32> {
  // CHECK: %[[BITS:.+]] = repro.random_bits
  // CHECK: repro.constant dense<4.2949673E+9> : tensor<f32>
  // CHECK: repro.mul
  // CHECK: repro.round even
  // CHECK: %[[T:.+]] = repro.convert %{{.*}} : tensor<4xf32> to tensor<4xui64>
  // CHECK: %[[WIDE:.+]] = repro.convert %[[BITS]] : tensor<4xui32> to tensor<4xui64>
  // CHECK: %[[YES:.+]] = repro.compare lt %[[WIDE]], %[[T]]
  // CHECK: repro.convert %[[YES]] : tensor<4xi1> to tensor<4xi32>
  %0 = onnx.Bernoulli.v15(%p) {dtype = 6 : i64} : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: @multinomial
func.func @multinomial(%x: tensor<2x5xf32>) -> tensor<2x7xi32> {
  // CHECK: repro.random_bits %{{.*}} : tensor<2x7x5xui32>
  // CHECK: repro.log1p
  // CHECK: repro.log
  // CHECK: repro.sub %{{.*}} : tensor<2x7x5xf32>
  // CHECK: repro.arg_reduce max %{{.*}} domain <[2, 7, 5], reduce [2]>
  %0 = onnx.Multinomial.v7(%x) {sample_size = 7 : i64} : (tensor<2x5xf32>) -> tensor<2x7xi32>
  return %0 : tensor<2x7xi32>
}

// -----

func.func @unknown_mode(%x: tensor<4xf32>, %t: tensor<i1>) -> tensor<4xf32> {
  %ratio = onnx.constant dense<0.5> : tensor<f32>
  // expected-error @+1 {{training_mode must be a constant}}
  %0:2 = onnx.Dropout.v13(%x, %ratio, %t) : (tensor<4xf32>, tensor<f32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xi1>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @unknown_ratio(%x: tensor<4xf32>, %ratio: tensor<f32>) -> tensor<4xf32> {
  %t = onnx.constant dense<true> : tensor<i1>
  // expected-error @+1 {{ratio must be a constant}}
  %0:2 = onnx.Dropout.v13(%x, %ratio, %t) : (tensor<4xf32>, tensor<f32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xi1>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @bad_ratio(%x: tensor<4xf32>) -> tensor<4xf32> {
  %ratio = onnx.constant dense<1.5> : tensor<f32>
  %t = onnx.constant dense<true> : tensor<i1>
  // expected-error @+1 {{ratio is not in [0, 1]}}
  %0:2 = onnx.Dropout.v13(%x, %ratio, %t) : (tensor<4xf32>, tensor<f32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xi1>)
  return %0#0 : tensor<4xf32>
}

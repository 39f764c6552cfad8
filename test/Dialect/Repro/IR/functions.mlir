// RUN: gensyn-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @functions
func.func @functions(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: repro.exp %{{.*}} : tensor<4xf32>
  %0 = repro.exp %x : tensor<4xf32>
  // CHECK: repro.expm1 %{{.*}} : tensor<4xf32>
  %1 = repro.expm1 %0 : tensor<4xf32>
  // CHECK: repro.log %{{.*}} : tensor<4xf32>
  %2 = repro.log %1 : tensor<4xf32>
  // CHECK: repro.log1p %{{.*}} : tensor<4xf32>
  %3 = repro.log1p %2 : tensor<4xf32>
  // CHECK: repro.sin %{{.*}} : tensor<4xf32>
  %4 = repro.sin %3 : tensor<4xf32>
  // CHECK: repro.cos %{{.*}} : tensor<4xf32>
  %5 = repro.cos %4 : tensor<4xf32>
  // CHECK: repro.tan %{{.*}} : tensor<4xf32>
  %6 = repro.tan %5 : tensor<4xf32>
  // CHECK: repro.asin %{{.*}} : tensor<4xf32>
  %7 = repro.asin %6 : tensor<4xf32>
  // CHECK: repro.acos %{{.*}} : tensor<4xf32>
  %8 = repro.acos %7 : tensor<4xf32>
  // CHECK: repro.atan %{{.*}} : tensor<4xf32>
  %9 = repro.atan %8 : tensor<4xf32>
  // CHECK: repro.sinh %{{.*}} : tensor<4xf32>
  %10 = repro.sinh %9 : tensor<4xf32>
  // CHECK: repro.cosh %{{.*}} : tensor<4xf32>
  %11 = repro.cosh %10 : tensor<4xf32>
  // CHECK: repro.tanh %{{.*}} : tensor<4xf32>
  %12 = repro.tanh %11 : tensor<4xf32>
  // CHECK: repro.asinh %{{.*}} : tensor<4xf32>
  %13 = repro.asinh %12 : tensor<4xf32>
  // CHECK: repro.acosh %{{.*}} : tensor<4xf32>
  %14 = repro.acosh %13 : tensor<4xf32>
  // CHECK: repro.atanh %{{.*}} : tensor<4xf32>
  %15 = repro.atanh %14 : tensor<4xf32>
  // CHECK: repro.pow %{{.*}}, %{{.*}} : tensor<4xf32>
  %power = repro.pow %15, %x : tensor<4xf32>
  // CHECK: repro.sigmoid %{{.*}} : tensor<4xf32>
  %16 = repro.sigmoid %15 : tensor<4xf32>
  // CHECK: repro.erf %{{.*}} : tensor<4xf32>
  %17 = repro.erf %16 : tensor<4xf32>
  return %17 : tensor<4xf32>
}

// The reference evaluates them in f64 too, for tests of derivatives.
// CHECK-LABEL: @in_f64
func.func @in_f64(%x: tensor<f64>) -> tensor<f64> {
  // CHECK: repro.atan %{{.*}} : tensor<f64>
  %0 = repro.atan %x : tensor<f64>
  return %0 : tensor<f64>
}

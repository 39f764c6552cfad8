// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cancel-shifts)' | FileCheck %s

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>
#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>

// The bias of the keys shifts a row of scores alike; that of the queries does not.
// CHECK-LABEL: @attention
func.func @attention(%q: tensor<4x3xf32>, %k: tensor<6x3xf32>, %qb: tensor<3xf32>, %kb: tensor<3xf32>, %m: tensor<4x6xi1>,
                     %more: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: %[[QB:.+]] = repro.broadcast %arg2
  // CHECK-NEXT: repro.add %arg0, %[[QB]]
  // CHECK: %[[KB:.+]] = repro.broadcast %arg3
  // CHECK-NEXT: %[[STOP:.+]] = train.stop_gradient %[[KB]]
  // CHECK-NEXT: repro.add %arg1, %[[STOP]]
  %0 = repro.broadcast %qb dims [1] : tensor<3xf32> to tensor<4x3xf32>
  %1 = repro.add %q, %0 : tensor<4x3xf32>
  %2 = repro.broadcast %kb dims [1] : tensor<3xf32> to tensor<6x3xf32>
  %3 = repro.add %k, %2 : tensor<6x3xf32>
  %4 = repro.contract %1, %3 domain <[4, 6, 3], reduce [2]> maps [#a, #b, #c] bounds [in, in]
      : tensor<4x3xf32>, tensor<6x3xf32> -> tensor<4x6xf32>
  %low = repro.constant dense<-1.0e30> : tensor<f32>
  %lows = repro.broadcast %low dims [] : tensor<f32> to tensor<4x6xf32>
  %5 = repro.select %m, %4, %lows : tensor<4x6xf32>
  %6 = repro.add %5, %more : tensor<4x6xf32>
  %top = repro.reduce max %6 domain <[4, 6], reduce [1]> maps [#row, #one] : tensor<4x6xf32> -> tensor<4xf32>
  %stop = train.stop_gradient %top : tensor<4xf32>
  %tops = repro.broadcast %stop dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %7 = repro.sub %6, %tops : tensor<4x6xf32>
  %8 = repro.exp %7 : tensor<4x6xf32>
  return %8 : tensor<4x6xf32>
}

// Not so where the axis is another one, where the keys are read by somebody else,
// or where the mask leaves a weight.
// CHECK-LABEL: @others
// CHECK-NOT: train.stop_gradient %{{.+}} : tensor<4x6xf32>
func.func @others(%x: tensor<4x6xf32>, %b: tensor<6xf32>, %c: tensor<4xf32>, %m: tensor<4x6xi1>)
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = repro.broadcast %b dims [1] : tensor<6xf32> to tensor<4x6xf32>
  %1 = repro.add %x, %0 : tensor<4x6xf32>
  %top = repro.reduce max %1 domain <[4, 6], reduce [1]> maps [#row, #one] : tensor<4x6xf32> -> tensor<4xf32>
  %stop = train.stop_gradient %top : tensor<4xf32>
  %tops = repro.broadcast %stop dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %2 = repro.sub %1, %tops : tensor<4x6xf32>

  %3 = repro.broadcast %c dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %4 = repro.add %x, %3 : tensor<4x6xf32>
  %top1 = repro.reduce max %4 domain <[4, 6], reduce [1]> maps [#row, #one] : tensor<4x6xf32> -> tensor<4xf32>
  %stop1 = train.stop_gradient %top1 : tensor<4xf32>
  %tops1 = repro.broadcast %stop1 dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %5 = repro.sub %4, %tops1 : tensor<4x6xf32>
  %6 = repro.mul %5, %4 : tensor<4x6xf32>

  %7 = repro.broadcast %c dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %8 = repro.add %x, %7 : tensor<4x6xf32>
  %low = repro.constant dense<-4.0> : tensor<f32>
  %lows = repro.broadcast %low dims [] : tensor<f32> to tensor<4x6xf32>
  %9 = repro.select %m, %8, %lows : tensor<4x6xf32>
  %top2 = repro.reduce max %9 domain <[4, 6], reduce [1]> maps [#row, #one] : tensor<4x6xf32> -> tensor<4xf32>
  %stop2 = train.stop_gradient %top2 : tensor<4xf32>
  %tops2 = repro.broadcast %stop2 dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %10 = repro.sub %9, %tops2 : tensor<4x6xf32>
  return %2, %6, %10 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// One bias for queries and keys: the keys' part of the sum is computed with a
// summand of its own.
// CHECK-LABEL: @joined
func.func @joined(%x: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<2x4x4xf32> {
  // CHECK: %[[B:.+]] = repro.broadcast %arg1
  // CHECK: %[[SUM:.+]] = repro.add %arg0, %[[B]]
  // CHECK: %[[R:.+]] = repro.reshape %[[SUM]]
  // CHECK: repro.slice %[[R]] start [0, 0, 0]
  // CHECK: %[[STOP:.+]] = train.stop_gradient %[[B]]
  // CHECK: %[[OTHER:.+]] = repro.add %arg0, %[[STOP]]
  // CHECK: %[[R1:.+]] = repro.reshape %[[OTHER]]
  // CHECK: repro.slice %[[R1]] start [0, 0, 3]
  %0 = repro.broadcast %b dims [1] : tensor<6xf32> to tensor<8x6xf32>
  %1 = repro.add %x, %0 : tensor<8x6xf32>
  %2 = repro.reshape %1 : tensor<8x6xf32> to tensor<2x4x6xf32>
  %q = repro.slice %2 start [0, 0, 0] limit [2, 4, 3] stride [1, 1, 1] : tensor<2x4x6xf32> to tensor<2x4x3xf32>
  %k = repro.slice %2 start [0, 0, 3] limit [2, 4, 6] stride [1, 1, 1] : tensor<2x4x6xf32> to tensor<2x4x3xf32>
  %3 = repro.contract %q, %k domain <[2, 4, 4, 3], reduce [3]>
      maps [affine_map<(n, i, j, k) -> (n, i, k)>, affine_map<(n, i, j, k) -> (n, j, k)>, affine_map<(n, i, j, k) -> (n, i, j)>]
      bounds [in, in] : tensor<2x4x3xf32>, tensor<2x4x3xf32> -> tensor<2x4x4xf32>
  %half = repro.constant dense<0.5> : tensor<f32>
  %halves = repro.broadcast %half dims [] : tensor<f32> to tensor<2x4x4xf32>
  %4 = repro.mul %3, %halves : tensor<2x4x4xf32>
  %top = repro.reduce max %4 domain <[2, 4, 4], reduce [2]>
      maps [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, i)>] : tensor<2x4x4xf32> -> tensor<2x4xf32>
  %stop = train.stop_gradient %top : tensor<2x4xf32>
  %tops = repro.broadcast %stop dims [0, 1] : tensor<2x4xf32> to tensor<2x4x4xf32>
  %5 = repro.sub %4, %tops : tensor<2x4x4xf32>
  return %5 : tensor<2x4x4xf32>
}

// The logarithm of a sum of exponentials gets the greatest back: it changes.
// CHECK-LABEL: @sum
// CHECK-NOT: train.stop_gradient %{{.+}} : tensor<4x6xf32>
func.func @sum(%x: tensor<4x6xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = repro.broadcast %b dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %1 = repro.add %x, %0 : tensor<4x6xf32>
  %top = repro.reduce max %1 domain <[4, 6], reduce [1]> maps [#row, #one] : tensor<4x6xf32> -> tensor<4xf32>
  %stop = train.stop_gradient %top : tensor<4xf32>
  %tops = repro.broadcast %stop dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %2 = repro.sub %1, %tops : tensor<4x6xf32>
  %3 = repro.exp %2 : tensor<4x6xf32>
  %4 = repro.reduce sum %3 domain <[4, 6], reduce [1]> maps [#row, #one] : tensor<4x6xf32> -> tensor<4xf32>
  %5 = repro.log %4 : tensor<4xf32>
  %6 = repro.add %5, %stop : tensor<4xf32>
  return %6 : tensor<4xf32>
}

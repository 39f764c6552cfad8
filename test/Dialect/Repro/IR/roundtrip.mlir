// RUN: gensyn-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @elementwise
func.func @elementwise(%a: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  // CHECK: repro.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = repro.add %a, %a : tensor<4xf32>
  %1 = repro.rem %i, %i : tensor<4xi32>
  // CHECK: repro.round even %{{.*}} : tensor<4xf32>
  %2 = repro.round even %0 : tensor<4xf32>
  // CHECK: repro.compare lt %{{.*}}, %{{.*}} : tensor<4xf32>
  %3 = repro.compare lt %0, %2 : tensor<4xf32>
  // CHECK: repro.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>
  %4 = repro.select %3, %0, %2 : tensor<4xf32>
  %5 = repro.fma %a, %a, %4 : tensor<4xf32>
  // CHECK: repro.convert %{{.*}} : tensor<4xi32> to tensor<4xf32>
  %6 = repro.convert %1 : tensor<4xi32> to tensor<4xf32>
  %7 = repro.sigmoid %5 : tensor<4xf32>
  %8 = repro.not %p : tensor<4xi1>
  %9 = repro.select %8, %6, %7 : tensor<4xf32>
  return %9 : tensor<4xf32>
}

// CHECK-LABEL: @movement
func.func @movement(%x: tensor<2x6xf32>) -> tensor<3x9xf32> {
  %zero = repro.constant dense<0.0> : tensor<f32>
  // CHECK: repro.iota dim 1 : tensor<2x6xi64>
  %i = repro.iota dim 1 : tensor<2x6xi64>
  // CHECK: repro.transpose %{{.*}} [1, 0] : tensor<2x6xf32> to tensor<6x2xf32>
  %0 = repro.transpose %x [1, 0] : tensor<2x6xf32> to tensor<6x2xf32>
  %1 = repro.reshape %0 : tensor<6x2xf32> to tensor<3x4xf32>
  // CHECK: repro.slice %{{.*}} start [0, 1] limit [3, 4] stride [1, 2] : tensor<3x4xf32> to tensor<3x2xf32>
  %2 = repro.slice %1 start [0, 1] limit [3, 4] stride [1, 2] : tensor<3x4xf32> to tensor<3x2xf32>
  // CHECK: repro.pad %{{.*}}, %{{.*}} low [0, 1] high [0, 0] interior [0, 1] : tensor<3x2xf32>, tensor<f32> to tensor<3x4xf32>
  %3 = repro.pad %2, %zero low [0, 1] high [0, 0] interior [0, 1] : tensor<3x2xf32>, tensor<f32> to tensor<3x4xf32>
  // CHECK: repro.reverse %{{.*}} dims [0, 1] : tensor<3x4xf32>
  %4 = repro.reverse %3 dims [0, 1] : tensor<3x4xf32>
  %v = repro.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  // CHECK: repro.broadcast %{{.*}} dims [0] : tensor<3xf32> to tensor<3x5xf32>
  %5 = repro.broadcast %v dims [0] : tensor<3xf32> to tensor<3x5xf32>
  // CHECK: repro.concat %{{.*}}, %{{.*}} dim 1 : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<3x9xf32>
  %6 = repro.concat %4, %5 dim 1 : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<3x9xf32>
  return %6 : tensor<3x9xf32>
}

// CHECK-LABEL: @reductions
func.func @reductions(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  // CHECK: repro.contract %{{.*}}, %{{.*}} domain <[4, 6, 5], reduce [2]> maps
  // CHECK-SAME: bounds [in, zero] order blocked<2, sequential, lanes<4>> : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x6xf32>
  %c = repro.contract %a, %b domain <[4, 6, 5], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, zero] order blocked<2, sequential, lanes<4>> : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x6xf32>
  // CHECK: repro.reduce sum %{{.*}} domain <[4, 6], reduce [1]>
  // CHECK-SAME: order lanes<32> : tensor<4x6xf32> -> tensor<4xf32>
  %s = repro.reduce sum %c domain <[4, 6], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
      order lanes<32> : tensor<4x6xf32> -> tensor<4xf32>
  // CHECK: repro.arg_reduce max last %{{.*}} domain
  %i = repro.arg_reduce max last %c domain <[4, 6], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
      : tensor<4x6xf32> -> tensor<4xi32>
  return %s, %i : tensor<4xf32>, tensor<4xi32>
}

// CHECK-LABEL: @kernel
func.func @kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: repro.kernel "relu" (%[[A:.*]] = %{{.*}} : tensor<4xf32>) -> (tensor<4xf32>) {
  // CHECK: repro.yield %{{.*}} : tensor<4xf32>
  %y = repro.kernel "relu" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %z = repro.constant dense<0.0> : tensor<4xf32>
    %m = repro.max %a, %z : tensor<4xf32>
    repro.yield %m : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @indexing
func.func @indexing(%t: tensor<100x8xf32>, %i: tensor<16xi64>, %u: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<100x8xf32>, tensor<8xf32>) {
  // CHECK: %[[Y:.+]] = repro.gather %{{.*}}[%{{.*}}] maps [#{{.*}}, #{{.*}}] bounds fault : tensor<100x8xf32>, tensor<16xi64> -> tensor<16x8xf32>
  %y = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds fault : tensor<100x8xf32>, tensor<16xi64> -> tensor<16x8xf32>
  // CHECK: repro.scatter add %{{.*}}, %{{.*}}[%{{.*}}] maps [#{{.*}}, #{{.*}}] bounds zero : tensor<100x8xf32>, tensor<16x8xf32>, tensor<16xi64>
  %s = repro.scatter add %t, %u[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds zero : tensor<100x8xf32>, tensor<16x8xf32>, tensor<16xi64>
  // CHECK: repro.scatter set {{.*}} bounds fault within [-100, 900, 0, 8] : tensor<100x8xf32>, tensor<16x8xf32>, tensor<16xi64>
  %part = repro.scatter set %t, %u[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds fault within [-100, 900, 0, 8] : tensor<100x8xf32>, tensor<16x8xf32>, tensor<16xi64>
  // CHECK: repro.gather %{{.*}}[] maps [#{{.*}}] bounds zero : tensor<100x8xf32> -> tensor<8xf32>
  %d = repro.gather %t[] maps [affine_map<(d0) -> (d0, d0)>] bounds zero : tensor<100x8xf32> -> tensor<8xf32>
  return %y, %s, %d : tensor<16x8xf32>, tensor<100x8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @prefixes
func.func @prefixes(%x: tensor<4x100xf32>) -> (tensor<4x100xf32>, tensor<4x5xf32>, tensor<4x5xi32>) {
  // CHECK: repro.scan sum %{{.*}} dim 1 order blocked<8, sequential, sequential> : tensor<4x100xf32>
  %y = repro.scan sum %x dim 1 order blocked<8, sequential, sequential> : tensor<4x100xf32>
  // CHECK: repro.sort descending %{{.*}} dim 1 count 5 : tensor<4x100xf32> -> tensor<4x5xf32>, tensor<4x5xi32>
  %v, %p = repro.sort descending %x dim 1 count 5 : tensor<4x100xf32> -> tensor<4x5xf32>, tensor<4x5xi32>
  return %y, %v, %p : tensor<4x100xf32>, tensor<4x5xf32>, tensor<4x5xi32>
}

// CHECK: attributes {order = #repro.order<lanes<8>>}
func.func private @attribute() attributes {order = #repro.order<lanes<8>>}

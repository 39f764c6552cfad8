// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule)' | FileCheck %s

// Buffers of the plan: 0 is %x, 1 %w, 2 the result, 3 the exponentials. The launch of
// the contraction waits until two cores have stored all exponentials.
// CHECK: task.segment [0, 1] counters 1 {
// CHECK: task.core 0 {
// CHECK: %[[X:.*]] = task.buffer 512
// CHECK: %[[GOT:.*]] = task.fetch %[[X]] from 0 at 0 rows [] by [] of 512 {launch = 0 : i32}
// CHECK: %[[Y:.*]] = task.buffer 512
// CHECK: %[[DONE:.*]] = task.compute @[[EXP:.*]](%[[X]], %[[Y]]) after %[[GOT]] {launch = 0 : i32}
// CHECK: task.store %[[Y]] to 3 at 0 rows [] by [] of 512 after %[[DONE]] {launch = 0 : i32}
// CHECK: task.fetch {{.*}} from 0 at 512 rows [] by [] of 512
// CHECK: task.store {{.*}} to 3 at 512 {{.*}}signals = array<i32: 0>
// CHECK: task.core 1 {
// CHECK: task.fetch {{.*}} from 0 at 1024 rows [] by [] of 512 {launch = 0 : i32}
// CHECK: task.compute @[[EXP]]
// CHECK: task.store {{.*}} to 3 at 1536 {{.*}}signals = array<i32: 0>
// CHECK: %[[A:.*]] = task.fetch {{.*}} from 3 at 0 rows [] by [] of 1024 {awaits = array<i32: 0, 2>, launch = 1 : i32}
// CHECK: task.fetch {{.*}} from 1 at 0 rows [64] by [128] of 16 {launch = 1 : i32}
// CHECK: task.compute @[[CONTRACT:[a-z0-9_]*]](%{{.*}}, %{{.*}}, %[[R:.*]]) after %[[A]], %{{.*}} {launch = 1 : i32}
// CHECK: task.store %[[R]] to 2 at 0 rows [4] by [128] of 16
// The next tile has the same rows, which stay.
// CHECK-NOT: from 3
// CHECK: task.store {{.*}} to 2 at 16 rows
// CHECK: task.fetch {{.*}} from 3 at 1024 rows [] by [] of 1024 after %[[A]] {launch = 1 : i32}
// CHECK: task.core 2 {
// CHECK: func.func private @[[EXP]](%{{.*}}: tensor<2x64xf32>) -> tensor<2x64xf32>
// CHECK: func.func private @[[CONTRACT]](%{{.*}}: tensor<4x64xf32>, %{{.*}}: tensor<64x4xf32>) -> tensor<4x4xf32>
func.func @main(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>) -> tensor<8x32xf32> {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.tiles = array<i64: 2, 64>, task.cores = array<i32: 0, 1>, task.in_place = array<i1: false, false>} {
    %e = repro.exp %a : tensor<8x64xf32>
    repro.yield %e : tensor<8x64xf32>
  }
  %z = repro.kernel "k1_contract" (%a = %y : tensor<8x64xf32>, %b = %w : tensor<64x32xf32>) -> (tensor<8x32xf32>) attributes {task.parts = array<i64: 8, 16>, task.tiles = array<i64: 4, 4>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false, false>} {
    %c = repro.contract %a, %b domain <[8, 32, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<8x64xf32>, tensor<64x32xf32> -> tensor<8x32xf32>
    repro.yield %c : tensor<8x32xf32>
  }
  return %z : tensor<8x32xf32>
}

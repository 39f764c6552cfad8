// RUN: gensyn-opt %s | gensyn-opt | FileCheck %s

// CHECK: task.segment [0, 2] counters 1 {
// CHECK: task.core 5 {
// CHECK: %[[X:.*]] = task.buffer 256 at 64
// CHECK: %[[Y:.*]] = task.buffer 512
// CHECK: %[[A:.*]] = task.fetch %[[X]] from 0 at 16 rows [2, 4] by [1024, 128] of 32 {launch = 0 : i32, path = array<i32: 7, 9>}
// CHECK: %[[B:.*]] = task.compute @piece(%[[X]], %[[Y]]) after %[[A]] {awaits = array<i32: 0, 3>, faults = [array<i64: 1, 0, 8, 64>], inPlace = array<i32: -1, 4, -1>, launch = 2 : i32}
// CHECK: task.store %[[Y]] to 1 at 0 rows [] by [] of 512 after %[[B]] {launch = 2 : i32, signals = array<i32: 0>}
task.segment [0, 2] counters 1 {
  task.core 5 {
    %x = task.buffer 256 at 64
    %y = task.buffer 512
    %a = task.fetch %x from 0 at 16 rows [2, 4] by [1024, 128] of 32 {launch = 0 : i32, path = array<i32: 7, 9>}
    %b = task.compute @piece(%x, %y) after %a {launch = 2 : i32, awaits = array<i32: 0, 3>, inPlace = array<i32: -1, 4, -1>, faults = [array<i64: 1, 0, 8, 64>]}
    %c = task.store %y to 1 at 0 rows [] by [] of 512 after %b {launch = 2 : i32, signals = array<i32: 0>}
  }
}

// CHECK: task.segment [3] counters 0 buffers [1, 4] repetitions [#task.repetition<[4] with [2, 5]>, #task.repetition<[5] with [3, 6]>] {
// CHECK: %[[W:.*]] = task.resident from 1 at 16 rows [2] by [128] of 32 to 0 step 64 {launch = 3 : i32}
// CHECK: task.compute @piece(%[[W]]) {launch = 3 : i32}
// CHECK: task.segment [6] counters 0 repetitions [#task.repetition<[7]>] {
task.segment [3] counters 0 buffers [1, 4] repetitions [#task.repetition<[4] with [2, 5]>, #task.repetition<[5] with [3, 6]>] {
  task.core 5 {
    %w = task.resident from 1 at 16 rows [2] by [128] of 32 to 0 step 64 {launch = 3 : i32}
    %a = task.compute @piece(%w) {launch = 3 : i32}
  }
}
task.segment [6] counters 0 repetitions [#task.repetition<[7]>] {
}

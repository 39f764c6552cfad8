// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-reduce-waits)' | FileCheck %s

// The second computation follows the first in its queue, and the fetch that it waits for is
// the last copy before it. The store waits for the last computation alone.
// CHECK: task.core 0 {
// CHECK: task.fetch {{.*}} at 0 rows [] by [] of 64 {
// CHECK: %[[A1:.*]] = task.fetch {{.*}} at 64 rows [] by [] of 64 {
// CHECK: %[[C0:.*]] = task.compute @neg({{.*}}) after %[[A1]] {
// CHECK: %[[C1:.*]] = task.compute @neg({{.*}}) after %[[A1]] {
// CHECK: task.store {{.*}} after %[[C1]] {
task.segment [0] counters 0 {
  task.core 0 {
    %x0 = task.buffer 64 at 0
    %x1 = task.buffer 64 at 64
    %y = task.buffer 64 at 128
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 64 {launch = 0 : i32}
    %a1 = task.fetch %x1 from 0 at 64 rows [] by [] of 64 after %a0 {launch = 0 : i32}
    %c0 = task.compute @neg(%x0, %y) after %a0, %a1 {launch = 0 : i32}
    %c1 = task.compute @neg(%x1, %y) after %a1, %c0 {launch = 0 : i32}
    %s = task.store %y to 1 at 0 rows [] by [] of 64 after %a1, %c0, %c1 {launch = 0 : i32}
  }
}

// A channel of the copy engine is a queue of its own.
// CHECK: task.segment [1]
// CHECK: %[[A:.*]] = task.fetch {{.*}} at 0 rows [] by [] of 64 {
// CHECK: %[[B:.*]] = task.fetch {{.*}} at 64 rows [] by [] of 64 after %[[A]] {channel = 1 : i32
// CHECK: task.compute @neg({{.*}}) after %[[A]], %[[B]] {
task.segment [1] counters 0 {
  task.core 0 {
    %x0 = task.buffer 64 at 0
    %x1 = task.buffer 64 at 64
    %y = task.buffer 64 at 128
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 64 {launch = 1 : i32}
    %a1 = task.fetch %x1 from 0 at 64 rows [] by [] of 64 after %a0 {channel = 1 : i32, launch = 1 : i32}
    %c0 = task.compute @neg(%x0, %y) after %a0, %a1 {launch = 1 : i32}
  }
}

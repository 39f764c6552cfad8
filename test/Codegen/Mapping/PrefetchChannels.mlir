// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-prefetch{machine=spinnaker2-chip})' | FileCheck %s

// What the segment computes is fetched on the first channel, also where a task of the core
// before it has awaited it. On the second one the weights of the next launch would wait
// behind it.
// CHECK: task.core 0 {
// CHECK-DAG: task.fetch {{.*}} from 0 {{.*}}{channel = 1
// CHECK-DAG: task.fetch {{.*}} from 1 {{.*}}{awaits = array<i32: 0, 1>, launch = 1
// CHECK-DAG: task.fetch {{.*}} from 1 {{.*}} after %{{[0-9]*}} {launch = 1
// CHECK-DAG: task.fetch {{.*}} from 3 {{.*}}{channel = 1
task.segment [0, 1, 2] counters 2 {
  task.core 0 {
    %x = task.buffer 64 at 0
    %y = task.buffer 64 at 64
    %z = task.buffer 64 at 128
    %v = task.buffer 64 at 192
    %w = task.buffer 64 at 256
    %a0 = task.fetch %x from 0 at 0 rows [] by [] of 64 {launch = 0 : i32}
    %c0 = task.compute @neg(%x, %y) after %a0 {launch = 0 : i32}
    %s0 = task.store %y to 1 at 0 rows [] by [] of 64 after %c0 {launch = 0 : i32, signals = array<i32: 0>}
    %a1 = task.fetch %z from 1 at 0 rows [] by [] of 64 {launch = 1 : i32, awaits = array<i32: 0, 1>}
    %b1 = task.fetch %v from 1 at 0 rows [] by [] of 64 after %a1 {launch = 1 : i32}
    %c1 = task.compute @add(%z, %v, %z) after %a1, %b1 {launch = 1 : i32}
    %s1 = task.store %z to 2 at 0 rows [] by [] of 64 after %c1 {launch = 1 : i32}
    %a2 = task.fetch %w from 3 at 0 rows [] by [] of 64 {launch = 2 : i32}
    %c2 = task.compute @neg(%w, %w) after %a2 {launch = 2 : i32}
  }
}

// A multicast that waits for nothing does not stand behind the stores of launches before it,
// and weights of later launches come after it.
// CHECK: task.core 0 {
// CHECK: task.multicast 0 from 5 {{.*}}{channel = 1 : i32, launch = 1 : i32
// CHECK-NEXT: task.fetch {{.*}} from 6 {{.*}}{channel = 1 : i32, launch = 2 : i32
// CHECK: task.store {{.*}} to 4
// CHECK: task.multicast 1 from 4 {{.*}}{awaits = array<i32: 0, 1>, launch = 2
task.segment [0, 1, 2] counters 3 {
  task.core 0 {
    %x = task.buffer 64 at 0
    %k = task.buffer 64 at 64 multicast 0
    %w = task.buffer 64 at 128
    %v = task.buffer 64 at 192 multicast 1
    %a0 = task.fetch %x from 3 at 0 rows [] by [] of 64 {launch = 0 : i32}
    %c0 = task.compute @neg(%x, %x) after %a0 {launch = 0 : i32}
    %s0 = task.store %x to 4 at 0 rows [] by [] of 64 after %c0 {launch = 0 : i32, signals = array<i32: 0>}
    %a1 = task.multicast 0 from 5 at 0 rows [] by [] of 64 {launch = 1 : i32, signals = array<i32: 1>}
    %c1 = task.compute @neg(%k, %k) after %a1 {launch = 1 : i32}
    %a2 = task.fetch %w from 6 at 0 rows [] by [] of 64 {launch = 2 : i32}
    %m2 = task.multicast 1 from 4 at 0 rows [] by [] of 64 {launch = 2 : i32, awaits = array<i32: 0, 1>, signals = array<i32: 2>}
    %c2 = task.compute @add(%w, %v, %w) after %a2, %m2 {launch = 2 : i32}
  }
  task.core 1 {
    %k = task.buffer 64 at 0 multicast 0
    %v = task.buffer 64 at 64 multicast 1
    %c1 = task.compute @neg(%k, %k) {launch = 1 : i32, awaits = array<i32: 1, 1>}
    %c2 = task.compute @neg(%v, %v) {launch = 2 : i32, awaits = array<i32: 2, 1>}
  }
}

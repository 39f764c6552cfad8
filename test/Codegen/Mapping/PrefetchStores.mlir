// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-prefetch)' | FileCheck %s

// Launch 1 waits for what launch 0 stores. The copy to both cores for launch 2 passes the
// computation of launch 1, but not that store: all of launch 1 would wait for the copy. It
// passes the store of launch 1, as what waits for that needs the copy too.
// CHECK: task.core 0 {
// CHECK: task.store {{.*}} to 1 at 0
// CHECK-NEXT: task.multicast 0 from 3
// CHECK-NEXT: task.fetch {{.*}} from 1
// CHECK-NEXT: task.compute
// CHECK-NEXT: task.store {{.*}} to 2 at 0
task.segment [0, 1, 2] counters 3 {
  task.core 0 {
    %x0 = task.buffer 64 at 0
    %y0 = task.buffer 64 at 64
    %z0 = task.buffer 64 at 128
    %w0 = task.buffer 64 at 192 multicast 0
    %v0 = task.buffer 64 at 256
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 64 {launch = 0 : i32}
    %c0 = task.compute @neg(%x0, %y0) after %a0 {launch = 0 : i32}
    %s0 = task.store %y0 to 1 at 0 rows [] by [] of 64 after %c0 {launch = 0 : i32, signals = array<i32: 0>}
    %a1 = task.fetch %x0 from 1 at 0 rows [] by [] of 64 after %c0 {launch = 1 : i32, awaits = array<i32: 0, 1>}
    %c1 = task.compute @neg(%x0, %z0) after %a1 {launch = 1 : i32}
    %s1 = task.store %z0 to 2 at 0 rows [] by [] of 64 after %c1 {launch = 1 : i32, signals = array<i32: 1>}
    %m2 = task.multicast 0 from 3 at 0 rows [] by [] of 64 {launch = 2 : i32, signals = array<i32: 2>}
    %c2 = task.compute @neg(%w0, %v0) after %m2 {launch = 2 : i32}
    %s2 = task.store %v0 to 4 at 0 rows [] by [] of 64 after %c2 {launch = 2 : i32}
  }
  task.core 1 {
    %w0 = task.buffer 64 at 192 multicast 0
    %v0 = task.buffer 64 at 256
    %c2 = task.compute @neg(%w0, %v0) {launch = 2 : i32, awaits = array<i32: 2, 1>}
    %s2 = task.store %v0 to 4 at 64 rows [] by [] of 64 after %c2 {launch = 2 : i32}
  }
}

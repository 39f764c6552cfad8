// RUN: sed 's/"name": "four-cores"/"name": "four-cores-multicast"/; s/"signal_energy"/"multicast": true, "signal_energy"/' %S/Inputs/four-cores.json > %t.json
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-multicast{machine=%t.json})' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-multicast{machine=%S/Inputs/four-cores.json})' | FileCheck %s --check-prefix=NONE
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-multicast{machine=%t.json},task-plan{machine=%t.json},task-prefetch)' | FileCheck %s --check-prefix=PLAN

// Three cores fetch the same bytes of buffer 0 for their first tile: the first of them does
// so for all, and two for the second one, for which it is the other's turn. What cores fetch
// alone, and for tiles of other numbers, stays.
// CHECK: task.segment [0, 1] counters 3 {
// CHECK: task.core 0 {
// CHECK: %[[X:.*]] = task.buffer 2048 multicast 0
// CHECK: %[[M:.*]] = task.multicast 0 from 0 at 0 rows [] by [] of 2048 {awaits = array<i32: 0, 1>, launch = 1 : i32, signals = array<i32: 1>}
// CHECK: task.compute @neg(%[[X]], {{.*}}) after %[[M]]
// CHECK: task.buffer 2048 multicast 1
// CHECK-NOT: task.multicast
// CHECK: task.compute {{.*}} {awaits = array<i32: 2, 1>, launch = 1 : i32}
// CHECK: task.core 1 {
// CHECK: task.buffer 2048 multicast 0
// CHECK-NOT: task.fetch
// CHECK: task.compute {{.*}} {awaits = array<i32: 1, 1>, launch = 1 : i32}
// CHECK: task.multicast 1 from 0 at 2048 {{.*}}signals = array<i32: 2>
// CHECK: task.core 2 {
// CHECK: task.compute {{.*}} {awaits = array<i32: 1, 1>, launch = 1 : i32}
// CHECK: task.fetch {{.*}} from 0 at 4096
// CHECK: task.fetch {{.*}} from 0 at 2048
// NONE-NOT: task.multicast

// In 4 KiB, the memory of the first tile's operand is that of the second's: the multicast
// waits for the computation of its own core, and by a counter for that of the other one.
// PLAN: task.segment [0, 1] counters 4 {
// PLAN: task.core 0 {
// PLAN: task.buffer 2048 at 0 multicast 0
// PLAN: task.compute {{.*}} {launch = 1 : i32, signals = array<i32: 3>}
// PLAN: task.core 1 {
// PLAN: task.buffer 2048 at 0 multicast 0
// PLAN: %[[C:.*]] = task.compute
// PLAN: task.multicast 1 from 0 at 2048 rows [] by [] of 2048 after %[[C]] {awaits = array<i32: 3, 1>, launch = 1 : i32, signals = array<i32: 2>}
// PLAN: task.store
func.func private @neg(%x: tensor<512xf32>) -> tensor<256xf32> {
  %y = repro.kernel "neg" (%a = %x : tensor<512xf32>) -> (tensor<256xf32>) {
    %s = repro.slice %a start [0] limit [256] stride [1] : tensor<512xf32> to tensor<256xf32>
    repro.yield %s : tensor<256xf32>
  }
  return %y : tensor<256xf32>
}
task.segment [0, 1] counters 1 {
  task.core 0 {
    %x0 = task.buffer 2048
    %y0 = task.buffer 1024
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 2048 {launch = 1 : i32, awaits = array<i32: 0, 1>}
    %c0 = task.compute @neg(%x0, %y0) after %a0 {launch = 1 : i32}
    %s0 = task.store %y0 to 1 at 0 rows [] by [] of 1024 after %c0 {launch = 1 : i32}
    %x1 = task.buffer 2048
    %y1 = task.buffer 1024
    %a1 = task.fetch %x1 from 0 at 2048 rows [] by [] of 2048 after %a0 {launch = 1 : i32}
    %c1 = task.compute @neg(%x1, %y1) after %a1 {launch = 1 : i32}
  }
  task.core 1 {
    %x0 = task.buffer 2048
    %y0 = task.buffer 1024
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 2048 {launch = 1 : i32, awaits = array<i32: 0, 1>}
    %c0 = task.compute @neg(%x0, %y0) after %a0 {launch = 1 : i32}
    %s0 = task.store %y0 to 1 at 0 rows [] by [] of 1024 after %c0 {launch = 1 : i32}
    %x1 = task.buffer 2048
    %y1 = task.buffer 1024
    %a1 = task.fetch %x1 from 0 at 2048 rows [] by [] of 2048 {launch = 1 : i32}
    %c1 = task.compute @neg(%x1, %y1) after %a1 {launch = 1 : i32}
  }
  task.core 2 {
    %x0 = task.buffer 2048
    %y0 = task.buffer 1024
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 2048 {launch = 1 : i32, awaits = array<i32: 0, 1>}
    %c0 = task.compute @neg(%x0, %y0) after %a0 {launch = 1 : i32}
    %x1 = task.buffer 2048
    %y1 = task.buffer 1024
    %a1 = task.fetch %x1 from 0 at 4096 rows [] by [] of 2048 {launch = 1 : i32}
    %c1 = task.compute @neg(%x1, %y1) after %a1 {launch = 1 : i32}
    %x2 = task.buffer 2048
    %y2 = task.buffer 1024
    %a2 = task.fetch %x2 from 0 at 2048 rows [] by [] of 2048 {launch = 1 : i32}
    %c2 = task.compute @neg(%x2, %y2) after %a2 {launch = 1 : i32}
  }
  task.core 3 {
    %x0 = task.buffer 1024
    %s0 = task.store %x0 to 0 at 0 rows [] by [] of 1024 {launch = 0 : i32, signals = array<i32: 0>}
  }
}

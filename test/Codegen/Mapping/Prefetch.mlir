// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-prefetch)' | FileCheck %s
// RUN: sed 's/"name": "engine",/"name": "engine", "channels": {"value": 2, "unit": "channels", "source": "test"},/' %S/Inputs/four-cores.json > %t.json
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-prefetch{machine=%t.json})' | FileCheck %s --check-prefix=CHANNELS

// The fetch of the second tile passes the store of the first, which waits for its
// computation. That of the third needs memory that the first one's computation uses, and
// what awaits a counter stays where it is.
// CHECK: task.core 0 {
// CHECK: %[[A0:.*]] = task.fetch {{.*}} at 0 rows
// CHECK-NEXT: task.fetch {{.*}} at 64 rows
// CHECK-NEXT: %[[C0:.*]] = task.compute {{.*}} after %[[A0]]
// CHECK-NEXT: task.fetch {{.*}} at 128 rows [] by [] of 64 after %[[C0]]
// CHECK-NEXT: task.store {{.*}} to 1 at 0
// CHECK: %[[W:.*]] = task.fetch {{.*}} from 2 at 0 rows [] by [] of 64 {awaits
// CHECK-NEXT: task.fetch {{.*}} from 2 at 64 rows [] by [] of 64 after %[[W]]
// Where the engine has a second channel, what awaits no counter takes it.
// CHANNELS-COUNT-3: task.fetch {{.*}}channel = 1 : i32
// CHANNELS: task.store
// CHANNELS-NOT: channel
// CHANNELS: task.fetch {{.*}} from 2 at 0 rows [] by [] of 64 {awaits
// CHANNELS: task.fetch {{.*}} from 2 at 64 rows {{.*}}channel = 1 : i32
task.segment [0, 1] counters 1 {
  task.core 0 {
    %x0 = task.buffer 64 at 0
    %y0 = task.buffer 64 at 64
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 64 {launch = 0 : i32}
    %c0 = task.compute @neg(%x0, %y0) after %a0 {launch = 0 : i32}
    %s0 = task.store %y0 to 1 at 0 rows [] by [] of 64 after %c0 {launch = 0 : i32}
    %x1 = task.buffer 64 at 128
    %y1 = task.buffer 64 at 192
    %a1 = task.fetch %x1 from 0 at 64 rows [] by [] of 64 {launch = 0 : i32}
    %c1 = task.compute @neg(%x1, %y1) after %a1 {launch = 0 : i32}
    %s1 = task.store %y1 to 1 at 64 rows [] by [] of 64 after %c1 {launch = 0 : i32}
    %x2 = task.buffer 64 at 0
    %y2 = task.buffer 64 at 256
    %a2 = task.fetch %x2 from 0 at 128 rows [] by [] of 64 after %c0 {launch = 0 : i32}
    %c2 = task.compute @neg(%x2, %y2) after %a2 {launch = 0 : i32}
    %s2 = task.store %y2 to 1 at 128 rows [] by [] of 64 after %c2 {launch = 0 : i32}
    %x3 = task.buffer 64 at 320
    %a3 = task.fetch %x3 from 2 at 0 rows [] by [] of 64 {launch = 1 : i32, awaits = array<i32: 0, 3>}
    %x4 = task.buffer 64 at 384
    %a4 = task.fetch %x4 from 2 at 64 rows [] by [] of 64 after %a3 {launch = 1 : i32}
  }
}

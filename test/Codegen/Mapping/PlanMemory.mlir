// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(task-plan{machine=%S/Inputs/four-cores.json})' | FileCheck %s

func.func private @neg(%x: tensor<256xf32>) -> tensor<256xf32> {
  %y = repro.kernel "neg" (%a = %x : tensor<256xf32>) -> (tensor<256xf32>) {
    %n = repro.neg %a : tensor<256xf32>
    repro.yield %n : tensor<256xf32>
  }
  return %y : tensor<256xf32>
}

// Four buffers of 1,024 bytes fill the memory of 4 KiB. The next two get that of the
// first tile, which its store and its computation must have left.
// CHECK: task.core 2 {
// CHECK: task.buffer 1024 at 0
// CHECK: task.buffer 1024 at 1024
// CHECK: %[[A0:.*]] = task.fetch
// CHECK: %[[C0:.*]] = task.compute {{.*}} after %[[A0]] {launch = 0 : i32}
// CHECK: %[[S0:.*]] = task.store {{.*}} after %[[C0]] {launch = 0 : i32}
// CHECK: task.buffer 1024 at 2048
// CHECK: task.buffer 1024 at 3072
// CHECK: task.buffer 1024 at 0
// CHECK: task.buffer 1024 at 1024
// CHECK: %[[A2:.*]] = task.fetch {{.*}} after %[[C0]] {launch = 0 : i32}
// CHECK: task.compute {{.*}} after %[[A2]], %[[S0]] {launch = 0 : i32}
task.segment [0] counters 0 {
  task.core 2 {
    %x0 = task.buffer 1024
    %y0 = task.buffer 1024
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 1024 {launch = 0 : i32}
    %c0 = task.compute @neg(%x0, %y0) after %a0 {launch = 0 : i32}
    %s0 = task.store %y0 to 1 at 0 rows [] by [] of 1024 after %c0 {launch = 0 : i32}
    %x1 = task.buffer 1024
    %y1 = task.buffer 1024
    %a1 = task.fetch %x1 from 0 at 1024 rows [] by [] of 1024 {launch = 0 : i32}
    %c1 = task.compute @neg(%x1, %y1) after %a1 {launch = 0 : i32}
    %s1 = task.store %y1 to 1 at 1024 rows [] by [] of 1024 after %c1 {launch = 0 : i32}
    %x2 = task.buffer 1024
    %y2 = task.buffer 1024
    %a2 = task.fetch %x2 from 0 at 2048 rows [] by [] of 1024 {launch = 0 : i32}
    %c2 = task.compute @neg(%x2, %y2) after %a2 {launch = 0 : i32}
    %s2 = task.store %y2 to 1 at 2048 rows [] by [] of 1024 after %c2 {launch = 0 : i32}
  }
}

// -----

func.func private @add(%x: tensor<320xf32>, %k: tensor<256xf32>, %y: tensor<64xf32>) -> tensor<64xf32>

// What two tiles read lies at the end: in the middle it would leave no room for what the
// second one reads besides.
// CHECK: task.core 0 {
// CHECK: task.buffer 1024 at 0
// CHECK: task.buffer 1024 at 3072
// CHECK: task.buffer 2560 at 0
task.segment [0] counters 0 {
  task.core 0 {
    %x0 = task.buffer 1024
    %k = task.buffer 1024
    %a0 = task.fetch %x0 from 0 at 0 rows [] by [] of 1024 {launch = 0 : i32}
    %b = task.fetch %k from 1 at 0 rows [] by [] of 1024 {launch = 0 : i32}
    %c0 = task.compute @add(%x0, %k) after %a0, %b {launch = 0 : i32}
    %x1 = task.buffer 2560
    %a1 = task.fetch %x1 from 0 at 1024 rows [] by [] of 2560 {launch = 0 : i32}
    %c1 = task.compute @add(%x1, %k) after %a1, %b {launch = 0 : i32}
  }
}

// -----

task.segment [0] counters 0 {
  task.core 1 {
    %x = task.buffer 3072
    %y = task.buffer 2048
    // expected-error @below {{of core 1: buffers of 5120 bytes do not fit beside 0 bytes in use of 4096}}
    %a = task.fetch %x from 0 at 0 rows [] by [] of 3072 {launch = 0 : i32}
    %c = task.compute @neg(%x, %y) after %a {launch = 0 : i32}
  }
}

// -----

task.segment [0] counters 0 {
  // expected-error @below {{is core 4 of four-cores, which has 4}}
  task.core 4 {
  }
}

// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule,task-keep-weights{machine=spinnaker2-chip tile-memory=50},task-multicast{machine=spinnaker2-chip},task-plan{machine=spinnaker2-chip},task-prefetch{machine=spinnaker2-chip},task-place{machine=spinnaker2-chip},task-route{machine=spinnaker2-chip},task-compact{machine=spinnaker2-chip},task-reduce-waits)' | FileCheck %s
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule,task-keep-weights{machine=spinnaker2-chip tile-memory=93},task-multicast{machine=spinnaker2-chip},task-plan{machine=spinnaker2-chip},task-prefetch{machine=spinnaker2-chip},task-place{machine=spinnaker2-chip},task-route{machine=spinnaker2-chip},task-compact{machine=spinnaker2-chip},task-reduce-waits)' | FileCheck %s --check-prefix=FEW
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(task-schedule,task-keep-weights{machine=spinnaker2-chip tile-memory=93 all})' 2>&1 | FileCheck %s --check-prefix=ALL

// Weights lie at the beginning of a core's memory: those that repetitions have, one after the
// other, and after them those of a later segment. What layers compute does not stay, and
// neither does an input that is no weight. Buffers lie behind them.
// CHECK: module attributes {{.*}}task.weights = array<i32:
// CHECK: task.segment [0, 1] counters 1 buffers
// CHECK: task.core 4 {
// CHECK-DAG: %[[V:.*]] = task.resident from 2 at 0 rows [] by [] of 1024 to 3072 step 1024 {launch = 1 : i32, path = array<i32
// CHECK-DAG: %[[W:.*]] = task.resident from 1 at 0 rows [] by [] of 1024 to 0 step 1024 {launch = 0 : i32, path = array<i32
// CHECK-NOT: at 1024 {
// CHECK: task.buffer 1024 at 6144
// CHECK-NOT: task.fetch %{{.*}} from {{[12]}} at
// CHECK: task.compute @add{{[^(]*}}(%{{.*}}, %[[W]], %{{.*}})
// CHECK-NOT: task.fetch %{{.*}} from {{[12]}} at
// CHECK: task.compute @mul{{[^(]*}}(%{{.*}}, %[[V]], %{{.*}})
// CHECK: task.core 5 {
// CHECK: task.buffer 1024 at 7168
// CHECK: task.segment [6]
// CHECK: task.core 5 {
// CHECK: task.resident from {{[0-9]+}} at 0 rows [] by [] of 1024 to 6144 {launch = 6
// CHECK: task.buffer 1024 at 7168
// CHECK: task.core 6 {
// CHECK-NEXT: task.resident from {{[0-9]+}} at 1024 rows [] by [] of 1024 to 0 {launch = 6
// CHECK-NEXT: task.buffer

// With room for 6,912 bytes, two weights of three repetitions stay in core 5, and not that
// of the later segment.
// FEW: task.segment [6]
// FEW: task.core 5 {
// FEW-NOT: task.resident
// FEW: task.core 6 {
// FEW: task.resident

// ALL: weights of 1024 bytes have no room in the memories of spinnaker2-chip's cores: core 5 lacks 1024 of them, since it has 98304, of which 91422 are for tiles
func.func @main(%x0: tensor<8x64xf32>, %w0: tensor<8x64xf32> {gensyn.role = "parameter"}, %v0: tensor<8x64xf32> {gensyn.role = "parameter"}, %w1: tensor<8x64xf32> {gensyn.role = "parameter"}, %v1: tensor<8x64xf32> {gensyn.role = "parameter"}, %w2: tensor<8x64xf32> {gensyn.role = "parameter"}, %v2: tensor<8x64xf32> {gensyn.role = "parameter"}, %u: tensor<8x64xf32> {gensyn.role = "parameter"}, %z: tensor<8x64xf32> {gensyn.role = "input"}) -> tensor<8x64xf32> {
  %t0 = repro.kernel "k0_add" (%a = %x0 : tensor<8x64xf32>, %b = %w0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 0>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x1 = repro.kernel "k1_mul" (%a = %t0 : tensor<8x64xf32>, %b = %v0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 0>} {
    %s = repro.mul %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t1 = repro.kernel "k2_add" (%a = %x1 : tensor<8x64xf32>, %b = %w1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 1>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x2 = repro.kernel "k3_mul" (%a = %t1 : tensor<8x64xf32>, %b = %v1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 1>} {
    %s = repro.mul %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t2 = repro.kernel "k4_add" (%a = %x2 : tensor<8x64xf32>, %b = %w2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 2>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x3 = repro.kernel "k5_mul" (%a = %t2 : tensor<8x64xf32>, %b = %v2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 2>} {
    %s = repro.mul %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %y = repro.kernel "k6_sub" (%a = %x3 : tensor<8x64xf32>, %b = %u : tensor<8x64xf32>, %c = %z : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 5, 6>} {
    %d = repro.sub %a, %b : tensor<8x64xf32>
    %s = repro.add %c, %d : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}

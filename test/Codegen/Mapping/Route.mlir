// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-route{machine=%S/Inputs/four-cores.json})' | FileCheck %s
// RUN: not gensyn-opt %S/Prefetch.mlir --pass-pipeline='builtin.module(task-route{machine=%S/Inputs/four-cores.json})' 2>&1 | FileCheck %s --check-prefix=FIRST

// FIRST: has no 'task.memories': task-place sets it

// The memory is beside core 0, and core 2 two links away; links of the two directions
// differ.
// CHECK: task.core 0 {
// CHECK: task.fetch {{.*}}path = array<i32>
// CHECK: task.core 2 {
// CHECK: task.fetch {{.*}}path = array<i32: [[A:[0-9]+]], [[B:[0-9]+]]>
// CHECK-NOT: path = array<i32: [[A]], [[B]]>
// CHECK: task.store {{.*}}path = array<i32: {{[0-9]+, [0-9]+}}>
module attributes {task.memories = array<i32: 1, 1>} {
task.segment [0] counters 0 {
  task.core 0 {
    %x = task.buffer 64 at 0
    %a = task.fetch %x from 0 at 0 rows [] by [] of 64 {launch = 0 : i32}
  }
  task.core 2 {
    %x = task.buffer 64 at 0
    %a = task.fetch %x from 0 at 0 rows [] by [] of 64 {launch = 0 : i32}
    %b = task.store %x to 1 at 0 rows [] by [] of 64 after %a {launch = 0 : i32}
  }
}
}

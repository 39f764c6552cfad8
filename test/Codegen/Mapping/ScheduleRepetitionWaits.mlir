// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule)' | FileCheck %s

// In the second layer the exponentials lie where what the scan reads did, so that they wait
// for it. In the first one the scan reads an input, but the tasks are the same.
// CHECK: task.segment [0, 1, 2] counters {{[0-9]+}} buffers
// CHECK: task.core 4 {
// CHECK: task.store {{.*}}signals = array<i32: [[SCAN:[0-9]+]]>
// CHECK: task.core 5 {
// CHECK: task.store {{.*}}awaits = array<i32: [[SCAN]], 1>
func.func @main(%x0: tensor<8x64xf32>, %w0: tensor<8x64xf32>, %w1: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %t0 = repro.kernel "k0_scan" (%a = %x0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 4>, task.repetition = array<i32: 0, 0>} {
    %s = repro.scan sum %a dim 1 order sequential : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %u0 = repro.kernel "k1_exp" (%a = %w0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 5>, task.repetition = array<i32: 0, 0>} {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x1 = repro.kernel "k2_add" (%a = %t0 : tensor<8x64xf32>, %b = %u0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 6>, task.repetition = array<i32: 0, 0>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t1 = repro.kernel "k3_scan" (%a = %x1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 4>, task.repetition = array<i32: 0, 1>} {
    %s = repro.scan sum %a dim 1 order sequential : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %u1 = repro.kernel "k4_exp" (%a = %w1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 5>, task.repetition = array<i32: 0, 1>} {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x2 = repro.kernel "k5_add" (%a = %t1 : tensor<8x64xf32>, %b = %u1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 6>, task.repetition = array<i32: 0, 1>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %y = repro.kernel "k6_neg" (%a = %x2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 4>} {
    %s = repro.neg %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}

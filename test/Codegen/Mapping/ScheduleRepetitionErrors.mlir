// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(task-schedule)'

func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %v0 = repro.kernel "k0" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 0>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %v1 = repro.kernel "k1" (%a = %v0 : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>} {
    %s = repro.exp %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  // expected-error @below {{'k2' has 'task.repetition' = array<i32: 0, 1>, but does not follow repetition 0}}
  %v2 = repro.kernel "k2" (%a = %v1 : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 1>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %v2 : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %v0 = repro.kernel "k0" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 0>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  // expected-error @below {{'k1' has 'task.repetition' = array<i32: 0, 1>, but its repetition has 2 kernels, and the first one 1}}
  %v1 = repro.kernel "k1" (%a = %v0 : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 1>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %v2 = repro.kernel "k2" (%a = %v1 : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 1>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %v2 : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %v0 = repro.kernel "k0" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 0>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  // expected-error @below {{'k1' has 'task.repetition' = array<i32: 0, 1>, but is not equal to 'k0'}}
  %v1 = repro.kernel "k1" (%a = %v0 : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 1>} {
    %s = repro.exp %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %v1 : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %v0 = repro.kernel "k0" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 0>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %v1 = repro.kernel "k1" (%a = %v0 : tensor<8xf32>, %b = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 0>} {
    %s = repro.add %a, %b : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  // expected-error @below {{'k2' has 'task.repetition' = array<i32: 0, 1>, but its repetition has two buffers in place of one, or one of another size}}
  %v2 = repro.kernel "k2" (%a = %v1 : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 1>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %v3 = repro.kernel "k3" (%a = %v2 : tensor<8xf32>, %b = %w : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: 0>, task.repetition = array<i32: 0, 1>} {
    %s = repro.add %a, %b : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %v3 : tensor<8xf32>
}

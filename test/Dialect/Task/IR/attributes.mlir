// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

// A sum may not be cut within a row.
func.func @softmax(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{'k0_scan': 'task.parts' cuts dimension 1 of 64 indices into 16, which may change bits: it is 'none'}}
  %y = repro.kernel "k0_scan" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 8, 16>} {
    %s = repro.scan sum %a dim 1 order sequential : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}

// -----

func.func @ranks(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{'k0_neg': 'task.tiles' is array<i64: 8>, expected 2 sizes}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.tiles = array<i64: 8>} {
    %s = repro.neg %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}

// -----

func.func @sizes(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'k0_neg': 'task.tiles' has size 0 along dimension 0, expected at least 1}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.tiles = array<i64: 0>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @order(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{has 'task.order' = array<i64: 1, 1>, expected a permutation of 2 dimensions}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.order = array<i64: 1, 1>} {
    %s = repro.neg %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}

// -----

func.func @share(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{has 'task.share' = 0 : i64, expected a positive number}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.share = 0 : i64} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @kinds(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{has 'task.kinds' = array<i32: 0, 1, 1, 0>, expected pairs of a kind of cores and a positive number}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.kinds = array<i32: 0, 1, 1, 0>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @cores(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{has 'task.cores' = array<i32: -1>, expected cores}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.cores = array<i32: -1>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @operands(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{has 'task.in_place' = array<i1: true>, expected one flag for each of 1 operands and 1 results}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.in_place = array<i1: true>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{has 'task.size', which is not known}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.size = 1} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// expected-error @below {{has 'task.parts', which belongs on a kernel}}
func.func @elsewhere() attributes {task.parts = array<i64: 8>} {
  return
}

// -----

// expected-error @below {{has 'task.machine' = 4 : i64, expected a machine, on a module}}
module attributes {task.machine = 4} {
}

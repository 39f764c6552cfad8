// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(task-tile{machine=%S/../Inputs/four-cores.json}))' | FileCheck %s

// What a kernel copies while it computes is in nobody's way where no operand of a later
// kernel waits. Then as many tiles are taken as let a core compute soonest, also three.
// CHECK-LABEL: func.func @last
// CHECK: repro.kernel "k0_exp" {{.*}}task.tiles = array<i64: 80>
func.func @last(%x: tensor<960xf32>) -> tensor<960xf32> {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<960xf32>) -> (tensor<960xf32>) attributes {task.parts = array<i64: 240>} {
    %e = repro.exp %a : tensor<960xf32>
    repro.yield %e : tensor<960xf32>
  }
  return %y : tensor<960xf32>
}

// -----

// A later kernel that reads results alone copies nothing before it runs.
// CHECK-LABEL: func.func @results
// CHECK: repro.kernel "k0_exp" {{.*}}task.tiles = array<i64: 80>
func.func @results(%x: tensor<960xf32>) -> tensor<960xf32> {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<960xf32>) -> (tensor<960xf32>) attributes {task.parts = array<i64: 240>} {
    %e = repro.exp %a : tensor<960xf32>
    repro.yield %e : tensor<960xf32>
  }
  %z = repro.kernel "k1_exp" (%a = %y : tensor<960xf32>) -> (tensor<960xf32>) attributes {task.parts = array<i64: 240>} {
    %e = repro.exp %a : tensor<960xf32>
    repro.yield %e : tensor<960xf32>
  }
  return %z : tensor<960xf32>
}

// -----

// The operand of this one does.
// CHECK-LABEL: func.func @operands
// CHECK: repro.kernel "k0_exp" {{.*}}task.tiles = array<i64: 120>
func.func @operands(%x: tensor<960xf32>, %w: tensor<960xf32>) -> tensor<960xf32> {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<960xf32>) -> (tensor<960xf32>) attributes {task.parts = array<i64: 240>} {
    %e = repro.exp %a : tensor<960xf32>
    repro.yield %e : tensor<960xf32>
  }
  %z = repro.kernel "k1_add" (%a = %y : tensor<960xf32>, %b = %w : tensor<960xf32>) -> (tensor<960xf32>) attributes {task.parts = array<i64: 240>} {
    %s = repro.add %a, %b : tensor<960xf32>
    repro.yield %s : tensor<960xf32>
  }
  return %z : tensor<960xf32>
}

// -----

// CHECK-LABEL: func.func @alone
// CHECK: repro.kernel "k0_neg" {{.*}}task.tiles = array<i64: 120>
func.func @alone(%x: tensor<240xf32>) -> tensor<240xf32> {
  %y = repro.kernel "k0_neg" (%a = %x : tensor<240xf32>) -> (tensor<240xf32>) attributes {task.parts = array<i64: 240>} {
    %n = repro.neg %a : tensor<240xf32>
    repro.yield %n : tensor<240xf32>
  }
  return %y : tensor<240xf32>
}

// -----

// The same on two cores for two kernels at the same time: nothing waits for the copies of
// either, which take longer.
// CHECK-LABEL: func.func @beside
// CHECK: repro.kernel "k0_neg" {{.*}}task.tiles = array<i64: 80>
// CHECK: repro.kernel "k1_neg" {{.*}}task.tiles = array<i64: 80>
func.func @beside(%x: tensor<240xf32>, %w: tensor<240xf32>) -> (tensor<240xf32>, tensor<240xf32>) {
  %y = repro.kernel "k0_neg" (%a = %x : tensor<240xf32>) -> (tensor<240xf32>) attributes {task.parts = array<i64: 240>, task.share = 2 : i64} {
    %n = repro.neg %a : tensor<240xf32>
    repro.yield %n : tensor<240xf32>
  }
  %z = repro.kernel "k1_neg" (%a = %w : tensor<240xf32>) -> (tensor<240xf32>) attributes {task.parts = array<i64: 240>, task.share = 2 : i64} {
    %n = repro.neg %a : tensor<240xf32>
    repro.yield %n : tensor<240xf32>
  }
  return %y, %z : tensor<240xf32>, tensor<240xf32>
}

// -----

// Equal kernels stay equal, since blocks that repeat are mapped once.
// CHECK-LABEL: func.func @equal
// CHECK: repro.kernel "k0_neg" {{.*}}task.tiles = array<i64: [[SIZE:[0-9]+]]>
// CHECK: repro.kernel "k1_neg" {{.*}}task.tiles = array<i64: [[SIZE]]>
func.func @equal(%x: tensor<240xf32>, %w: tensor<240xf32>) -> (tensor<240xf32>, tensor<240xf32>) {
  %y = repro.kernel "k0_neg" (%a = %x : tensor<240xf32>) -> (tensor<240xf32>) attributes {task.parts = array<i64: 240>} {
    %n = repro.neg %a : tensor<240xf32>
    repro.yield %n : tensor<240xf32>
  }
  %z = repro.kernel "k1_neg" (%a = %w : tensor<240xf32>) -> (tensor<240xf32>) attributes {task.parts = array<i64: 240>} {
    %n = repro.neg %a : tensor<240xf32>
    repro.yield %n : tensor<240xf32>
  }
  return %y, %z : tensor<240xf32>, tensor<240xf32>
}

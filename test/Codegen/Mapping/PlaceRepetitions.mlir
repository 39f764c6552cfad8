// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-place{machine=xr-soc})' | FileCheck %s

// Both weights together do not fit into the nearest memory, so neither is there, since one
// is in the other's place. %v, which is as large, has it for itself.
// CHECK: module attributes {task.memories = array<i32: [[NEAR:[0-9]+]], [[FAR:[0-9]+]], [[FAR]], [[NEAR]], [[NEAR]]>}
module {
  func.func @main(%x: tensor<4xf32> {gensyn.role = "input"}, %w0: tensor<1024x320xf32> {gensyn.role = "parameter"}, %w1: tensor<1024x320xf32> {gensyn.role = "parameter"}, %v: tensor<1024x320xf32> {gensyn.role = "parameter"}) -> tensor<4xf32> {
    %y = repro.kernel "k0_neg" (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
      %s = repro.neg %a : tensor<4xf32>
      repro.yield %s : tensor<4xf32>
    }
    return %y : tensor<4xf32>
  }
  task.segment [0] counters 0 buffers [1] repetitions [#task.repetition<[1] with [2]>] {
  }
}

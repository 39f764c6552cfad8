// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(task-place{machine=stm32l4})' 2>&1 | FileCheck %s

// The flash has room for the input, but each run writes it.
// CHECK: error: the program needs 1600004 bytes of shared memory, of which it writes 1600004, and stm32l4 has {{[0-9]+}}, of which {{[0-9]+}} can be written
module {
  func.func @main(%x: tensor<400000xf32> {gensyn.role = "input"}) -> tensor<f32> {
    %y = repro.kernel "k0_reduce" (%a = %x : tensor<400000xf32>) -> (tensor<f32>) {
      %m = repro.reduce max %a domain <[400000], reduce [0]>
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<400000xf32> -> tensor<f32>
      repro.yield %m : tensor<f32>
    }
    return %y : tensor<f32>
  }
}

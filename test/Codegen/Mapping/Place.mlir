// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-place{machine=stm32l4})' | FileCheck %s
// RUN: sed 's/"value": 1, "unit": "GiB"/"value": 16, "unit": "KiB"/' %S/Inputs/four-cores.json > %t.json
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(task-place{machine=%t.json})' 2>&1 | FileCheck %s --check-prefix=SMALL

// Of the microcontroller's memories the first has room for the input and for the result.
// The weights, which no run writes, lie in its flash.
// CHECK: module attributes {task.memories = array<i32: [[RAM:[0-9]+]], [[FLASH:[0-9]+]], [[RAM]]>}
// SMALL: error: the program needs 528896 bytes of shared memory, and four-cores has 16384
module {
  func.func @main(%x: tensor<1x1024xf32> {gensyn.role = "input"}, %w: tensor<1024x128xf32> {gensyn.role = "parameter"}) -> tensor<1x128xf32> {
    %y = repro.kernel "k0_contract" (%a = %x : tensor<1x1024xf32>, %b = %w : tensor<1024x128xf32>) -> (tensor<1x128xf32>) {
      %c = repro.contract %a, %b domain <[1, 128, 1024], reduce [2]>
          maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
          bounds [in, in] order sequential : tensor<1x1024xf32>, tensor<1024x128xf32> -> tensor<1x128xf32>
      repro.yield %c : tensor<1x128xf32>
    }
    return %y : tensor<1x128xf32>
  }
}

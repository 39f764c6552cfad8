// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-split-sums{machine=spinnaker2-board}))' | FileCheck %s
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-split-sums{machine=%S/Inputs/four-cores.json}))' | FileCheck %s --check-prefix=FOUR
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-split-sums{machine=%S/Inputs/four-cores.json always=true}))' | FileCheck %s --check-prefix=ALWAYS

// 256 columns are fewer than the 7,139 cores of a board. The order of the sum has four
// blocks, which other cores sum. What computes operands goes with them, what follows the
// sum with the join. Four cores have enough to do.
// CHECK-LABEL: func.func @columns
// CHECK: %[[P0:.*]] = repro.kernel "k0_contract_part0" (%{{.*}} = %arg0 : tensor<1x4096xf32>, %{{.*}} = %arg1 : tensor<256x4096xf32>) {{.*}}task.share = 4 : i64
// CHECK: repro.exp
// CHECK: repro.slice {{.*}} start [0, 0] limit [1, 1024]
// CHECK: repro.contract {{.*}} domain <[1, 256, 1024], reduce [2]> {{.*}} order sequential
// CHECK: repro.kernel "k0_contract_part3"
// CHECK: repro.slice {{.*}} start [0, 3072] limit [1, 4096]
// CHECK: %[[Y:.*]] = repro.kernel "k0_contract_join" (%{{.*}} = %[[P0]] : tensor<1x256xf32>, {{.*}} = %arg2 : tensor<256xf32>)
// CHECK: repro.reduce sum {{.*}} domain <[4, 1, 256], reduce [0]> {{.*}} order sequential
// CHECK: repro.add
// CHECK: return %[[Y]]
// FOUR-LABEL: func.func @columns
// FOUR: repro.kernel "k0_contract" (
// ALWAYS-LABEL: func.func @columns
// ALWAYS: repro.kernel "k0_contract_part3"
func.func @columns(%x: tensor<1x4096xf32>, %w: tensor<256x4096xf32>, %b: tensor<256xf32>) -> tensor<1x256xf32> {
  %y = repro.kernel "k0_contract" (%a = %x : tensor<1x4096xf32>, %k = %w : tensor<256x4096xf32>, %d = %b : tensor<256xf32>) -> (tensor<1x256xf32>) {
    %e = repro.exp %a : tensor<1x4096xf32>
    %c = repro.contract %e, %k domain <[1, 256, 4096], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order blocked<1024, sequential, sequential> : tensor<1x4096xf32>, tensor<256x4096xf32> -> tensor<1x256xf32>
    %f = repro.broadcast %d dims [1] : tensor<256xf32> to tensor<1x256xf32>
    %g = repro.add %c, %f : tensor<1x256xf32>
    repro.yield %g : tensor<1x256xf32>
  }
  return %y : tensor<1x256xf32>
}

// A chain has one order, on however many cores.
// ALWAYS-LABEL: func.func @chain
// ALWAYS: repro.kernel "k0_contract" (
func.func @chain(%x: tensor<1x512xf32>, %w: tensor<4x512xf32>) -> tensor<1x4xf32> {
  %y = repro.kernel "k0_contract" (%a = %x : tensor<1x512xf32>, %k = %w : tensor<4x512xf32>) -> (tensor<1x4xf32>) {
    %c = repro.contract %a, %k domain <[1, 4, 512], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<1x512xf32>, tensor<4x512xf32> -> tensor<1x4xf32>
    repro.yield %c : tensor<1x4xf32>
  }
  return %y : tensor<1x4xf32>
}

// A maximum may be cut anywhere.
// FOUR-LABEL: func.func @maximum
// FOUR: repro.kernel "k0_reduce_part3"
// FOUR: repro.kernel "k0_reduce_join"
func.func @maximum(%x: tensor<1x65536xf32>) -> tensor<1xf32> {
  %y = repro.kernel "k0_reduce" (%a = %x : tensor<1x65536xf32>) -> (tensor<1xf32>) {
    %m = repro.reduce max %a domain <[1, 65536], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<1x65536xf32> -> tensor<1xf32>
    repro.yield %m : tensor<1xf32>
  }
  return %y : tensor<1xf32>
}

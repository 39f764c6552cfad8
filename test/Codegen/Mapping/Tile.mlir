// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(task-tile{machine=%S/Inputs/four-cores.json}))' | FileCheck %s
// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(task-tile{machine=%S/Inputs/four-cores.json fits-twice=false}))' | FileCheck %s --check-prefix=ONCE
// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(task-tile{machine=%S/Inputs/four-cores.json choose-tiles=false}))' | FileCheck %s --check-prefix=FIRST
// RUN: sed 's/"network": {/&"multicast": true,/' %S/Inputs/four-cores.json > %t.multicast.json
// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(task-tile{machine=%t.multicast.json}))' | FileCheck %s --check-prefix=SHARED
// RUN: sed 's/"addressable": true/"addressable": false/' %S/Inputs/four-cores.json > %t.json
// RUN: not gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(task-tile{machine=%t.json}))' 2>&1 | FileCheck %s --check-prefix=COPIES

// Three quarters of 4 KiB for one tile: eight columns of the weights.
// ONCE: repro.kernel "k1_contract" {{.*}}task.tiles = array<i64: 2, 8>

// COPIES: 'k0_gather': the smallest piece needs 4160 bytes in the memory of a core, which has 4096
// COPIES: 'k0_scan': the smallest piece needs 16000 bytes in the memory of a core, which has 4096

// A core has 4 KiB. Two tiles of 2 KiB would be four columns of the weights, which stay
// while two rows at a time pass: by the estimate, and in a simulation, it takes less time to
// copy and compute two tiles of more than 2 KiB in turn. Where one core fetches rows for
// all, they would wait for each other with each tile, so it fetches all rows once. Bytes of
// another kernel wait, so copies beside computing count too.
// CHECK-LABEL: func.func @main
// CHECK: repro.kernel "k0_exp" {{.*}}task.in_place = array<i1: false, false>{{.*}}task.tiles = array<i64: 2, 64>
// CHECK: repro.kernel "k1_contract" {{.*}}task.in_place = array<i1: false, false, false>{{.*}}task.tiles = array<i64: 4, 8>
// SHARED: repro.kernel "k1_contract" {{.*}}task.in_place = array<i1: false, false, false>, task.order = array<i64: 1, 0>, {{.*}}task.tiles = array<i64: 8, 4>
func.func @main(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>, %v: tensor<8xf32>) -> (tensor<8x32xf32>, tensor<8xf32>) {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 2, 64>} {
    %e = repro.exp %a : tensor<8x64xf32>
    repro.yield %e : tensor<8x64xf32>
  }
  %z = repro.kernel "k1_contract" (%a = %y : tensor<8x64xf32>, %b = %w : tensor<64x32xf32>) -> (tensor<8x32xf32>) attributes {task.parts = array<i64: 8, 8>} {
    %c = repro.contract %a, %b domain <[8, 32, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<8x64xf32>, tensor<64x32xf32> -> tensor<8x32xf32>
    repro.yield %c : tensor<8x32xf32>
  }
  %u = repro.kernel "k2_neg" (%a = %v : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.parts = array<i64: 8>} {
    %n = repro.neg %a : tensor<8xf32>
    repro.yield %n : tensor<8xf32>
  }
  return %z, %u : tensor<8x32xf32>, tensor<8xf32>
}

// -----

// Two columns of the weights are small, so two tiles of four rows fit.
// CHECK-LABEL: func.func @narrow
// CHECK: repro.kernel "k0_contract" {{.*}}task.tiles = array<i64: 4, 2>
func.func @narrow(%x: tensor<32x64xf32>, %w: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %y = repro.kernel "k0_contract" (%a = %x : tensor<32x64xf32>, %b = %w : tensor<64x32xf32>) -> (tensor<32x32xf32>) attributes {task.parts = array<i64: 32, 2>} {
    %c = repro.contract %a, %b domain <[32, 32, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<32x64xf32>, tensor<64x32xf32> -> tensor<32x32xf32>
    repro.yield %c : tensor<32x32xf32>
  }
  return %y : tensor<32x32xf32>
}

// -----

// The table of a gather does not fit, and is read where it lies.
// CHECK-LABEL: func.func @table
// CHECK: repro.kernel "k0_gather" {{.*}}task.in_place = array<i1: true, false, false>{{.*}}task.tiles = array<i64: 8, 16>
func.func @table(%t: tensor<1000x16xf32>, %i: tensor<8xi64>) -> tensor<8x16xf32> {
  %y = repro.kernel "k0_gather" (%a = %t : tensor<1000x16xf32>, %b = %i : tensor<8xi64>) -> (tensor<8x16xf32>) attributes {task.parts = array<i64: 8, 16>} {
    %g = repro.gather %a[%b] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds zero : tensor<1000x16xf32>, tensor<8xi64> -> tensor<8x16xf32>
    repro.yield %g : tensor<8x16xf32>
  }
  return %y : tensor<8x16xf32>
}

// -----

// Neither do the rows of a scan, so one core works where they lie.
// CHECK-LABEL: func.func @long_rows
// CHECK: repro.kernel "k0_scan" {{.*}}task.in_place = array<i1: true, true>{{.*}}task.parts = array<i64: 2, 2000>, task.tiles = array<i64: 2, 2000>
func.func @long_rows(%x: tensor<2x2000xf32>) -> tensor<2x2000xf32> {
  %y = repro.kernel "k0_scan" (%a = %x : tensor<2x2000xf32>) -> (tensor<2x2000xf32>) attributes {task.parts = array<i64: 1, 2000>} {
    %s = repro.scan sum %a dim 1 order sequential : tensor<2x2000xf32>
    repro.yield %s : tensor<2x2000xf32>
  }
  return %y : tensor<2x2000xf32>
}

// -----

// Where both halves of an operand meet, a tile reads the end of one and the begin of the
// other, and so all rows in between. Tiles are narrow enough for that one. By the estimate
// single rows are better, of which a core computes one while it fetches the next.
// CHECK-LABEL: func.func @halves
// CHECK: repro.kernel "k0_concat" {{.*}}task.tiles = array<i64: 1, 128>
// FIRST-LABEL: func.func @halves
// FIRST: repro.kernel "k0_concat" {{.*}}task.tiles = array<i64: 5, 16>
func.func @halves(%x: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %y = repro.kernel "k0_concat" (%a = %x : tensor<16x128xf32>) -> (tensor<16x128xf32>) attributes {task.parts = array<i64: 5, 128>} {
    %b = repro.slice %a start [8, 0] limit [16, 128] stride [1, 1] : tensor<16x128xf32> to tensor<8x128xf32>
    %c = repro.slice %a start [0, 0] limit [8, 128] stride [1, 1] : tensor<16x128xf32> to tensor<8x128xf32>
    %d = repro.concat %b, %c dim 0 : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<16x128xf32>
    repro.yield %d : tensor<16x128xf32>
  }
  return %y : tensor<16x128xf32>
}

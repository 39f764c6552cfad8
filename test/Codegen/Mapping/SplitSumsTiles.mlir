// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-split-sums{machine=spinnaker2-board}))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-split-sums{machine=spinnaker2-chip}))' | FileCheck %s --check-prefix=CHIP

// Each core has some of the 128 rows, and computes a sum at once: of rows of 16 KiB only
// one or two are in its memory. Blocks of the sum take about as long, with a quarter of
// the tiles.
// CHECK-LABEL: func.func @prefill
// CHECK: repro.kernel "k0_contract_part3"
// CHECK: repro.kernel "k0_contract_join"
func.func @prefill(%x: tensor<128x4096xf32>, %w: tensor<14336x4096xbf16>) -> tensor<128x14336xf32> {
  %y = repro.kernel "k0_contract" (%a = %x : tensor<128x4096xf32>, %b = %w : tensor<14336x4096xbf16>) -> (tensor<128x14336xf32>) {
    %k = repro.convert %b : tensor<14336x4096xbf16> to tensor<14336x4096xf32>
    %c = repro.contract %a, %k domain <[128, 14336, 4096], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order blocked<1024, sequential, sequential> : tensor<128x4096xf32>, tensor<14336x4096xf32> -> tensor<128x14336xf32>
    repro.yield %c : tensor<128x14336xf32>
  }
  return %y : tensor<128x14336xf32>
}

// The same on one chip: the times alone, which differ by less than a tenth, would not cut it.
// CHIP-LABEL: func.func @chip
// CHIP: repro.kernel "k0_contract_part3"
// CHIP: repro.kernel "k0_contract_join"
func.func @chip(%x: tensor<64x4096xf32>, %w: tensor<1024x4096xbf16>) -> tensor<64x1024xf32> {
  %y = repro.kernel "k0_contract" (%a = %x : tensor<64x4096xf32>, %b = %w : tensor<1024x4096xbf16>) -> (tensor<64x1024xf32>) {
    %k = repro.convert %b : tensor<1024x4096xbf16> to tensor<1024x4096xf32>
    %c = repro.contract %a, %k domain <[64, 1024, 4096], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order blocked<1024, sequential, sequential> : tensor<64x4096xf32>, tensor<1024x4096xf32> -> tensor<64x1024xf32>
    repro.yield %c : tensor<64x1024xf32>
  }
  return %y : tensor<64x1024xf32>
}

// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4+amx | FileCheck %s --check-prefix=TILES
// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4+vnni | FileCheck %s --check-prefix=VECTORS

// Rows of A are copied 64 bytes a time, columns of B four points a time. Four tile
// registers have sums.
// TILES-LABEL: func.func {{.*}}@bytes_micro_32x2
// TILES: llvm.call_intrinsic "llvm.x86.tilezero"
// TILES: llvm.call_intrinsic "llvm.x86.tileloadd64"
// TILES: scf.for
// TILES-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64"
// TILES-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbssd"
// TILES-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"
// TILES-LABEL: func.func {{.*}}@bytes(
// TILES: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// TILES: llvm.call_intrinsic "llvm.x86.tilerelease"

// VECTORS-LABEL: func.func {{.*}}@bytes_micro_8x2
// VECTORS-COUNT-16: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// VECTORS-LABEL: func.func {{.*}}@bytes(
func.func @bytes(%x: tensor<64x96xi8>, %w: tensor<96x64xi8>) -> tensor<64x64xi32> {
  %y = repro.kernel "bytes" (%a = %x : tensor<64x96xi8>, %b = %w : tensor<96x64xi8>) -> (tensor<64x64xi32>) {
    %c = repro.contract %a, %b domain <[64, 64, 96], reduce [2]>
      maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      bounds [in, in] : tensor<64x96xi8>, tensor<96x64xi8> -> tensor<64x64xi32>
    repro.yield %c : tensor<64x64xi32>
  }
  return %y : tensor<64x64xi32>
}

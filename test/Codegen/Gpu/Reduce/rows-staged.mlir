// RUN: gensyn-translate --mlir-to-ptx --sm 90 --plan %t.json %s -o - | FileCheck %s
// RUN: gensyn-translate --mlir-to-ptx --sm 75 --plan %t.json %s -o - | FileCheck %s --check-prefix=AGAIN
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=PLAN
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=75 | FileCheck %s --check-prefix=PLAN75

// Rows too long for registers: see lib/Codegen/Gpu/Reduce/RowLayout.cpp. A row of 50257
// numbers fits into the shared memory of a block of sm_90: 50 blocks of the
// order for 25 warps, in two rounds. No second block fits beside it, so threads
// may have all registers.

// PLAN: llvm.func @vocabulary{{.*}}gensyn.shared = 201888{{.*}}nvvm.minctasm = 1{{.*}}nvvm.reqntid = array<i32: 800, 1, 1>
// PLAN75: llvm.func @vocabulary{{.*}}gensyn.shared = 800{{.*}}nvvm.reqntid = array<i32: 320, 1, 1>

func.func @main(%x: tensor<200x50257xf32>, %z: tensor<4096x1024xf32>) -> (tensor<200x50257xf32>, tensor<4096x1024xf32>) {
  // Global memory is read before the first barrier only, a whole unit and the
  // last one: eight loads are under way at once.
  // CHECK: .extern .shared .align 128 .b8 dynamic_shared[]
  // CHECK-LABEL: .entry div_
  // CHECK-NOT: .local
  // CHECK-COUNT-8: ld.global.nc.b32
  // CHECK: st.shared.b32
  // CHECK: bar.sync
  // CHECK-NOT: ld.global
  // CHECK: ld.shared.b32
  // CHECK: st.shared.b32
  // CHECK: bar.sync
  // CHECK-NOT: ld.global
  // CHECK: ld.shared.b32
  // CHECK: st.global.b32
  // CHECK: ret;

  // It does not fit on sm_75: each of the three walks reads it.
  // AGAIN-LABEL: .entry div_
  // AGAIN: ld.global.nc.b32
  // AGAIN: bar.sync
  // AGAIN: ld.global.nc.b32
  // AGAIN: bar.sync
  // AGAIN: ld.global.nc.b32
  // AGAIN: st.global.b32
  // AGAIN: ret;
  %y = repro.kernel "vocabulary" (%a = %x : tensor<200x50257xf32>) -> tensor<200x50257xf32> {
    %m = repro.reduce max %a domain <[200, 50257], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<200x50257xf32> -> tensor<200xf32>
    %b = repro.broadcast %m dims [0] : tensor<200xf32> to tensor<200x50257xf32>
    %d = repro.sub %a, %b : tensor<200x50257xf32>
    %e = repro.exp %d : tensor<200x50257xf32>
    %s = repro.reduce sum %e domain <[200, 50257], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order blocked<1024, lanes<32>, lanes<32>> : tensor<200x50257xf32> -> tensor<200xf32>
    %t = repro.broadcast %s dims [0] : tensor<200xf32> to tensor<200x50257xf32>
    %r = repro.div %e, %t : tensor<200x50257xf32>
    repro.yield %r : tensor<200x50257xf32>
  }

  // If f64 is slow, an exponential is long: a loop has it four times, and its
  // results are in 16 KiB for four rows. A maximum and the results have no
  // lanes to keep: accesses have 16 bytes there.
  // CHECK-LABEL: .entry div_
  // CHECK-NOT: .shared
  // CHECK: ret;
  // AGAIN-LABEL: .entry div_
  // AGAIN: .shared .align 128 .b8 div_{{[0-9a-f]*}}_shared[16384]
  // AGAIN-NOT: bar.sync
  // AGAIN: ld.global.nc.v4.b32
  // AGAIN: st.shared.v4.b32
  // AGAIN: bar.warp.sync
  // AGAIN-COUNT-4: cvt.rn.f32.f64
  // AGAIN-NOT: cvt.rn.f32.f64
  // AGAIN: bar.warp.sync
  // AGAIN: ld.shared.v4.b32
  // AGAIN: st.global.v4.b32
  // AGAIN: ret;
  %u = repro.kernel "short" (%a = %z : tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
    %m = repro.reduce max %a domain <[4096, 1024], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4096x1024xf32> -> tensor<4096xf32>
    %b = repro.broadcast %m dims [0] : tensor<4096xf32> to tensor<4096x1024xf32>
    %d = repro.sub %a, %b : tensor<4096x1024xf32>
    %e = repro.exp %d : tensor<4096x1024xf32>
    %s = repro.reduce sum %e domain <[4096, 1024], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order lanes<32> : tensor<4096x1024xf32> -> tensor<4096xf32>
    %t = repro.broadcast %s dims [0] : tensor<4096xf32> to tensor<4096x1024xf32>
    %r = repro.div %e, %t : tensor<4096x1024xf32>
    repro.yield %r : tensor<4096x1024xf32>
  }
  return %y, %u : tensor<200x50257xf32>, tensor<4096x1024xf32>
}

// RUN: gensyn-translate --mlir-to-ptx --sm=90 %s | FileCheck %s --check-prefix=ASYNC
// RUN: gensyn-translate --mlir-to-ptx --sm=75 %s | FileCheck %s --check-prefix=REGISTER
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=ENTRY

// A tile of 64x128 results, 16 points at a time in one of two buffers: 16 bytes
// a copy, 16 bytes a read, and 1024 fmas between two barriers. Nothing is
// multiplied or added apart: the one addition is that of +0 (contract_r3).

// ENTRY: llvm.func @product
// ENTRY-SAME: gensyn.grid = array<i64: 512, 1, 1>
// ENTRY-SAME: gensyn.schedule = "contract"
// ENTRY-SAME: gensyn.shared = 24608
// ENTRY-SAME: nvvm.minctasm = 3 : i32
// ENTRY-SAME: nvvm.reqntid = array<i32: 128, 1, 1>

// ASYNC-NOT: mul.f32
// ASYNC-NOT: mul.rn.f32
// ASYNC: cp.async.cg.shared.global {{.*}}, 16;
// ASYNC: cp.async.commit_group;
// ASYNC: cp.async.wait_group {{[[:space:]]*}}0;
// ASYNC: bar.sync {{[[:space:]]*}}0;
// ASYNC: ld.shared.v4.b32
// ASYNC-COUNT-960: fma.rn.f32
// ASYNC: cp.async.wait_group {{[[:space:]]*}}0;
// ASYNC-NEXT: bar.sync {{[[:space:]]*}}0;
// ASYNC-COUNT-64: fma.rn.f32
// ASYNC-NOT: ld.local
// ASYNC: add.rn.f32 {{.*}}, 0f00000000;
// ASYNC: st.global.v4.b32

// REGISTER-NOT: cp.async
// REGISTER: ld.global.nc.v4.b32
// REGISTER: st.shared
// REGISTER: bar.sync {{[[:space:]]*}}0;
// REGISTER: fma.rn.f32
// REGISTER-NOT: mul.rn.f32
// REGISTER: st.global.v4.b32
func.func @main(%a: tensor<2048x512xf32>, %b: tensor<512x2048xf32>) -> tensor<2048x2048xf32> {
  %y = repro.kernel "product" (%x = %a : tensor<2048x512xf32>, %w = %b : tensor<512x2048xf32>) -> tensor<2048x2048xf32> {
    %c = repro.contract %x, %w domain <[2048, 2048, 512], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<2048x512xf32>, tensor<512x2048xf32> -> tensor<2048x2048xf32>
    repro.yield %c : tensor<2048x2048xf32>
  }
  return %y : tensor<2048x2048xf32>
}

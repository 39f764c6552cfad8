// RUN: gensyn-translate --mlir-to-ptx --sm=90 %s | FileCheck %s --check-prefix=ASYNC
// RUN: gensyn-translate --mlir-to-ptx --sm=75 %s | FileCheck %s --check-prefix=REGISTER
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=ENTRY

// ENTRY: llvm.func @points
// ENTRY-SAME: gensyn.grid = array<i64: 256, 1, 1>
// ENTRY-SAME: gensyn.schedule = "contract"
// ENTRY-SAME: nvvm.reqntid = array<i32: 256, 1, 1>

func.func @main(%a: tensor<2048x512xui8>, %b: tensor<4096x512xui8>, %d: tensor<512x4096xi8>, %e: tensor<2048x512xi8>) -> (tensor<2048x4096xui32>, tensor<2048x4096xi32>) {
  // Bytes whose points are contiguous: a warp has 64 x 64 results, of 64 points
  // at a time. 64 instructions multiply what 16 loads bring, between two
  // barriers; each pair of results is one store.
  // ASYNC-LABEL: .entry contract_
  // ASYNC-NOT: mul.lo
  // ASYNC: cp.async.cg.shared.global {{.*}}, 16;
  // ASYNC: cp.async.wait_group {{[[:space:]]*}}1;
  // ASYNC: bar.sync {{[[:space:]]*}}0;
  // ASYNC-COUNT-16: ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // ASYNC-COUNT-32: mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32
  // ASYNC: bar.sync {{[[:space:]]*}}0;
  // ASYNC-COUNT-32: mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32
  // ASYNC-NOT: mma.sync
  // ASYNC: st.global.v2.b32

  // Before sm_80 an instruction has a quarter of that, and 16 bytes go through
  // registers.
  // REGISTER-LABEL: .entry contract_
  // REGISTER-NOT: cp.async
  // REGISTER: ld.global.nc.v4.b32
  // REGISTER: st.shared.v4.b32
  // REGISTER: ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // REGISTER: mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32
  %y = repro.kernel "points" (%x = %a : tensor<2048x512xui8>, %w = %b : tensor<4096x512xui8>) -> tensor<2048x4096xui32> {
    %c = repro.contract %x, %w domain <[2048, 4096, 512], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] : tensor<2048x512xui8>, tensor<4096x512xui8> -> tensor<2048x4096xui32>
    repro.yield %c : tensor<2048x4096xui32>
  }

  // Columns of one operand are contiguous: squares of 4 x 4 bytes are read as
  // words, transposed by 8 instructions and written as words, while the other
  // operand is copied asynchronously.
  // ASYNC-LABEL: .entry contract_
  // ASYNC: cp.async.cg.shared.global {{.*}}, 16;
  // ASYNC-COUNT-4: ld.global.nc.b32
  // ASYNC-COUNT-8: prmt.b32
  // ASYNC-COUNT-4: st.shared.b32
  // ASYNC: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32

  // REGISTER-LABEL: .entry contract_
  // REGISTER-COUNT-8: prmt.b32
  %z = repro.kernel "columns" (%x = %e : tensor<2048x512xi8>, %w = %d : tensor<512x4096xi8>) -> tensor<2048x4096xi32> {
    %c = repro.contract %x, %w domain <[2048, 4096, 512], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] : tensor<2048x512xi8>, tensor<512x4096xi8> -> tensor<2048x4096xi32>
    repro.yield %c : tensor<2048x4096xi32>
  }
  return %y, %z : tensor<2048x4096xui32>, tensor<2048x4096xi32>
}

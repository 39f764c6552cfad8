// RUN: gensyn-translate --mlir-to-ptx --sm 90 --plan %t.json %s -o - | FileCheck %s
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=PLAN

// Updates sorted by their targets: see lib/Codegen/Gpu/Sort/SegmentSort.cpp and
// ScatterSchedule.cpp.

// PLAN: llvm.func @rows_base{{.*}}gensyn.schedule = "scatter"
// PLAN: llvm.func @rows_chunks{{.*}}gensyn.grid = array<i64: 2, 1, 1>
// PLAN: llvm.func @rows_merge0{{.*}}gensyn.grid = array<i64: 16, 1, 1>
// PLAN: llvm.func @rows_segments{{.*}}gensyn.grid = array<i64: 12288, 1, 1>
// PLAN: llvm.func @elements_base
// PLAN: llvm.func @elements_chunks
// PLAN: llvm.func @elements_segments{{.*}}gensyn.grid = array<i64: 8, 1, 1>
// PLAN: llvm.func @single(
// PLAN-SAME: gensyn.grid = array<i64: 150, 1, 1>

func.func @main(%t: tensor<100x768xf32>, %u: tensor<4096x768xf32>, %i: tensor<4096xi64>, %s: tensor<64x32xf32>, %v: tensor<64x16xf32>, %j: tensor<64x16xi64>, %w: tensor<1x768xf32>, %k: tensor<1xi64>) -> (tensor<100x768xf32>, tensor<64x32xf32>, tensor<100x768xf32>) {
  // A block sorts a chunk, in warps as far as that goes; merges need neither
  // shared memory nor a barrier.
  // CHECK-LABEL: .entry scatter_{{[0-9a-f]*}}_chunks
  // CHECK: .reqntid 256
  // CHECK-NOT: {{.local|bar.sync}}
  // CHECK: shfl.sync.bfly.b32
  // CHECK: bar.sync
  // CHECK: ret;
  // CHECK-LABEL: .entry scatter_{{[0-9a-f]*}}_merge0
  // CHECK-NOT: {{bar.sync|.local|.shared}}
  // CHECK: ret;
  // Sixteen updates are read before the first is added; then one at a time.
  // CHECK-LABEL: .entry scatter_{{[0-9a-f]*}}_segments
  // CHECK: .minnctapersm
  // CHECK-NOT: {{bar.sync|.local|atom|red[.]}}
  // CHECK-COUNT-16: ld.global.nc.v2.b32
  // CHECK-NOT: ld.global
  // CHECK-COUNT-32: add.rn.f32
  // CHECK: ld.global.nc.v2.b32
  // CHECK-NOT: ld.global.nc
  // CHECK: st.global.v2.b32
  // CHECK: ret;
  %y = repro.kernel "rows" (%a = %t : tensor<100x768xf32>, %b = %u : tensor<4096x768xf32>, %c = %i : tensor<4096xi64>) -> tensor<100x768xf32> {
    %r = repro.scatter add %a, %b[%c] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>] bounds zero : tensor<100x768xf32>, tensor<4096x768xf32>, tensor<4096xi64>
    repro.yield %r : tensor<100x768xf32>
  }
  // Of a set the last update of an element is read, and nothing else.
  // CHECK-LABEL: .entry scatter_{{[0-9a-f]*}}_segments
  // CHECK-COUNT-1: ld.global.nc.b32
  // CHECK-NOT: ld.global.nc
  // CHECK: st.global.b32
  // CHECK: ret;
  %z = repro.kernel "elements" (%a = %s : tensor<64x32xf32>, %b = %v : tensor<64x16xf32>, %c = %j : tensor<64x16xi64>) -> tensor<64x32xf32> {
    %r = repro.scatter set %a, %b[%c] maps [affine_map<(d0, d1)[s0] -> (d0, s0)>, affine_map<(d0, d1) -> (d0, d1)>] bounds zero : tensor<64x32xf32>, tensor<64x16xf32>, tensor<64x16xi64>
    repro.yield %r : tensor<64x32xf32>
  }
  // One update: base and update in one launch, 16 bytes a thread. If the result is written over the base, the row alone.
  // CHECK-LABEL: .entry scatter_{{[0-9a-f]*}}(
  // CHECK-NOT: {{bar.sync|.local}}
  // CHECK-DAG: setp.eq.b64 [[SAME:%p[0-9]+]], %rd
  // CHECK-DAG: selp.b32 {{.*}}, 19200, [[SAME]]
  // CHECK-DAG: ld.global.v4.b32
  // CHECK-DAG: ld.global.nc.v4.b32
  // CHECK-DAG: st.global.v4.b32
  // CHECK: ret;
  %x = repro.kernel "single" (%a = %t : tensor<100x768xf32>, %b = %w : tensor<1x768xf32>, %c = %k : tensor<1xi64>) -> tensor<100x768xf32> {
    %r = repro.scatter set %a, %b[%c] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>] bounds zero : tensor<100x768xf32>, tensor<1x768xf32>, tensor<1xi64>
    repro.yield %r : tensor<100x768xf32>
  }
  return %y, %z, %x : tensor<100x768xf32>, tensor<64x32xf32>, tensor<100x768xf32>
}

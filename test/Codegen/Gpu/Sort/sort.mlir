// RUN: gensyn-translate --mlir-to-ptx --sm 90 --plan %t.json %s -o - | FileCheck %s
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=PLAN
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=75 | FileCheck %s --check-prefix=SMALL

// Sorts of rows: see lib/Codegen/Gpu/Sort/SortSchedule.cpp.

// 32 rows of 4 threads; a row of 128 threads; one of 1024; 128 threads for 1024
// elements of long rows, of which 50 are kept, and two merges of eight.
// PLAN: llvm.func @short{{.*}}gensyn.grid = array<i64: 32, 1, 1>{{.*}}gensyn.schedule = "sort"
// PLAN: llvm.func @whole{{.*}}gensyn.grid = array<i64: 64, 1, 1>{{.*}}gensyn.schedule = "sort", gensyn.shared = 9216
// PLAN: llvm.func @wide{{.*}}gensyn.grid = array<i64: 256, 1, 1>{{.*}}gensyn.shared = 73728
// PLAN: llvm.func @first_chunks{{.*}}gensyn.grid = array<i64: 400, 1, 1>
// PLAN: llvm.func @first_merge0{{.*}}gensyn.grid = array<i64: 79, 1, 1>
// PLAN: llvm.func @first_merge1{{.*}}gensyn.grid = array<i64: 11, 1, 1>

// Rows that fit in one device's shared memory are merged on another.
// SMALL: llvm.func @wide_chunks
// SMALL: llvm.func @wide_merge0

func.func @main(%s: tensor<1024x32xf32>, %x: tensor<64x1000xf32>, %z: tensor<256x8000xf32>, %l: tensor<8x50257xf32>)
    -> (tensor<1024x32xf32>, tensor<1024x32xi32>, tensor<64x1000xf32>, tensor<64x1000xi32>,
        tensor<256x8000xf32>, tensor<256x8000xi32>, tensor<8x50xf32>, tensor<8x50xi32>) {
  // Groups of a warp need no barrier but the one before rows are written in
  // lines: 4 items a row and thread.
  // CHECK-LABEL: .entry sort_
  // CHECK-NOT: .local
  // CHECK-NOT: bar.sync
  // CHECK: shfl.sync.bfly.b32
  // CHECK-NOT: bar.sync
  // CHECK: st.shared.b64
  // CHECK: bar.sync
  // CHECK-NOT: bar.sync
  // CHECK: st.global.b32
  // CHECK: ret;
  %v0, %p0 = repro.kernel "short" (%a = %s : tensor<1024x32xf32>) -> (tensor<1024x32xf32>, tensor<1024x32xi32>) {
    %v, %p = repro.sort ascending %a dim 1 count 32 : tensor<1024x32xf32> -> tensor<1024x32xf32>, tensor<1024x32xi32>
    repro.yield %v, %p : tensor<1024x32xf32>, tensor<1024x32xi32>
  }
  // Keys are read once, and values by position.
  // CHECK-LABEL: .entry sort_
  // CHECK-NOT: .local
  // CHECK-COUNT-8: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK: shfl.sync.bfly.b32
  // CHECK: bar.sync
  // CHECK: ld.shared.b64
  // CHECK-COUNT-8: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK-COUNT-16: st.global.b32
  // CHECK-NOT: st.global
  // CHECK: ret;
  %v1, %p1 = repro.kernel "whole" (%a = %x : tensor<64x1000xf32>) -> (tensor<64x1000xf32>, tensor<64x1000xi32>) {
    %v, %p = repro.sort descending %a dim 1 count 1000 : tensor<64x1000xf32> -> tensor<64x1000xf32>, tensor<64x1000xi32>
    repro.yield %v, %p : tensor<64x1000xf32>, tensor<64x1000xi32>
  }
  // CHECK-LABEL: .entry sort_
  // CHECK: ret;
  %v2, %p2 = repro.kernel "wide" (%a = %z : tensor<256x8000xf32>) -> (tensor<256x8000xf32>, tensor<256x8000xi32>) {
    %v, %p = repro.sort ascending %a dim 1 count 8000 : tensor<256x8000xf32> -> tensor<256x8000xf32>, tensor<256x8000xi32>
    repro.yield %v, %p : tensor<256x8000xf32>, tensor<256x8000xi32>
  }
  // CHECK-LABEL: .entry sort_{{[0-9a-f]*}}_chunks
  // CHECK: st.global.b64
  // CHECK-LABEL: .entry sort_{{[0-9a-f]*}}_merge0
  // CHECK-NOT: shared
  // CHECK: ret;
  // CHECK-LABEL: .entry sort_{{[0-9a-f]*}}_merge1
  // CHECK-NOT: st.global.b64
  // CHECK: st.global.b32
  // CHECK: st.global.b32
  // CHECK: ret;
  %v3, %p3 = repro.kernel "first" (%a = %l : tensor<8x50257xf32>) -> (tensor<8x50xf32>, tensor<8x50xi32>) {
    %v, %p = repro.sort descending %a dim 1 count 50 : tensor<8x50257xf32> -> tensor<8x50xf32>, tensor<8x50xi32>
    repro.yield %v, %p : tensor<8x50xf32>, tensor<8x50xi32>
  }
  return %v0, %p0, %v1, %p1, %v2, %p2, %v3, %p3 : tensor<1024x32xf32>, tensor<1024x32xi32>, tensor<64x1000xf32>, tensor<64x1000xi32>,
      tensor<256x8000xf32>, tensor<256x8000xi32>, tensor<8x50xf32>, tensor<8x50xi32>
}

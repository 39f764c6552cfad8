// RUN: gensyn-translate --mlir-to-ptx --sm 90 --plan %t.json %s -o - | FileCheck %s
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=PLAN

// Columns on threads: see lib/Codegen/Gpu/Reduce/ColumnReduceSchedule.cpp.

// PLAN: llvm.func @narrow{{.*}}gensyn.grid = array<i64: 1, 1, 1>{{.*}}gensyn.schedule = "columns"
// PLAN: llvm.func @bias{{.*}}gensyn.grid = array<i64: 48, 1, 1>{{.*}}gensyn.schedule = "columns"
// PLAN: llvm.func @both_units{{.*}}gensyn.grid = array<i64: 192, 1, 1>
// PLAN: llvm.func @both_join{{.*}}gensyn.grid = array<i64: 6, 1, 1>

func.func @main(%x: tensor<128x10xf32>, %z: tensor<1024x768xf32>, %w: tensor<4096x768xf32>) -> (tensor<10xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>) {
  // Ten columns on 16 by 32 threads, all of whose four points are loaded without
  // a loop.
  // CHECK-LABEL: .entry reduce_
  // CHECK: .reqntid 512
  // CHECK-NOT: .local
  // CHECK-COUNT-4: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK: st.shared.b32
  // CHECK: bar.sync
  // CHECK-COUNT-31: ld.shared.b32
  // CHECK-NOT: ld.shared
  // CHECK: st.global.b32
  // CHECK: ret;
  %y = repro.kernel "narrow" (%a = %x : tensor<128x10xf32>) -> tensor<10xf32> {
    %s = repro.reduce sum %a domain <[128, 10], reduce [0]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] order lanes<32> : tensor<128x10xf32> -> tensor<10xf32>
    repro.yield %s : tensor<10xf32>
  }
  // Blocks of 32 columns would be too few, so they have 16, 64 bytes of a row: 32
  // loads at once; one barrier.
  // CHECK-LABEL: .entry reduce_
  // CHECK: .reqntid 512
  // CHECK-NOT: .local
  // CHECK-COUNT-32: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK: bar.sync
  // CHECK-NOT: bar.sync
  // CHECK: ret;
  %u = repro.kernel "bias" (%a = %z : tensor<1024x768xf32>) -> tensor<768xf32> {
    %s = repro.reduce sum %a domain <[1024, 768], reduce [0]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] order lanes<32> : tensor<1024x768xf32> -> tensor<768xf32>
    repro.yield %s : tensor<768xf32>
  }
  // Blocks of the order are blocks of the grid, their results go through a
  // workspace; both sums read an element once. Four results of a column
  // are one thread's.
  // CHECK-LABEL: .entry reduce_{{[0-9a-f]*}}_units
  // CHECK-NOT: .local
  // CHECK-COUNT-32: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK: bar.sync
  // CHECK: ret;
  // CHECK-LABEL: .entry reduce_{{[0-9a-f]*}}_join
  // CHECK: .reqntid 128
  // CHECK-NOT: {{bar.sync|.local|.shared}}
  // CHECK-COUNT-8: ld.global
  // CHECK-NOT: ld.global
  // CHECK-COUNT-2: st.global
  // CHECK: ret;
  %p:2 = repro.kernel "both" (%a = %w : tensor<4096x768xf32>) -> (tensor<768xf32>, tensor<768xf32>) {
    %b = repro.mul %a, %a : tensor<4096x768xf32>
    %s = repro.reduce sum %a domain <[4096, 768], reduce [0]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] order blocked<1024, lanes<32>, lanes<32>> : tensor<4096x768xf32> -> tensor<768xf32>
    %t = repro.reduce sum %b domain <[4096, 768], reduce [0]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] order blocked<1024, lanes<32>, lanes<32>> : tensor<4096x768xf32> -> tensor<768xf32>
    repro.yield %s, %t : tensor<768xf32>, tensor<768xf32>
  }
  return %y, %u, %p#0, %p#1 : tensor<10xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>
}

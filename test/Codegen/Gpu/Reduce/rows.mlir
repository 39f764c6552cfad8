// RUN: gensyn-translate --mlir-to-ptx --sm 90 --plan %t.json %s -o - | FileCheck %s
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=PLAN

// Rows on warps: see lib/Codegen/Gpu/Reduce/RowSchedule.cpp.

// PLAN: llvm.func @softmax{{.*}}gensyn.grid = array<i64: 1024, 1, 1>{{.*}}gensyn.schedule = "rows"
// PLAN: llvm.func @short{{.*}}gensyn.grid = array<i64: 256, 1, 1>{{.*}}gensyn.schedule = "rows"
// PLAN: llvm.func @long{{.*}}gensyn.schedule = "rows"{{.*}}gensyn.shared = 
// PLAN: llvm.func @loss_units{{.*}}gensyn.grid = array<i64: 256, 1, 1>
// PLAN: llvm.func @loss_join{{.*}}gensyn.grid = array<i64: 1, 1, 1>

func.func @main(%x: tensor<4096x768xf32>, %z: tensor<4096x128xf32>, %w: tensor<200x4096xf32>, %v: tensor<1048576xf32>) -> (tensor<4096x768xf32>, tensor<4096xf32>, tensor<200xf32>, tensor<f32>) {
  // A row is a warp's, read once: 24 points of 4 bytes in each thread. No
  // memory but that of the arguments; two reductions of five shuffles.
  // CHECK-LABEL: .entry div_
  // CHECK-NOT: .shared
  // CHECK-NOT: .local
  // CHECK-NOT: bar.sync
  // CHECK-COUNT-24: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK-COUNT-10: shfl.sync.bfly.b32
  // CHECK-NOT: shfl.sync
  // CHECK-COUNT-24: st.global.b32
  // CHECK-NOT: st.global
  // CHECK: ret;
  %y = repro.kernel "softmax" (%a = %x : tensor<4096x768xf32>) -> tensor<4096x768xf32> {
    %m = repro.reduce max %a domain <[4096, 768], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4096x768xf32> -> tensor<4096xf32>
    %b = repro.broadcast %m dims [0] : tensor<4096xf32> to tensor<4096x768xf32>
    %d = repro.sub %a, %b : tensor<4096x768xf32>
    %e = repro.exp %d : tensor<4096x768xf32>
    %s = repro.reduce sum %e domain <[4096, 768], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order lanes<32> : tensor<4096x768xf32> -> tensor<4096xf32>
    %t = repro.broadcast %s dims [0] : tensor<4096xf32> to tensor<4096x768xf32>
    %r = repro.div %e, %t : tensor<4096x768xf32>
    repro.yield %r : tensor<4096x768xf32>
  }

  // Four rows a warp: 16-byte accesses, three shuffles for each of four lanes.
  // CHECK-LABEL: .entry reduce_
  // CHECK-NOT: .local
  // CHECK-COUNT-4: ld.global.nc.v4.b32
  // CHECK-NOT: ld.global
  // CHECK-COUNT-12: shfl.sync.bfly.b32
  // CHECK-NOT: shfl.sync
  // CHECK: st.global.b32
  // CHECK: ret;
  %u = repro.kernel "short" (%a = %z : tensor<4096x128xf32>) -> tensor<4096xf32> {
    %s = repro.reduce sum %a domain <[4096, 128], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order lanes<32> : tensor<4096x128xf32> -> tensor<4096xf32>
    repro.yield %s : tensor<4096xf32>
  }

  // A warp for each 1024 points, joined after one barrier.
  // CHECK-LABEL: .entry reduce_
  // CHECK-NOT: .local
  // CHECK: shfl.sync.bfly.b32
  // CHECK: st.shared.b32
  // CHECK: bar.sync
  // CHECK-NOT: bar.sync
  // CHECK: ld.shared.b32
  // CHECK: shfl.sync.bfly.b32
  // CHECK: ret;
  %l = repro.kernel "long" (%a = %w : tensor<200x4096xf32>) -> tensor<200xf32> {
    %s = repro.reduce sum %a domain <[200, 4096], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order blocked<1024, lanes<32>, lanes<32>> : tensor<200x4096xf32> -> tensor<200xf32>
    repro.yield %s : tensor<200xf32>
  }

  // One row for the whole device: two launches.
  // CHECK-LABEL: .entry reduce_{{[0-9a-f]*}}_units
  // CHECK-NOT: bar.sync
  // CHECK-LABEL: .entry reduce_{{[0-9a-f]*}}_join
  %o = repro.kernel "loss" (%a = %v : tensor<1048576xf32>) -> tensor<f32> {
    %s = repro.reduce sum %a domain <[1048576], reduce [0]> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] order blocked<1024, lanes<32>, lanes<32>> : tensor<1048576xf32> -> tensor<f32>
    repro.yield %s : tensor<f32>
  }
  return %y, %u, %l, %o : tensor<4096x768xf32>, tensor<4096xf32>, tensor<200xf32>, tensor<f32>
}

// RUN: gensyn-translate --mlir-to-ptx --sm 90 --plan %t.json %s -o - | FileCheck %s
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=PLAN

// Positions of winners: see lib/Codegen/Gpu/Reduce/ArgReduceSchedule.cpp.

// PLAN: llvm.func @logits{{.*}}gensyn.grid = array<i64: 256, 1, 1>{{.*}}gensyn.schedule = "arg_reduce"
// PLAN: llvm.func @long_units{{.*}}gensyn.schedule = "arg_reduce"
// PLAN: llvm.func @long_join{{.*}}gensyn.grid = array<i64: 1, 1, 1>
// PLAN: llvm.func @classes{{.*}}gensyn.schedule = "arg_reduce"

func.func @main(%x: tensor<1024x1000xf32>, %r: tensor<1024xf32>, %v: tensor<1x1000000xf32>, %w: tensor<8x21x512x512xf32>) -> (tensor<1024xi32>, tensor<1xi32>, tensor<8x512x512xi32>) {
  // A warp has a row, a quotient is taken on the way: no shared memory.
  // CHECK-LABEL: .entry arg_reduce_
  // CHECK: .reqntid 128
  // CHECK-NOT: {{bar.sync|.local|.shared}}
  // CHECK-COUNT-4: ld.global.nc.v4.b32
  // CHECK-COUNT-10: shfl.sync.bfly.b32
  // CHECK-NOT: shfl
  // CHECK: st.global.b32
  // CHECK: ret;
  %y = repro.kernel "logits" (%a = %x : tensor<1024x1000xf32>, %b = %r : tensor<1024xf32>) -> tensor<1024xi32> {
    %c = repro.broadcast %b dims [0] : tensor<1024xf32> to tensor<1024x1000xf32>
    %d = repro.div %a, %c : tensor<1024x1000xf32>
    %p = repro.arg_reduce max %d domain <[1024, 1000], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<1024x1000xf32> -> tensor<1024xi32>
    repro.yield %p : tensor<1024xi32>
  }
  // A row over the grid; a warp of the second launch joins its winners.
  // CHECK-LABEL: .entry arg_reduce_{{[0-9a-f]*}}_units
  // CHECK: ld.global.nc.v4.b32
  // CHECK: bar.sync
  // CHECK: ret;
  // CHECK-LABEL: .entry arg_reduce_{{[0-9a-f]*}}_join
  // CHECK-NOT: {{bar.sync|.local|.shared}}
  // CHECK-COUNT-10: shfl.sync.bfly.b32
  // CHECK: st.global.b32
  // CHECK: ret;
  %z = repro.kernel "long" (%a = %v : tensor<1x1000000xf32>) -> tensor<1xi32> {
    %p = repro.arg_reduce min last %a domain <[1, 1000000], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<1x1000000xf32> -> tensor<1xi32>
    repro.yield %p : tensor<1xi32>
  }
  // A thread has four neighbours' columns.
  // CHECK-LABEL: .entry arg_reduce_
  // CHECK-NOT: {{bar.sync|.local|.shared|shfl}}
  // CHECK-COUNT-8: ld.global.nc.v4.b32
  // CHECK: st.global
  // CHECK: ret;
  %u = repro.kernel "classes" (%a = %w : tensor<8x21x512x512xf32>) -> tensor<8x512x512xi32> {
    %p = repro.arg_reduce max %a domain <[8, 21, 512, 512], reduce [1]> maps [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>] : tensor<8x21x512x512xf32> -> tensor<8x512x512xi32>
    repro.yield %p : tensor<8x512x512xi32>
  }
  return %y, %z, %u : tensor<1024xi32>, tensor<1xi32>, tensor<8x512x512xi32>
}

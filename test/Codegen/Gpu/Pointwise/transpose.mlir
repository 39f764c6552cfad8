// RUN: gensyn-translate --mlir-to-ptx --sm 80 --plan %t.json %s -o - | FileCheck %s
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=80 | FileCheck %s --check-prefix=PLAN

// Tiles through shared memory: see lib/Codegen/Gpu/Pointwise/TransposeSchedule.cpp.

// Rows of a tile are a word longer than it: 64 of 65 words, 32 of 129, for each
// of two operands 32 of 33.
// PLAN: llvm.func @matrix{{.*}}gensyn.grid = array<i64: 6144, 1, 1>{{.*}}gensyn.schedule = "transpose", gensyn.shared = 16640
// PLAN: llvm.func @bytes{{.*}}gensyn.grid = array<i64: 8, 1, 1>{{.*}}gensyn.schedule = "transpose", gensyn.shared = 16512
// PLAN: llvm.func @heads{{.*}}gensyn.grid = array<i64: 32, 1, 1>{{.*}}gensyn.schedule = "transpose", gensyn.shared = 8448
// PLAN: llvm.func @edges{{.*}}gensyn.grid = array<i64: 6, 1, 1>{{.*}}gensyn.schedule = "transpose"
// PLAN: llvm.func @rows{{.*}}gensyn.schedule = "pointwise"
// PLAN: llvm.func @narrow{{.*}}gensyn.schedule = "pointwise"

func.func @main(%x: tensor<8192x3072xf32>, %b: tensor<128x1024xi8>, %q: tensor<2x128x384xf32>, %e: tensor<33x70xf32>, %n: tensor<4x8x16x32xf32>, %m: tensor<1024x4xf32>)
    -> (tensor<3072x8192xf32>, tensor<1024x128xi8>, tensor<2x4x32x128xf32>, tensor<70x33xf32>, tensor<4x16x8x32xf32>, tensor<4x1024xf32>) {
  // 64 by 64: four vectors a thread, read and written.
  // CHECK-LABEL: .entry transpose_
  // CHECK: .reqntid 256
  // CHECK-NOT: {{bar.sync|.local}}
  // CHECK-COUNT-4: ld.global.nc.v4.b32
  // CHECK-NOT: ld.global
  // CHECK-COUNT-16: st.shared.b32
  // CHECK: bar.sync
  // CHECK-COUNT-16: ld.shared.b32
  // CHECK-COUNT-4: st.global.v4.b32
  // CHECK-NOT: {{bar.sync|ld.global|st.global}}
  // CHECK: ret;
  %y = repro.kernel "matrix" (%a = %x : tensor<8192x3072xf32>) -> tensor<3072x8192xf32> {
    %t = repro.transpose %a [1, 0] : tensor<8192x3072xf32> to tensor<3072x8192xf32>
    repro.yield %t : tensor<3072x8192xf32>
  }
  // 128 by 128: four rows of 16 bytes become 16 words.
  // CHECK-LABEL: .entry transpose_
  // CHECK-COUNT-4: ld.global.nc.v4.b32
  // CHECK-NOT: ld.global
  // CHECK-COUNT-32: prmt.b32
  // CHECK: bar.sync
  // CHECK-COUNT-16: ld.shared.b32
  // CHECK-COUNT-4: st.global.v4.b32
  // CHECK-NOT: st.global
  // CHECK: ret;
  %c = repro.kernel "bytes" (%a = %b : tensor<128x1024xi8>) -> tensor<1024x128xi8> {
    %t = repro.transpose %a [1, 0] : tensor<128x1024xi8> to tensor<1024x128xi8>
    repro.yield %t : tensor<1024x128xi8>
  }
  // The heads of K and of something else, with their product.
  // CHECK-LABEL: .entry transpose_
  // CHECK-COUNT-4: ld.global.nc.v4.b32
  // CHECK-NOT: ld.global
  // CHECK: bar.sync
  // CHECK-COUNT-8: mul.rn.f32
  // CHECK-COUNT-2: st.global.v4.b32
  // CHECK: ret;
  %h = repro.kernel "heads" (%a = %q : tensor<2x128x384xf32>) -> tensor<2x4x32x128xf32> {
    %k = repro.slice %a start [0, 0, 128] limit [2, 128, 256] stride [1, 1, 1] : tensor<2x128x384xf32> to tensor<2x128x128xf32>
    %v = repro.slice %a start [0, 0, 256] limit [2, 128, 384] stride [1, 1, 1] : tensor<2x128x384xf32> to tensor<2x128x128xf32>
    %p = repro.mul %k, %v : tensor<2x128x128xf32>
    %r = repro.reshape %p : tensor<2x128x128xf32> to tensor<2x128x4x32xf32>
    %t = repro.transpose %r [0, 2, 3, 1] : tensor<2x128x4x32xf32> to tensor<2x4x32x128xf32>
    repro.yield %t : tensor<2x4x32x128xf32>
  }
  // Rows of 70 elements are read two at a time, columns of 33 written alone;
  // tiles at an edge have code of their own.
  // CHECK-LABEL: .entry transpose_
  // CHECK: ld.global.nc.v2.b32
  // CHECK: bar.sync
  // CHECK: st.global.b32
  // CHECK: ret;
  %f = repro.kernel "edges" (%a = %e : tensor<33x70xf32>) -> tensor<70x33xf32> {
    %t = repro.transpose %a [1, 0] : tensor<33x70xf32> to tensor<70x33xf32>
    repro.yield %t : tensor<70x33xf32>
  }
  // Rows stay rows: vectors as they are. Four columns share their sectors.
  // CHECK-LABEL: .entry transpose_
  // CHECK-NOT: shared
  // CHECK: ld.global.nc.v4.b32
  // CHECK-LABEL: .entry transpose_
  // CHECK-NOT: shared
  %g = repro.kernel "rows" (%a = %n : tensor<4x8x16x32xf32>) -> tensor<4x16x8x32xf32> {
    %t = repro.transpose %a [0, 2, 1, 3] : tensor<4x8x16x32xf32> to tensor<4x16x8x32xf32>
    repro.yield %t : tensor<4x16x8x32xf32>
  }
  %o = repro.kernel "narrow" (%a = %m : tensor<1024x4xf32>) -> tensor<4x1024xf32> {
    %t = repro.transpose %a [1, 0] : tensor<1024x4xf32> to tensor<4x1024xf32>
    repro.yield %t : tensor<4x1024xf32>
  }
  return %y, %c, %h, %f, %g, %o : tensor<3072x8192xf32>, tensor<1024x128xi8>, tensor<2x4x32x128xf32>, tensor<70x33xf32>, tensor<4x16x8x32xf32>, tensor<4x1024xf32>
}

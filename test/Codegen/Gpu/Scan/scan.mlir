// RUN: gensyn-translate --mlir-to-ptx --sm 90 --plan %t.json %s -o - | FileCheck %s
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=PLAN

// Prefixes: see lib/Codegen/Gpu/Scan/ScanSchedule.cpp.

// PLAN: llvm.func @chain{{.*}}gensyn.grid = array<i64: 1024, 1, 1>{{.*}}gensyn.schedule = "scan"
// PLAN: llvm.func @long_blocks{{.*}}gensyn.grid = array<i64: 300, 1, 1>
// PLAN: llvm.func @long_carries{{.*}}gensyn.grid = array<i64: 2, 1, 1>
// PLAN: llvm.func @long_join{{.*}}gensyn.schedule = "scan"
// PLAN: llvm.func @beside{{.*}}gensyn.grid = array<i64: 64, 1, 1>
// PLAN: llvm.func @mask{{.*}}gensyn.grid = array<i64: 64, 1, 1>
// PLAN: llvm.func @split_totals{{.*}}gensyn.grid = array<i64: 256, 1, 1>
// PLAN: llvm.func @split_prefixes{{.*}}gensyn.grid = array<i64: 256, 1, 1>

func.func @main(%x: tensor<32768x768xf32>, %l: tensor<100x3000xf32>, %c: tensor<128x4096xf32>, %m: tensor<64x1000xi32>, %n: tensor<1048576xi64>)
    -> (tensor<32768x768xf32>, tensor<100x3000xf32>, tensor<128x4096xf32>, tensor<64x1000xi32>, tensor<1048576xi64>) {
  // A warp reads lines of 32 rows, then each thread chains a row's elements.
  // CHECK-LABEL: .entry scan_
  // CHECK-NOT: .local
  // CHECK-COUNT-8: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK: st.shared.b32
  // CHECK: bar.sync
  // CHECK: ld.shared.b32
  // CHECK: add.rn.f32
  // CHECK: st.shared.b32
  // CHECK: bar.sync
  // CHECK-NOT: shfl
  // CHECK: st.global.b32
  // CHECK: ret;
  %0 = repro.kernel "chain" (%a = %x : tensor<32768x768xf32>) -> tensor<32768x768xf32> {
    %y = repro.scan sum %a dim 1 order sequential : tensor<32768x768xf32>
    repro.yield %y : tensor<32768x768xf32>
  }
  // CHECK-LABEL: .entry scan_{{[0-9a-f]*}}_blocks
  // CHECK-LABEL: .entry scan_{{[0-9a-f]*}}_carries
  // CHECK-LABEL: .entry scan_{{[0-9a-f]*}}_join
  // CHECK: add.rn.f32
  // CHECK: ret;
  %1 = repro.kernel "long" (%a = %l : tensor<100x3000xf32>) -> tensor<100x3000xf32> {
    %y = repro.scan sum %a dim 1 order blocked<1024, sequential, sequential> : tensor<100x3000xf32>
    repro.yield %y : tensor<100x3000xf32>
  }
  // Threads side by side need no shared memory.
  // CHECK-LABEL: .entry scan_
  // CHECK-NOT: shared
  // CHECK-COUNT-8: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK-COUNT-8: mul.rn.f32
  // CHECK-COUNT-8: st.global.b32
  // CHECK: ret;
  %2 = repro.kernel "beside" (%a = %c : tensor<128x4096xf32>) -> tensor<128x4096xf32> {
    %y = repro.scan product %a dim 0 order sequential : tensor<128x4096xf32>
    repro.yield %y : tensor<128x4096xf32>
  }
  // Integers need no order: five shuffles for each of four stripes, and five
  // for the totals of all warps' stripes.
  // CHECK-LABEL: .entry scan_
  // CHECK-COUNT-4: ld.global.nc.b32
  // CHECK-NOT: ld.global
  // CHECK-COUNT-20: shfl.sync.up.b32
  // CHECK: st.shared.b32
  // CHECK: bar.sync
  // CHECK-COUNT-5: shfl.sync.up.b32
  // CHECK-NOT: shfl.sync.up
  // CHECK: ret;
  %3 = repro.kernel "mask" (%a = %m : tensor<64x1000xi32>) -> tensor<64x1000xi32> {
    %y = repro.scan sum %a dim 1 : tensor<64x1000xi32>
    repro.yield %y : tensor<64x1000xi32>
  }
  // CHECK-LABEL: .entry scan_{{[0-9a-f]*}}_totals
  // CHECK-NOT: shfl.sync.up
  // CHECK: shfl.sync.bfly.b32
  // CHECK-LABEL: .entry scan_{{[0-9a-f]*}}_prefixes
  // CHECK: shfl.sync.up.b32
  // CHECK: ret;
  %4 = repro.kernel "split" (%a = %n : tensor<1048576xi64>) -> tensor<1048576xi64> {
    %y = repro.scan sum %a dim 0 : tensor<1048576xi64>
    repro.yield %y : tensor<1048576xi64>
  }
  return %0, %1, %2, %3, %4 : tensor<32768x768xf32>, tensor<100x3000xf32>, tensor<128x4096xf32>, tensor<64x1000xi32>, tensor<1048576xi64>
}

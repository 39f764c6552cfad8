// Functions look up tables where a machine permutes two registers by one
// instruction, and the NaN of a chain of ops is made canonical once, at its end.
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{target=x86-64-v4})' | FileCheck %s --check-prefixes=CHECK,TABLES
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{target=x86-64-v3})' | FileCheck %s --check-prefixes=CHECK,NONE

// TABLES: module attributes {gensyn.table_permutation = "llvm.x86.avx512.vpermi2var.q.512"}
// NONE-NOT: gensyn.table_permutation

// CHECK-LABEL: func.func @silu(
// NONE-NOT: llvm.call_intrinsic
// TABLES-COUNT-8: llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.q.512"(%{{.+}}, %{{.+}}, %{{.+}}) : (vector<8xi64>, vector<8xi64>, vector<8xi64>) -> vector<8xi64>
// TABLES: arith.divf {{.+}} : vector<64xf64>
// TABLES-NOT: arith.cmpf uno
// TABLES: arith.mulf {{.+}} : vector<64xf32>
// TABLES: arith.cmpf uno
// TABLES: vector.store
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = repro.kernel "silu" (%a = %x : tensor<64xf32>) -> (tensor<64xf32>) {
    %s = repro.sigmoid %a : tensor<64xf32>
    %r = repro.mul %a, %s : tensor<64xf32>
    repro.yield %r : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

// Functions look up tables where a machine permutes two registers by one
// instruction, and the NaN of a chain of ops is made canonical once, at its end.
// Sigmoids are computed of pairs of f32, and in f64 where those leave a lane
// open.
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{target=x86-64-v4})' | FileCheck %s --check-prefixes=CHECK,TABLES
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{target=x86-64-v3})' | FileCheck %s --check-prefixes=CHECK,OCTETS
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{target=aarch64})' | FileCheck %s --check-prefixes=CHECK,NONE

// TABLES: module attributes {gensyn.instruction_set = "x86-64-v4"}
// OCTETS: module attributes {gensyn.instruction_set = "x86-64-v3"}
// NONE: module attributes {gensyn.instruction_set = "aarch64"}

// CHECK-LABEL: func.func @silu(
// NONE-NOT: llvm.call_intrinsic
// OCTETS-COUNT-4: llvm.call_intrinsic "llvm.x86.avx2.permd"(%{{.+}}, %{{.+}}) : (vector<8xi32>, vector<8xi32>) -> vector<8xi32>
// OCTETS: arith.divf {{.+}} : vector<16xf32>
// OCTETS-COUNT-2: arith.cmpf une, {{.+}} : vector<8xf32>
// OCTETS: %[[ANY:.+]] = vector.reduction <or>, {{.+}} : vector<8xi1> into i1
// OCTETS: scf.if %[[ANY]] -> (vector<16xf32>) {
// OCTETS-NOT: llvm.call_intrinsic
// OCTETS: arith.divf {{.+}} : vector<16xf64>
// OCTETS: } else {
// OCTETS: vector.store
// TABLES-COUNT-8: llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.d.512"(%{{.+}}, %{{.+}}, %{{.+}}) : (vector<16xi32>, vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// TABLES: arith.divf {{.+}} : vector<64xf32>
// TABLES: arith.subf
// TABLES-NEXT: %[[LOW:.+]] = math.fma
// TABLES-COUNT-4: arith.cmpf une, {{.+}} : vector<16xf32>
// TABLES: %[[ANY:.+]] = vector.reduction <or>, {{.+}} : vector<16xi1> into i1
// TABLES: scf.if %[[ANY]] -> (vector<64xf32>) {
// TABLES-COUNT-8: llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.q.512"(%{{.+}}, %{{.+}}, %{{.+}}) : (vector<8xi64>, vector<8xi64>, vector<8xi64>) -> vector<8xi64>
// TABLES: arith.divf {{.+}} : vector<64xf64>
// TABLES: arith.cmpf uno
// TABLES: } else {
// TABLES-NEXT: scf.yield %[[LOW]] : vector<64xf32>
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

// An element of 4 bits is the number of its value in a table.
// CHECK-LABEL: func.func @widen(
// NONE-NOT: llvm.call_intrinsic
// OCTETS-NOT: llvm.call_intrinsic
// TABLES: %[[NUMBERS:.+]] = arith.extui {{.+}} : vector<16xi8> to vector<16xi32>
// The f32 of 0, 1 and, last, -1.
// TABLES: %[[TABLE:.+]] = arith.constant dense<[0, 1065353216, {{.+}}, -1082130432]> : vector<16xi32>
// TABLES: llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"(%[[TABLE]], %[[NUMBERS]])
func.func @narrow(%x: tensor<64xi4>) -> tensor<64xf32> {
  %y = repro.kernel "widen" (%a = %x : tensor<64xi4>) -> (tensor<64xf32>) {
    %r = repro.convert %a : tensor<64xi4> to tensor<64xf32>
    repro.yield %r : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

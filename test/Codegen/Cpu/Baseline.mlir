// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{baseline=true target=x86-64-v4})' | FileCheck %s

// A window along the last dimension: the lanes of a vector are adjacent, and a
// mask has those in bounds. The last vector overlaps the one before.
// CHECK-LABEL: func.func @window(
// CHECK: scf.for %[[V:.+]] = %{{.+}} to %{{.+}} step %c16
// CHECK: %[[FIRST:.+]] = arith.minsi %[[V]], %{{.+}}
// CHECK: %[[AT:.+]] = arith.addi %[[FIRST]], %{{.+}}
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %{{.+}}, %{{.+}} : vector<16xi32>
// CHECK: llvm.intr.masked.load %{{.+}}, %[[INSIDE]], %{{.+}} vector<16xf32>
// CHECK-NOT: llvm.intr.masked.gather
// CHECK: llvm.store %{{.+}} : vector<16xf32>, !llvm.ptr
func.func @window(%a: tensor<64x40xf32>) -> tensor<64x40xf32> {
  %y = repro.kernel "window" (%x = %a : tensor<64x40xf32>) -> (tensor<64x40xf32>) {
    %m = repro.reduce max %x domain <[64, 40, 3], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, d1 + d2 - 1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] : tensor<64x40xf32> -> tensor<64x40xf32>
    repro.yield %m : tensor<64x40xf32>
  }
  return %y : tensor<64x40xf32>
}

// With a stride the lanes are elements of several vectors, which end with the last
// lane's. A row of 20 has two vectors of 16.
// CHECK-LABEL: func.func @stride(
// CHECK: %[[P:.+]] = llvm.load {{.+}} vector<16xf32>
// CHECK: arith.constant 15 : index
// CHECK: %[[Q:.+]] = llvm.load {{.+}} vector<16xf32>
// CHECK: vector.shuffle %[[P]], %[[Q]] [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31]
// CHECK-NOT: llvm.intr.masked.gather
func.func @stride(%a: tensor<64x40xf32>) -> tensor<64x20xf32> {
  %y = repro.kernel "stride" (%x = %a : tensor<64x40xf32>) -> (tensor<64x20xf32>) {
    %m = repro.reduce max %x domain <[64, 20, 2], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, 2 * d1 + d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] : tensor<64x40xf32> -> tensor<64x20xf32>
    repro.yield %m : tensor<64x20xf32>
  }
  return %y : tensor<64x20xf32>
}

// A large stride: lanes are gathered.
// CHECK-LABEL: func.func @gather(
// CHECK: llvm.intr.masked.gather {{.+}} vector<16xf32>
func.func @gather(%a: tensor<64x100xf32>) -> tensor<64x20xf32> {
  %y = repro.kernel "gather" (%x = %a : tensor<64x100xf32>) -> (tensor<64x20xf32>) {
    %m = repro.reduce max %x domain <[64, 20, 2], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, 5 * d1 + d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] : tensor<64x100xf32> -> tensor<64x20xf32>
    repro.yield %m : tensor<64x20xf32>
  }
  return %y : tensor<64x20xf32>
}

// Rows of 7 are vectors of 8 with an idle lane.
// CHECK-LABEL: func.func @short(
// CHECK: arith.constant dense<[true, true, true, true, true, true, true, false]> : vector<8xi1>
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store {{.+}} : vector<8xf32>, vector<8xi1> into !llvm.ptr
func.func @short(%a: tensor<64x7xf32>) -> tensor<64x7xf32> {
  %y = repro.kernel "short" (%x = %a : tensor<64x7xf32>) -> (tensor<64x7xf32>) {
    %m = repro.neg %x : tensor<64x7xf32>
    repro.yield %m : tensor<64x7xf32>
  }
  return %y : tensor<64x7xf32>
}

// The elements of rows of 3 are counted through all dimensions.
// CHECK-LABEL: func.func @joined(
// CHECK: arith.remui %{{.+}} : vector<16xi32>
// CHECK: llvm.intr.masked.gather
func.func @joined(%a: tensor<40x3xf32>) -> tensor<40x3xf32> {
  %y = repro.kernel "joined" (%x = %a : tensor<40x3xf32>) -> (tensor<40x3xf32>) {
    %m = repro.reverse %x dims [1] : tensor<40x3xf32>
    repro.yield %m : tensor<40x3xf32>
  }
  return %y : tensor<40x3xf32>
}

// A result that may be written over the operand is written once: a loop over
// the last elements follows that over vectors.
// CHECK-LABEL: func.func @in_place(
// CHECK: scf.for {{.+}} step %c16
// CHECK: llvm.load {{.+}} -> vector<16xi32>
// CHECK: llvm.store {{.+}} : vector<16xi32>
// CHECK: scf.for
// CHECK: memref.load
// CHECK: memref.store
func.func @in_place(%a: tensor<20x30x35xi32>) -> tensor<20x30x35xi32> {
  %y = repro.kernel "in_place" (%x = %a : tensor<20x30x35xi32>) -> (tensor<20x30x35xi32>) {
    %n = repro.not %x : tensor<20x30x35xi32>
    repro.yield %n : tensor<20x30x35xi32>
  }
  return %y : tensor<20x30x35xi32>
}

// Indices from memory may have any value: their lanes have 64 bits. A fault is
// recorded lane by lane.
// CHECK-LABEL: func.func @indices(
// CHECK: llvm.load {{.+}} -> vector<16xi64>
// CHECK: arith.cmpi ult, %{{.+}}, %{{.+}} : vector<16xi64>
// CHECK: memref.atomic_rmw minu
// CHECK: llvm.intr.masked.gather {{.+}} vector<16xf32>
func.func @indices(%a: tensor<1000xf32>, %i: tensor<64xi64>) -> tensor<64xf32> {
  %y = repro.kernel "indices" (%x = %a : tensor<1000xf32>, %j = %i : tensor<64xi64>) -> (tensor<64xf32>) {
    %g = repro.gather %x[%j] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>] bounds fault : tensor<1000xf32>, tensor<64xi64> -> tensor<64xf32>
    repro.yield %g : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

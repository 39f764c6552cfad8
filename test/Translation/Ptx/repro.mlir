// RUN: gensyn-translate --mlir-to-ptx --sm=80 --plan=%t.json %s -o %t.ptx
// RUN: gensyn-ptx audit %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=PLAN < %t.json

// From repro ops: frozen, grouped, lowered. One entry for the two equal kernels.
// CHECK: .visible .entry add_[[DIGEST:[0-9a-f]+]](
// CHECK-NOT: .visible .entry

// PLAN: "block": [
// PLAN-NEXT: 128
// PLAN: "grid": [
// PLAN-NEXT: 2
// PLAN: "kernel": "add_[[DIGEST:[0-9a-f]+]]"
// PLAN: "kernel": "add_[[DIGEST]]"
func.func @main(%x: tensor<200xf32> {gensyn.name = "x", gensyn.role = "input"},
                %z: tensor<200xf32> {gensyn.name = "z", gensyn.role = "input"})
    -> (tensor<200xf32> {gensyn.name = "a"}, tensor<200xf32> {gensyn.name = "b"}) {
  %a = repro.add %x, %x : tensor<200xf32>
  %b = repro.add %z, %z : tensor<200xf32>
  return %a, %b : tensor<200xf32>, tensor<200xf32>
}

// RUN: gensyn-translate --mlir-to-ptx --sm=80 --plan=%t.json %s -o %t.ptx
// RUN: gensyn-ptx audit %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=PLAN < %t.json

// From repro ops: frozen, grouped, lowered. One entry for the two equal kernels, which a scan
// separates.
// CHECK-COUNT-2: .visible .entry
// CHECK-NOT: .visible .entry

// PLAN: "kernel": "add_[[DIGEST:[0-9a-f]+]]"
// PLAN: "kernel": "scan_
// PLAN: "kernel": "add_[[DIGEST]]"
func.func @main(%x: tensor<200xf32> {gensyn.name = "x", gensyn.role = "input"})
    -> (tensor<200xf32> {gensyn.name = "a"}, tensor<200xf32> {gensyn.name = "b"}) {
  %a = repro.add %x, %x : tensor<200xf32>
  %s = repro.scan sum %a dim 0 order sequential : tensor<200xf32>
  %b = repro.add %s, %s : tensor<200xf32>
  return %a, %b : tensor<200xf32>, tensor<200xf32>
}

// RUN: gensyn-translate --mlir-to-ptx --sm=80 --plan=%t.json %s -o %t.ptx
// RUN: gensyn-ptx audit %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=PLAN < %t.json

// A thread per column: 300 of them. Faults take an integer minimum, whose old
// value nobody reads.
// CHECK: .visible .entry scatter_
// CHECK: atom.global.min.u64

// PLAN: "grid": [
// PLAN-NEXT: 3
func.func @main(%t: tensor<9x300xf32> {gensyn.name = "t", gensyn.role = "input"},
                %u: tensor<5x300xf32> {gensyn.name = "u", gensyn.role = "input"},
                %i: tensor<5xi64> {gensyn.name = "i", gensyn.role = "input"})
    -> (tensor<9x300xf32> {gensyn.name = "y"}) {
  %y = repro.scatter add %t, %u[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
    bounds fault : tensor<9x300xf32>, tensor<5x300xf32>, tensor<5xi64>
  return %y : tensor<9x300xf32>
}

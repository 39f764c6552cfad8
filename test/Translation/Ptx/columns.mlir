// RUN: gensyn-translate --mlir-to-ptx --sm=80 --plan=%t.json %s -o %t.ptx
// RUN: gensyn-ptx audit %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=PLAN < %t.json

// Three launches: the base is copied, a block sorts the updates by their targets, and threads for
// each update, of which the first of each row does the work. Faults use an integer minimum, whose
// old value is unused.
// CHECK: .visible .entry scatter_{{[0-9a-f]+}}_base
// CHECK: st.global.v4.b32
// CHECK: .visible .entry scatter_{{[0-9a-f]+}}_chunks
// CHECK: atom.global.min.u64
// CHECK: bar.sync
// CHECK: .visible .entry scatter_{{[0-9a-f]+}}_segments
// CHECK-NOT: bar.sync
// CHECK: add.rn.f32

// PLAN: "grid": [
// PLAN-NEXT: 6
// PLAN: "grid": [
// PLAN-NEXT: 1
// PLAN: "grid": [
// PLAN-NEXT: 6
func.func @main(%t: tensor<9x300xf32> {gensyn.name = "t", gensyn.role = "input"},
                %u: tensor<5x300xf32> {gensyn.name = "u", gensyn.role = "input"},
                %i: tensor<5xi64> {gensyn.name = "i", gensyn.role = "input"})
    -> (tensor<9x300xf32> {gensyn.name = "y"}) {
  %y = repro.scatter add %t, %u[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
    bounds fault : tensor<9x300xf32>, tensor<5x300xf32>, tensor<5xi64>
  return %y : tensor<9x300xf32>
}

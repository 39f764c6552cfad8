// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-orders{accuracy=fast}))' | FileCheck %s --check-prefix=FAST
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-orders{accuracy=accurate}))' | FileCheck %s --check-prefix=ACCURATE
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-orders{accuracy=exact}))' | FileCheck %s --check-prefix=EXACT
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-orders{accuracy=best}))' 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: accuracy 'best' is none of fast, accurate, exact, sliced

// Another accuracy is another program.
// RUN: gensyn-opt %s --gensyn-freeze-pipeline=accuracy=fast | FileCheck %s --check-prefix=SAME
// RUN: gensyn-opt %s --gensyn-freeze-pipeline=accuracy=exact | FileCheck %s --check-prefix=OTHER
// RUN: gensyn-opt %s --gensyn-freeze-pipeline=accuracy=exact | grep -o 'digest = "[0-9a-f]*"' > %t.exact
// RUN: gensyn-opt %s --gensyn-freeze-pipeline | grep -o 'digest = "[0-9a-f]*"' > %t.fast
// RUN: not cmp %t.exact %t.fast
// SAME: order sequential
// OTHER: order exact

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%a: tensor<1x128xf32> {gensyn.name = "a", gensyn.role = "input"},
                %b: tensor<128x1xf32> {gensyn.name = "b", gensyn.role = "input"},
                %c: tensor<1x4096xf32> {gensyn.name = "c", gensyn.role = "input"},
                %d: tensor<4096x1xf32> {gensyn.name = "d", gensyn.role = "input"},
                %x: tensor<3x40xf64> {gensyn.name = "x", gensyn.role = "input"},
                %s: tensor<4000xf64> {gensyn.name = "s", gensyn.role = "input"},
                %i: tensor<3x40xi32> {gensyn.name = "i", gensyn.role = "input"})
    -> (tensor<1x1xf32> {gensyn.name = "r0"}, tensor<1x1xf32> {gensyn.name = "r1"}, tensor<3xf64> {gensyn.name = "r2"},
        tensor<3xf64> {gensyn.name = "r3"}, tensor<4000xf64> {gensyn.name = "r4"}, tensor<3xi32> {gensyn.name = "r5"}) {
  // FAST: order sequential
  // ACCURATE: order sequential
  // EXACT: order exact
  %0 = repro.contract %a, %b domain <[1, 1, 128], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<1x128xf32>, tensor<128x1xf32> -> tensor<1x1xf32>
  // FAST: order blocked<1024, sequential, sequential>
  // ACCURATE: order blocked<128, sequential, sequential>
  // EXACT: order exact
  %1 = repro.contract %c, %d domain <[1, 1, 4096], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<1x4096xf32>, tensor<4096x1xf32> -> tensor<1x1xf32> loc("fc"(fused<{op = "Gemm"}>["model"]))
  // FAST: order lanes<32>
  // ACCURATE: order lanes<64>
  // EXACT: order exact
  %2 = repro.reduce sum %x domain <[3, 40], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x40xf64> -> tensor<3xf64>
  // Products have no exact form.
  // FAST: order lanes<32>
  // ACCURATE: order lanes<64>
  // EXACT: order lanes<64>
  %3 = repro.reduce product %x domain <[3, 40], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x40xf64> -> tensor<3xf64>
  // FAST: order blocked<1024, sequential, sequential>
  // ACCURATE: order blocked<128, sequential, sequential>
  // EXACT: order blocked<128, sequential, sequential>
  %4 = repro.scan sum %s dim 0 : tensor<4000xf64>
  // Integers need none.
  // EXACT: repro.reduce sum
  // EXACT-NOT: order
  // EXACT-SAME: tensor<3x40xi32>
  %5 = repro.reduce sum %i domain <[3, 40], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x40xi32> -> tensor<3xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x1xf32>, tensor<1x1xf32>, tensor<3xf64>, tensor<3xf64>, tensor<4000xf64>, tensor<3xi32>
}

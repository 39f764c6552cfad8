// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-orders{accuracy=accurate}),repro-report-orders)' -o %t.mlir | FileCheck %s --check-prefix=REPORT
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(repro-report-orders)' -o %t.mlir | FileCheck %s --check-prefix=NONE
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-orders{accuracy=exact}),repro-report-orders{json=true})' -o %t.mlir | FileCheck %s --check-prefix=JSON
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-slice-contractions,canonicalize,cse),repro-report-orders)' -o %t.mlir | FileCheck %s --check-prefix=SLICED
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-slice-contractions,canonicalize,cse),repro-report-orders{json=true})' -o %t.mlir | FileCheck %s --check-prefix=SLICEDJSON
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-slice-contractions,canonicalize,cse,repro-assign-orders),repro-freeze,gensyn-kernel-pipeline{forms=all},repro-report-orders)' -o %t.mlir | FileCheck %s --check-prefix=KERNELS
// REPORT-LABEL: main: contract f32, 128 points, sequential: within 128 u of the terms' absolute sum
// REPORT-NEXT: main: 'fc' (Gemm): contract f32, 4096 points, blocked<128, sequential, sequential>: within 159 u of the terms' absolute sum
// REPORT-NEXT: main: reduce sum f64, 40 points, lanes<64>: within 6 u of the terms' absolute sum
// REPORT-NEXT: main: reduce product f64, 40 points, lanes<64>: within 39 u of the result
// REPORT-NEXT: main: scan sum f64, 4000 points, blocked<128, sequential, sequential>: within 158 u of the terms' absolute sum
// REPORT-NOT: points
// NONE: main: contract f32, 128 points, no order yet
// JSON: {"elements":1,"function":"main","node":"","operation":"contract","operator":"","order":"exact","points":128,"relative_to":"result","roundings":1,"type":"f32"}
// JSON-NEXT: {"elements":1,"function":"main","node":"fc","operation":"contract","operator":"Gemm","order":"exact","points":4096,"relative_to":"result","roundings":1,"type":"f32"}
// SLICED: main: contract f32, 128 points, slices<4>: within 1 u of the result and, for each point, 2^-27.6 of its rows' largest product
// SLICED-NEXT: main: 'fc' (Gemm): contract f32, 4096 points, slices<4>: within 1 u
// SLICED-NEXT: main: reduce sum f64, 40 points, no order yet
// KERNELS-COUNT-2: slices<4>
// KERNELS-NOT: slices<4>
// SLICEDJSON: {"elements":1,"function":"main","node":"","operation":"contract","operator":"","order":"slices<4>","point_error":4.{{[0-9]+}}e-09,"points":128,"relative_to":"result","roundings":1,"type":"f32"}

// Orders, and how far each may be from the true result; integers have neither.
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
  %0 = repro.contract %a, %b domain <[1, 1, 128], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<1x128xf32>, tensor<128x1xf32> -> tensor<1x1xf32>
  %1 = repro.contract %c, %d domain <[1, 1, 4096], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<1x4096xf32>, tensor<4096x1xf32> -> tensor<1x1xf32> loc("fc"(fused<{op = "Gemm"}>["model"]))
  %2 = repro.reduce sum %x domain <[3, 40], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x40xf64> -> tensor<3xf64>
  %3 = repro.reduce product %x domain <[3, 40], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x40xf64> -> tensor<3xf64>
  %4 = repro.scan sum %s dim 0 : tensor<4000xf64>
  %5 = repro.reduce sum %i domain <[3, 40], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x40xi32> -> tensor<3xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x1xf32>, tensor<1x1xf32>, tensor<3xf64>, tensor<3xf64>, tensor<4000xf64>, tensor<3xi32>
}

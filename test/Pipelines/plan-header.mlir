// RUN: gensyn-translate --mlir-to-ptx --header=%t.gather.h %s > %t.ptx && FileCheck %s < %t.gather.h
// RUN: clang-22 -std=c99 -x c -Wall -Wextra -Wno-unused-const-variable -Werror -fsyntax-only %t.gather.h
// RUN: not gensyn-translate --mlir-to-ptx --header=%t.h %S/plan-steps.mlir 2>&1 >/dev/null | FileCheck %s --check-prefix=LOOP

// LOOP: error: {{.*}}.h: the program has loops or branches, and a header lists launches in order; --plan writes all of it

// The names are those of the file.
// CHECK: #ifndef [[NAME:[A-Z_]+]]_PROGRAM_H
// CHECK: #define [[NAME]]_TARGET "sm_90"
// CHECK: #define [[NAME]]_LAUNCHES 1
// CHECK: #define [[NAME]]_FAULTS 1
// CHECK: #define [[NAME]]_CONSTANT_BYTES 64
// CHECK: static const unsigned char {{.*}}_constants[] = {
// CHECK-NEXT: 0,0,128,63,0,0,0,64
// CHECK: static const struct gensyn_buffer {{.*}}_buffers[] = {
// CHECK-NEXT: {GENSYN_INPUT, 0, 24},
// CHECK-DAG: {GENSYN_OUTPUT, 0, 12},
// CHECK-DAG: {GENSYN_CONSTANT, 0, 20},
// CHECK-DAG: {GENSYN_FAULT, 0, 8},
// CHECK: static const struct gensyn_launch {{.*}}_launches[] = {
// CHECK-NEXT: {"gather_{{[0-9a-f]+}}", {1, 1, 1}, {{[{][0-9]+}}, 1, 1}, 0, 0, 4, ""},
// CHECK: static const struct gensyn_fault {{.*}}_faults[] = {
// CHECK-NEXT: "index out of range"
func.func @main(%j: tensor<3xi64>) -> tensor<3xf32> {
  %t = repro.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %r = repro.kernel "k" (%i = %j : tensor<3xi64>, %d = %t : tensor<5xf32>) -> tensor<3xf32> {
    %g = repro.gather %d[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
        bounds fault : tensor<5xf32>, tensor<3xi64> -> tensor<3xf32>
    repro.yield %g : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}

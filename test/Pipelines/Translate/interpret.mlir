// RUN: split-file %s %t

// The results of the reference, on the inputs in the arguments' attributes.
// RUN: gensyn-translate --interpret %t/values.mlir | FileCheck %s --check-prefix=VALUES
// VALUES: @sum[0] = dense<[3.500000e+00, 0xFF800000]> : tensor<2xf32>
// VALUES-NEXT: @sum[1] = dense<[true, false]> : tensor<2xi1>
// VALUES-NEXT: @constant[0] = as expected
// VALUES-NOT: {{.}}

// Also after a pipeline.
// RUN: gensyn-opt %t/values.mlir --gensyn-freeze-pipeline | gensyn-translate --interpret | FileCheck %s --check-prefix=VALUES

// A difference is an error with its own exit code.
// RUN: sh -c 'gensyn-translate --interpret %t/differs.mlir; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: differs.mlir:{{.*}} error: result #0 of 'differs' differs in 2 of 3 elements; the first is element 1: found bits 0x80000000, expected 0x0
// DIFFERS: exit code 1

// RUN: sh -c 'gensyn-translate --interpret %t/no-input.mlir; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: argument #0 of 'f' has no 'gensyn.input' of its type
// INPUT: exit code 3

// RUN: sh -c 'gensyn-translate --interpret %t/empty.mlir; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: the module has no function to interpret
// EMPTY: exit code 3

// RUN: sh -c 'gensyn-translate --interpret %t/other.mlir; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'onnx.constant' op has no reference meaning
// OTHER: exit code 3

// Work is bounded before it begins.
// RUN: sh -c 'gensyn-translate --interpret %t/large.mlir; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: large.mlir:{{.*}} error: the module computes 34359738368 elements and operations, at most 17179869184 are interpreted (--interpret-work)
// LARGE-NEXT: exit code 6
// RUN: sh -c 'gensyn-translate --interpret --interpret-work=4 %t/values.mlir; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=WORK
// WORK: error: the module computes 10 elements and operations, at most 4 are interpreted (--interpret-work)
// WORK-NEXT: exit code 6
// RUN: gensyn-translate --interpret --interpret-work=0 %t/values.mlir | FileCheck %s --check-prefix=VALUES
// RUN: sh -c 'gensyn-translate --interpret --interpret-work=-1 %t/values.mlir; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: {{^}}gensyn-translate: error: --interpret-work: '-1' is not an integer of its range
// NUMBER-NEXT: exit code 2

//--- large.mlir
func.func @f(%x: tensor<4x4294967296xf32>) -> tensor<4x4294967296xf32> {
  %0 = repro.add %x, %x : tensor<4x4294967296xf32>
  return %0 : tensor<4x4294967296xf32>
}
//--- values.mlir
func.func @sum(%x: tensor<2xf32> {gensyn.input = dense<[1.5, 0xFF800000]> : tensor<2xf32>},
               %y: tensor<2xf32> {gensyn.input = dense<[2.0, 1.0]> : tensor<2xf32>}) -> (tensor<2xf32>, tensor<2xi1>) {
  %0 = repro.add %x, %y : tensor<2xf32>
  %1 = repro.compare lt %x, %0 : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xi1>
}
func.func @constant() -> (tensor<2xi32> {gensyn.expected = dense<[-1, 7]> : tensor<2xi32>}) {
  %0 = repro.constant dense<[-1, 7]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
//--- differs.mlir
func.func @differs() -> (tensor<3xf32> {gensyn.expected = dense<[1.0, 0.0, 2.0]> : tensor<3xf32>}) {
  %0 = repro.constant dense<[1.0, -0.0, 2.5]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
//--- no-input.mlir
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
//--- empty.mlir
func.func private @f(tensor<2xf32>) -> tensor<2xf32>
//--- other.mlir
func.func @f() -> tensor<2xf32> {
  %0 = onnx.constant dense<1.0> : tensor<2xf32>
  %1 = onnx.Relu.v14(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

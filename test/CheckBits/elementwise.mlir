// Each wrong pass changes one function here, and is named with it. The reduced module is as small
// as shown: the ops that matter, on one element.

// RUN: gensyn-wrong-opt %s --check-bits=all --canonicalize --cse
// RUN: not gensyn-wrong-opt %s --check-bits=all --canonicalize --wrong-reassociate-add --cse 2>&1 | FileCheck %s --check-prefix=ADD
// ADD: error: pass 'wrong-reassociate-add' changes bits of 'add': result 0, element [{{[0-9]+}}] of f32: expected 0x{{.+}}, found 0x{{.+}} (seed 1, trial {{[0-9]+}})
// ADD: // 'wrong-reassociate-add' changes a bit of:
// ADD: func.func @add(%{{.+}}: tensor<1xf32> {gensyn.input = dense<{{.+}}> : tensor<1xf32>},
// ADD-NEXT: %[[S:.+]] = repro.add
// ADD-NEXT: %[[T:.+]] = repro.add %[[S]]
// ADD-NEXT: return %[[T]]
func.func @add(%a: tensor<33xf32>, %b: tensor<33xf32>, %c: tensor<33xf32>) -> tensor<33xf32> {
  %n = repro.neg %a : tensor<33xf32>
  %s = repro.add %n, %b : tensor<33xf32>
  %t = repro.add %s, %c : tensor<33xf32>
  %u = repro.tanh %t : tensor<33xf32>
  return %u : tensor<33xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-fuse 2>&1 | FileCheck %s --check-prefix=FUSE
// FUSE: error: pass 'wrong-fuse' changes bits of 'mul_add'
// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-widen 2>&1 | FileCheck %s --check-prefix=WIDEN
// WIDEN: error: pass 'wrong-widen' changes bits of 'mul_add'
// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-flush 2>&1 | FileCheck %s --check-prefix=FLUSH
// FLUSH: error: pass 'wrong-flush' changes bits of 'mul_add'
func.func @mul_add(%a: tensor<33xf32>, %b: tensor<33xf32>, %c: tensor<33xf32>) -> (tensor<33xf32>, tensor<33xf32>) {
  %p = repro.mul %a, %b : tensor<33xf32>
  %s = repro.add %p, %c : tensor<33xf32>
  return %p, %s : tensor<33xf32>, tensor<33xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-split-fma 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: error: pass 'wrong-split-fma' changes bits of 'fma'
func.func @fma(%a: tensor<33xf32>, %b: tensor<33xf32>, %c: tensor<33xf32>) -> tensor<33xf32> {
  %s = repro.fma %a, %b, %c : tensor<33xf32>
  return %s : tensor<33xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-min 2>&1 | FileCheck %s --check-prefix=MIN
// MIN: error: pass 'wrong-min' changes bits of 'min'
func.func @min(%a: tensor<129xf32>, %b: tensor<129xf32>) -> tensor<129xf32> {
  %s = repro.min %a, %b : tensor<129xf32>
  return %s : tensor<129xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-drop-zero 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: pass 'wrong-drop-zero' changes bits of 'zero': {{.+}}: expected 0x00000000 (0x0p+0), found 0x80000000 (-0x0p+0)
func.func @zero(%a: tensor<33xf32>) -> tensor<33xf32> {
  %z = repro.constant dense<0.0> : tensor<33xf32>
  %i = repro.constant dense<0> : tensor<33xi32>
  %n = repro.min %a, %a : tensor<33xf32>
  %s = repro.add %n, %z : tensor<33xf32>
  return %s : tensor<33xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-reciprocal 2>&1 | FileCheck %s --check-prefix=DIV
// DIV: error: pass 'wrong-reciprocal' changes bits of 'div'
func.func @div(%a: tensor<33xf32>, %b: tensor<33xf32>) -> tensor<33xf32> {
  %s = repro.div %a, %b : tensor<33xf32>
  return %s : tensor<33xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-convert-twice 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: pass 'wrong-convert-twice' changes bits of 'narrow'
func.func @narrow(%a: tensor<257xf64>) -> tensor<257xf16> {
  %s = repro.convert %a : tensor<257xf64> to tensor<257xf16>
  return %s : tensor<257xf16>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-convert-hardware 2>&1 | FileCheck %s --check-prefix=HARDWARE
// HARDWARE: error: pass 'wrong-convert-hardware' changes bits of 'to_integer'
func.func @to_integer(%a: tensor<33xf32>) -> tensor<33xi32> {
  %s = repro.convert %a : tensor<33xf32> to tensor<33xi32>
  return %s : tensor<33xi32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-exp 2>&1 | FileCheck %s --check-prefix=EXP
// EXP: error: pass 'wrong-exp' changes bits of 'exp'
func.func @exp(%a: tensor<33xf32>) -> tensor<33xf32> {
  %s = repro.exp %a : tensor<33xf32>
  return %s : tensor<33xf32>
}

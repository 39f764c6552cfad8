// Wrong passes on integers, choices and NaNs; see elementwise.mlir.

// RUN: gensyn-wrong-opt %s --check-bits=all --canonicalize --cse
// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-divide-by-zero 2>&1 | FileCheck %s --check-prefix=DIV
// DIV: error: pass 'wrong-divide-by-zero' changes bits of 'div': {{.+}} of i32: expected 0xFFFFFFFF, found 0x00000000
func.func @div(%a: tensor<33xi32>, %b: tensor<33xi32>) -> tensor<33xi32> {
  %s = repro.div %a, %b : tensor<33xi32>
  return %s : tensor<33xi32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-shift 2>&1 | FileCheck %s --check-prefix=SHIFT
// SHIFT: error: pass 'wrong-shift' changes bits of 'shift'
func.func @shift(%a: tensor<33xui32>, %b: tensor<33xui32>) -> tensor<33xui32> {
  %s = repro.shl %a, %b : tensor<33xui32>
  return %s : tensor<33xui32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-square-of-root 2>&1 | FileCheck %s --check-prefix=ROOT
// ROOT: error: pass 'wrong-square-of-root' changes bits of 'root'
func.func @root(%a: tensor<33xf32>) -> tensor<33xf32> {
  %r = repro.sqrt %a : tensor<33xf32>
  %s = repro.mul %r, %r : tensor<33xf32>
  return %s : tensor<33xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-invert-compare 2>&1 | FileCheck %s --check-prefix=INVERT
// INVERT: error: pass 'wrong-invert-compare' changes bits of 'not_less': {{.+}} of i1: expected 0x01, found 0x00
func.func @not_less(%a: tensor<33xf32>, %b: tensor<33xf32>) -> tensor<33xi1> {
  %r = repro.compare lt %a, %b : tensor<33xf32>
  %s = repro.not %r : tensor<33xi1>
  return %s : tensor<33xi1>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-swap-select 2>&1 | FileCheck %s --check-prefix=SWAP
// SWAP: error: pass 'wrong-swap-select' changes bits of 'select'
// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-nan 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: pass 'wrong-nan' changes bits of 'select': {{.+}} found 0x7FC00000
func.func @select(%p: tensor<33xi1>, %a: tensor<33xf32>, %b: tensor<33xf32>) -> tensor<33xf32> {
  %s = repro.select %p, %a, %b : tensor<33xf32>
  return %s : tensor<33xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-cancel 2>&1 | FileCheck %s --check-prefix=CANCEL
// CANCEL: error: pass 'wrong-cancel' changes bits of 'difference': {{.+}}: expected 0x7FC00000 (nan), found 0x00000000
func.func @difference(%a: tensor<33xf32>) -> tensor<33xf32> {
  %s = repro.sub %a, %a : tensor<33xf32>
  return %s : tensor<33xf32>
}

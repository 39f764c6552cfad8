// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=75 | FileCheck %s --check-prefix=SLOW
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=86 | FileCheck %s --check-prefix=SLOW
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=FAST

// If f64 is slow, functions use pairs of f32, and f64 occurs only behind the
// branch that they seldom take.
// SLOW-LABEL: llvm.func @exp
// SLOW-NOT: f64
// SLOW: scf.if %{{.*}} -> (f32) {
// SLOW-NOT: else
// SLOW: arith.extf %{{.*}} : f32 to f64
// SLOW: arith.truncf %{{.*}} : f64 to f32
// SLOW: } else {
// SLOW-NEXT: scf.yield
// SLOW-NEXT: }
// SLOW-NOT: f64
// SLOW: {{scf.if|llvm.return}}
// FAST-LABEL: llvm.func @exp
// FAST-NOT: scf.if
// FAST: arith.extf %{{.*}} : f32 to f64
// FAST: arith.truncf %{{.*}} : f64 to f32
// FAST: llvm.return
func.func @exp(%x: tensor<8192xf32>) -> tensor<8192xf32> {
  %y = repro.kernel "exp" (%a = %x : tensor<8192xf32>) -> tensor<8192xf32> {
    %s = repro.exp %a : tensor<8192xf32>
    repro.yield %s : tensor<8192xf32>
  }
  return %y : tensor<8192xf32>
}

// SLOW-LABEL: llvm.func @erf
// SLOW-NOT: f64
// SLOW: scf.if %{{.*}} -> (f32) {
// SLOW: arith.extf %{{.*}} : f32 to f64
// FAST-LABEL: llvm.func @erf
// FAST-NOT: scf.if
// FAST: llvm.return
func.func @erf(%x: tensor<8192xf32>) -> tensor<8192xf32> {
  %y = repro.kernel "erf" (%a = %x : tensor<8192xf32>) -> tensor<8192xf32> {
    %s = repro.erf %a : tensor<8192xf32>
    repro.yield %s : tensor<8192xf32>
  }
  return %y : tensor<8192xf32>
}

// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-verify-target-bits)' --split-input-file --verify-diagnostics

func.func @allowed(%a: f32, %v: vector<4xf32>) -> f32 {
  %0 = math.fma %a, %a, %a : f32
  %1 = math.sqrt %0 : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}

// -----

func.func @flags(%a: f32) -> f32 {
  // expected-error @+1 {{'arith.addf' in 'flags' has fast-math flags [fast-math]}}
  %0 = arith.addf %a, %a fastmath<contract> : f32
  return %0 : f32
}

// -----

func.func @llvm_flags(%a: f32) -> f32 {
  // expected-error @+1 {{'llvm.fmul' in 'llvm_flags' has fast-math flags [fast-math]}}
  %0 = llvm.fmul %a, %a {fastmathFlags = #llvm.fastmath<nnan>} : f32
  return %0 : f32
}

// -----

func.func @library(%a: f32) -> f32 {
  // expected-error @+1 {{'math.exp' in 'library' may become a call of a math library [math-library]}}
  %0 = math.exp %a : f32
  return %0 : f32
}

// -----

func.func @split(%a: vector<4xf32>) -> vector<4xf32> {
  // expected-error @+1 {{'vector.fma' in 'split' may be split into a product and a sum [split-fma]}}
  %0 = vector.fma %a, %a, %a : vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @muladd(%a: f32) -> f32 {
  // expected-error @+1 {{'llvm.intr.fmuladd' in 'muladd' may be split into a product and a sum [split-fma]}}
  %0 = llvm.intr.fmuladd(%a, %a, %a) : (f32, f32, f32) -> f32
  return %0 : f32
}

// -----

func.func @reduction(%a: vector<4xf32>) -> f32 {
  // expected-error @+1 {{'vector.reduction' in 'reduction' adds in an order that it does not state [unstated-order]}}
  %0 = vector.reduction <add>, %a : vector<4xf32> into f32
  return %0 : f32
}

// -----

func.func @atomic(%a: f32, %m: memref<4xf32>, %i: index) -> f32 {
  // expected-error @+1 {{'memref.atomic_rmw' in 'atomic' is an atomic operation on floats, whose order is open [float-atomic]}}
  %0 = memref.atomic_rmw addf %a, %m[%i] : (f32, memref<4xf32>) -> f32
  return %0 : f32
}

// -----

func.func @integers(%a: vector<4xi32>, %m: memref<4xi32>, %i: index, %x: i32) -> i32 {
  %0 = vector.reduction <add>, %a : vector<4xi32> into i32
  %1 = memref.atomic_rmw mins %x, %m[%i] : (i32, memref<4xi32>) -> i32
  return %0 : i32
}

// -----

func.func @intrinsic(%a: f32) -> f32 {
  // expected-error @+1 {{'llvm.intr.exp' in 'intrinsic' is an intrinsic with no exact result [inexact-intrinsic]}}
  %0 = llvm.intr.exp(%a) : (f32) -> f32
  return %0 : f32
}

// -----

// expected-error @+1 {{'llvm.func' in 'attributes' has an attribute that lets a compiler change arithmetic [function-attributes]}}
llvm.func @attributes(%a: f32) attributes {passthrough = [["unsafe-fp-math", "true"]]} {
  llvm.return
}

// -----

func.func @remainder(%a: f32) {
  // expected-error @+1 {{'arith.remf' in 'remainder' becomes a call of fmod [remainder]}}
  %0 = arith.remf %a, %a : f32
  return
}

// -----

func.func private @expf(f32) -> f32
func.func @call(%a: f32) {
  // expected-error @+1 {{'func.call' in 'call' leaves the module: what it computes is not known here [external-call]}}
  %0 = func.call @expf(%a) : (f32) -> f32
  return
}

// -----

func.func @assembly(%a: f32) {
  // expected-error @+1 {{'llvm.inline_asm' in 'assembly' leaves the module: what it computes is not known here [external-call]}}
  %0 = llvm.inline_asm "nop", "=f,f" %a : (f32) -> f32
  return
}

// -----

func.func @intrinsic(%a: vector<16xf32>) {
  // expected-error @+1 {{'llvm.call_intrinsic' in 'intrinsic' leaves the module: what it computes is not known here [external-call]}}
  %0 = llvm.call_intrinsic "llvm.x86.avx512.rcp14.ps.512"(%a) : (vector<16xf32>) -> vector<16xf32>
  return
}

// -----

// A permutation only moves data.
func.func @permutation(%a: vector<8xi64>) {
  %0 = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.q.512"(%a, %a, %a) : (vector<8xi64>, vector<8xi64>, vector<8xi64>) -> vector<8xi64>
  %words = vector.bitcast %a : vector<8xi64> to vector<16xi32>
  %1 = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.d.512"(%words, %words, %words) : (vector<16xi32>, vector<16xi32>, vector<16xi32>) -> vector<16xi32>
  return
}

// -----

func.func @extremum(%a: f32) {
  // expected-error @+1 {{'arith.maxnumf' in 'extremum' leaves the sign of a zero to the target [loose-extremum]}}
  %0 = arith.maxnumf %a, %a : f32
  return
}

// -----

func.func @rounding(%a: f64) {
  // expected-error @+1 {{'arith.truncf' in 'rounding' rounds otherwise than to nearest even [other-rounding]}}
  %0 = arith.truncf %a upward : f64 to f32
  return
}

// -----

func.func @narrow(%a: f16) {
  // expected-error @+1 {{'arith.addf' in 'narrow' computes in a type narrower than f32, which targets widen as they like [narrow-arithmetic]}}
  %0 = arith.addf %a, %a : f16
  return
}

// -----

func.func @warp(%a: f32) {
  // expected-error @+1 {{'gpu.subgroup_reduce' in 'warp' adds in an order that it does not state [unstated-order]}}
  %0 = gpu.subgroup_reduce add %a uniform : (f32) -> f32
  return
}

// -----

func.func @matmul(%a: memref<4x4xf32>) {
  // expected-error @+1 {{'linalg.matmul' in 'matmul' adds in an order that it does not state [unstated-order]}}
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

func.func @approximate(%a: f32) {
  // expected-error @+1 {{'nvvm.rcp.approx.ftz.f' in 'approximate' computes floats by an instruction of one vendor [vendor-arithmetic]}}
  %0 = nvvm.rcp.approx.ftz.f %a : f32
  return
}

// -----

func.func private @here(%a: f32) -> f32 {
  return %a : f32
}
func.func @known(%a: f32) -> f32 {
  %0 = func.call @here(%a) : (f32) -> f32
  return %0 : f32
}

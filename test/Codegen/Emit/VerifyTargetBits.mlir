// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-verify-target-bits)' --split-input-file --verify-diagnostics

func.func @allowed(%a: f32, %v: vector<4xf32>) -> f32 {
  %0 = math.fma %a, %a, %a : f32
  %1 = math.sqrt %0 : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}

// -----

func.func @flags(%a: f32) -> f32 {
  // expected-error @+1 {{'arith.addf' has fast-math flags}}
  %0 = arith.addf %a, %a fastmath<contract> : f32
  return %0 : f32
}

// -----

func.func @llvm_flags(%a: f32) -> f32 {
  // expected-error @+1 {{'llvm.fmul' has fast-math flags}}
  %0 = llvm.fmul %a, %a {fastmathFlags = #llvm.fastmath<nnan>} : f32
  return %0 : f32
}

// -----

func.func @library(%a: f32) -> f32 {
  // expected-error @+1 {{'math.exp' may become a call of a math library}}
  %0 = math.exp %a : f32
  return %0 : f32
}

// -----

func.func @split(%a: vector<4xf32>) -> vector<4xf32> {
  // expected-error @+1 {{'vector.fma' may be split into a product and a sum}}
  %0 = vector.fma %a, %a, %a : vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @muladd(%a: f32) -> f32 {
  // expected-error @+1 {{'llvm.intr.fmuladd' may be split into a product and a sum}}
  %0 = llvm.intr.fmuladd(%a, %a, %a) : (f32, f32, f32) -> f32
  return %0 : f32
}

// -----

func.func @reduction(%a: vector<4xf32>) -> f32 {
  // expected-error @+1 {{'vector.reduction' adds in an order that it does not state}}
  %0 = vector.reduction <add>, %a : vector<4xf32> into f32
  return %0 : f32
}

// -----

func.func @atomic(%a: f32, %m: memref<4xf32>, %i: index) -> f32 {
  // expected-error @+1 {{'memref.atomic_rmw' is an atomic operation on floats, whose order is open}}
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
  // expected-error @+1 {{'llvm.intr.exp' is an intrinsic with no exact result}}
  %0 = llvm.intr.exp(%a) : (f32) -> f32
  return %0 : f32
}

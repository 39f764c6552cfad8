// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-expand-fma)' | FileCheck %s

// The values are tested by GensynCodegenCpuTests, on x86-64.

// CHECK: func.func private @gensyn_fma_f64x8(%{{.+}}: vector<8xf64>
// CHECK-NOT: math.fma
// CHECK: return

// CHECK-LABEL: func.func @f32
// CHECK: %[[A:.+]] = arith.extf %{{.+}} : f32 to f64
// CHECK: %[[P:.+]] = arith.mulf %[[A]], %{{.+}} : f64
// CHECK: arith.addf %[[P]], %{{.+}} : f64
// CHECK: arith.truncf %{{.+}} : f64 to f32
func.func @f32(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = math.fma %a, %b, %c : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @f64
// CHECK: call @gensyn_fma_f64x0(%arg0, %arg1, %arg2)
func.func @f64(%a: f64, %b: f64, %c: f64) -> f64 {
  %0 = math.fma %a, %b, %c : f64
  return %0 : f64
}

// CHECK-LABEL: func.func @vectors
// CHECK: call @gensyn_fma_f64x8(%arg0, %arg0, %arg0)
func.func @vectors(%a: vector<8xf64>) -> vector<8xf64> {
  %0 = math.fma %a, %a, %a : vector<8xf64>
  return %0 : vector<8xf64>
}

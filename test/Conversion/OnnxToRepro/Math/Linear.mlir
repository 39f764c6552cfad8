// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-DAG: #[[$A_TRANSPOSED:.+]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$B_TRANSPOSED:.+]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$LEFT:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d4)>
// CHECK-DAG: #[[$RIGHT:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>
// CHECK-DAG: #[[$BATCHED:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$VECTOR:.+]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$SCALAR:.+]] = affine_map<(d0) -> ()>

// CHECK-LABEL: @gemm
// CHECK-SAME: (%[[A:.+]]: tensor<3x2xf32>, %[[B:.+]]: tensor<4x3xf32>, %[[C:.+]]: tensor<4xf32>)
func.func @gemm(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>, %c: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: %[[P:.+]] = repro.contract %[[A]], %[[B]] domain <[2, 4, 3], reduce [2]>
  // CHECK-SAME: maps [#[[$A_TRANSPOSED]], #[[$B_TRANSPOSED]], #[[$RESULT]]] bounds [in, in] :
  // CHECK: %[[ALPHA:.+]] = repro.constant dense<2.000000e+00> : tensor<f32>
  // CHECK: %[[S:.+]] = repro.mul {{.+}}, %[[P]]
  // CHECK-NOT: repro.mul
  // CHECK: %[[BIAS:.+]] = repro.broadcast %[[C]] dims [1] : tensor<4xf32> to tensor<2x4xf32>
  // CHECK: repro.add %[[S]], %[[BIAS]]
  %0 = onnx.Gemm.v13(%a, %b, %c) {transA = 1 : i64, transB = 1 : i64, alpha = 2.0 : f32}
      : (tensor<3x2xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @gemm_without_c
func.func @gemm_without_c(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // CHECK: %[[P:.+]] = repro.contract
  // CHECK-NEXT: return %[[P]]
  %0 = onnx.Gemm.v11(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// With a matrix on the right the batch becomes rows.
// CHECK-LABEL: @batch_times_matrix
func.func @batch_times_matrix(%a: tensor<5x2x3xf32>, %b: tensor<3x4xf32>) -> tensor<5x2x4xf32> {
  // CHECK: %[[X:.+]] = repro.reshape %{{.+}} : tensor<5x2x3xf32> to tensor<10x3xf32>
  // CHECK: %[[P:.+]] = repro.contract %[[X]], %{{.+}} domain <[10, 4, 3], reduce [2]>
  // CHECK: repro.reshape %[[P]] : tensor<10x4xf32> to tensor<5x2x4xf32>
  %0 = onnx.MatMul.v13(%a, %b) : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// Batch dimensions that repeat are absent from the operand and its map.
// CHECK-LABEL: @batch_times_batch
// CHECK-SAME: (%[[A:.+]]: tensor<1x5x2x3xf32>, %[[B:.+]]: tensor<6x1x3x4xf32>)
func.func @batch_times_batch(%a: tensor<1x5x2x3xf32>, %b: tensor<6x1x3x4xf32>) -> tensor<6x5x2x4xf32> {
  // CHECK: %[[X:.+]] = repro.reshape %[[A]] : {{.+}} to tensor<5x2x3xf32>
  // CHECK: %[[Y:.+]] = repro.reshape %[[B]] : {{.+}} to tensor<6x3x4xf32>
  // CHECK: repro.contract %[[X]], %[[Y]] domain <[6, 5, 2, 4, 3], reduce [4]>
  // CHECK-SAME: maps [#[[$LEFT]], #[[$RIGHT]], #[[$BATCHED]]] bounds [in, in]
  %0 = onnx.MatMul.v13(%a, %b) : (tensor<1x5x2x3xf32>, tensor<6x1x3x4xf32>) -> tensor<6x5x2x4xf32>
  return %0 : tensor<6x5x2x4xf32>
}

// CHECK-LABEL: @dot
func.func @dot(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<f32> {
  // CHECK: repro.contract {{.+}} domain <[3], reduce [0]> maps [#[[$VECTOR]], #[[$VECTOR]], #[[$SCALAR]]]
  %0 = onnx.MatMul.v9(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// f16 and bf16 widen, the result is rounded once.
// CHECK-LABEL: @narrow
func.func @narrow(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>, %c: tensor<4xbf16>) -> tensor<2x4xbf16> {
  // CHECK-DAG: repro.convert %{{.+}} : tensor<2x3xbf16> to tensor<2x3xf32>
  // CHECK-DAG: repro.convert %{{.+}} : tensor<3x4xbf16> to tensor<3x4xf32>
  // CHECK-DAG: repro.convert %{{.+}} : tensor<4xbf16> to tensor<4xf32>
  // CHECK: %[[Y:.+]] = repro.add {{.+}} : tensor<2x4xf32>
  // CHECK: repro.convert %[[Y]] : tensor<2x4xf32> to tensor<2x4xbf16>
  %0 = onnx.Gemm.v13(%a, %b, %c) : (tensor<2x3xbf16>, tensor<3x4xbf16>, tensor<4xbf16>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

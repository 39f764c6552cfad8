// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @quantize
func.func @quantize(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %z: tensor<3xui8>) -> tensor<2x3xui8> {
  // CHECK: %[[D:.+]] = repro.div
  // CHECK: %[[R:.+]] = repro.round even %[[D]]
  // CHECK: %[[A:.+]] = repro.add %[[R]]
  // CHECK: %[[L:.+]] = repro.max %[[A]]
  // CHECK: repro.constant dense<2.550000e+02>
  // CHECK: %[[H:.+]] = repro.min %[[L]]
  // CHECK: repro.convert %[[H]] : tensor<2x3xf32> to tensor<2x3xui8>
  %0 = onnx.QuantizeLinear.v13(%x, %s, %z) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xui8>) -> tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}

// A scale for each block of two, the last one short.
// CHECK-LABEL: @dequantize_blocks
func.func @dequantize_blocks(%x: tensor<2x3xi8>, %s: tensor<2x2xf32>) -> tensor<2x3xf32> {
  // CHECK: repro.broadcast %{{.+}} dims [0, 1] : tensor<2x2xf32> to tensor<2x2x2xf32>
  // CHECK: repro.slice %{{.+}} start [0, 0] limit [2, 3]
  // CHECK: repro.convert %{{.+}} : tensor<2x3xi8> to tensor<2x3xi32>
  // CHECK: repro.mul
  %0 = onnx.DequantizeLinear.v21(%x, %s) {axis = 1 : i64, block_size = 2 : i64} : (tensor<2x3xi8>, tensor<2x2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// The zero point is subtracted before padding, and integer sums have no order.
// CHECK-LABEL: @integers
func.func @integers(%x: tensor<1x1x4xui8>, %w: tensor<1x1x3xui8>, %z: tensor<ui8>) -> tensor<1x1x4xi32> {
  // CHECK: %[[X:.+]] = repro.sub {{.+}} : tensor<1x1x4xi32>
  // CHECK: repro.contract %[[X]], %{{.+}} bounds [zero, in] : tensor<1x1x4xi32>, tensor<1x1x3xi32> -> tensor<1x1x4xi32>
  %0 = onnx.ConvInteger.v10(%x, %w, %z) {pads = array<i64: 1, 1>} : (tensor<1x1x4xui8>, tensor<1x1x3xui8>, tensor<ui8>) -> tensor<1x1x4xi32>
  return %0 : tensor<1x1x4xi32>
}

// Narrow floats: no rounding to integers, and a zero point of zero is left out.
// CHECK-LABEL: @quantize_floats
func.func @quantize_floats(%x: tensor<2x4xf32>, %s: tensor<f32>) -> (tensor<2x4xf8E4M3FN>, tensor<2x4xf32>) {
  %z = onnx.constant dense<0.0> : tensor<f8E4M3FN>
  // CHECK: %[[D:.+]] = repro.div
  // CHECK-NEXT: %[[Q:.+]] = repro.convert %[[D]] saturate : tensor<2x4xf32> to tensor<2x4xf8E4M3FN>
  %0 = onnx.QuantizeLinear.v19(%x, %s, %z) : (tensor<2x4xf32>, tensor<f32>, tensor<f8E4M3FN>) -> tensor<2x4xf8E4M3FN>
  // CHECK: %[[W:.+]] = repro.convert %[[Q]] : tensor<2x4xf8E4M3FN> to tensor<2x4xf32>
  // CHECK-NOT: repro.sub
  // CHECK: repro.mul %[[W]]
  %1 = onnx.DequantizeLinear.v19(%0, %s, %z) : (tensor<2x4xf8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf8E4M3FN>, tensor<2x4xf32>
}

// The division has the precision of the attribute, or of the scale.
// CHECK-LABEL: @precision
func.func @precision(%x: tensor<4xf32>, %s: tensor<bf16>, %e: tensor<f8E8M0FNU>) -> (tensor<4xi4>, tensor<4xui8>, tensor<4xf4E2M1FN>) {
  // CHECK: %[[D:.+]] = repro.div
  // CHECK: %[[H:.+]] = repro.convert %[[D]] : tensor<4xf32> to tensor<4xf16>
  // CHECK: repro.round even
  // CHECK: repro.constant dense<-8.000000e+00>
  // CHECK: repro.constant dense<7.000000e+00>
  %0 = onnx.QuantizeLinear.v23(%x, %s) {output_dtype = 22 : i64, precision = 10 : i64} : (tensor<4xf32>, tensor<bf16>) -> tensor<4xi4>
  // CHECK: %[[D:.+]] = repro.div
  // CHECK: %[[H:.+]] = repro.convert %[[D]] : tensor<4xf32> to tensor<4xbf16>
  %1 = onnx.QuantizeLinear.v23(%x, %s) : (tensor<4xf32>, tensor<bf16>) -> tensor<4xui8>
  // CHECK: %[[D:.+]] = repro.div
  // CHECK-NEXT: repro.convert %[[D]] : tensor<4xf32> to tensor<4xf4E2M1FN>
  %2 = onnx.QuantizeLinear.v24(%x, %e) {output_dtype = 23 : i64} : (tensor<4xf32>, tensor<f8E8M0FNU>) -> tensor<4xf4E2M1FN>
  return %0, %1, %2 : tensor<4xi4>, tensor<4xui8>, tensor<4xf4E2M1FN>
}

// Floats are contracted as f32, not as integers.
// CHECK-LABEL: @matmul_floats
func.func @matmul_floats(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x4xi8>, %s: tensor<f32>, %za: tensor<f8E4M3FN>) -> tensor<2x4xf8E5M2> {
  %zb = onnx.constant dense<0> : tensor<i8>
  %zy = onnx.constant dense<0.0> : tensor<f8E5M2>
  // CHECK: %[[A:.+]] = repro.convert %{{.+}} : tensor<2x3xf8E4M3FN> to tensor<2x3xf32>
  // CHECK: %[[L:.+]] = repro.sub %[[A]]
  // CHECK: %[[B:.+]] = repro.convert %{{.+}} : tensor<3x4xi8> to tensor<3x4xi32>
  // CHECK: %[[R:.+]] = repro.convert %[[B]] : tensor<3x4xi32> to tensor<3x4xf32>
  // CHECK: repro.contract %[[L]], %[[R]]
  // CHECK-NOT: repro.round
  // CHECK: repro.convert %{{.+}} saturate : tensor<2x4xf32> to tensor<2x4xf8E5M2>
  %0 = onnx.QLinearMatMul.v21(%a, %s, %za, %b, %s, %zb, %s, %zy) : (tensor<2x3xf8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>, tensor<3x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<f8E5M2>) -> tensor<2x4xf8E5M2>
  return %0 : tensor<2x4xf8E5M2>
}

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

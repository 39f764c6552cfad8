// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @nearest
func.func @nearest(%x: tensor<1x1x2x2xui8>) -> tensor<1x1x4x6xui8> {
  %scales = onnx.constant dense<[1.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  // CHECK: %[[I:.+]] = repro.constant dense<[0, 0, 1, 1]> : tensor<4xi64>
  // CHECK: %[[Y:.+]] = repro.gather %arg0[%[[I]]]{{.*}} bounds zero
  // CHECK: %[[J:.+]] = repro.constant dense<[0, 0, 0, 1, 1, 1]> : tensor<6xi64>
  // CHECK: repro.gather %[[Y]][%[[J]]]{{.*}} bounds zero
  %0 = onnx.Upsample.v9(%x, %scales) : (tensor<1x1x2x2xui8>, tensor<4xf32>) -> tensor<1x1x4x6xui8>
  return %0 : tensor<1x1x4x6xui8>
}

// Weights of the two neighbours, the second added by fma; before the first element and after the
// last there is only one.
// CHECK-LABEL: @linear
func.func @linear(%x: tensor<1x3xf32>) -> tensor<1x6xf32> {
  %none = onnx.constant dense<> : tensor<0xf32>
  %sizes = onnx.constant dense<[1, 6]> : tensor<2xi64>
  // CHECK: repro.constant dense<[1.000000e+00, 7.500000e-01, 2.500000e-01, 7.500000e-01, 2.500000e-01, 1.000000e+00]> : tensor<6xf64>
  // CHECK: repro.constant dense<[0, 0, 0, 1, 1, 2]> : tensor<6xi64>
  // CHECK: %[[A:.+]] = repro.gather %arg0
  // CHECK: %[[P:.+]] = repro.mul %[[A]]
  // CHECK: repro.constant dense<[1, 1, 1, 2, 2, 2]> : tensor<6xi64>
  // CHECK: %[[B:.+]] = repro.gather %arg0
  // CHECK: repro.fma %[[B]], %{{.+}}, %[[P]] : tensor<1x6xf32>
  %0 = onnx.Resize.v19(%x, %none, %none, %sizes) {mode = "linear"} : (tensor<1x3xf32>, tensor<0xf32>, tensor<0xf32>, tensor<2xi64>) -> tensor<1x6xf32>
  return %0 : tensor<1x6xf32>
}

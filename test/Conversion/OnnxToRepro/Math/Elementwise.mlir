// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// Dimensions align at the end; extents of 1 are dropped and repeated.
// CHECK-LABEL: @broadcast
// CHECK-SAME: (%[[A:.+]]: tensor<2x1x4xf32>, %[[B:.+]]: tensor<3x1xf32>)
func.func @broadcast(%a: tensor<2x1x4xf32>, %b: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
  // CHECK: %[[A1:.+]] = repro.reshape %[[A]] : tensor<2x1x4xf32> to tensor<2x4xf32>
  // CHECK: %[[A2:.+]] = repro.broadcast %[[A1]] dims [0, 2] : tensor<2x4xf32> to tensor<2x3x4xf32>
  // CHECK: %[[B1:.+]] = repro.reshape %[[B]] : tensor<3x1xf32> to tensor<3xf32>
  // CHECK: %[[B2:.+]] = repro.broadcast %[[B1]] dims [1] : tensor<3xf32> to tensor<2x3x4xf32>
  // CHECK: repro.sub %[[A2]], %[[B2]]
  %0 = onnx.Sub.v14(%a, %b) : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @pow
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
func.func @pow(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %two = onnx.constant dense<2.0> : tensor<f32>
  %half = onnx.constant dense<0.5> : tensor<f32>
  %minus = onnx.constant dense<-1> : tensor<i64>
  %one = onnx.constant dense<1.0> : tensor<1xf32>
  // CHECK: %[[SQUARE:.+]] = repro.mul %[[X]], %[[X]]
  %0 = onnx.Pow.v13(%x, %two) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: %[[ROOT:.+]] = repro.sqrt %[[X]]
  %1 = onnx.Pow.v13(%x, %half) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: %[[INVERSE:.+]] = repro.div %{{.+}}, %[[X]]
  %2 = onnx.Pow.v13(%x, %minus) : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  %3 = onnx.Pow.v13(%x, %one) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  // CHECK: return %[[SQUARE]], %[[ROOT]], %[[INVERSE]], %[[X]]
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @any_pow
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>, %[[Y:.+]]: tensor<f32>, %[[N:.+]]: tensor<4xi64>, %[[H:.+]]: tensor<4xf16>)
func.func @any_pow(%x: tensor<4xf32>, %y: tensor<f32>, %n: tensor<4xi64>, %h: tensor<4xf16>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf16>, tensor<4xi64>, tensor<4xf32>) {
  %c = onnx.constant dense<1.5> : tensor<f32>
  %three = onnx.constant dense<3.0> : tensor<f32>
  // CHECK: %[[E:.+]] = repro.broadcast %[[Y]]
  // CHECK: repro.pow %[[X]], %[[E]] : tensor<4xf32>
  %0 = onnx.Pow.v15(%x, %y) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: %[[M:.+]] = repro.convert %[[N]] : tensor<4xi64> to tensor<4xf32>
  // CHECK: repro.pow %[[X]], %[[M]] : tensor<4xf32>
  %1 = onnx.Pow.v15(%x, %n) : (tensor<4xf32>, tensor<4xi64>) -> tensor<4xf32>
  // CHECK: %[[W:.+]] = repro.convert %[[H]] : tensor<4xf16> to tensor<4xf32>
  // CHECK: %[[P:.+]] = repro.pow %[[W]], %{{.+}} : tensor<4xf32>
  // CHECK: repro.convert %[[P]] : tensor<4xf32> to tensor<4xf16>
  %2 = onnx.Pow.v15(%h, %c) : (tensor<4xf16>, tensor<f32>) -> tensor<4xf16>
  // CHECK: %[[I:.+]] = repro.convert %[[N]] : tensor<4xi64> to tensor<4xf32>
  // CHECK: %[[Q:.+]] = repro.pow %[[I]]
  // CHECK: repro.convert %[[Q]] : tensor<4xf32> to tensor<4xi64>
  %3 = onnx.Pow.v15(%n, %c) : (tensor<4xi64>, tensor<f32>) -> tensor<4xi64>
  // CHECK: %[[S:.+]] = repro.mul %[[X]], %[[X]]
  // CHECK: repro.mul %[[S]], %[[X]]
  %4 = onnx.Pow.v15(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf16>, tensor<4xi64>, tensor<4xf32>
}

// CHECK-LABEL: @chains
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>, %[[B:.+]]: tensor<f32>, %[[C:.+]]: tensor<4xf32>)
func.func @chains(%a: tensor<4xf32>, %b: tensor<f32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[AB:.+]] = repro.add %[[A]], %{{.+}}
  // CHECK: %[[ABC:.+]] = repro.add %[[AB]], %[[C]]
  // CHECK: repro.constant dense<3.000000e+00>
  // CHECK: repro.div %[[ABC]], %{{.+}}
  %0 = onnx.Mean.v13(%a, %b, %c) : (tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[M:.+]] = repro.max %[[A]], %{{.+}}
  // CHECK: repro.max %[[M]], %[[C]]
  %1 = onnx.Max.v13(%a, %b, %c) : (tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @mod
func.func @mod(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  // CHECK: %[[R:.+]] = repro.rem
  // CHECK: %[[SHIFTED:.+]] = repro.add %[[R]]
  // CHECK: repro.select %{{.+}}, %[[SHIFTED]], %[[R]]
  %0 = onnx.Mod.v13(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: %[[C:.+]] = repro.rem
  // CHECK-NEXT: return %{{.+}}, %[[C]]
  %1 = onnx.Mod.v13(%a, %b) {fmod = 1 : i64} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: @bits
func.func @bits(%a: tensor<4xui8>, %b: tensor<4xui8>, %p: tensor<4xi1>)
    -> (tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xi1>) {
  // CHECK: repro.shl
  %0 = onnx.BitShift.v11(%a, %b) {direction = "LEFT"} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: repro.shr
  %1 = onnx.BitShift.v11(%a, %b) {direction = "RIGHT"} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: repro.xor
  %2 = onnx.BitwiseXor.v18(%a, %b) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: repro.not
  %3 = onnx.Not.v1(%p) : (tensor<4xi1>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xi1>
}

// CHECK-LABEL: @casts
func.func @casts(%x: tensor<4xf16>) -> (tensor<4xi32>, tensor<4xf16>) {
  // CHECK: repro.convert %{{.+}} : tensor<4xf16> to tensor<4xi32>
  %0 = onnx.Cast.v13(%x) {to = 6 : i64} : (tensor<4xf16>) -> tensor<4xi32>
  // CHECK: repro.convert %{{.+}} : tensor<4xi32> to tensor<4xf16>
  %1 = onnx.CastLike.v15(%0, %x) : (tensor<4xi32>, tensor<4xf16>) -> tensor<4xf16>
  return %0, %1 : tensor<4xi32>, tensor<4xf16>
}

// CHECK-LABEL: @rounding
func.func @rounding(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: repro.round even
  %0 = onnx.Round.v11(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.round floor
  %1 = onnx.Floor.v13(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @trigonometry
func.func @trigonometry(%x: tensor<4xf32>, %h: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf16>) {
  // CHECK: repro.sin %{{.+}} : tensor<4xf32>
  %0 = onnx.Sin.v7(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.cos %{{.+}} : tensor<4xf32>
  %1 = onnx.Cos.v22(%0) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.tan %{{.+}} : tensor<4xf32>
  %2 = onnx.Tan.v7(%1) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.asin %{{.+}} : tensor<4xf32>
  %3 = onnx.Asin.v22(%2) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.acos %{{.+}} : tensor<4xf32>
  %4 = onnx.Acos.v7(%3) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.atan %{{.+}} : tensor<4xf32>
  %5 = onnx.Atan.v22(%4) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.sinh %{{.+}} : tensor<4xf32>
  %6 = onnx.Sinh.v9(%5) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.cosh %{{.+}} : tensor<4xf32>
  %7 = onnx.Cosh.v22(%6) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.asinh %{{.+}} : tensor<4xf32>
  %8 = onnx.Asinh.v9(%7) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.acosh %{{.+}} : tensor<4xf32>
  %9 = onnx.Acosh.v22(%8) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.atanh %{{.+}} : tensor<4xf32>
  %10 = onnx.Atanh.v9(%9) : (tensor<4xf32>) -> tensor<4xf32>
  // Narrow floats widen, and the result is rounded once.
  // CHECK: %[[W:.+]] = repro.convert %{{.+}} : tensor<4xf16> to tensor<4xf32>
  // CHECK: %[[S:.+]] = repro.sin %[[W]] : tensor<4xf32>
  // CHECK: repro.convert %[[S]] : tensor<4xf32> to tensor<4xf16>
  %narrow = onnx.Sin.v22(%h) : (tensor<4xf16>) -> tensor<4xf16>
  return %10, %narrow : tensor<4xf32>, tensor<4xf16>
}

// CHECK-LABEL: @narrow_casts
func.func @narrow_casts(%x: tensor<4xf32>) -> (tensor<4xf8E4M3FN>, tensor<4xf8E5M2>, tensor<4xf8E8M0FNU>, tensor<4xf8E8M0FNU>, tensor<4xf4E2M1FN>, tensor<4xi4>) {
  // Saturation is the default.
  // CHECK: repro.convert %{{.+}} saturate : tensor<4xf32> to tensor<4xf8E4M3FN>
  %0 = onnx.Cast.v19(%x) {to = 17 : i64} : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  // CHECK: repro.convert %{{.+}} : tensor<4xf32> to tensor<4xf8E5M2>
  %1 = onnx.Cast.v19(%x) {to = 19 : i64, saturate = 0 : i64} : (tensor<4xf32>) -> tensor<4xf8E5M2>
  // CHECK: repro.convert %{{.+}} saturate round up : tensor<4xf32> to tensor<4xf8E8M0FNU>
  %2 = onnx.Cast.v24(%x) {to = 24 : i64} : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  // CHECK: repro.convert %{{.+}} round nearest : tensor<4xf32> to tensor<4xf8E8M0FNU>
  %3 = onnx.CastLike.v24(%x, %2) {round_mode = "nearest", saturate = 0 : i64} : (tensor<4xf32>, tensor<4xf8E8M0FNU>) -> tensor<4xf8E8M0FNU>
  // Other types have no such choice.
  // CHECK: repro.convert %{{.+}} : tensor<4xf32> to tensor<4xf4E2M1FN>
  %4 = onnx.Cast.v24(%x) {to = 23 : i64} : (tensor<4xf32>) -> tensor<4xf4E2M1FN>
  // CHECK: repro.convert %{{.+}} : tensor<4xf32> to tensor<4xi4>
  %5 = onnx.Cast.v24(%x) {to = 22 : i64} : (tensor<4xf32>) -> tensor<4xi4>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf8E4M3FN>, tensor<4xf8E5M2>, tensor<4xf8E8M0FNU>, tensor<4xf8E8M0FNU>, tensor<4xf4E2M1FN>, tensor<4xi4>
}

// CHECK-LABEL: @bitcast_bool
func.func @bitcast_bool(%p: tensor<4xi1>, %x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi1>) {
  // CHECK: %[[U:.+]] = repro.convert %{{.+}} : tensor<4xi1> to tensor<4xui8>
  // CHECK: repro.bitcast %[[U]] : tensor<4xui8> to tensor<4xi8>
  %0 = onnx.BitCast.v26(%p) {to = 3 : i64} : (tensor<4xi1>) -> tensor<4xi8>
  // CHECK: %[[U:.+]] = repro.bitcast %{{.+}} : tensor<4xi8> to tensor<4xui8>
  // CHECK: repro.convert %[[U]] : tensor<4xui8> to tensor<4xi1>
  %1 = onnx.BitCast.v26(%x) {to = 9 : i64} : (tensor<4xi8>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi8>, tensor<4xi1>
}

// CHECK-LABEL: @bitcasts
func.func @bitcasts(%x: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  // CHECK: %[[B:.+]] = repro.bitcast %{{.+}} : tensor<4xf32> to tensor<4xi32>
  %0 = onnx.BitCast.v26(%x) {to = 6 : i64} : (tensor<4xf32>) -> tensor<4xi32>
  %1 = onnx.BitCast.v26(%x) {to = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: return %[[B]], %arg0
  return %0, %1 : tensor<4xi32>, tensor<4xf32>
}

// RUN: gensyn-opt %s --onnx-infer-shapes | FileCheck %s

// CHECK-LABEL: func.func @integers
// CHECK: onnx.constant dense<[-4, -3]> : tensor<2xi64>
// CHECK: onnx.constant dense<[2, 1]> : tensor<2xi64>
// CHECK: onnx.constant dense<[-2, 2]> : tensor<2xi64>
func.func @integers() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %a = onnx.constant dense<[-8, 7]> : tensor<2xi64>
  %b = onnx.constant dense<[3, -2]> : tensor<2xi64>
  %two = onnx.constant dense<2> : tensor<i64>
  // Truncation towards zero, then a broadcast operand.
  %0 = onnx.Div.v14(%a, %two) : (tensor<2xi64>, tensor<i64>) -> !onnx.unknown
  %1 = onnx.Min.v13(%0, %b) : (!onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  %m3 = onnx.constant dense<[-4, -3]> : tensor<2xi64>
  %2 = onnx.Min.v13(%1, %m3) : (!onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // Mod has the sign of the divisor, with fmod=1 that of the dividend.
  %c = onnx.constant dense<[-7, 7]> : tensor<2xi64>
  %three = onnx.constant dense<3> : tensor<i64>
  %3 = onnx.Mod.v13(%c, %three) : (tensor<2xi64>, tensor<i64>) -> !onnx.unknown
  %five = onnx.constant dense<[-12, 12]> : tensor<2xi64>
  %fm = onnx.constant dense<5> : tensor<i64>
  %4 = onnx.Mod.v13(%five, %fm) {fmod = 1 : i64} : (tensor<2xi64>, tensor<i64>) -> !onnx.unknown
  return %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// CHECK-LABEL: func.func @not_folded
// CHECK: onnx.Div.v14
// CHECK: onnx.Exp.v13
// CHECK: onnx.Cast.v13
func.func @not_folded() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %a = onnx.constant dense<1> : tensor<i64>
  %zero = onnx.constant dense<0> : tensor<i64>
  %f = onnx.constant dense<1.0> : tensor<f32>
  %huge = onnx.constant dense<1.0e30> : tensor<f32>
  %0 = onnx.Div.v14(%a, %zero) : (tensor<i64>, tensor<i64>) -> !onnx.unknown
  %1 = onnx.Exp.v13(%f) : (tensor<f32>) -> !onnx.unknown
  %2 = onnx.Cast.v13(%huge) {to = 6 : i64} : (tensor<f32>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// CHECK-LABEL: func.func @floats
// CHECK: onnx.constant dense<0.353553385> : tensor<f32>
// CHECK: onnx.constant dense<[2, -2]> : tensor<2xi32>
func.func @floats() -> (!onnx.unknown, !onnx.unknown) {
  %eight = onnx.constant dense<8> : tensor<i64>
  %one = onnx.constant dense<1.0> : tensor<f32>
  %f = onnx.Cast.v13(%eight) {to = 1 : i64} : (tensor<i64>) -> !onnx.unknown
  %r = onnx.Sqrt.v13(%f) : (!onnx.unknown) -> !onnx.unknown
  %0 = onnx.Div.v14(%one, %r) : (tensor<f32>, !onnx.unknown) -> !onnx.unknown
  %x = onnx.constant dense<[2.9, -2.9]> : tensor<2xf32>
  %1 = onnx.Cast.v13(%x) {to = 6 : i64} : (tensor<2xf32>) -> !onnx.unknown
  return %0, %1 : !onnx.unknown, !onnx.unknown
}

// The side of a square of 16 patches, as models compute it from a shape. Exponents that need a
// logarithm stay.
// CHECK-LABEL: func.func @powers
// CHECK: onnx.constant dense<4> : tensor<i64>
// CHECK: onnx.constant dense<[1024, -1024]> : tensor<2xi64>
// CHECK: onnx.constant dense<[2.500000e-01, -8.000000e+00]> : tensor<2xf32>
// CHECK: onnx.constant dense<1.000000e+00> : tensor<f32>
// CHECK: onnx.constant dense<2.250000e+00> : tensor<1xf64>
// CHECK: onnx.Pow
func.func @powers() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %n = onnx.constant dense<16.0> : tensor<f32>
  %half = onnx.constant dense<0.5> : tensor<f32>
  %r = onnx.Pow.v15(%n, %half) : (tensor<f32>, tensor<f32>) -> !onnx.unknown
  %0 = onnx.Cast.v13(%r) {to = 7 : i64} : (!onnx.unknown) -> !onnx.unknown
  %i = onnx.constant dense<[4, -4]> : tensor<2xi64>
  %five = onnx.constant dense<5> : tensor<1xi32>
  %1 = onnx.Pow.v15(%i, %five) : (tensor<2xi64>, tensor<1xi32>) -> !onnx.unknown
  %x = onnx.constant dense<[4.0, -0.125]> : tensor<2xf32>
  %m1 = onnx.constant dense<-1> : tensor<i64>
  %2 = onnx.Pow.v15(%x, %m1) : (tensor<2xf32>, tensor<i64>) -> !onnx.unknown
  %zero = onnx.constant dense<0> : tensor<i64>
  %3 = onnx.Pow.v15(%n, %zero) : (tensor<f32>, tensor<i64>) -> !onnx.unknown
  %d = onnx.constant dense<-1.5> : tensor<1xf64>
  %two = onnx.constant dense<2.0> : tensor<f32>
  %4 = onnx.Pow.v15(%d, %two) : (tensor<1xf64>, tensor<f32>) -> !onnx.unknown
  %quarter = onnx.constant dense<0.25> : tensor<f32>
  %5 = onnx.Pow.v15(%n, %quarter) : (tensor<f32>, tensor<f32>) -> !onnx.unknown
  return %0, %1, %2, %3, %4, %5 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// CHECK-LABEL: func.func @movement
// CHECK: onnx.constant dense<[5, 3, 1]> : tensor<3xi64>
// CHECK: onnx.constant dense<[4, 5]> : tensor<2xi64>
// CHECK: onnx.constant dense<{{\[}}[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi64>
// CHECK: onnx.constant dense<{{\[}}[1, 1], [2, 2]]> : tensor<2x2xi64>
// CHECK: onnx.constant dense<[false, true, true]> : tensor<3xi1>
func.func @movement() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %v = onnx.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
  %m1 = onnx.constant dense<-1> : tensor<1xi64>
  %low = onnx.constant dense<-9223372036854775808> : tensor<1xi64>
  %axis = onnx.constant dense<0> : tensor<1xi64>
  %m2 = onnx.constant dense<-2> : tensor<1xi64>
  %high = onnx.constant dense<9223372036854775807> : tensor<1xi64>
  %0 = onnx.Slice.v13(%v, %m1, %low, %axis, %m2) : (tensor<5xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  %1 = onnx.Slice.v13(%v, %m2, %high) : (tensor<5xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  %m = onnx.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %2 = onnx.Transpose.v13(%m) : (tensor<3x2xi64>) -> !onnx.unknown
  %c = onnx.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %two = onnx.constant dense<2> : tensor<2xi64>
  %3 = onnx.Expand.v13(%c, %two) : (tensor<2x1xi64>, tensor<2xi64>) -> !onnx.unknown
  %r0 = onnx.constant dense<1> : tensor<i64>
  %r1 = onnx.constant dense<4> : tensor<i64>
  %range = onnx.Range.v11(%r0, %r1, %r0) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  %4 = onnx.Greater.v13(%range, %r0) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// A backward slice begins within the tensor, and a negative index counts from the end.
// CHECK-LABEL: func.func @ends
// CHECK: onnx.constant dense<[5, 3, 1]> : tensor<3xi64>
// CHECK: onnx.constant dense<1> : tensor<1xi64>
// CHECK: onnx.constant dense<5> : tensor<1xi64>
// CHECK-NOT: onnx.Gather
func.func @ends() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %v = onnx.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
  %axis = onnx.constant dense<0> : tensor<1xi64>
  %low = onnx.constant dense<-9223372036854775808> : tensor<1xi64>
  %high = onnx.constant dense<9223372036854775807> : tensor<1xi64>
  %before = onnx.constant dense<-100> : tensor<1xi64>
  %m1 = onnx.constant dense<-1> : tensor<1xi64>
  %m2 = onnx.constant dense<-2> : tensor<1xi64>
  %0 = onnx.Slice.v13(%v, %high, %low, %axis, %m2) : (tensor<5xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  %1 = onnx.Slice.v13(%v, %before, %low, %axis, %m1) : (tensor<5xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  %2 = onnx.Gather.v13(%v, %m1) : (tensor<5xi64>, tensor<1xi64>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Nothing larger than 1 KiB becomes an attribute.
// CHECK-LABEL: func.func @limit
// CHECK: onnx.constant dense<7> : tensor<128xi64>
// CHECK: onnx.ConstantOfShape.v9
func.func @limit() -> (!onnx.unknown, !onnx.unknown) {
  %small = onnx.constant dense<128> : tensor<1xi64>
  %large = onnx.constant dense<129> : tensor<1xi64>
  %0 = onnx.ConstantOfShape.v9(%small) {value = dense<7> : tensor<1xi64>} : (tensor<1xi64>) -> !onnx.unknown
  %1 = onnx.ConstantOfShape.v9(%large) {value = dense<7> : tensor<1xi64>} : (tensor<1xi64>) -> !onnx.unknown
  return %0, %1 : !onnx.unknown, !onnx.unknown
}

// CHECK-LABEL: func.func @places
// CHECK: onnx.constant dense<{{\[}}[0, 1, 1], [2, 0, 1]]> : tensor<2x3xi64>
// CHECK: onnx.constant dense<> : tensor<1x0xi64>
func.func @places() -> (!onnx.unknown, !onnx.unknown) {
  %a = onnx.constant dense<[[0, 0, 4], [-1, 7, 0]]> : tensor<2x3xi64>
  %b = onnx.constant dense<false> : tensor<3xi1>
  %0 = onnx.NonZero.v13(%a) : (tensor<2x3xi64>) -> !onnx.unknown
  %1 = onnx.NonZero.v13(%b) : (tensor<3xi1>) -> !onnx.unknown
  return %0, %1 : !onnx.unknown, !onnx.unknown
}

// The last of several updates of one element wins; indices may count from the end.
// CHECK-LABEL: func.func @scatter_and_tile
// CHECK: onnx.constant dense<[9, 8, 3]> : tensor<3xi64>
// CHECK: onnx.constant dense<{{\[}}[1, 7], [6, 4]]> : tensor<2x2xi64>
// CHECK: onnx.constant dense<{{\[}}[1, 2, 1, 2], [1, 2, 1, 2]]> : tensor<2x4xi64>
// CHECK: onnx.ScatterElements.v18
// CHECK: onnx.ScatterElements.v18
func.func @scatter_and_tile() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %a = onnx.constant dense<[1, 2, 3]> : tensor<3xi64>
  %i = onnx.constant dense<[0, -2, 0]> : tensor<3xi64>
  %u = onnx.constant dense<[7, 8, 9]> : tensor<3xi64>
  %0 = onnx.ScatterElements.v18(%a, %i, %u) : (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> !onnx.unknown
  %b = onnx.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %j = onnx.constant dense<[[1], [0]]> : tensor<2x1xi64>
  %v = onnx.constant dense<[[7], [6]]> : tensor<2x1xi64>
  %1 = onnx.ScatterElements.v18(%b, %j, %v) {axis = 1 : i64} : (tensor<2x2xi64>, tensor<2x1xi64>, tensor<2x1xi64>) -> !onnx.unknown
  %row = onnx.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %times = onnx.constant dense<2> : tensor<2xi64>
  %2 = onnx.Tile.v13(%row, %times) : (tensor<1x2xi64>, tensor<2xi64>) -> !onnx.unknown
  // Sums of updates are left to the program, and so are indices out of range.
  %3 = onnx.ScatterElements.v18(%a, %i, %u) {reduction = "add"} : (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> !onnx.unknown
  %far = onnx.constant dense<[0, 1, 3]> : tensor<3xi64>
  %4 = onnx.ScatterElements.v18(%a, %far, %u) : (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> !onnx.unknown
  return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

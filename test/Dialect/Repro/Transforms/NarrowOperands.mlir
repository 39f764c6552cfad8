// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-narrow-operands,canonicalize))' --check-bits=all | FileCheck %s

// Weights and activations of a quantized layer, one of them reshaped.
// CHECK-LABEL: func.func @widened
// CHECK-SAME: %[[A:.+]]: tensor<1x2x3xi8>, %[[B:.+]]: tensor<3x5xi16>
// CHECK: %[[X:.+]] = repro.reshape %[[A]] : tensor<1x2x3xi8> to tensor<2x3xi8>
// CHECK-NOT: repro.convert
// CHECK: repro.contract %[[X]], %[[B]]
// CHECK-SAME: tensor<2x3xi8>, tensor<3x5xi16> -> tensor<2x5xi32>
func.func @widened(%a: tensor<1x2x3xi8>, %b: tensor<3x5xi16>) -> tensor<2x5xi32> {
  %wide = repro.convert %a : tensor<1x2x3xi8> to tensor<1x2x3xi32>
  %x = repro.reshape %wide : tensor<1x2x3xi32> to tensor<2x3xi32>
  %y = repro.convert %b : tensor<3x5xi16> to tensor<3x5xi32>
  %c = repro.contract %x, %y domain <[2, 5, 3], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] : tensor<2x3xi32>, tensor<3x5xi32> -> tensor<2x5xi32>
  return %c : tensor<2x5xi32>
}

// A constant whose elements fit 8 bits, or 16.
// CHECK-LABEL: func.func @constant
// CHECK-DAG: %[[B:.+]] = repro.constant dense<{{\[\[}}-128, 127]]> : tensor<1x2xi8>
// CHECK-DAG: %[[W:.+]] = repro.constant dense<{{\[\[}}-128, 128]]> : tensor<1x2xi16>
// CHECK-DAG: repro.contract %{{.+}}, %[[B]] {{.+}} tensor<3x2xi32>, tensor<1x2xi8> -> tensor<3x1xi32>
// CHECK-DAG: repro.contract %{{.+}}, %[[W]] {{.+}} tensor<3x2xi32>, tensor<1x2xi16> -> tensor<3x1xi32>
func.func @constant(%x: tensor<3x2xi32>) -> (tensor<3x1xi32>, tensor<3x1xi32>) {
  %b = repro.constant dense<[[-128, 127]]> : tensor<1x2xi32>
  %c = repro.contract %x, %b domain <[3, 1, 2], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] : tensor<3x2xi32>, tensor<1x2xi32> -> tensor<3x1xi32>
  %w = repro.constant dense<[[-128, 128]]> : tensor<1x2xi32>
  %e = repro.contract %x, %w domain <[3, 1, 2], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] : tensor<3x2xi32>, tensor<1x2xi32> -> tensor<3x1xi32>
  return %c, %e : tensor<3x1xi32>, tensor<3x1xi32>
}

// A contraction has operands of its result's signedness, a narrowed operand has
// other values, and truth values are no numbers.
// CHECK-LABEL: func.func @remain
// CHECK: repro.contract %{{.+}} tensor<2x3xi32>, tensor<3x5xi32> -> tensor<2x5xi32>
// CHECK: repro.contract %{{.+}} tensor<2x3xi16>, tensor<3x5xi32> -> tensor<2x5xi32>
func.func @remain(%a: tensor<2x3xui8>, %b: tensor<3x5xi1>, %d: tensor<2x3xi32>)
    -> (tensor<2x5xi32>, tensor<2x5xi32>) {
  %x = repro.convert %a : tensor<2x3xui8> to tensor<2x3xi32>
  %y = repro.convert %b : tensor<3x5xi1> to tensor<3x5xi32>
  %c = repro.contract %x, %y domain <[2, 5, 3], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] : tensor<2x3xi32>, tensor<3x5xi32> -> tensor<2x5xi32>
  %z = repro.convert %d : tensor<2x3xi32> to tensor<2x3xi16>
  %w = repro.convert %b : tensor<3x5xi1> to tensor<3x5xi32>
  %e = repro.contract %z, %w domain <[2, 5, 3], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] : tensor<2x3xi16>, tensor<3x5xi32> -> tensor<2x5xi32>
  return %c, %e : tensor<2x5xi32>, tensor<2x5xi32>
}

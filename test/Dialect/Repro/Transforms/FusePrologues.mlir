// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,prologues,epilogues})' --split-input-file | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,epilogues})' --split-input-file | FileCheck %s --check-prefix=WITHOUT

// A matrix of i8 with a scale for each column is computed where the contraction
// reads it, and the bias joins too.
// CHECK-LABEL: func.func @dequantized
// CHECK: repro.kernel {{.+}} -> (tensor<6x32xf32>) {
// CHECK: %[[W:.+]] = repro.mul
// CHECK: repro.contract %{{.+}}, %[[W]]
// CHECK: repro.add
// CHECK-NOT: repro.kernel
// CHECK: return
// WITHOUT-LABEL: func.func @dequantized
// WITHOUT: repro.kernel {{.+}} -> (tensor<64x32xf32>) {
// WITHOUT: repro.kernel {{.+}} -> (tensor<6x32xf32>) {
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @dequantized(%x: tensor<6x64xf32>, %q: tensor<64x32xi8>, %s: tensor<32xf32>, %d: tensor<6x32xf32>) -> tensor<6x32xf32> {
  %f = repro.convert %q : tensor<64x32xi8> to tensor<64x32xf32>
  %t = repro.broadcast %s dims [1] : tensor<32xf32> to tensor<64x32xf32>
  %w = repro.mul %f, %t : tensor<64x32xf32>
  %c = repro.contract %x, %w domain <[6, 32, 64], reduce [2]> maps [#a, #b, #c]
      bounds [in, in] order sequential : tensor<6x64xf32>, tensor<64x32xf32> -> tensor<6x32xf32>
  %y = repro.add %c, %d : tensor<6x32xf32>
  return %y : tensor<6x32xf32>
}

// -----

// Not where as many bytes would be read, nor where another kernel reads the
// matrix too.
// CHECK-LABEL: func.func @wide
// CHECK: repro.kernel {{.+}} -> (tensor<64x32xf32>) {
// CHECK: repro.kernel {{.+}} -> (tensor<6x32xf32>) {
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @wide(%x: tensor<6x64xf32>, %q: tensor<64x32xf32>, %s: tensor<32xf32>) -> tensor<6x32xf32> {
  %t = repro.broadcast %s dims [1] : tensor<32xf32> to tensor<64x32xf32>
  %w = repro.mul %q, %t : tensor<64x32xf32>
  %c = repro.contract %x, %w domain <[6, 32, 64], reduce [2]> maps [#a, #b, #c]
      bounds [in, in] order sequential : tensor<6x64xf32>, tensor<64x32xf32> -> tensor<6x32xf32>
  return %c : tensor<6x32xf32>
}

// CHECK-LABEL: func.func @shared
// CHECK: repro.kernel {{.+}} -> (tensor<64x32xf32>) {
// CHECK: repro.kernel {{.+}} -> (tensor<6x32xf32>) {
func.func @shared(%x: tensor<6x64xf32>, %q: tensor<64x32xi8>) -> (tensor<6x32xf32>, tensor<64x32xf32>) {
  %w = repro.convert %q : tensor<64x32xi8> to tensor<64x32xf32>
  %c = repro.contract %x, %w domain <[6, 32, 64], reduce [2]> maps [#a, #b, #c]
      bounds [in, in] order sequential : tensor<6x64xf32>, tensor<64x32xf32> -> tensor<6x32xf32>
  return %c, %w : tensor<6x32xf32>, tensor<64x32xf32>
}

// -----

// Not an image under windows, whose elements would be computed for each tap.
// CHECK-LABEL: func.func @windows
// CHECK: repro.kernel {{.+}} -> (tensor<4x20xf32>) {
// CHECK: repro.kernel {{.+}} -> (tensor<8x18xf32>) {
#x = affine_map<(d0, d1, d2, d3) -> (d2, d1 + d3)>
#w = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#y = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @windows(%q: tensor<4x20xi8>, %w: tensor<8x4x3xf32>) -> tensor<8x18xf32> {
  %x = repro.convert %q : tensor<4x20xi8> to tensor<4x20xf32>
  %c = repro.contract %w, %x domain <[8, 18, 4, 3], reduce [2, 3]> maps [#w, #x, #y]
      bounds [in, in] order sequential : tensor<8x4x3xf32>, tensor<4x20xf32> -> tensor<8x18xf32>
  return %c : tensor<8x18xf32>
}

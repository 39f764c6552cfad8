// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// Pairs with no and with one token between them, counted as integers.
// CHECK-LABEL: @pairs
func.func @pairs(%x: tensor<12xi32>) -> tensor<4xf32> {
  // CHECK: repro.reduce sum {{.*}}tensor<1x11x2xi64>
  // CHECK: repro.scatter add
  // CHECK: repro.reduce sum {{.*}}tensor<1x10x2xi64>
  // CHECK: repro.scatter add
  // CHECK-NOT: repro.scatter
  // CHECK: repro.compare gt
  // CHECK: repro.mul
  %0 = onnx.TfIdfVectorizer.v9(%x) {max_gram_length = 2 : i64, max_skip_count = 1 : i64, min_gram_length = 2 : i64, mode = "IDF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 7, 8, 5, 6, 7, 8>, weights = array<f32: 1.0, 2.0, 3.0, 4.0>} : (tensor<12xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

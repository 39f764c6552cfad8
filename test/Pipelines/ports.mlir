// The attributes of a text's arguments and results are checked before they become a plan.
// RUN: not gensyn-translate --mlir-to-ptx --sm=80 --split-input-file %s 2>&1 >/dev/null | FileCheck %s

// CHECK: argument 0 of main is not a tensor with a supported element type and a static shape
module attributes {repro.digest = "0"} {
  func.func @main(%a: index) { return }
}

// -----

// CHECK: argument 1 of main has a gensyn.initial that is neither elements of its type, a fill, a place in a file nor a symbol
module attributes {repro.digest = "0"} {
  func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32> {gensyn.initial = {file = "a", offset = "b", length = 8}}) { return }
}

// -----

// CHECK: argument 0 of main has a gensyn.initial
module attributes {repro.digest = "0"} {
  func.func @main(%a: tensor<2xf32> {gensyn.initial = dense<1.0> : tensor<3xf32>}) { return }
}

// -----

// CHECK: argument 0 of main has a gensyn.initial
module attributes {repro.digest = "0"} {
  func.func @main(%a: tensor<2xf32> {gensyn.initial = {fill = 1.0 : f32}}) { return }
}

// -----

// CHECK: argument 0 of main has a gensyn.initial
module attributes {repro.digest = "0"} {
  func.func @main(%a: tensor<2xf32> {gensyn.initial = {symbol = "a", seed = 0, center = 0, exponent = 4294967296}}) { return }
}

// -----

// CHECK: gensyn.donated does not name, for each result of main, an argument of its type or -1
module attributes {repro.digest = "0", gensyn.donated = array<i64: 7>} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
}

// -----

// CHECK: main has no body
module attributes {repro.digest = "0"} {
  func.func private @main(tensor<2xf32>)
}

// -----

// CHECK: repro.digest is not a string
module attributes {repro.digest = 1} {
  func.func @main(%a: tensor<2xf32>) { return }
}

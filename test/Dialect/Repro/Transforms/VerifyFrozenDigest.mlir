// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(repro-verify-frozen)'
// RUN: gensyn-opt %s --split-input-file --repro-freeze | FileCheck %s

// The digest is that of the functions; those of the README have this one.
// CHECK: repro.digest = "57f60c77b79ddc3eb1c08232a59829e47433e0f5765fd9a5b1ecba0b5d5705ed", repro.numerics = 1 : i64
module attributes {repro.digest = "57f60c77b79ddc3eb1c08232a59829e47433e0f5765fd9a5b1ecba0b5d5705ed", repro.numerics = 1 : i64} {
  func.func @main(%x: tensor<4x3000xf32>) -> tensor<4xf32> {
    %0 = repro.reduce sum %x domain <[4, 3000], reduce [1]> maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>] order blocked<1024, lanes<32>, lanes<32>> : tensor<4x3000xf32> -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Another order is another program.
// expected-error @+1 {{repro.digest is "57f60c77b79ddc3eb1c08232a59829e47433e0f5765fd9a5b1ecba0b5d5705ed", but the program's digest is "}}
module attributes {repro.digest = "57f60c77b79ddc3eb1c08232a59829e47433e0f5765fd9a5b1ecba0b5d5705ed", repro.numerics = 1 : i64} {
  func.func @main(%x: tensor<4x3000xf32>) -> tensor<4xf32> {
    %0 = repro.reduce sum %x domain <[4, 3000], reduce [1]> maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>] order sequential : tensor<4x3000xf32> -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// expected-error @+1 {{repro.digest is 7 : i64, but the program's digest is "}}
module attributes {repro.digest = 7} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
}

// -----

// expected-error @+1 {{repro.numerics is 2 : i64, expected 1}}
module attributes {repro.numerics = 2} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
}

// -----

// The digest of a program in kernels is that of the program before.
module attributes {repro.digest = "0", repro.numerics = 1 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = repro.kernel "k0_neg" (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
      %n = repro.neg %a : tensor<4xf32>
      repro.yield %n : tensor<4xf32>
    }
    return %y : tensor<4xf32>
  }
}

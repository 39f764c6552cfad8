// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=1 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=2 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=3 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=4 -o %t.mlir

// Prefixes of blocks are joined to the results before them; a chain and a sort stay
// whole along their dimension.
func.func @prefixes(%x: tensor<3x40xf32>) -> (tensor<3x40xf32>, tensor<3x40xf32>, tensor<3x40xf32>, tensor<3x5xf32>, tensor<3x5xi32>) {
  %0 = repro.scan sum %x dim 1 order blocked<16, sequential, sequential> : tensor<3x40xf32>
  %1 = repro.scan max %x dim 1 : tensor<3x40xf32>
  %2 = repro.scan product %x dim 1 order sequential : tensor<3x40xf32>
  %3, %4 = repro.sort descending %x dim 1 count 5 : tensor<3x40xf32> -> tensor<3x5xf32>, tensor<3x5xi32>
  return %0, %1, %2, %3, %4 : tensor<3x40xf32>, tensor<3x40xf32>, tensor<3x40xf32>, tensor<3x5xf32>, tensor<3x5xi32>
}

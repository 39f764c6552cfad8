// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=1 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=2 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=3 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=4 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops="seed=5 rounds=6" -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops="seed=6 rounds=6" -o %t.mlir

// Every element of a movement may be computed apart from the others.
func.func @movement(%x: tensor<6x10xf32>, %v: tensor<f32>)
    -> (tensor<4x15xf32>, tensor<10x6xf32>, tensor<2x6x10xf32>, tensor<3x4xf32>, tensor<9x33xf32>, tensor<12x10xf32>, tensor<6x10xf32>) {
  %0 = repro.reshape %x : tensor<6x10xf32> to tensor<4x15xf32>
  %1 = repro.transpose %x [1, 0] : tensor<6x10xf32> to tensor<10x6xf32>
  %2 = repro.broadcast %x dims [1, 2] : tensor<6x10xf32> to tensor<2x6x10xf32>
  %3 = repro.slice %x start [1, 2] limit [6, 10] stride [2, 2] : tensor<6x10xf32> to tensor<3x4xf32>
  %4 = repro.pad %x, %v low [1, 2] high [2, 3] interior [0, 2] : tensor<6x10xf32>, tensor<f32> to tensor<9x33xf32>
  %5 = repro.concat %x, %x dim 0 : (tensor<6x10xf32>, tensor<6x10xf32>) -> tensor<12x10xf32>
  %6 = repro.reverse %x dims [0, 1] : tensor<6x10xf32>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<4x15xf32>, tensor<10x6xf32>, tensor<2x6x10xf32>, tensor<3x4xf32>, tensor<9x33xf32>, tensor<12x10xf32>, tensor<6x10xf32>
}

// A draw's words are numbered in the whole, and so are the elements of an iota.
func.func @numbered(%key: tensor<2xui32>, %step: tensor<ui32>) -> (tensor<6x10xi8>, tensor<5x7xui32>) {
  %0 = repro.iota dim 1 : tensor<6x10xi8>
  %1 = repro.random_bits %key, %step, %step stream 3 : tensor<5x7xui32>
  return %0, %1 : tensor<6x10xi8>, tensor<5x7xui32>
}

// Pieces of one index along the first dimensions, which lie within a row of the operand, or
// reach from one to the next.
func.func @reshapes(%x: tensor<3x40xf32>, %y: tensor<2x6x4x5xf32>) -> (tensor<12x2x5xf32>, tensor<3x80xf32>, tensor<4x1x15x4xf32>) {
  %0 = repro.reshape %x : tensor<3x40xf32> to tensor<12x2x5xf32>
  %1 = repro.reshape %y : tensor<2x6x4x5xf32> to tensor<3x80xf32>
  %2 = repro.reshape %y : tensor<2x6x4x5xf32> to tensor<4x1x15x4xf32>
  return %0, %1, %2 : tensor<12x2x5xf32>, tensor<3x80xf32>, tensor<4x1x15x4xf32>
}

// RUN: gensyn-wrong-opt %s --mlir-disable-threading --check-bits=all --test-split-ops="seed=2 rounds=1 kernels=true" -o %t.mlir
// RUN: gensyn-wrong-opt %s --mlir-disable-threading --check-bits=all --test-split-ops="seed=8 rounds=1 kernels=true" -o %t.mlir

// Kernels with the same types that read other elements: what was found for one
// is not taken for the other.

func.func @begin(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = repro.kernel "begin" (%a = %x : tensor<8x8xf32>, %b = %y : tensor<8x8xf32>) -> tensor<4x8xf32> {
    %1 = repro.slice %a start [0, 0] limit [4, 8] stride [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %2 = repro.slice %b start [0, 0] limit [4, 8] stride [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %3 = repro.sub %1, %2 : tensor<4x8xf32>
    repro.yield %3 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// Another attribute.
func.func @end(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = repro.kernel "end" (%a = %x : tensor<8x8xf32>, %b = %y : tensor<8x8xf32>) -> tensor<4x8xf32> {
    %1 = repro.slice %a start [0, 0] limit [4, 8] stride [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %2 = repro.slice %b start [4, 0] limit [8, 8] stride [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %3 = repro.sub %1, %2 : tensor<4x8xf32>
    repro.yield %3 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// Another operand.
func.func @same(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = repro.kernel "same" (%a = %x : tensor<8x8xf32>, %b = %y : tensor<8x8xf32>) -> tensor<4x8xf32> {
    %1 = repro.slice %a start [0, 0] limit [4, 8] stride [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %2 = repro.slice %a start [4, 0] limit [8, 8] stride [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %3 = repro.sub %1, %2 : tensor<4x8xf32>
    repro.yield %3 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// Three layers of two kernels, each with a weight of its own, and one more kernel.
func.func @main(%x0: tensor<8x64xf32>, %w0: tensor<8x64xf32>, %w1: tensor<8x64xf32>, %w2: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %t0 = repro.kernel "k0_sub" (%a = %x0 : tensor<8x64xf32>, %b = %w0 : tensor<8x64xf32>) -> (tensor<8x64xf32>)
      attributes {task.parts = array<i64: 4, 64>, task.tiles = array<i64: 2, 64>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false, false>, task.repetition = array<i32: 0, 0>} {
    %s = repro.sub %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x1 = repro.kernel "k1_exp" (%a = %t0 : tensor<8x64xf32>) -> (tensor<8x64xf32>)
      attributes {task.parts = array<i64: 4, 64>, task.tiles = array<i64: 2, 64>, task.cores = array<i32: 2, 3>, task.in_place = array<i1: false, false>, task.repetition = array<i32: 0, 0>} {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t1 = repro.kernel "k2_sub" (%a = %x1 : tensor<8x64xf32>, %b = %w1 : tensor<8x64xf32>) -> (tensor<8x64xf32>)
      attributes {task.parts = array<i64: 4, 64>, task.tiles = array<i64: 2, 64>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false, false>, task.repetition = array<i32: 0, 1>} {
    %s = repro.sub %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x2 = repro.kernel "k3_exp" (%a = %t1 : tensor<8x64xf32>) -> (tensor<8x64xf32>)
      attributes {task.parts = array<i64: 4, 64>, task.tiles = array<i64: 2, 64>, task.cores = array<i32: 2, 3>, task.in_place = array<i1: false, false>, task.repetition = array<i32: 0, 1>} {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t2 = repro.kernel "k4_sub" (%a = %x2 : tensor<8x64xf32>, %b = %w2 : tensor<8x64xf32>) -> (tensor<8x64xf32>)
      attributes {task.parts = array<i64: 4, 64>, task.tiles = array<i64: 2, 64>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false, false>, task.repetition = array<i32: 0, 2>} {
    %s = repro.sub %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x3 = repro.kernel "k5_exp" (%a = %t2 : tensor<8x64xf32>) -> (tensor<8x64xf32>)
      attributes {task.parts = array<i64: 4, 64>, task.tiles = array<i64: 2, 64>, task.cores = array<i32: 2, 3>, task.in_place = array<i1: false, false>, task.repetition = array<i32: 0, 2>} {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %y = repro.kernel "k6_neg" (%a = %x3 : tensor<8x64xf32>) -> (tensor<8x64xf32>)
      attributes {task.parts = array<i64: 8, 64>, task.tiles = array<i64: 8, 64>, task.cores = array<i32: 1>, task.in_place = array<i1: false, false>} {
    %s = repro.neg %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}

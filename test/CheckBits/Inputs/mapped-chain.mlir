// Three kernels. Cores 1 and 2 compute the first, 2 and 3 the second, 1 and 3 the third.
func.func @main(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>, %v: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>)
      attributes {task.parts = array<i64: 4, 64>, task.tiles = array<i64: 2, 64>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false>} {
    %e = repro.exp %a : tensor<8x64xf32>
    repro.yield %e : tensor<8x64xf32>
  }
  %z = repro.kernel "k1_contract" (%a = %y : tensor<8x64xf32>, %b = %w : tensor<64x32xf32>) -> (tensor<8x32xf32>)
      attributes {task.parts = array<i64: 8, 16>, task.tiles = array<i64: 2, 4>, task.cores = array<i32: 2, 3>, task.in_place = array<i1: false, false, false>} {
    %c = repro.contract %a, %b domain <[8, 32, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<8x64xf32>, tensor<64x32xf32> -> tensor<8x32xf32>
    repro.yield %c : tensor<8x32xf32>
  }
  %r = repro.kernel "k2_sub" (%a = %z : tensor<8x32xf32>, %b = %v : tensor<8x32xf32>) -> (tensor<8x32xf32>)
      attributes {task.parts = array<i64: 4, 32>, task.tiles = array<i64: 2, 32>, task.cores = array<i32: 1, 3>, task.in_place = array<i1: false, false, false>} {
    %d = repro.sub %a, %b : tensor<8x32xf32>
    repro.yield %d : tensor<8x32xf32>
  }
  return %r : tensor<8x32xf32>
}

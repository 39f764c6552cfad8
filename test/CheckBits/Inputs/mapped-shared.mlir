// Cores 1, 2 and 3 each compute rows of a product, and all need the same columns of the
// weight for each of their tiles.
func.func @main(%x: tensor<12x64xf32>, %w: tensor<64x32xf32>) -> tensor<12x32xf32> {
  %z = repro.kernel "k0_contract" (%a = %x : tensor<12x64xf32>, %b = %w : tensor<64x32xf32>) -> (tensor<12x32xf32>)
      attributes {task.parts = array<i64: 4, 32>, task.tiles = array<i64: 4, 4>, task.cores = array<i32: 1, 2, 3>, task.in_place = array<i1: false, false, false>} {
    %c = repro.contract %a, %b domain <[12, 32, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<12x64xf32>, tensor<64x32xf32> -> tensor<12x32xf32>
    repro.yield %c : tensor<12x32xf32>
  }
  return %z : tensor<12x32xf32>
}

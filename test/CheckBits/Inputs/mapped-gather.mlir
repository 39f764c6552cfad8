// A gather on two cores, of which each index may be a fault.
func.func @main(%t: tensor<20x8xf32> {gensyn.input = dense<1.0> : tensor<20x8xf32>}, %i: tensor<6xi32> {gensyn.input = dense<[1, 2, 3, 4, 40, 5]> : tensor<6xi32>}) -> tensor<6x8xf32> {
  %y = repro.kernel "k0_gather" (%a = %t : tensor<20x8xf32>, %b = %i : tensor<6xi32>) -> (tensor<6x8xf32>)
      attributes {task.parts = array<i64: 3, 8>, task.tiles = array<i64: 3, 8>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false, false>} {
    %g = repro.gather %a[%b] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<20x8xf32>, tensor<6xi32> -> tensor<6x8xf32>
    repro.yield %g : tensor<6x8xf32>
  }
  return %y : tensor<6x8xf32>
}

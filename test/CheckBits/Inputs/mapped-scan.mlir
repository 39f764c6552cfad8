// A sum along rows, each element of which needs the one before.
func.func @main(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %y = repro.kernel "k0_scan" (%a = %x : tensor<4x16xf32>) -> (tensor<4x16xf32>)
      attributes {task.parts = array<i64: 2, 16>, task.tiles = array<i64: 2, 16>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false>} {
    %s = repro.scan sum %a dim 1 order sequential : tensor<4x16xf32>
    repro.yield %s : tensor<4x16xf32>
  }
  return %y : tensor<4x16xf32>
}

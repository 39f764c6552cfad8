// The four blocks of a sum on four cores, and their join.
#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#results = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<1x64xf32>, %w: tensor<4x64xf32>) -> tensor<1x4xf32> {
  %0 = repro.kernel "k0_part0" (%a = %x : tensor<1x64xf32>, %b = %w : tensor<4x64xf32>) -> (tensor<1x4xf32>)
      attributes {task.parts = array<i64: 1, 4>, task.tiles = array<i64: 1, 4>, task.cores = array<i32: 0>, task.in_place = array<i1: false, false, false>} {
    %s = repro.slice %a start [0, 0] limit [1, 16] stride [1, 1] : tensor<1x64xf32> to tensor<1x16xf32>
    %t = repro.slice %b start [0, 0] limit [4, 16] stride [1, 1] : tensor<4x64xf32> to tensor<4x16xf32>
    %c = repro.contract %s, %t domain <[1, 4, 16], reduce [2]> maps [#rows, #columns, #results]
        bounds [in, in] order sequential : tensor<1x16xf32>, tensor<4x16xf32> -> tensor<1x4xf32>
    repro.yield %c : tensor<1x4xf32>
  }
  %1 = repro.kernel "k0_part1" (%a = %x : tensor<1x64xf32>, %b = %w : tensor<4x64xf32>) -> (tensor<1x4xf32>)
      attributes {task.parts = array<i64: 1, 4>, task.tiles = array<i64: 1, 4>, task.cores = array<i32: 1>, task.in_place = array<i1: false, false, false>} {
    %s = repro.slice %a start [0, 16] limit [1, 32] stride [1, 1] : tensor<1x64xf32> to tensor<1x16xf32>
    %t = repro.slice %b start [0, 16] limit [4, 32] stride [1, 1] : tensor<4x64xf32> to tensor<4x16xf32>
    %c = repro.contract %s, %t domain <[1, 4, 16], reduce [2]> maps [#rows, #columns, #results]
        bounds [in, in] order sequential : tensor<1x16xf32>, tensor<4x16xf32> -> tensor<1x4xf32>
    repro.yield %c : tensor<1x4xf32>
  }
  %2 = repro.kernel "k0_part2" (%a = %x : tensor<1x64xf32>, %b = %w : tensor<4x64xf32>) -> (tensor<1x4xf32>)
      attributes {task.parts = array<i64: 1, 4>, task.tiles = array<i64: 1, 4>, task.cores = array<i32: 2>, task.in_place = array<i1: false, false, false>} {
    %s = repro.slice %a start [0, 32] limit [1, 48] stride [1, 1] : tensor<1x64xf32> to tensor<1x16xf32>
    %t = repro.slice %b start [0, 32] limit [4, 48] stride [1, 1] : tensor<4x64xf32> to tensor<4x16xf32>
    %c = repro.contract %s, %t domain <[1, 4, 16], reduce [2]> maps [#rows, #columns, #results]
        bounds [in, in] order sequential : tensor<1x16xf32>, tensor<4x16xf32> -> tensor<1x4xf32>
    repro.yield %c : tensor<1x4xf32>
  }
  %3 = repro.kernel "k0_part3" (%a = %x : tensor<1x64xf32>, %b = %w : tensor<4x64xf32>) -> (tensor<1x4xf32>)
      attributes {task.parts = array<i64: 1, 4>, task.tiles = array<i64: 1, 4>, task.cores = array<i32: 3>, task.in_place = array<i1: false, false, false>} {
    %s = repro.slice %a start [0, 48] limit [1, 64] stride [1, 1] : tensor<1x64xf32> to tensor<1x16xf32>
    %t = repro.slice %b start [0, 48] limit [4, 64] stride [1, 1] : tensor<4x64xf32> to tensor<4x16xf32>
    %c = repro.contract %s, %t domain <[1, 4, 16], reduce [2]> maps [#rows, #columns, #results]
        bounds [in, in] order sequential : tensor<1x16xf32>, tensor<4x16xf32> -> tensor<1x4xf32>
    repro.yield %c : tensor<1x4xf32>
  }
  %y = repro.kernel "k0_join" (%a = %0 : tensor<1x4xf32>, %b = %1 : tensor<1x4xf32>, %c = %2 : tensor<1x4xf32>, %d = %3 : tensor<1x4xf32>) -> (tensor<1x4xf32>)
      attributes {task.parts = array<i64: 1, 2>, task.tiles = array<i64: 1, 2>, task.cores = array<i32: 0, 1>, task.in_place = array<i1: false, false, false, false, false>} {
    %e = repro.add %a, %b : tensor<1x4xf32>
    %f = repro.add %e, %c : tensor<1x4xf32>
    %g = repro.add %f, %d : tensor<1x4xf32>
    repro.yield %g : tensor<1x4xf32>
  }
  return %y : tensor<1x4xf32>
}

// Tensors that ranks cut together: each rank has few ranges, and less of them
// where it has another tensor alone.
// RUN: gensyn-opt %s --train-lower-accumulate --canonicalize --cse --repro-assign-orders --repro-freeze -o %t.mlir
// RUN: gensyn-opt %t.mlir --pass-pipeline='builtin.module(train-split-step{microbatches=2},train-shard-update{ranks=2})' | FileCheck %s --check-prefix=TWO
// RUN: gensyn-opt %t.mlir --pass-pipeline='builtin.module(train-split-step{microbatches=2},train-shard-update{ranks=3})' | FileCheck %s --check-prefix=THREE

// The first rank has a matrix of 4096 elements whose rows are added up, so it
// has about as much less of a, b and c: 1,502,080 elements of them, and the
// second one of two 1,506,112. As these are enough, d is cut by itself.
// TWO: train.cuts = {a = array<i64: 0, 6144, 6144, 0>,
// TWO-SAME: alone = array<i64: 0, 4096, 0, 0>,
// TWO-SAME: b = array<i64: 0, 2048, 2048, 0>,
// TWO-SAME: c = array<i64: 0, 1493888, 1493888, 1506112>,
// TWO-SAME: d = array<i64: 0, 149952, 149952, 150048>,
// THREE: train.cuts = {a = array<i64: 0, 6144, 6144, 0, 6144, 0>,
// THREE-SAME: alone = array<i64: 0, 4096, 0, 0, 0, 0>,
// THREE-SAME: b = array<i64: 0, 2048, 2048, 0, 2048, 0>,
// THREE-SAME: c = array<i64: 0, 991808, 991808, 1004096, 1995904, 1004096>,
// THREE-SAME: d = array<i64: 0, 100032, 100032, 99968, 200000, 100000>,
module attributes {gensyn.donated = array<i64: 1, 2, 3, 4, 5>} {
  func.func @main(
      %x: tensor<2x6x1024xf32> {gensyn.name = "x", gensyn.role = "input"},
      %a: tensor<6x1024xf32> {gensyn.name = "a", gensyn.role = "parameter"},
      %b: tensor<2x1024xf32> {gensyn.name = "b", gensyn.role = "parameter"},
      %alone: tensor<4x1024xf32> {gensyn.name = "alone", gensyn.role = "parameter"},
      %c: tensor<3000000xf32> {gensyn.name = "c", gensyn.role = "parameter"},
      %d: tensor<300000xf32> {gensyn.name = "d", gensyn.role = "parameter"})
      -> (tensor<6x1024xf32> {gensyn.name = "a", gensyn.role = "parameter"},
          tensor<2x1024xf32> {gensyn.name = "b", gensyn.role = "parameter"},
          tensor<4x1024xf32> {gensyn.name = "alone", gensyn.role = "parameter"},
          tensor<3000000xf32> {gensyn.name = "c", gensyn.role = "parameter"},
          tensor<300000xf32> {gensyn.name = "d", gensyn.role = "parameter"}) {
    %0:5 = train.accumulate 2 split(%x) shared(%a)
        : (tensor<2x6x1024xf32>, tensor<6x1024xf32>)
        -> (tensor<6x1024xf32>, tensor<2x1024xf32>, tensor<4x1024xf32>, tensor<3000000xf32>, tensor<300000xf32>) {
    ^bb0(%i: tensor<i64>, %part: tensor<1x6x1024xf32>, %weight: tensor<6x1024xf32>):
      %r = repro.reshape %part : tensor<1x6x1024xf32> to tensor<6x1024xf32>
      %ga = repro.mul %r, %weight : tensor<6x1024xf32>
      %gb = repro.slice %ga start [0, 0] limit [2, 1024] stride [1, 1] : tensor<6x1024xf32> to tensor<2x1024xf32>
      %go = repro.slice %ga start [0, 0] limit [4, 1024] stride [1, 1] : tensor<6x1024xf32> to tensor<4x1024xf32>
      %g1 = repro.slice %ga start [0, 0] limit [1, 1] stride [1, 1] : tensor<6x1024xf32> to tensor<1x1xf32>
      %g0 = repro.reshape %g1 : tensor<1x1xf32> to tensor<f32>
      %gc = repro.broadcast %g0 dims [] : tensor<f32> to tensor<3000000xf32>
      %gd = repro.broadcast %g0 dims [] : tensor<f32> to tensor<300000xf32>
      train.yield %ga, %gb, %go, %gc, %gd : tensor<6x1024xf32>, tensor<2x1024xf32>, tensor<4x1024xf32>, tensor<3000000xf32>, tensor<300000xf32>
    }
    %a1 = repro.sub %a, %0#0 : tensor<6x1024xf32>
    %b1 = repro.sub %b, %0#1 : tensor<2x1024xf32>
    %n = repro.reduce sum %0#2 domain <[4, 1024], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x1024xf32> -> tensor<4xf32>
    %n1 = repro.broadcast %n dims [0] : tensor<4xf32> to tensor<4x1024xf32>
    %o1 = repro.sub %alone, %n1 : tensor<4x1024xf32>
    %c1 = repro.sub %c, %0#3 : tensor<3000000xf32>
    %d1 = repro.sub %d, %0#4 : tensor<300000xf32>
    return %a1, %b1, %o1, %c1, %d1 : tensor<6x1024xf32>, tensor<2x1024xf32>, tensor<4x1024xf32>, tensor<3000000xf32>, tensor<300000xf32>
  }
}

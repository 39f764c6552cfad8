// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4 --split-input-file --verify-diagnostics

func.func @registers(%a: tensor<40x16xf32>, %b: tensor<16x64xf32>) -> tensor<40x64xf32> {
  // expected-error @+1 {{has a bad schedule: a register tile of mr x nv vectors does not fit the registers}}
  %y = repro.kernel "k" (%x = %a : tensor<40x16xf32>, %w = %b : tensor<16x64xf32>) -> (tensor<40x64xf32>)
      schedule {mr = 10 : i64, nv = 3 : i64} {
    %c = repro.contract %x, %w domain <[40, 64, 16], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<40x16xf32>, tensor<16x64xf32> -> tensor<40x64xf32>
    repro.yield %c : tensor<40x64xf32>
  }
  return %y : tensor<40x64xf32>
}

// -----

func.func @name(%a: tensor<40x16xf32>, %b: tensor<16x64xf32>) -> tensor<40x64xf32> {
  // expected-error @+1 {{has a bad schedule: no size or flag 'order'}}
  %y = repro.kernel "k" (%x = %a : tensor<40x16xf32>, %w = %b : tensor<16x64xf32>) -> (tensor<40x64xf32>)
      schedule {order = "lanes<32>"} {
    %c = repro.contract %x, %w domain <[40, 64, 16], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<40x16xf32>, tensor<16x64xf32> -> tensor<40x64xf32>
    repro.yield %c : tensor<40x64xf32>
  }
  return %y : tensor<40x64xf32>
}

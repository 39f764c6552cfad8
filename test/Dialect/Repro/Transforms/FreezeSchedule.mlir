// The schedule of a kernel is not part of a program's identity: the digest is
// the same with other sizes and with none, and such programs compile.

// RUN: gensyn-opt %s --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.one
// RUN: sed 's/async = false/async = true/' %s | gensyn-opt --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.other
// RUN: sed 's/schedule {.*} {/{/' %s | gensyn-opt --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.none
// RUN: cmp %t.one %t.other
// RUN: cmp %t.one %t.none
// RUN: FileCheck %s --check-prefix=DIGEST < %t.one
// DIGEST: digest = "{{[0-9a-f]+}}"
// RUN: sed 's/order sequential/order blocked<16, sequential, sequential>/' %s | gensyn-opt --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.order
// RUN: not cmp -s %t.one %t.order

// RUN: gensyn-translate --mlir-to-ptx --sm=75 %s | FileCheck %s
// CHECK: .visible .entry contract
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = repro.kernel "product" (%x = %a : tensor<64x64xf32>, %w = %b : tensor<64x64xf32>) -> tensor<64x64xf32>
      schedule {async = false} {
    %c = repro.contract %x, %w domain <[64, 64, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    repro.yield %c : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}

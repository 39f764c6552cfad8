// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels,repro-report-kernels)' -o %t.mlir | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby},repro-report-kernels{json=true})' -o %t.mlir | FileCheck %s --check-prefix=JSON

// 2 * 4 * 6 * 8 operations of the contraction and as many sums as elements; it
// reads 4 x 8 and 8 x 6 numbers and the bias. Of the table, five rows of eight.
// CHECK-LABEL: k1_add (contraction) of 'fc': 24 elements, 408 flops, reads 344 bytes, writes 96, 4 buffers
// CHECK-NEXT: k2_reduce: a contraction shares no kernel with a reduction
// CHECK-NEXT: k3_contract: a contraction reads plain memory
// CHECK-NEXT: k2_reduce (column sums): 6 elements, 24 flops, reads 96 bytes, writes 24, 2 buffers
// CHECK-NEXT: return: a result of the program
// CHECK-NEXT: k3_contract (contraction): 32 elements, 384 flops, reads 288 bytes, writes 128, 3 buffers
// CHECK-NEXT: return: a result of the program
// CHECK-NEXT: k4_gather (pointwise): 40 elements, 0 flops, reads 200 bytes, writes 160, 4 buffers
// CHECK-NEXT: return: a result of the program
// CHECK-NEXT: total: 4 kernels, 816 flops, reads 928 bytes, writes 408

// JSON: {"borders":[{"reader":"k1_add","reason":"the two could be one"}],"buffers":3,"bytes_read":320,"bytes_written":96,"elements":24,"flops":384,"form":"contraction","function":"main","name":"k0_contract","node":"","nodes":[],"ops":1,
// JSON-SAME: "orders":[{"elements":24,"function":"main","node":"","operation":"contract","operator":"","order":"sequential","points":8,
// JSON-SAME: "shape":[4,6],"type":"f32"}
// JSON: "name":"k1_add","node":"fc","nodes":["fc"],
// JSON: {"bytes_read":{{[0-9]+}},"bytes_written":{{[0-9]+}},"flops":816,"kernels":5}
#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>, %t: tensor<100x8xf32>, %i: tensor<5xi64>)
    -> (tensor<6xf32>, tensor<4x8xf32>, tensor<5x8xf32>) {
  %c = repro.contract %x, %w domain <[4, 6, 8], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      order sequential : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
  %d = repro.broadcast %b dims [1] : tensor<6xf32> to tensor<4x6xf32>
  %y = repro.add %c, %d : tensor<4x6xf32> loc("fc"(fused<{op = "Gemm"}>["model"]))
  %s = repro.reduce sum %y domain <[4, 6], reduce [0]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] order sequential : tensor<4x6xf32> -> tensor<6xf32>
  %z = repro.contract %y, %w domain <[4, 8, 6], reduce [2]> maps [#lhs, affine_map<(d0, d1, d2) -> (d1, d2)>, #out] bounds [in, in]
      order sequential : tensor<4x6xf32>, tensor<8x6xf32> -> tensor<4x8xf32>
  %g = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds fault : tensor<100x8xf32>, tensor<5xi64> -> tensor<5x8xf32>
  return %s, %z, %g : tensor<6xf32>, tensor<4x8xf32>, tensor<5x8xf32>
}

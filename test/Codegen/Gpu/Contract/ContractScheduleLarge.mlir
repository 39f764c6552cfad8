// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s --check-prefix=ENTRY
// RUN: gensyn-translate --mlir-to-ptx --sm=90 %s | FileCheck %s --check-prefix=ASYNC
// RUN: gensyn-translate --mlir-to-ptx --sm=75 %s | FileCheck %s --check-prefix=REGISTER

// Results of more than 2^31 elements: the logits of 65,536 tokens, and their
// gradient as operand. Tiles are those of smaller products, and so is the loop:
// addresses of 64 bits are advanced in it, and offsets are computed before and
// after it.

// ENTRY: llvm.func @logits
// ENTRY-SAME: gensyn.grid = array<i64: 402432, 1, 1>
// ENTRY-SAME: gensyn.schedule = "contract"
// ENTRY: llvm.func @gradient
// ENTRY-SAME: gensyn.schedule = "contract"
// ENTRY: llvm.func @windows
// ENTRY-SAME: gensyn.schedule = "contract"

func.func @main(%a: tensor<65536x768xf32>, %w: tensor<50257x768xf32>, %bias: tensor<50257xf32>,
                %dy: tensor<65536x50257xf32>, %images: tensor<1024x64x224x224xf32>, %dz: tensor<1024x16x224x224xf32>)
    -> (tensor<65536x50257xf32>, tensor<50257x768xf32>, tensor<16x64x3x3xf32>) {
  // ASYNC-LABEL: .entry add_
  // ASYNC: cp.async
  // ASYNC-COUNT-960: fma.rn.f32
  // ASYNC: bar.sync
  // ASYNC-COUNT-64: fma.rn.f32
  // ASYNC: mul.wide.s32 {{.*}}, 50257;
  // ASYNC: st.global

  // REGISTER-LABEL: .entry add_
  // REGISTER: fma.rn.f32
  // REGISTER: mul.wide.s32 {{.*}}, 50257;
  // REGISTER: st.global
  %y = repro.kernel "logits" (%x = %a : tensor<65536x768xf32>, %v = %w : tensor<50257x768xf32>,
                              %b = %bias : tensor<50257xf32>) -> tensor<65536x50257xf32> {
    %c = repro.contract %x, %v domain <[65536, 50257, 768], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<65536x768xf32>, tensor<50257x768xf32> -> tensor<65536x50257xf32>
    %wide = repro.broadcast %b dims [1] : tensor<50257xf32> to tensor<65536x50257xf32>
    %s = repro.add %c, %wide : tensor<65536x50257xf32>
    repro.yield %s : tensor<65536x50257xf32>
  }

  // ASYNC-LABEL: .entry contract_
  // ASYNC: cp.async
  // REGISTER-LABEL: .entry contract_
  %z = repro.kernel "gradient" (%x = %dy : tensor<65536x50257xf32>, %v = %a : tensor<65536x768xf32>)
      -> tensor<50257x768xf32> {
    %c = repro.contract %x, %v domain <[50257, 768, 65536], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order blocked<1024, sequential, sequential>
      : tensor<65536x50257xf32>, tensor<65536x768xf32> -> tensor<50257x768xf32>
    repro.yield %c : tensor<50257x768xf32>
  }

  // Points of windows: entries of their table have offsets of two words.
  // ASYNC-LABEL: .entry contract_{{.*}}_blocks
  // ASYNC: st.shared.v4.b32
  // ASYNC: cp.async
  // REGISTER-LABEL: .entry contract_{{.*}}_blocks
  // REGISTER: st.shared.v4.b32
  %g = repro.kernel "windows" (%x = %dz : tensor<1024x16x224x224xf32>, %v = %images : tensor<1024x64x224x224xf32>)
      -> tensor<16x64x3x3xf32> {
    %c = repro.contract %x, %v domain <[16, 64, 3, 3, 1024, 224, 224], reduce [4, 5, 6]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d0, d5, d6)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d1, d5 + d2 - 1, d6 + d3 - 1)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
      bounds [in, zero] order blocked<1048576, sequential, sequential>
      : tensor<1024x16x224x224xf32>, tensor<1024x64x224x224xf32> -> tensor<16x64x3x3xf32>
    repro.yield %c : tensor<16x64x3x3xf32>
  }
  return %y, %z, %g : tensor<65536x50257xf32>, tensor<50257x768xf32>, tensor<16x64x3x3xf32>
}

// Below repro both sides are lowered to the end and run.

// RUN: gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline --convert-repro-to-linalg --convert-linalg-to-loops --canonicalize --cse
// RUN: gensyn-wrong-opt %s --check-bits=all --pass-pipeline='builtin.module(gensyn-kernel-pipeline,convert-repro-to-linalg,convert-linalg-to-parallel-loops,gensyn-map-kernels-to-gpu,canonicalize,gpu.module(gensyn-lower-gpu-to-nvvm,canonicalize,cse))'

// RUN: gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline --gensyn-emit-cpu-kernels --canonicalize --cse
// RUN: not gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline --gensyn-emit-cpu-kernels --wrong-keep-payload 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: error: pass 'wrong-keep-payload' changes bits of 'k{{.+}}': {{.+}}: expected 0x7FC00000 (nan), found

// RUN: not gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline --convert-repro-to-linalg --wrong-keep-payload 2>&1 | FileCheck %s --check-prefix=PAYLOAD
// PAYLOAD: error: pass 'wrong-keep-payload' changes bits of 'k{{.+}}': {{.+}}: expected 0x7FC00000 (nan), found

// PAYLOAD: // 'wrong-keep-payload' changes a bit of:
// PAYLOAD: func.func @k
// PAYLOAD-NOT: func.func
// PAYLOAD: // input 0 (f32): 0x

// RUN: not gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline --convert-repro-to-linalg --wrong-fuse-lowered 2>&1 | FileCheck %s --check-prefix=FUSE
// FUSE: error: pass 'wrong-fuse-lowered' changes bits of 'k{{.+}}': {{.+}} of f32: expected

// RUN: not gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline --convert-repro-to-linalg --convert-linalg-to-loops --wrong-fast-math 2>&1 | FileCheck %s --check-prefix=FAST
// FAST: error: pass 'wrong-fast-math' changes bits, since what it leaves does not run: {{.*}}fast-math

// RUN: not gensyn-wrong-opt %s --check-bits=all --pass-pipeline='builtin.module(gensyn-kernel-pipeline,convert-repro-to-linalg,convert-linalg-to-parallel-loops,gensyn-map-kernels-to-gpu,gpu.module(wrong-fuse-lowered))' 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: error: pass 'wrong-fuse-lowered' changes bits of 'k{{.+}}': {{.+}} of f32: expected

// RUN: not gensyn-wrong-opt %s --check-bits=all --pass-pipeline='builtin.module(gensyn-kernel-pipeline,convert-repro-to-linalg,convert-linalg-to-parallel-loops,gensyn-map-kernels-to-gpu,gpu.module(gensyn-lower-gpu-to-nvvm,wrong-divide-lowered))' 2>&1 | FileCheck %s --check-prefix=NVVM
// NVVM: error: pass 'wrong-divide-lowered' changes bits of 'k{{.+}}': {{.+}} of f32: expected

// The conversion itself, with kernels on one side and functions on the other: a correct one is
// compared, and a wrong one found.
// RUN: gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline --convert-repro-to-linalg -o %t.mlir 2>&1 | FileCheck %s --check-prefix=COMPARED --allow-empty
// COMPARED-NOT: nothing was compared
// RUN: not gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline --wrong-convert-kernels 2>&1 | FileCheck %s --check-prefix=CONVERT
// CONVERT: error: pass 'wrong-convert-kernels' changes bits of 'k{{.+}}': {{.+}} of f32: expected
// CONVERT: // 'wrong-convert-kernels' changes a bit of:
// CONVERT: repro.kernel "k
// CONVERT-NOT: repro.kernel

func.func @main(%a: tensor<33xf32>, %b: tensor<33xf32>, %c: tensor<33xf32>) -> (tensor<33xf32>, tensor<33xf32>) {
  %p = repro.mul %a, %b : tensor<33xf32>
  %s = repro.add %p, %c : tensor<33xf32>
  %q = repro.div %a, %b : tensor<33xf32>
  return %s, %q : tensor<33xf32>, tensor<33xf32>
}

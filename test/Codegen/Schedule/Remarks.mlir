// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels --remarks-filter=schedule -o %t.mlir 2>&1 | FileCheck %s --check-prefixes=CPU --implicit-check-not=remark:
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels --remarks-filter=schedule -o %t.mlir 2>&1 | FileCheck %s --check-prefixes=GPU --implicit-check-not=remark:
// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=baseline=true --remarks-filter=schedule -o %t.mlir 2>&1 | FileCheck %s --check-prefixes=BASELINE
// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=baseline=true --remarks-filter=schedule -o %t.mlir 2>&1 | FileCheck %s --check-prefixes=BASELINE

// The schedule that takes a kernel, and those that were asked before it; the
// baseline is a missed optimization.
// CPU: remark: [Passed] ChooseSchedule | Category:schedule | Function=k0_exp | Form=pointwise, Refused="contracted-rows, divided, window-contract, batch-contract, contract, row-reduce", Schedule=pointwise
// CPU: remark: [Passed] ChooseSchedule | Category:schedule | Function=k1_reduce | Form="column sums", Refused="contracted-rows, divided, window-contract, batch-contract, contract", Schedule=row-reduce
// GPU: remark: [Passed] ChooseSchedule | Category:schedule | Function=k0_exp | Form=pointwise, Refused="rows, columns, contract, contracted-rows, transpose, horizontal, scatter, arg_reduce, sort, scan", Schedule=pointwise
// GPU: remark: [Passed] ChooseSchedule | Category:schedule | Function=k1_reduce | Form="column sums", Refused=rows, Schedule=columns
// BASELINE: remark: [Missed] ChooseSchedule | Category:schedule | Function=k0_exp | Form=pointwise, {{.*}}Schedule=baseline
// BASELINE: remark: [Missed] ChooseSchedule | Category:schedule | Function=k1_reduce
func.func @main(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %0 = repro.kernel "k0_exp" (%a = %x : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = repro.exp %a : tensor<64x64xf32>
    repro.yield %r : tensor<64x64xf32>
  }
  %1 = repro.kernel "k1_reduce" (%a = %0 : tensor<64x64xf32>) -> tensor<64xf32> {
    %r = repro.reduce max %a domain <[64, 64], reduce [0]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]
      : tensor<64x64xf32> -> tensor<64xf32>
    repro.yield %r : tensor<64xf32>
  }
  return %0, %1 : tensor<64x64xf32>, tensor<64xf32>
}

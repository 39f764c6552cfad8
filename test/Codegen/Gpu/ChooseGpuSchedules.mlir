// RUN: gensyn-opt %s --gensyn-choose-gpu-schedules=sm=90 --remarks-filter=schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST --implicit-check-not=remark:
// RUN: gensyn-opt %s --gensyn-choose-gpu-schedules='sm=90 schedules={{"ptx:sm_90":{"contract_e349a16adeb0":{"async":true,"bk":16,"bm":32,"bn":32,"keep_a":true,"keep_b":true,"lanes":4,"matrix":false,"min_blocks":4,"split":false,"stages":3,"tm":4,"tn":4}}}}' | FileCheck %s --check-prefix=TILE
// RUN: gensyn-opt %s --gensyn-choose-gpu-schedules='sm=80 schedules={{"ptx:sm_90":{"contract_e349a16adeb0":{"async":true,"bk":16,"bm":32,"bn":32,"keep_a":true,"keep_b":true,"lanes":4,"matrix":false,"min_blocks":4,"split":false,"stages":3,"tm":4,"tn":4}}}}' | FileCheck %s --check-prefix=NONE
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(gensyn-choose-gpu-schedules{sm=1})' 2>&1 | FileCheck %s --check-prefix=TARGET

// The three rows of the table that follow the kernel's own, by their estimated times.
// LIST: remark: [Analysis] ReplaceSchedule | Category:schedule | Function=k0 | Alternatives="{{.*}}"bm":16,"bn":32,{{.*}}"bm":32,"bn":32,{{.*}}"bm":128,"bn":1,{{.*}}", Kernel=contract_e349a16adeb0

// TILE: repro.kernel "k0"
// TILE-SAME: schedule {async = true, bk = 16 : i64, bm = 32 : i64, bn = 32 : i64, keep_a = true, keep_b = true, lanes = 4 : i64, matrix = false, min_blocks = 4 : i64, split = false, stages = 3 : i64, tm = 4 : i64, tn = 4 : i64}

// NONE-NOT: schedule {
// TARGET: error: no GPU generation is called 'sm_1', known are 75

func.func @main(%a: tensor<40x600xf32>, %b: tensor<600x64xf32>) -> tensor<40x64xf32> {
  %x = repro.kernel "k0" (%l = %a : tensor<40x600xf32>, %r = %b : tensor<600x64xf32>) -> tensor<40x64xf32> {
    %c = repro.contract %l, %r domain <[40, 64, 600], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<40x600xf32>, tensor<600x64xf32> -> tensor<40x64xf32>
    repro.yield %c : tensor<40x64xf32>
  }
  return %x : tensor<40x64xf32>
}

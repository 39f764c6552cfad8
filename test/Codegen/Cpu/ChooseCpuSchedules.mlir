// RUN: gensyn-opt %s --gensyn-choose-cpu-schedules --remarks-filter=schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST --implicit-check-not=remark:
// RUN: gensyn-opt %s --gensyn-choose-cpu-schedules='schedules={{"cpu:x86-64-v4":{"contract_e349a16adeb0":{"kc":256}}}}' | FileCheck %s --implicit-check-not='schedule {'
// RUN: gensyn-opt %s --gensyn-choose-cpu-schedules='schedules={{"cpu:x86-64-v4":{"contract_e349a16adeb0":{}},"cpu:x86-64-v3":{"contract_e349a16adeb0":{"kc":256}}}}' | FileCheck %s --check-prefix=NONE
// RUN: gensyn-opt %s --gensyn-choose-cpu-schedules='schedules={{"cpu:x86-64-v4":{"contract_e349a16adeb0":{"kc":257},"gone_0":{"kc":1}}}}' --remarks-filter=schedule 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not gensyn-opt %s --gensyn-choose-cpu-schedules='schedules={[]}' 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(gensyn-choose-cpu-schedules{target=vax})' 2>&1 | FileCheck %s --check-prefix=TARGET

// Kernels that compute the same have one name.
// LIST: remark: [Analysis] ReplaceSchedule | Category:schedule | Function=k0 | Alternatives="{{.*}} {"kc":256} {{.*}}", Kernel=contract_e349a16adeb0
// LIST: remark: [Analysis] ReplaceSchedule | Category:schedule | Function=k1 | {{.*}}, Kernel=contract_e349a16adeb0

// CHECK: repro.kernel "k0"
// CHECK-SAME: schedule {kc = 256 : i64}
// CHECK: repro.kernel "k1"
// CHECK-SAME: schedule {kc = 256 : i64}
// CHECK: repro.kernel "k2"

// NONE-NOT: schedule {kc

// REFUSED: remark: [Missed] ReplaceSchedule | Category:schedule | Function=k0 | Kernel=contract_e349a16adeb0, Reason="{"kc":257} is not an alternative"
// REFUSED: warning: 1 schedule is not used, since this compiler has no such alternative for the kernel; the first one is that of 'contract_e349a16adeb0'
// REFUSED-NOT: schedule {kc

// JSON: error: the option 'schedules': expected an object of targets, got array
// TARGET: error: unknown target 'vax'

func.func @main(%a: tensor<40x600xf32>, %b: tensor<600x64xf32>) -> tensor<40x64xf32> {
  %x = repro.kernel "k0" (%l = %a : tensor<40x600xf32>, %r = %b : tensor<600x64xf32>) -> tensor<40x64xf32> {
    %c = repro.contract %l, %r domain <[40, 64, 600], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<40x600xf32>, tensor<600x64xf32> -> tensor<40x64xf32>
    repro.yield %c : tensor<40x64xf32>
  }
  %y = repro.kernel "k1" (%l = %a : tensor<40x600xf32>, %r = %b : tensor<600x64xf32>) -> tensor<40x64xf32> {
    %c = repro.contract %l, %r domain <[40, 64, 600], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<40x600xf32>, tensor<600x64xf32> -> tensor<40x64xf32>
    repro.yield %c : tensor<40x64xf32>
  }
  %z = repro.kernel "k2" (%l = %x : tensor<40x64xf32>, %r = %y : tensor<40x64xf32>) -> tensor<40x64xf32> {
    %c = repro.add %l, %r : tensor<40x64xf32>
    repro.yield %c : tensor<40x64xf32>
  }
  return %z : tensor<40x64xf32>
}

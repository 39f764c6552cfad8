// RUN: gensyn-translate --mlir-to-ptx --plan=%t %s > %t.ptx && FileCheck %s < %t

// The carried value has a buffer of its own, which alternates with the one that the body writes;
// the loop's index has a buffer too.
// CHECK: "faults": [
// CHECK: "by_element": true,
// CHECK-NEXT: "in_loop": true,
// CHECK-NEXT: "message": "index out of range",
// CHECK: "steps": [
// CHECK: "copy": [
// CHECK-NEXT: 0,
// CHECK-NEXT: [[CURRENT:[0-9]+]]
// CHECK: "loop": {
// CHECK-NEXT: "body": [
// CHECK: "launch": 0
// CHECK: "carries": [
// CHECK-NEXT: [
// CHECK-NEXT: [[CURRENT]],
// CHECK: "trips": 4
func.func @main(%x: tensor<3xf32>, %t: tensor<5x3xf32>) -> tensor<3xf32> {
  %y = repro.loop trips 4 (%j, %a = %x : tensor<3xf32>) invariant (%d = %t : tensor<5x3xf32>) {
    %r = repro.gather %d[%j] maps [affine_map<(d0)[s0] -> (s0, d0)>, affine_map<(d0) -> ()>]
        bounds fault : tensor<5x3xf32>, tensor<i64> -> tensor<3xf32>
    %m = repro.mul %a, %r : tensor<3xf32>
    repro.yield %m : tensor<3xf32>
  }
  return %y : tensor<3xf32>
}

// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=2 slack=0})' | FileCheck %s

// A mask of inputs alone and the narrow copy of a parameter are computed by each
// segment that reads them. Random bits cost more than what is kept of them: they
// are computed once, in front of their reader, wherever the program has them.
// CHECK: module attributes
// CHECK-LABEL: func.func @segment_0(
// CHECK-SAME: %[[X:[^:]+]]: tensor<4xf32> {gensyn.name = "x"
// CHECK-SAME: %[[W:[^:]+]]: tensor<4xf32> {gensyn.name = "w"
// CHECK-SAME: -> (tensor<4xi1> {gensyn.name = "gensyn.cut.0", gensyn.role = "output"}, tensor<4xf32> {gensyn.name = "gensyn.cut.1", gensyn.role = "output"})
// CHECK: repro.random_bits {{.*}} stream 1
// CHECK: %[[Q:.+]] = repro.compare
// CHECK: %[[WH:.+]] = repro.mul %[[W]], %{{.+}} :
// CHECK: repro.mul %[[X]], %[[WH]]
// CHECK-NOT: repro.random_bits
// CHECK: return %[[Q]], %{{.+}} :

// CHECK-LABEL: func.func @segment_1(
// CHECK-SAME: "gensyn.microbatch"
// CHECK-SAME: "key"
// CHECK-SAME: -> ({{.*}}"gensyn.sum.0", gensyn.role = "state"}, {{.*}}"gensyn.sum.2", gensyn.role = "state"}, {{.*}}"gensyn.cut.2", gensyn.role = "output"})
// CHECK: repro.random_bits {{.*}} stream 0
// CHECK-NOT: repro.random_bits
// CHECK: repro.broadcast %{{.+}} dims []
// CHECK: repro.compare

// CHECK-LABEL: func.func @segment_2(
// CHECK-SAME: "gensyn.microbatch"
// CHECK-SAME: %[[Q:[^:]+]]: tensor<4xi1> {gensyn.name = "gensyn.cut.0"
// CHECK-SAME: %[[D2:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.cut.2"
// CHECK-NOT: repro.random_bits
// CHECK: %[[S:.+]] = repro.broadcast %{{.+}} dims []
// CHECK: %[[M:.+]] = repro.compare gt %[[S]]
// CHECK: %[[D1:.+]] = repro.select %[[M]], %[[D2]]
// CHECK: %[[DQ:.+]] = repro.mul %[[D1]],
// CHECK: repro.select %[[Q]], %[[DQ]]
module {
  func.func @microbatch(
      %x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"},
      %i: tensor<i64> {gensyn.name = "gensyn.microbatch", gensyn.role = "input"},
      %key: tensor<2xui32> {gensyn.name = "key", gensyn.role = "key"},
      %step: tensor<ui32> {gensyn.name = "step", gensyn.role = "step"},
      %w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %v: tensor<4xf32> {gensyn.name = "v", gensyn.role = "parameter"},
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
      %s1: tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
      %s2: tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"})
      -> (tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"}) {
    %draw = repro.constant dense<0> : tensor<ui32>
    %limit = repro.constant dense<9> : tensor<4xui32>
    %bits = repro.random_bits %key, %step, %draw stream 0 : tensor<4xui32>
    %r = repro.compare gt %bits, %limit : tensor<4xui32>
    %more = repro.random_bits %key, %step, %draw stream 1 : tensor<4xui32>
    %q = repro.compare gt %more, %limit : tensor<4xui32>
    %zero = repro.constant dense<0.0> : tensor<4xf32>
    %half = repro.constant dense<0.5> : tensor<4xf32>
    %n = repro.convert %i : tensor<i64> to tensor<f32>
    %s = repro.broadcast %n dims [] : tensor<f32> to tensor<4xf32>
    %m = repro.compare gt %s, %zero : tensor<4xf32>
    %wh = repro.mul %w, %half : tensor<4xf32>
    %vh = repro.mul %v, %half : tensor<4xf32>
    %h0 = repro.mul %x, %wh : tensor<4xf32>
    %hq = repro.select %q, %h0, %zero : tensor<4xf32>
    %h1 = repro.mul %hq, %x : tensor<4xf32>
    %h2 = repro.select %m, %h1, %zero : tensor<4xf32>
    %h3 = repro.mul %h2, %vh : tensor<4xf32>
    %h4 = repro.select %r, %h3, %half : tensor<4xf32>
    %d3 = repro.select %r, %half, %zero : tensor<4xf32>
    %dvh = repro.mul %h2, %d3 : tensor<4xf32>
    %dv = repro.mul %dvh, %half : tensor<4xf32>
    %d2 = repro.mul %d3, %vh : tensor<4xf32>
    %d1 = repro.select %m, %d2, %zero : tensor<4xf32>
    %dq = repro.mul %d1, %x : tensor<4xf32>
    %d0 = repro.select %q, %dq, %zero : tensor<4xf32>
    %dw = repro.mul %x, %d0 : tensor<4xf32>
    %n0 = repro.add %s0, %h4 : tensor<4xf32>
    %n1 = repro.add %s1, %dw : tensor<4xf32>
    %n2 = repro.add %s2, %dv : tensor<4xf32>
    return %n0, %n1, %n2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func @update(
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"},
      %s1: tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "input"},
      %s2: tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "input"},
      %w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %v: tensor<4xf32> {gensyn.name = "v", gensyn.role = "parameter"})
      -> (tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "v", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0 = repro.sub %w, %s1 : tensor<4xf32>
    %1 = repro.sub %v, %s2 : tensor<4xf32>
    return %0, %1, %s0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}

// A step over microbatches: inputs are longer, draws have numbers of their own,
// sums become means unless the loss is a sum.
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "accumulate": 4}}' | FileCheck %s
// RUN: gensyn-opt %s --train-build-step='kind=train microbatches=3 recipe={{"loss": {"kind": "mse", "reduction": "sum"}, "optimizer": {"kind": "SGD"}, "accumulate": 4}}' | FileCheck %s --check-prefix=SUM
// RUN: gensyn-opt %s --train-build-step='kind=eval recipe={{"loss": {"kind": "mse"}, "accumulate": 4}}' | FileCheck %s --check-prefix=EVAL
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "accumulate": 0}}' 2>&1 | FileCheck %s --check-prefix=ZERO

// ZERO: error: recipe: 'accumulate' is 0

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[W:[^:]+]]: tensor<2x3xf32> {gensyn.name = "w"
// CHECK-SAME: %[[X:[^:]+]]: tensor<8x3xf32> {gensyn.name = "x"
// CHECK-SAME: %[[S:[^:]+]]: tensor<f32> {gensyn.name = "s"
// CHECK-SAME: %[[T:[^:]+]]: tensor<8x3xf32> {gensyn.name = "target"
// CHECK-SAME: %[[KEY:[^:]+]]: tensor<2xui32>
// CHECK-SAME: %[[STEP:[^:]+]]: tensor<ui32>
// CHECK: %[[ALL:.+]]:2 = train.accumulate 4 split(%[[X]], %[[T]]) shared(%[[W]], %[[S]], %[[KEY]], %[[STEP]])
// CHECK: ^bb0(%[[I:[^:]+]]: tensor<i64>, %[[PX:[^:]+]]: tensor<2x3xf32>, %[[PT:[^:]+]]: tensor<2x3xf32>, %[[PW:[^:]+]]: tensor<2x3xf32>, %{{[^:]+}}: tensor<f32>, %[[PK:[^:]+]]: tensor<2xui32>, %[[PS:[^:]+]]: tensor<ui32>):
// CHECK: %[[INDEX:.+]] = repro.convert %[[I]] : tensor<i64> to tensor<ui32>
// CHECK: %[[FOUR:.+]] = repro.constant dense<4> : tensor<ui32>
// CHECK: %[[BEGIN:.+]] = repro.mul %[[PS]], %[[FOUR]]
// CHECK: %[[NUMBER:.+]] = repro.add %[[BEGIN]], %[[INDEX]]
// CHECK: repro.random_bits %[[PK]], %[[NUMBER]]
// CHECK: %[[L:.+]] = train.mse %{{.+}}, %[[PT]]
// CHECK: %[[G:.+]] = train.gradient %[[L]] wrt(%[[PW]])
// CHECK: train.yield %[[L]], %[[G]]
// CHECK: %[[LOSS:.+]] = repro.div %[[ALL]]#0
// CHECK: %[[MEAN:.+]] = repro.div %[[ALL]]#1
// CHECK: train.update {{.*}} of %[[W]], %[[MEAN]]
// CHECK: return %{{.+}}, %[[LOSS]],

// SUM: train.accumulate 3
// SUM: repro.constant dense<4> : tensor<ui32>
// SUM-NOT: repro.div
// SUM: return

// EVAL-NOT: train.accumulate

func.func @main(%x: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"},
                %s: tensor<f32> {gensyn.name = "s", gensyn.role = "input"},
                %w: tensor<2x3xf32> {gensyn.name = "w", gensyn.role = "parameter"},
                %key: tensor<2xui32> {gensyn.name = "gensyn.key", gensyn.role = "key"},
                %step: tensor<ui32> {gensyn.name = "gensyn.step", gensyn.role = "step"})
    -> (tensor<2x3xf32> {gensyn.name = "y"}) {
  %draw = repro.constant dense<0> : tensor<ui32>
  %bits = repro.random_bits %key, %step, %draw stream 1073741824 : tensor<2x3xui32>
  %half = repro.constant dense<2147483648> : tensor<2x3xui32>
  %kept = repro.compare lt %bits, %half : tensor<2x3xui32>
  %zero = repro.constant dense<0.0> : tensor<2x3xf32>
  %0 = repro.mul %x, %w : tensor<2x3xf32>
  %1 = repro.select %kept, %0, %zero : tensor<2x3xf32>
  %scale = repro.broadcast %s dims [] : tensor<f32> to tensor<2x3xf32>
  %2 = repro.mul %1, %scale : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

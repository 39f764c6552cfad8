// Averages of the parameters: the first one is the parameter itself (average_r1),
// then they follow it; with a warm-up faster at first (average_r2).
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "ema": {"decay": 0.75}}}' | FileCheck %s
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "ema": {"decay": 0.75, "warmup": true}}}' | FileCheck %s --check-prefix=WARM
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "ema": {"decay": 1}}}' 2>&1 | FileCheck %s --check-prefix=DECAY

// DECAY: error: recipe: ema: 'decay' is 1

// CHECK: gensyn.donated = array<i64: 0, 1, -1, -1>
// CHECK: func.func @main(
// CHECK-SAME: %[[E:[^:]+]]: tensor<3xf32> {gensyn.initial = {fill = 0.000000e+00 : f64}, gensyn.name = "w.ema", gensyn.role = "average"}
// CHECK-SAME: %[[STEP:[^:]+]]: tensor<ui32> {gensyn.name = "gensyn.step", gensyn.role = "step"}
// CHECK-SAME: {gensyn.name = "w.ema", gensyn.role = "average"}
// CHECK: %[[W:.+]] = train.update
// CHECK: %[[N:.+]] = repro.convert %[[STEP]] : tensor<ui32> to tensor<i64>
// CHECK: %[[FIRST:.+]] = repro.compare eq %[[N]]
// CHECK: repro.constant dense<2.500000e-01> : tensor<f64>
// CHECK: %[[D:.+]] = repro.sub %[[W]], %[[E]]
// CHECK: %[[M:.+]] = repro.fma %{{.+}}, %[[D]], %[[E]]
// CHECK: %[[F:.+]] = repro.broadcast %[[FIRST]]
// CHECK: %[[NEXT:.+]] = repro.select %[[F]], %[[W]], %[[M]]
// CHECK: return %[[W]], %[[NEXT]],

// WARM: %[[T:.+]] = repro.convert %{{.+}} : tensor<i64> to tensor<f64>
// WARM: %[[A:.+]] = repro.add %[[T]]
// WARM: %[[B:.+]] = repro.add %[[T]]
// WARM: %[[R:.+]] = repro.div %[[A]], %[[B]]
// WARM: repro.compare lt %[[R]]
// WARM: repro.select

func.func @main(%x: tensor<3xf32> {gensyn.name = "x", gensyn.role = "input"},
                %w: tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"})
    -> (tensor<3xf32> {gensyn.name = "y"}) {
  %0 = repro.mul %x, %w : tensor<3xf32>
  return %0 : tensor<3xf32>
}

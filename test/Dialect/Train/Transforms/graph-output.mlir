// The graph computes the loss itself: there is no target, and the loss is the
// output as a scalar.
// RUN: gensyn-opt %s --train-build-step='kind=grad recipe={{"loss": {"kind": "graph_output", "output": "cost"}, "frozen": ["body.?.*"]}}' | FileCheck %s

// An output that is an argument.
// RUN: gensyn-opt %s --train-build-step='kind=grad recipe={{"loss": {"kind": "graph_output", "output": "p"}}}' | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT-LABEL: func.func @main(
// ARGUMENT-SAME: %[[W:[^:]+]]: tensor<1x1xf32> {gensyn.name = "body.10.w", gensyn.role = "parameter"}
// ARGUMENT: %[[L:.+]] = repro.reshape %[[W]]
// ARGUMENT: train.gradient %[[L]]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: gensyn.name = "body.10.w", gensyn.role = "parameter"}
// CHECK-SAME: gensyn.name = "body.1.w", gensyn.role = "constant"}
// CHECK-SAME: %[[X:.+]]: tensor<1x1xf32> {gensyn.name = "x", gensyn.role = "input"})
// CHECK-SAME: -> (tensor<f32> {gensyn.name = "loss", gensyn.role = "loss"}, tensor<1x1xf32> {gensyn.name = "body.10.w", gensyn.role = "output"}, tensor<1x1xf32> {gensyn.name = "x", gensyn.role = "output"})
// CHECK: %[[Y:.+]] = repro.mul %{{.+}}, %[[X]]
// CHECK: %[[L:.+]] = repro.reshape %{{.+}} : tensor<1x1xf32> to tensor<f32>
// CHECK: train.gradient %[[L]]
func.func @main(%v: tensor<1x1xf32> {gensyn.name = "body.1.w", gensyn.role = "parameter"},
                %w: tensor<1x1xf32> {gensyn.name = "body.10.w", gensyn.role = "parameter"},
                %x: tensor<1x1xf32> {gensyn.name = "x", gensyn.role = "input"})
    -> (tensor<1x1xf32> {gensyn.name = "y"}, tensor<1x1xf32> {gensyn.name = "cost"}, tensor<1x1xf32> {gensyn.name = "p"}) {
  %y = repro.mul %w, %x : tensor<1x1xf32>
  %c = repro.mul %y, %v : tensor<1x1xf32>
  return %y, %c, %w : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

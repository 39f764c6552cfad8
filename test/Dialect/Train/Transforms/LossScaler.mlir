// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-build-step{recipe={{"loss":{"kind":"mse"},"optimizer":{"kind":"SGD","lr":0.5},"precision":{"loss_scale":8}}}})' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-build-step{recipe={{"loss":{"kind":"mse"},"optimizer":{"kind":"SGD","lr":0.5},"clip":{"value":1.0},"precision":{"loss_scale":"dynamic","initial":1024,"growth_interval":3}}}})' | FileCheck %s --check-prefix=DYNAMIC

// The loss that is differentiated is another one than the loss that is told
// (scale_r1).
// CHECK-LABEL: func.func @main
// CHECK: %[[LOSS:.*]] = train.mse
// CHECK: %[[EIGHT:.*]] = repro.constant dense<8.000000e+00> : tensor<f32>
// CHECK: %[[SCALED:.*]] = repro.mul %[[EIGHT]], %[[LOSS]]
// CHECK: %[[G:.*]] = train.gradient %[[SCALED]]
// CHECK: %[[U:.*]] = repro.div %[[G]], %{{.*}} : tensor<4xf32>
// CHECK: train.update {{.*}} of %{{.*}}, %[[U]] rate
// CHECK-NOT: repro.select
// CHECK: return %{{.*}}, %[[LOSS]]

// Gradients are scaled back before anything bounds them; where one is not
// finite everything stays as it was (scale_r2) and the scale is halved
// (scale_r3).
// DYNAMIC-LABEL: func.func @main
// DYNAMIC-SAME: %[[P:[a-z0-9]+]]: tensor<4xf32> {gensyn.name = "w"
// DYNAMIC-SAME: %[[S:[a-z0-9]+]]: tensor<f32> {gensyn.initial = {fill = 1.024000e+03 : f64}, gensyn.name = "loss_scale.scale", gensyn.role = "state"}
// DYNAMIC-SAME: %[[T:[a-z0-9]+]]: tensor<i32> {gensyn.initial = {fill = 0.000000e+00 : f64}, gensyn.name = "loss_scale.growth_tracker", gensyn.role = "state"}
// DYNAMIC: %[[LOSS:.*]] = train.mse
// DYNAMIC: %[[SCALED:.*]] = repro.mul %[[LOSS]], %[[S]]
// DYNAMIC: %[[G:.*]] = train.gradient %[[SCALED]]
// DYNAMIC: %[[U:.*]] = repro.div %[[G]], %{{.*}} : tensor<4xf32>
// DYNAMIC: repro.abs %[[U]]
// DYNAMIC: %[[OK:.*]] = repro.reduce and
// DYNAMIC: %[[LOW:.*]] = repro.max %[[U]]
// DYNAMIC: %[[BOUND:.*]] = repro.min %[[LOW]]
// DYNAMIC: %[[NEW:.*]] = train.update {{.*}} of %[[P]], %[[BOUND]] rate
// DYNAMIC: %[[WIDE:.*]] = repro.broadcast %[[OK]]
// DYNAMIC: %[[KEPT:.*]] = repro.select %[[WIDE]], %[[NEW]], %[[P]]
// DYNAMIC: repro.add %[[T]]
// DYNAMIC: %[[NEXT:.*]] = repro.select %[[OK]]
// DYNAMIC: %[[COUNT:.*]] = repro.select %[[OK]]
// DYNAMIC: return %[[KEPT]], %[[NEXT]], %[[COUNT]], %[[LOSS]], %{{.*}}, %[[S]]
func.func @main(%w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
                %x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"})
    -> (tensor<4xf32> {gensyn.name = "y"}) {
  %y = repro.mul %w, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

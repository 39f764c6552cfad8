// Bounds of gradients (clip_r1, clip_r2): norms are of f64 and of all gradients
// together.
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "clip": {"norm": 0.5}}}' | FileCheck %s --check-prefix=NORM
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "clip": {"norm": 0.5, "norm_type": "inf"}}}' | FileCheck %s --check-prefix=INF
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "clip": {"norm": 0.5, "norm_type": 1}}}' | FileCheck %s --check-prefix=ONE
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "clip": {"value": 0.5}}}' | FileCheck %s --check-prefix=VALUE
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "clip": {"value": 0.5, "norm": 1}}}' 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "clip": {"norm": 1, "norm_type": 3}}}' 2>&1 | FileCheck %s --check-prefix=TYPE

// BOTH: error: recipe: clip: either 'norm' or 'value' is wanted
// TYPE: error: recipe: clip: 'norm_type' is not 1, 2 or "inf"

// NORM: %[[G:.+]]:2 = train.gradient
// NORM: %[[A:.+]] = repro.convert %[[G]]#0 : tensor<2x3xf32> to tensor<2x3xf64>
// NORM: %[[AA:.+]] = repro.mul %[[A]], %[[A]]
// NORM: %[[SA:.+]] = repro.reduce sum %[[AA]] domain <[2, 3], reduce [0, 1]>
// NORM: %[[B:.+]] = repro.convert %[[G]]#1
// NORM: %[[BB:.+]] = repro.mul %[[B]], %[[B]]
// NORM: %[[SUM:.+]] = repro.add %[[SA]], %[[BB]] : tensor<f64>
// NORM: %[[N:.+]] = repro.sqrt %[[SUM]]
// NORM: %[[EPS:.+]] = repro.constant dense<{{9.99.*E-7|1.0.*e-06}}> : tensor<f64>
// NORM: %[[NE:.+]] = repro.add %[[N]], %[[EPS]]
// NORM: %[[BOUND:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
// NORM: %[[F:.+]] = repro.div %[[BOUND]], %[[NE]]
// NORM: %[[LARGE:.+]] = repro.compare gt %[[F]]
// NORM: %[[C:.+]] = repro.select %[[LARGE]], %{{.+}}, %[[F]]
// NORM: %[[C32:.+]] = repro.convert %[[C]] : tensor<f64> to tensor<f32>
// NORM: %[[CS:.+]] = repro.broadcast %[[C32]]
// NORM: %[[GA:.+]] = repro.mul %[[G]]#0, %[[CS]]
// NORM: train.update {{.*}} of %arg0, %[[GA]]
// NORM: return {{.*}}, %[[N]] :

// INF: repro.abs
// INF: repro.reduce max
// INF: repro.max %{{.+}}, %{{.+}} : tensor<f64>
// INF-NOT: repro.sqrt
// INF: train.update

// ONE: repro.abs %{{.+}} : tensor<2x3xf64>
// ONE: repro.reduce sum
// ONE-NOT: repro.sqrt
// ONE: train.update

// VALUE: repro.constant dense<5.000000e-01>
// VALUE: repro.constant dense<-5.000000e-01>
// VALUE: %[[M:.+]] = repro.max %[[G:.+]]#0, %
// VALUE: %[[V:.+]] = repro.min %[[M]], %
// VALUE: train.update {{.*}} of %arg0, %[[V]]
// VALUE-NOT: grad_norm

func.func @main(%x: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"},
                %w: tensor<2x3xf32> {gensyn.name = "w", gensyn.role = "parameter"},
                %b: tensor<f32> {gensyn.name = "b", gensyn.role = "parameter"})
    -> (tensor<2x3xf32> {gensyn.name = "y"}) {
  %0 = repro.mul %x, %w : tensor<2x3xf32>
  %1 = repro.broadcast %b dims [] : tensor<f32> to tensor<2x3xf32>
  %2 = repro.add %0, %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

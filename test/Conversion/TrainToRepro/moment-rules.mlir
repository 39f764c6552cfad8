// RUN: gensyn-opt %s --convert-train-to-repro --cse | FileCheck %s

// The formulas of optimizer_r9 to optimizer_r14.

// CHECK-LABEL: func.func @nadam(
func.func @nadam(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>, %s0: tensor<4xf32>, %s1: tensor<4xf32>, %t0: tensor<f64>, %t1: tensor<f64>, %t2: tensor<f64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>, tensor<f64>) {
  // CHECK: %[[C0:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: %[[V0:.+]] = repro.add %arg5, %[[C0]] : tensor<f64>
  // CHECK: %[[C1:.+]] = repro.constant dense<8.750000e-01> : tensor<f64>
  // CHECK: %[[V1:.+]] = repro.mul %[[C1]], %arg6 : tensor<f64>
  // CHECK: %[[C2:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
  // CHECK: %[[V2:.+]] = repro.mul %[[C2]], %[[V0]] : tensor<f64>
  // CHECK: %[[C3:.+]] = repro.constant dense<-0.040821994520255166> : tensor<f64>
  // CHECK: %[[V3:.+]] = repro.mul %[[C3]], %[[V2]] : tensor<f64>
  // CHECK: %[[V4:.+]] = repro.exp %[[V3]] : tensor<f64>
  // CHECK: %[[V5:.+]] = repro.mul %[[C2]], %[[V4]] : tensor<f64>
  // CHECK: %[[V6:.+]] = repro.sub %[[C0]], %[[V5]] : tensor<f64>
  // CHECK: %[[C4:.+]] = repro.constant dense<7.500000e-01> : tensor<f64>
  // CHECK: %[[V7:.+]] = repro.mul %[[C4]], %[[V6]] : tensor<f64>
  // CHECK: %[[V8:.+]] = repro.add %[[V0]], %[[C0]] : tensor<f64>
  // CHECK: %[[V9:.+]] = repro.mul %[[C2]], %[[V8]] : tensor<f64>
  // CHECK: %[[V10:.+]] = repro.mul %[[C3]], %[[V9]] : tensor<f64>
  // CHECK: %[[V11:.+]] = repro.exp %[[V10]] : tensor<f64>
  // CHECK: %[[V12:.+]] = repro.mul %[[C2]], %[[V11]] : tensor<f64>
  // CHECK: %[[V13:.+]] = repro.sub %[[C0]], %[[V12]] : tensor<f64>
  // CHECK: %[[V14:.+]] = repro.mul %[[C4]], %[[V13]] : tensor<f64>
  // CHECK: %[[V15:.+]] = repro.mul %arg7, %[[V7]] : tensor<f64>
  // CHECK: %[[V16:.+]] = repro.sub %arg1, %arg3 : tensor<4xf32>
  // CHECK: %[[C5:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V17:.+]] = repro.broadcast %[[C5]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V18:.+]] = repro.fma %[[V17]], %[[V16]], %arg3 : tensor<4xf32>
  // CHECK: %[[C6:.+]] = repro.constant dense<8.750000e-01> : tensor<f32>
  // CHECK: %[[V19:.+]] = repro.broadcast %[[C6]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V20:.+]] = repro.mul %[[V19]], %arg4 : tensor<4xf32>
  // CHECK: %[[C7:.+]] = repro.constant dense<1.250000e-01> : tensor<f32>
  // CHECK: %[[V21:.+]] = repro.broadcast %[[C7]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V22:.+]] = repro.mul %[[V21]], %arg1 : tensor<4xf32>
  // CHECK: %[[V23:.+]] = repro.mul %[[V22]], %arg1 : tensor<4xf32>
  // CHECK: %[[V24:.+]] = repro.add %[[V20]], %[[V23]] : tensor<4xf32>
  // CHECK: %[[V25:.+]] = repro.sub %[[C0]], %[[V1]] : tensor<f64>
  // CHECK: %[[V26:.+]] = repro.convert %[[V25]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V27:.+]] = repro.broadcast %[[V26]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V28:.+]] = repro.div %[[V24]], %[[V27]] : tensor<4xf32>
  // CHECK: %[[V29:.+]] = repro.sqrt %[[V28]] : tensor<4xf32>
  // CHECK: %[[C8:.+]] = repro.constant dense<9.99999993E-9> : tensor<f32>
  // CHECK: %[[V30:.+]] = repro.broadcast %[[C8]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V31:.+]] = repro.add %[[V29]], %[[V30]] : tensor<4xf32>
  // CHECK: %[[V32:.+]] = repro.neg %arg2 : tensor<f64>
  // CHECK: %[[V33:.+]] = repro.sub %[[C0]], %[[V7]] : tensor<f64>
  // CHECK: %[[V34:.+]] = repro.mul %[[V32]], %[[V33]] : tensor<f64>
  // CHECK: %[[V35:.+]] = repro.sub %[[C0]], %[[V15]] : tensor<f64>
  // CHECK: %[[V36:.+]] = repro.div %[[V34]], %[[V35]] : tensor<f64>
  // CHECK: %[[V37:.+]] = repro.mul %[[V32]], %[[V14]] : tensor<f64>
  // CHECK: %[[V38:.+]] = repro.mul %[[V15]], %[[V14]] : tensor<f64>
  // CHECK: %[[V39:.+]] = repro.sub %[[C0]], %[[V38]] : tensor<f64>
  // CHECK: %[[V40:.+]] = repro.div %[[V37]], %[[V39]] : tensor<f64>
  // CHECK: %[[V41:.+]] = repro.convert %[[V36]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V42:.+]] = repro.broadcast %[[V41]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V43:.+]] = repro.mul %[[V42]], %arg1 : tensor<4xf32>
  // CHECK: %[[V44:.+]] = repro.div %[[V43]], %[[V31]] : tensor<4xf32>
  // CHECK: %[[V45:.+]] = repro.add %arg0, %[[V44]] : tensor<4xf32>
  // CHECK: %[[V46:.+]] = repro.convert %[[V40]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V47:.+]] = repro.broadcast %[[V46]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V48:.+]] = repro.mul %[[V47]], %[[V18]] : tensor<4xf32>
  // CHECK: %[[V49:.+]] = repro.div %[[V48]], %[[V31]] : tensor<4xf32>
  // CHECK: %[[V50:.+]] = repro.add %[[V45]], %[[V49]] : tensor<4xf32>
  // CHECK: return %[[V50]], %[[V18]], %[[V24]], %[[V0]], %[[V1]], %[[V15]]
  %0:3 = train.update #train.nadam<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = 0.5, decoupled_weight_decay = false>
      of %p, %g rate %lr states (%s0, %s1) shared (%t0, %t1, %t2)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:3 = train.advance #train.nadam<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = 0.5, decoupled_weight_decay = false>
      of %t0, %t1, %t2 : (tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>)
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>, tensor<f64>
}

// CHECK-LABEL: func.func @radam(
func.func @radam(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>, %s0: tensor<4xf32>, %s1: tensor<4xf32>, %t0: tensor<f64>, %t1: tensor<f64>, %t2: tensor<f64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>, tensor<f64>) {
  // CHECK: %[[C0:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: %[[V0:.+]] = repro.add %arg5, %[[C0]] : tensor<f64>
  // CHECK: %[[C1:.+]] = repro.constant dense<7.500000e-01> : tensor<f64>
  // CHECK: %[[V1:.+]] = repro.mul %[[C1]], %arg6 : tensor<f64>
  // CHECK: %[[C2:.+]] = repro.constant dense<8.750000e-01> : tensor<f64>
  // CHECK: %[[V2:.+]] = repro.mul %[[C2]], %arg7 : tensor<f64>
  // CHECK: %[[C3:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
  // CHECK: %[[V3:.+]] = repro.mul %[[C3]], %arg2 : tensor<f64>
  // CHECK: %[[V4:.+]] = repro.sub %[[C0]], %[[V3]] : tensor<f64>
  // CHECK: %[[V5:.+]] = repro.convert %[[V4]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V6:.+]] = repro.broadcast %[[V5]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V7:.+]] = repro.mul %[[V6]], %arg0 : tensor<4xf32>
  // CHECK: %[[V8:.+]] = repro.sub %arg1, %arg3 : tensor<4xf32>
  // CHECK: %[[C4:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V9:.+]] = repro.broadcast %[[C4]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V10:.+]] = repro.fma %[[V9]], %[[V8]], %arg3 : tensor<4xf32>
  // CHECK: %[[C5:.+]] = repro.constant dense<8.750000e-01> : tensor<f32>
  // CHECK: %[[V11:.+]] = repro.broadcast %[[C5]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V12:.+]] = repro.mul %[[V11]], %arg4 : tensor<4xf32>
  // CHECK: %[[C6:.+]] = repro.constant dense<1.250000e-01> : tensor<f32>
  // CHECK: %[[V13:.+]] = repro.broadcast %[[C6]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V14:.+]] = repro.mul %[[V13]], %arg1 : tensor<4xf32>
  // CHECK: %[[V15:.+]] = repro.mul %[[V14]], %arg1 : tensor<4xf32>
  // CHECK: %[[V16:.+]] = repro.add %[[V12]], %[[V15]] : tensor<4xf32>
  // CHECK: %[[V17:.+]] = repro.sub %[[C0]], %[[V2]] : tensor<f64>
  // CHECK: %[[C7:.+]] = repro.constant dense<2.000000e+00> : tensor<f64>
  // CHECK: %[[V18:.+]] = repro.mul %[[C7]], %[[V0]] : tensor<f64>
  // CHECK: %[[V19:.+]] = repro.mul %[[V18]], %[[V2]] : tensor<f64>
  // CHECK: %[[V20:.+]] = repro.div %[[V19]], %[[V17]] : tensor<f64>
  // CHECK: %[[C8:.+]] = repro.constant dense<1.500000e+01> : tensor<f64>
  // CHECK: %[[V21:.+]] = repro.sub %[[C8]], %[[V20]] : tensor<f64>
  // CHECK: %[[C9:.+]] = repro.constant dense<4.000000e+00> : tensor<f64>
  // CHECK: %[[V22:.+]] = repro.sub %[[V21]], %[[C9]] : tensor<f64>
  // CHECK: %[[V23:.+]] = repro.sub %[[V21]], %[[C7]] : tensor<f64>
  // CHECK: %[[V24:.+]] = repro.mul %[[V22]], %[[V23]] : tensor<f64>
  // CHECK: %[[V25:.+]] = repro.mul %[[V24]], %[[C8]] : tensor<f64>
  // CHECK: %[[C10:.+]] = repro.constant dense<1.430000e+02> : tensor<f64>
  // CHECK: %[[V26:.+]] = repro.mul %[[C10]], %[[V21]] : tensor<f64>
  // CHECK: %[[V27:.+]] = repro.div %[[V25]], %[[V26]] : tensor<f64>
  // CHECK: %[[V28:.+]] = repro.sqrt %[[V27]] : tensor<f64>
  // CHECK: %[[C11:.+]] = repro.constant dense<5.000000e+00> : tensor<f64>
  // CHECK: %[[V29:.+]] = repro.compare gt %[[V21]], %[[C11]] : tensor<f64>
  // CHECK: %[[V30:.+]] = repro.sub %[[C0]], %[[V1]] : tensor<f64>
  // CHECK: %[[V31:.+]] = repro.convert %[[V30]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V32:.+]] = repro.broadcast %[[V31]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V33:.+]] = repro.div %[[V10]], %[[V32]] : tensor<4xf32>
  // CHECK: %[[V34:.+]] = repro.convert %arg2 : tensor<f64> to tensor<f32>
  // CHECK: %[[V35:.+]] = repro.broadcast %[[V34]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V36:.+]] = repro.mul %[[V33]], %[[V35]] : tensor<4xf32>
  // CHECK: %[[V37:.+]] = repro.sqrt %[[V17]] : tensor<f64>
  // CHECK: %[[V38:.+]] = repro.convert %[[V37]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V39:.+]] = repro.broadcast %[[V38]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V40:.+]] = repro.sqrt %[[V16]] : tensor<4xf32>
  // CHECK: %[[C12:.+]] = repro.constant dense<9.99999993E-9> : tensor<f32>
  // CHECK: %[[V41:.+]] = repro.broadcast %[[C12]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V42:.+]] = repro.add %[[V40]], %[[V41]] : tensor<4xf32>
  // CHECK: %[[V43:.+]] = repro.div %[[V39]], %[[V42]] : tensor<4xf32>
  // CHECK: %[[V44:.+]] = repro.mul %[[V36]], %[[V43]] : tensor<4xf32>
  // CHECK: %[[V45:.+]] = repro.convert %[[V28]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V46:.+]] = repro.broadcast %[[V45]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V47:.+]] = repro.mul %[[V44]], %[[V46]] : tensor<4xf32>
  // CHECK: %[[V48:.+]] = repro.broadcast %[[V29]] dims [] : tensor<i1> to tensor<4xi1>
  // CHECK: %[[V49:.+]] = repro.select %[[V48]], %[[V47]], %[[V36]] : tensor<4xf32>
  // CHECK: %[[V50:.+]] = repro.sub %[[V7]], %[[V49]] : tensor<4xf32>
  // CHECK: return %[[V50]], %[[V10]], %[[V16]], %[[V0]], %[[V1]], %[[V2]]
  %0:3 = train.update #train.radam<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-8, weight_decay = 0.5, decoupled_weight_decay = true>
      of %p, %g rate %lr states (%s0, %s1) shared (%t0, %t1, %t2)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:3 = train.advance #train.radam<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-8, weight_decay = 0.5, decoupled_weight_decay = true>
      of %t0, %t1, %t2 : (tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>)
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>, tensor<f64>
}

// CHECK-LABEL: func.func @adamax(
func.func @adamax(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>, %s0: tensor<4xf32>, %s1: tensor<4xf32>, %t0: tensor<f64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>) {
  // CHECK: %[[V0:.+]] = repro.sub %arg1, %arg3 : tensor<4xf32>
  // CHECK: %[[C0:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V1:.+]] = repro.broadcast %[[C0]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V2:.+]] = repro.fma %[[V1]], %[[V0]], %arg3 : tensor<4xf32>
  // CHECK: %[[C1:.+]] = repro.constant dense<8.750000e-01> : tensor<f32>
  // CHECK: %[[V3:.+]] = repro.broadcast %[[C1]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V4:.+]] = repro.mul %[[V3]], %arg4 : tensor<4xf32>
  // CHECK: %[[V5:.+]] = repro.abs %arg1 : tensor<4xf32>
  // CHECK: %[[C2:.+]] = repro.constant dense<9.99999993E-9> : tensor<f32>
  // CHECK: %[[V6:.+]] = repro.broadcast %[[C2]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V7:.+]] = repro.add %[[V5]], %[[V6]] : tensor<4xf32>
  // CHECK: %[[V8:.+]] = repro.max %[[V4]], %[[V7]] : tensor<4xf32>
  // CHECK: %[[C3:.+]] = repro.constant dense<7.500000e-01> : tensor<f64>
  // CHECK: %[[V9:.+]] = repro.mul %[[C3]], %arg5 : tensor<f64>
  // CHECK: %[[C4:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: %[[V10:.+]] = repro.sub %[[C4]], %[[V9]] : tensor<f64>
  // CHECK: %[[V11:.+]] = repro.div %arg2, %[[V10]] : tensor<f64>
  // CHECK: %[[V12:.+]] = repro.neg %[[V11]] : tensor<f64>
  // CHECK: %[[V13:.+]] = repro.convert %[[V12]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V14:.+]] = repro.broadcast %[[V13]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V15:.+]] = repro.mul %[[V14]], %[[V2]] : tensor<4xf32>
  // CHECK: %[[V16:.+]] = repro.div %[[V15]], %[[V8]] : tensor<4xf32>
  // CHECK: %[[V17:.+]] = repro.add %arg0, %[[V16]] : tensor<4xf32>
  // CHECK: return %[[V17]], %[[V2]], %[[V8]], %[[V9]]
  %0:3 = train.update #train.adamax<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-8, weight_decay = 0.0>
      of %p, %g rate %lr states (%s0, %s1) shared (%t0)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<4xf32>, tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:1 = train.advance #train.adamax<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-8, weight_decay = 0.0>
      of %t0 : (tensor<f64>) -> (tensor<f64>)
  return %0#0, %0#1, %0#2, %1#0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>
}

// CHECK-LABEL: func.func @adadelta(
func.func @adadelta(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>, %s0: tensor<4xf32>, %s1: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[C0:.+]] = repro.constant dense<7.500000e-01> : tensor<f32>
  // CHECK: %[[V0:.+]] = repro.broadcast %[[C0]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V1:.+]] = repro.mul %[[V0]], %arg3 : tensor<4xf32>
  // CHECK: %[[C1:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V2:.+]] = repro.broadcast %[[C1]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V3:.+]] = repro.mul %[[V2]], %arg1 : tensor<4xf32>
  // CHECK: %[[V4:.+]] = repro.mul %[[V3]], %arg1 : tensor<4xf32>
  // CHECK: %[[V5:.+]] = repro.add %[[V1]], %[[V4]] : tensor<4xf32>
  // CHECK: %[[C2:.+]] = repro.constant dense<9.99999997E-7> : tensor<f32>
  // CHECK: %[[V6:.+]] = repro.broadcast %[[C2]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V7:.+]] = repro.add %arg4, %[[V6]] : tensor<4xf32>
  // CHECK: %[[V8:.+]] = repro.sqrt %[[V7]] : tensor<4xf32>
  // CHECK: %[[V9:.+]] = repro.add %[[V5]], %[[V6]] : tensor<4xf32>
  // CHECK: %[[V10:.+]] = repro.sqrt %[[V9]] : tensor<4xf32>
  // CHECK: %[[V11:.+]] = repro.div %[[V8]], %[[V10]] : tensor<4xf32>
  // CHECK: %[[V12:.+]] = repro.mul %[[V11]], %arg1 : tensor<4xf32>
  // CHECK: %[[V13:.+]] = repro.mul %[[V0]], %arg4 : tensor<4xf32>
  // CHECK: %[[V14:.+]] = repro.mul %[[V2]], %[[V12]] : tensor<4xf32>
  // CHECK: %[[V15:.+]] = repro.mul %[[V14]], %[[V12]] : tensor<4xf32>
  // CHECK: %[[V16:.+]] = repro.add %[[V13]], %[[V15]] : tensor<4xf32>
  // CHECK: %[[V17:.+]] = repro.neg %arg2 : tensor<f64>
  // CHECK: %[[V18:.+]] = repro.convert %[[V17]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V19:.+]] = repro.broadcast %[[V18]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V20:.+]] = repro.fma %[[V19]], %[[V12]], %arg0 : tensor<4xf32>
  // CHECK: return %[[V20]], %[[V5]], %[[V16]]
  %0:3 = train.update #train.adadelta<rho = 0.75, eps = 1.0e-6, weight_decay = 0.0>
      of %p, %g rate %lr states (%s0, %s1)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @lion(
func.func @lion(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>, %s0: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[C0:.+]] = repro.constant dense<7.500000e-01> : tensor<f32>
  // CHECK: %[[V0:.+]] = repro.broadcast %[[C0]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V1:.+]] = repro.mul %[[V0]], %arg3 : tensor<4xf32>
  // CHECK: %[[C1:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V2:.+]] = repro.broadcast %[[C1]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V3:.+]] = repro.fma %[[V2]], %arg1, %[[V1]] : tensor<4xf32>
  // CHECK: %[[C2:.+]] = repro.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[V4:.+]] = repro.broadcast %[[C2]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V5:.+]] = repro.compare lt %[[V3]], %[[V4]] : tensor<4xf32>
  // CHECK: %[[V6:.+]] = repro.compare gt %[[V3]], %[[V4]] : tensor<4xf32>
  // CHECK: %[[C3:.+]] = repro.constant dense<-1.000000e+00> : tensor<f32>
  // CHECK: %[[V7:.+]] = repro.broadcast %[[C3]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V8:.+]] = repro.select %[[V5]], %[[V7]], %[[V3]] : tensor<4xf32>
  // CHECK: %[[C4:.+]] = repro.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: %[[V9:.+]] = repro.broadcast %[[C4]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V10:.+]] = repro.select %[[V6]], %[[V9]], %[[V8]] : tensor<4xf32>
  // CHECK: %[[C5:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
  // CHECK: %[[V11:.+]] = repro.mul %[[C5]], %arg2 : tensor<f64>
  // CHECK: %[[C6:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: %[[V12:.+]] = repro.sub %[[C6]], %[[V11]] : tensor<f64>
  // CHECK: %[[V13:.+]] = repro.convert %[[V12]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V14:.+]] = repro.broadcast %[[V13]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V15:.+]] = repro.mul %[[V14]], %arg0 : tensor<4xf32>
  // CHECK: %[[V16:.+]] = repro.neg %arg2 : tensor<f64>
  // CHECK: %[[V17:.+]] = repro.convert %[[V16]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V18:.+]] = repro.broadcast %[[V17]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V19:.+]] = repro.fma %[[V18]], %[[V10]], %[[V15]] : tensor<4xf32>
  // CHECK: %[[C7:.+]] = repro.constant dense<8.750000e-01> : tensor<f32>
  // CHECK: %[[V20:.+]] = repro.broadcast %[[C7]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V21:.+]] = repro.mul %[[V20]], %arg3 : tensor<4xf32>
  // CHECK: %[[C8:.+]] = repro.constant dense<1.250000e-01> : tensor<f32>
  // CHECK: %[[V22:.+]] = repro.broadcast %[[C8]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V23:.+]] = repro.fma %[[V22]], %arg1, %[[V21]] : tensor<4xf32>
  // CHECK: return %[[V19]], %[[V23]]
  %0:2 = train.update #train.lion<beta1 = 0.75, beta2 = 0.875, weight_decay = 0.5>
      of %p, %g rate %lr states (%s0)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @lamb(
func.func @lamb(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>, %s0: tensor<4xf32>, %s1: tensor<4xf32>, %t0: tensor<f64>, %t1: tensor<f64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>) {
  // CHECK: %[[C0:.+]] = repro.constant dense<7.500000e-01> : tensor<f64>
  // CHECK: %[[V0:.+]] = repro.mul %[[C0]], %arg5 : tensor<f64>
  // CHECK: %[[C1:.+]] = repro.constant dense<8.750000e-01> : tensor<f64>
  // CHECK: %[[V1:.+]] = repro.mul %[[C1]], %arg6 : tensor<f64>
  // CHECK: %[[V2:.+]] = repro.sub %arg1, %arg3 : tensor<4xf32>
  // CHECK: %[[C2:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V3:.+]] = repro.broadcast %[[C2]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V4:.+]] = repro.fma %[[V3]], %[[V2]], %arg3 : tensor<4xf32>
  // CHECK: %[[C3:.+]] = repro.constant dense<8.750000e-01> : tensor<f32>
  // CHECK: %[[V5:.+]] = repro.broadcast %[[C3]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V6:.+]] = repro.mul %[[V5]], %arg4 : tensor<4xf32>
  // CHECK: %[[C4:.+]] = repro.constant dense<1.250000e-01> : tensor<f32>
  // CHECK: %[[V7:.+]] = repro.broadcast %[[C4]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V8:.+]] = repro.mul %[[V7]], %arg1 : tensor<4xf32>
  // CHECK: %[[V9:.+]] = repro.mul %[[V8]], %arg1 : tensor<4xf32>
  // CHECK: %[[V10:.+]] = repro.add %[[V6]], %[[V9]] : tensor<4xf32>
  // CHECK: %[[C5:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: %[[V11:.+]] = repro.sub %[[C5]], %[[V0]] : tensor<f64>
  // CHECK: %[[V12:.+]] = repro.convert %[[V11]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V13:.+]] = repro.broadcast %[[V12]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V14:.+]] = repro.div %[[V4]], %[[V13]] : tensor<4xf32>
  // CHECK: %[[V15:.+]] = repro.sub %[[C5]], %[[V1]] : tensor<f64>
  // CHECK: %[[V16:.+]] = repro.sqrt %[[V15]] : tensor<f64>
  // CHECK: %[[V17:.+]] = repro.sqrt %[[V10]] : tensor<4xf32>
  // CHECK: %[[V18:.+]] = repro.convert %[[V16]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V19:.+]] = repro.broadcast %[[V18]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V20:.+]] = repro.div %[[V17]], %[[V19]] : tensor<4xf32>
  // CHECK: %[[C6:.+]] = repro.constant dense<9.99999997E-7> : tensor<f32>
  // CHECK: %[[V21:.+]] = repro.broadcast %[[C6]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V22:.+]] = repro.add %[[V20]], %[[V21]] : tensor<4xf32>
  // CHECK: %[[V23:.+]] = repro.div %[[V14]], %[[V22]] : tensor<4xf32>
  // CHECK: %[[C7:.+]] = repro.constant dense<5.000000e-01> : tensor<f32>
  // CHECK: %[[V24:.+]] = repro.broadcast %[[C7]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V25:.+]] = repro.fma %[[V24]], %arg0, %[[V23]] : tensor<4xf32>
  // CHECK: %[[V26:.+]] = repro.mul %arg0, %arg0 : tensor<4xf32>
  // CHECK: %[[V27:.+]] = repro.reduce sum %[[V26]] domain <[4], reduce [0]> maps {{.+}} : tensor<4xf32> -> tensor<f32>
  // CHECK: %[[V28:.+]] = repro.sqrt %[[V27]] : tensor<f32>
  // CHECK: %[[V29:.+]] = repro.mul %[[V25]], %[[V25]] : tensor<4xf32>
  // CHECK: %[[V30:.+]] = repro.reduce sum %[[V29]] domain <[4], reduce [0]> maps {{.+}} : tensor<4xf32> -> tensor<f32>
  // CHECK: %[[V31:.+]] = repro.sqrt %[[V30]] : tensor<f32>
  // CHECK: %[[C8:.+]] = repro.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[V32:.+]] = repro.compare gt %[[V28]], %[[C8]] : tensor<f32>
  // CHECK: %[[V33:.+]] = repro.compare gt %[[V31]], %[[C8]] : tensor<f32>
  // CHECK: %[[V34:.+]] = repro.and %[[V32]], %[[V33]] : tensor<i1>
  // CHECK: %[[V35:.+]] = repro.div %[[V28]], %[[V31]] : tensor<f32>
  // CHECK: %[[C9:.+]] = repro.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: %[[V36:.+]] = repro.select %[[V34]], %[[V35]], %[[C9]] : tensor<f32>
  // CHECK: %[[V37:.+]] = repro.neg %arg2 : tensor<f64>
  // CHECK: %[[V38:.+]] = repro.convert %[[V37]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V39:.+]] = repro.broadcast %[[V38]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V40:.+]] = repro.broadcast %[[V36]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V41:.+]] = repro.mul %[[V40]], %[[V25]] : tensor<4xf32>
  // CHECK: %[[V42:.+]] = repro.fma %[[V39]], %[[V41]], %arg0 : tensor<4xf32>
  // CHECK: return %[[V42]], %[[V4]], %[[V10]], %[[V0]], %[[V1]]
  %0:3 = train.update #train.lamb<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-6, weight_decay = 0.5>
      of %p, %g rate %lr states (%s0, %s1) shared (%t0, %t1)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:2 = train.advance #train.lamb<beta1 = 0.75, beta2 = 0.875, eps = 1.0e-6, weight_decay = 0.5>
      of %t0, %t1 : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#0, %0#1, %0#2, %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<f64>
}

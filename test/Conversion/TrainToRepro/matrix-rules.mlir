// RUN: gensyn-opt %s --convert-train-to-repro --cse | FileCheck %s

// The formulas of optimizer_r15, optimizer_r16 and optimizer_r8, and sums over
// whole tensors without an order (optimizer_r7).

// CHECK-LABEL: func.func @adafactor(
func.func @adafactor(%p: tensor<2x3x4xf32>, %g: tensor<2x3x4xf32>, %lr: tensor<f64>, %s0: tensor<2x3x1xf32>, %s1: tensor<2x1x4xf32>, %t0: tensor<f64>)
    -> (tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x1x4xf32>, tensor<f64>) {
  // CHECK: %[[C0:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: %[[V0:.+]] = repro.add %arg5, %[[C0]] : tensor<f64>
  // CHECK: %[[V1:.+]] = repro.log %[[V0]] : tensor<f64>
  // CHECK: %[[C1:.+]] = repro.constant dense<-5.000000e-01> : tensor<f64>
  // CHECK: %[[V2:.+]] = repro.mul %[[C1]], %[[V1]] : tensor<f64>
  // CHECK: %[[V3:.+]] = repro.exp %[[V2]] : tensor<f64>
  // CHECK: %[[V4:.+]] = repro.mul %arg1, %arg1 : tensor<2x3x4xf32>
  // CHECK: %[[V5:.+]] = repro.reshape %arg3 : tensor<2x3x1xf32> to tensor<2x3xf32>
  // CHECK: %[[V6:.+]] = repro.reduce sum %[[V4]] domain <[2, 3, 4], reduce [2]> maps {{.+}} : tensor<2x3x4xf32> -> tensor<2x3xf32>
  // CHECK: %[[C2:.+]] = repro.constant dense<4.000000e+00> : tensor<f32>
  // CHECK: %[[V7:.+]] = repro.broadcast %[[C2]] dims [] : tensor<f32> to tensor<2x3xf32>
  // CHECK: %[[V8:.+]] = repro.div %[[V6]], %[[V7]] : tensor<2x3xf32>
  // CHECK: %[[V9:.+]] = repro.convert %[[V3]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V10:.+]] = repro.broadcast %[[V9]] dims [] : tensor<f32> to tensor<2x3xf32>
  // CHECK: %[[V11:.+]] = repro.sub %[[V8]], %[[V5]] : tensor<2x3xf32>
  // CHECK: %[[V12:.+]] = repro.fma %[[V10]], %[[V11]], %[[V5]] : tensor<2x3xf32>
  // CHECK: %[[V13:.+]] = repro.reshape %arg4 : tensor<2x1x4xf32> to tensor<2x4xf32>
  // CHECK: %[[V14:.+]] = repro.reduce sum %[[V4]] domain <[2, 3, 4], reduce [1]> maps {{.+}} : tensor<2x3x4xf32> -> tensor<2x4xf32>
  // CHECK: %[[C3:.+]] = repro.constant dense<3.000000e+00> : tensor<f32>
  // CHECK: %[[V15:.+]] = repro.broadcast %[[C3]] dims [] : tensor<f32> to tensor<2x4xf32>
  // CHECK: %[[V16:.+]] = repro.div %[[V14]], %[[V15]] : tensor<2x4xf32>
  // CHECK: %[[V17:.+]] = repro.broadcast %[[V9]] dims [] : tensor<f32> to tensor<2x4xf32>
  // CHECK: %[[V18:.+]] = repro.sub %[[V16]], %[[V13]] : tensor<2x4xf32>
  // CHECK: %[[V19:.+]] = repro.fma %[[V17]], %[[V18]], %[[V13]] : tensor<2x4xf32>
  // CHECK: %[[V20:.+]] = repro.reduce sum %[[V12]] domain <[2, 3], reduce [1]> maps {{.+}} : tensor<2x3xf32> -> tensor<2xf32>
  // CHECK: %[[V21:.+]] = repro.broadcast %[[C3]] dims [] : tensor<f32> to tensor<2xf32>
  // CHECK: %[[V22:.+]] = repro.div %[[V20]], %[[V21]] : tensor<2xf32>
  // CHECK: %[[C4:.+]] = repro.constant dense<1.1920929E-7> : tensor<f32>
  // CHECK: %[[V23:.+]] = repro.broadcast %[[C4]] dims [] : tensor<f32> to tensor<2xf32>
  // CHECK: %[[V24:.+]] = repro.max %[[V22]], %[[V23]] : tensor<2xf32>
  // CHECK: %[[V25:.+]] = repro.broadcast %[[V12]] dims [0, 1] : tensor<2x3xf32> to tensor<2x3x4xf32>
  // CHECK: %[[V26:.+]] = repro.broadcast %[[V19]] dims [0, 2] : tensor<2x4xf32> to tensor<2x3x4xf32>
  // CHECK: %[[V27:.+]] = repro.mul %[[V25]], %[[V26]] : tensor<2x3x4xf32>
  // CHECK: %[[V28:.+]] = repro.broadcast %[[V24]] dims [0] : tensor<2xf32> to tensor<2x3x4xf32>
  // CHECK: %[[V29:.+]] = repro.div %[[V27]], %[[V28]] : tensor<2x3x4xf32>
  // CHECK: %[[V30:.+]] = repro.reshape %[[V12]] : tensor<2x3xf32> to tensor<2x3x1xf32>
  // CHECK: %[[V31:.+]] = repro.reshape %[[V19]] : tensor<2x4xf32> to tensor<2x1x4xf32>
  // CHECK: %[[V32:.+]] = repro.sqrt %[[V0]] : tensor<f64>
  // CHECK: %[[V33:.+]] = repro.div %[[C0]], %[[V32]] : tensor<f64>
  // CHECK: %[[V34:.+]] = repro.min %arg2, %[[V33]] : tensor<f64>
  // CHECK: %[[V35:.+]] = repro.mul %arg0, %arg0 : tensor<2x3x4xf32>
  // CHECK: %[[V36:.+]] = repro.reduce sum %[[V35]] domain <[2, 3, 4], reduce [0, 1, 2]> maps {{.+}} : tensor<2x3x4xf32> -> tensor<f32>
  // CHECK: %[[V37:.+]] = repro.sqrt %[[V36]] : tensor<f32>
  // CHECK: %[[V38:.+]] = repro.convert %[[V37]] : tensor<f32> to tensor<f64>
  // CHECK: %[[C5:.+]] = repro.constant dense<4.8989794855663558> : tensor<f64>
  // CHECK: %[[V39:.+]] = repro.div %[[V38]], %[[C5]] : tensor<f64>
  // CHECK: %[[C6:.+]] = repro.constant dense<1.000000e-03> : tensor<f64>
  // CHECK: %[[V40:.+]] = repro.max %[[V39]], %[[C6]] : tensor<f64>
  // CHECK: %[[V41:.+]] = repro.mul %[[V40]], %[[V34]] : tensor<f64>
  // CHECK: %[[C7:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
  // CHECK: %[[V42:.+]] = repro.mul %[[C7]], %arg2 : tensor<f64>
  // CHECK: %[[V43:.+]] = repro.sub %[[C0]], %[[V42]] : tensor<f64>
  // CHECK: %[[V44:.+]] = repro.convert %[[V43]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V45:.+]] = repro.broadcast %[[V44]] dims [] : tensor<f32> to tensor<2x3x4xf32>
  // CHECK: %[[V46:.+]] = repro.mul %[[V45]], %arg0 : tensor<2x3x4xf32>
  // CHECK: %[[C8:.+]] = repro.constant dense<1.42108547E-14> : tensor<f32>
  // CHECK: %[[V47:.+]] = repro.broadcast %[[C8]] dims [] : tensor<f32> to tensor<2x3x4xf32>
  // CHECK: %[[V48:.+]] = repro.max %[[V29]], %[[V47]] : tensor<2x3x4xf32>
  // CHECK: %[[V49:.+]] = repro.sqrt %[[V48]] : tensor<2x3x4xf32>
  // CHECK: %[[C9:.+]] = repro.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: %[[V50:.+]] = repro.broadcast %[[C9]] dims [] : tensor<f32> to tensor<2x3x4xf32>
  // CHECK: %[[V51:.+]] = repro.div %[[V50]], %[[V49]] : tensor<2x3x4xf32>
  // CHECK: %[[V52:.+]] = repro.mul %[[V51]], %arg1 : tensor<2x3x4xf32>
  // CHECK: %[[V53:.+]] = repro.mul %[[V52]], %[[V52]] : tensor<2x3x4xf32>
  // CHECK: %[[V54:.+]] = repro.reduce sum %[[V53]] domain <[2, 3, 4], reduce [0, 1, 2]> maps {{.+}} : tensor<2x3x4xf32> -> tensor<f32>
  // CHECK: %[[V55:.+]] = repro.sqrt %[[V54]] : tensor<f32>
  // CHECK: %[[V56:.+]] = repro.convert %[[V55]] : tensor<f32> to tensor<f64>
  // CHECK: %[[C10:.+]] = repro.constant dense<9.7979589711327115> : tensor<f64>
  // CHECK: %[[V57:.+]] = repro.div %[[V56]], %[[C10]] : tensor<f64>
  // CHECK: %[[V58:.+]] = repro.max %[[V57]], %[[C0]] : tensor<f64>
  // CHECK: %[[V59:.+]] = repro.neg %[[V41]] : tensor<f64>
  // CHECK: %[[V60:.+]] = repro.div %[[V59]], %[[V58]] : tensor<f64>
  // CHECK: %[[V61:.+]] = repro.convert %[[V60]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V62:.+]] = repro.broadcast %[[V61]] dims [] : tensor<f32> to tensor<2x3x4xf32>
  // CHECK: %[[V63:.+]] = repro.fma %[[V62]], %[[V52]], %[[V46]] : tensor<2x3x4xf32>
  // CHECK: return %[[V63]], %[[V30]], %[[V31]], %[[V0]]
  %0:3 = train.update #train.adafactor<beta2_decay = -0.5, eps1 = -1.0, eps2 = 1.0e-3, d = 2.0, weight_decay = 0.5>
      of %p, %g rate %lr states (%s0, %s1) shared (%t0)
      : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<f64>, tensor<2x3x1xf32>, tensor<2x1x4xf32>, tensor<f64>) -> (tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x1x4xf32>)
  %1:1 = train.advance #train.adafactor<beta2_decay = -0.5, eps1 = -1.0, eps2 = 1.0e-3, d = 2.0, weight_decay = 0.5>
      of %t0 : (tensor<f64>) -> (tensor<f64>)
  return %0#0, %0#1, %0#2, %1#0 : tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x1x4xf32>, tensor<f64>
}

// CHECK-LABEL: func.func @adafactor_vector(
func.func @adafactor_vector(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>, %s0: tensor<4xf32>, %t0: tensor<f64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<f64>) {
  // CHECK: %[[C0:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: %[[V0:.+]] = repro.add %arg4, %[[C0]] : tensor<f64>
  // CHECK: %[[V1:.+]] = repro.log %[[V0]] : tensor<f64>
  // CHECK: %[[C1:.+]] = repro.constant dense<-5.000000e-01> : tensor<f64>
  // CHECK: %[[V2:.+]] = repro.mul %[[C1]], %[[V1]] : tensor<f64>
  // CHECK: %[[V3:.+]] = repro.exp %[[V2]] : tensor<f64>
  // CHECK: %[[V4:.+]] = repro.mul %arg1, %arg1 : tensor<4xf32>
  // CHECK: %[[V5:.+]] = repro.convert %[[V3]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V6:.+]] = repro.broadcast %[[V5]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V7:.+]] = repro.sub %[[V4]], %arg3 : tensor<4xf32>
  // CHECK: %[[V8:.+]] = repro.fma %[[V6]], %[[V7]], %arg3 : tensor<4xf32>
  // CHECK: %[[V9:.+]] = repro.sqrt %[[V0]] : tensor<f64>
  // CHECK: %[[V10:.+]] = repro.div %[[C0]], %[[V9]] : tensor<f64>
  // CHECK: %[[V11:.+]] = repro.min %arg2, %[[V10]] : tensor<f64>
  // CHECK: %[[V12:.+]] = repro.mul %arg0, %arg0 : tensor<4xf32>
  // CHECK: %[[V13:.+]] = repro.reduce sum %[[V12]] domain <[4], reduce [0]> maps {{.+}} : tensor<4xf32> -> tensor<f32>
  // CHECK: %[[V14:.+]] = repro.sqrt %[[V13]] : tensor<f32>
  // CHECK: %[[V15:.+]] = repro.convert %[[V14]] : tensor<f32> to tensor<f64>
  // CHECK: %[[C2:.+]] = repro.constant dense<2.000000e+00> : tensor<f64>
  // CHECK: %[[V16:.+]] = repro.div %[[V15]], %[[C2]] : tensor<f64>
  // CHECK: %[[C3:.+]] = repro.constant dense<1.000000e-03> : tensor<f64>
  // CHECK: %[[V17:.+]] = repro.max %[[V16]], %[[C3]] : tensor<f64>
  // CHECK: %[[V18:.+]] = repro.mul %[[V17]], %[[V11]] : tensor<f64>
  // CHECK: %[[C4:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V19:.+]] = repro.broadcast %[[C4]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V20:.+]] = repro.max %[[V8]], %[[V19]] : tensor<4xf32>
  // CHECK: %[[V21:.+]] = repro.sqrt %[[V20]] : tensor<4xf32>
  // CHECK: %[[C5:.+]] = repro.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: %[[V22:.+]] = repro.broadcast %[[C5]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V23:.+]] = repro.div %[[V22]], %[[V21]] : tensor<4xf32>
  // CHECK: %[[V24:.+]] = repro.mul %[[V23]], %arg1 : tensor<4xf32>
  // CHECK: %[[V25:.+]] = repro.mul %[[V24]], %[[V24]] : tensor<4xf32>
  // CHECK: %[[V26:.+]] = repro.reduce sum %[[V25]] domain <[4], reduce [0]> maps {{.+}} : tensor<4xf32> -> tensor<f32>
  // CHECK: %[[V27:.+]] = repro.sqrt %[[V26]] : tensor<f32>
  // CHECK: %[[V28:.+]] = repro.convert %[[V27]] : tensor<f32> to tensor<f64>
  // CHECK: %[[V29:.+]] = repro.div %[[V28]], %[[C2]] : tensor<f64>
  // CHECK: %[[V30:.+]] = repro.max %[[V29]], %[[C0]] : tensor<f64>
  // CHECK: %[[V31:.+]] = repro.neg %[[V18]] : tensor<f64>
  // CHECK: %[[V32:.+]] = repro.div %[[V31]], %[[V30]] : tensor<f64>
  // CHECK: %[[V33:.+]] = repro.convert %[[V32]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V34:.+]] = repro.broadcast %[[V33]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V35:.+]] = repro.fma %[[V34]], %[[V24]], %arg0 : tensor<4xf32>
  // CHECK: return %[[V35]], %[[V8]], %[[V0]]
  %0:2 = train.update #train.adafactor<beta2_decay = -0.5, eps1 = 0.5, eps2 = 1.0e-3, d = 1.0, weight_decay = 0.0>
      of %p, %g rate %lr states (%s0) shared (%t0)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>, tensor<f64>) -> (tensor<4xf32>, tensor<4xf32>)
  %1:1 = train.advance #train.adafactor<beta2_decay = -0.5, eps1 = 0.5, eps2 = 1.0e-3, d = 1.0, weight_decay = 0.0>
      of %t0 : (tensor<f64>) -> (tensor<f64>)
  return %0#0, %0#1, %1#0 : tensor<4xf32>, tensor<4xf32>, tensor<f64>
}

// CHECK-LABEL: func.func @muon(
func.func @muon(%p: tensor<4x1xf32>, %g: tensor<4x1xf32>, %lr: tensor<f64>, %s0: tensor<4x1xf32>)
    -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  // CHECK: %[[V0:.+]] = repro.sub %arg1, %arg3 : tensor<4x1xf32>
  // CHECK: %[[C0:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V1:.+]] = repro.broadcast %[[C0]] dims [] : tensor<f32> to tensor<4x1xf32>
  // CHECK: %[[V2:.+]] = repro.fma %[[V1]], %[[V0]], %arg3 : tensor<4x1xf32>
  // CHECK: %[[V3:.+]] = repro.sub %[[V2]], %arg1 : tensor<4x1xf32>
  // CHECK: %[[C1:.+]] = repro.constant dense<-2.500000e-01> : tensor<f32>
  // CHECK: %[[V4:.+]] = repro.broadcast %[[C1]] dims [] : tensor<f32> to tensor<4x1xf32>
  // CHECK: %[[V5:.+]] = repro.fma %[[V4]], %[[V3]], %[[V2]] : tensor<4x1xf32>
  // CHECK: %[[V6:.+]] = repro.convert %[[V5]] : tensor<4x1xf32> to tensor<4x1xbf16>
  // CHECK: %[[V7:.+]] = repro.convert %[[V6]] : tensor<4x1xbf16> to tensor<4x1xf32>
  // CHECK: %[[V8:.+]] = repro.mul %[[V7]], %[[V7]] : tensor<4x1xf32>
  // CHECK: %[[V9:.+]] = repro.reduce sum %[[V8]] domain <[4, 1], reduce [0, 1]> maps {{.+}} : tensor<4x1xf32> -> tensor<f32>
  // CHECK: %[[V10:.+]] = repro.sqrt %[[V9]] : tensor<f32>
  // CHECK: %[[V11:.+]] = repro.convert %[[V10]] : tensor<f32> to tensor<bf16>
  // CHECK: %[[V12:.+]] = repro.convert %[[V11]] : tensor<bf16> to tensor<f32>
  // CHECK: %[[C2:.+]] = repro.constant dense<1.000000e-07> : tensor<f32>
  // CHECK: %[[V13:.+]] = repro.convert %[[C2]] : tensor<f32> to tensor<bf16>
  // CHECK: %[[V14:.+]] = repro.convert %[[V13]] : tensor<bf16> to tensor<f32>
  // CHECK: %[[V15:.+]] = repro.max %[[V12]], %[[V14]] : tensor<f32>
  // CHECK: %[[V16:.+]] = repro.broadcast %[[V15]] dims [] : tensor<f32> to tensor<4x1xf32>
  // CHECK: %[[V17:.+]] = repro.div %[[V7]], %[[V16]] : tensor<4x1xf32>
  // CHECK: %[[V18:.+]] = repro.convert %[[V17]] : tensor<4x1xf32> to tensor<4x1xbf16>
  // CHECK: %[[V19:.+]] = repro.convert %[[V18]] : tensor<4x1xbf16> to tensor<4x1xf32>
  // CHECK: %[[V20:.+]] = repro.contract %[[V19]], %[[V19]] domain <[1, 1, 4], reduce [2]> maps {{.+}} bounds [in, in] : tensor<4x1xf32>, tensor<4x1xf32> -> tensor<1x1xf32>
  // CHECK: %[[V21:.+]] = repro.convert %[[V20]] : tensor<1x1xf32> to tensor<1x1xbf16>
  // CHECK: %[[V22:.+]] = repro.convert %[[V21]] : tensor<1x1xbf16> to tensor<1x1xf32>
  // CHECK: %[[V23:.+]] = repro.contract %[[V22]], %[[V22]] domain <[1, 1, 1], reduce [2]> maps {{.+}} bounds [in, in] : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  // CHECK: %[[C3:.+]] = repro.constant dense<2.000000e+00> : tensor<f32>
  // CHECK: %[[V24:.+]] = repro.broadcast %[[C3]] dims [] : tensor<f32> to tensor<1x1xf32>
  // CHECK: %[[V25:.+]] = repro.mul %[[V24]], %[[V23]] : tensor<1x1xf32>
  // CHECK: %[[C4:.+]] = repro.constant dense<-4.000000e+00> : tensor<f32>
  // CHECK: %[[V26:.+]] = repro.broadcast %[[C4]] dims [] : tensor<f32> to tensor<1x1xf32>
  // CHECK: %[[V27:.+]] = repro.fma %[[V26]], %[[V22]], %[[V25]] : tensor<1x1xf32>
  // CHECK: %[[V28:.+]] = repro.convert %[[V27]] : tensor<1x1xf32> to tensor<1x1xbf16>
  // CHECK: %[[V29:.+]] = repro.convert %[[V28]] : tensor<1x1xbf16> to tensor<1x1xf32>
  // CHECK: %[[V30:.+]] = repro.contract %[[V19]], %[[V29]] domain <[4, 1, 1], reduce [2]> maps {{.+}} bounds [in, in] : tensor<4x1xf32>, tensor<1x1xf32> -> tensor<4x1xf32>
  // CHECK: %[[C5:.+]] = repro.constant dense<3.000000e+00> : tensor<f32>
  // CHECK: %[[V31:.+]] = repro.broadcast %[[C5]] dims [] : tensor<f32> to tensor<4x1xf32>
  // CHECK: %[[V32:.+]] = repro.fma %[[V31]], %[[V19]], %[[V30]] : tensor<4x1xf32>
  // CHECK: %[[V33:.+]] = repro.convert %[[V32]] : tensor<4x1xf32> to tensor<4x1xbf16>
  // CHECK: %[[V34:.+]] = repro.convert %[[V33]] : tensor<4x1xbf16> to tensor<4x1xf32>
  // CHECK: %[[C6:.+]] = repro.constant dense<2.000000e+00> : tensor<f64>
  // CHECK: %[[V35:.+]] = repro.mul %[[C6]], %arg2 : tensor<f64>
  // CHECK: %[[C7:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
  // CHECK: %[[V36:.+]] = repro.mul %[[C7]], %arg2 : tensor<f64>
  // CHECK: %[[C8:.+]] = repro.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: %[[V37:.+]] = repro.sub %[[C8]], %[[V36]] : tensor<f64>
  // CHECK: %[[V38:.+]] = repro.convert %[[V37]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V39:.+]] = repro.broadcast %[[V38]] dims [] : tensor<f32> to tensor<4x1xf32>
  // CHECK: %[[V40:.+]] = repro.mul %[[V39]], %arg0 : tensor<4x1xf32>
  // CHECK: %[[V41:.+]] = repro.neg %[[V35]] : tensor<f64>
  // CHECK: %[[V42:.+]] = repro.convert %[[V41]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V43:.+]] = repro.broadcast %[[V42]] dims [] : tensor<f32> to tensor<4x1xf32>
  // CHECK: %[[V44:.+]] = repro.fma %[[V43]], %[[V34]], %[[V40]] : tensor<4x1xf32>
  // CHECK: return %[[V44]], %[[V2]]
  %0:2 = train.update #train.muon<weight_decay = 0.5, momentum = 0.75, nesterov = true, a = 3.0, b = -4.0, c = 2.0, eps = 1.0e-7, ns_steps = 1, adjust_lr_fn = original>
      of %p, %g rate %lr states (%s0)
      : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<f64>, tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>)
  return %0#0, %0#1 : tensor<4x1xf32>, tensor<4x1xf32>
}

// CHECK-LABEL: func.func @maximize(
func.func @maximize(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f64>, %s0: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[V0:.+]] = repro.neg %arg1 : tensor<4xf32>
  // CHECK: %[[C0:.+]] = repro.constant dense<7.500000e-01> : tensor<f32>
  // CHECK: %[[V1:.+]] = repro.broadcast %[[C0]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V2:.+]] = repro.mul %[[V1]], %arg3 : tensor<4xf32>
  // CHECK: %[[C1:.+]] = repro.constant dense<2.500000e-01> : tensor<f32>
  // CHECK: %[[V3:.+]] = repro.broadcast %[[C1]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V4:.+]] = repro.fma %[[V3]], %[[V0]], %[[V2]] : tensor<4xf32>
  // CHECK: %[[C2:.+]] = repro.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[V5:.+]] = repro.broadcast %[[C2]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V6:.+]] = repro.compare lt %[[V4]], %[[V5]] : tensor<4xf32>
  // CHECK: %[[V7:.+]] = repro.compare gt %[[V4]], %[[V5]] : tensor<4xf32>
  // CHECK: %[[C3:.+]] = repro.constant dense<-1.000000e+00> : tensor<f32>
  // CHECK: %[[V8:.+]] = repro.broadcast %[[C3]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V9:.+]] = repro.select %[[V6]], %[[V8]], %[[V4]] : tensor<4xf32>
  // CHECK: %[[C4:.+]] = repro.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: %[[V10:.+]] = repro.broadcast %[[C4]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V11:.+]] = repro.select %[[V7]], %[[V10]], %[[V9]] : tensor<4xf32>
  // CHECK: %[[V12:.+]] = repro.neg %arg2 : tensor<f64>
  // CHECK: %[[V13:.+]] = repro.convert %[[V12]] : tensor<f64> to tensor<f32>
  // CHECK: %[[V14:.+]] = repro.broadcast %[[V13]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V15:.+]] = repro.fma %[[V14]], %[[V11]], %arg0 : tensor<4xf32>
  // CHECK: %[[C5:.+]] = repro.constant dense<8.750000e-01> : tensor<f32>
  // CHECK: %[[V16:.+]] = repro.broadcast %[[C5]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V17:.+]] = repro.mul %[[V16]], %arg3 : tensor<4xf32>
  // CHECK: %[[C6:.+]] = repro.constant dense<1.250000e-01> : tensor<f32>
  // CHECK: %[[V18:.+]] = repro.broadcast %[[C6]] dims [] : tensor<f32> to tensor<4xf32>
  // CHECK: %[[V19:.+]] = repro.fma %[[V18]], %[[V0]], %[[V17]] : tensor<4xf32>
  // CHECK: return %[[V15]], %[[V19]]
  %0:2 = train.update #train.maximize<#train.lion<beta1 = 0.75, beta2 = 0.875, weight_decay = 0.0>>
      of %p, %g rate %lr states (%s0)
      : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

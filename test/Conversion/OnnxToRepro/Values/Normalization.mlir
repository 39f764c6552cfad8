// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-14: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @group_normalization_example() -> (
    tensor<3x4x2x2xf32> {gensyn.expected = dense<[[[[0xBFF32196, 0x3E817F2C], [0xBF28FF3E, -2.651973]], [[0xBFB14EAD, 0xBF4B1D95], [-1.194358, 0xBF771965]], [[1.0615833, 0x3D2A5534], [0.5707334, 0xC001EFAB]], [[0x3F32E23A, 0x3E19FB92], [0x3EDA7AF2, 0x3EAA1740]]], [[[-2.722957, 0xBED021D4], [0xBF8E75C0, 0x3EF4CF08]], [[0xBF3EB74A, 0xBFA91D38], [0xBFADF696, 0xBF890262]], [[0xBFB87F9B, 1.5770513], [0x3EB8ECDD, 0.5499848]], [[0x3F47E5C0, 0.7586398], [0x3E98BFB2, 0.3765067]]], [[[0x3F2B04C2, 2.4498239], [-0.212039, 0xBF845C41]], [[-1.48038, 0xBFBCB890], [-1.13278, 0xBF93559E]], [[0.42867, 0.7150112], [0.9356667, 0xBFF1114F]], [[0x3ED2233C, 0x3EDE57ED], [0x3E26D38C, 0x3F56D054]]]]> : tensor<3x4x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.7640524, 0.4001572], [0.978738, 2.2408931]], [[1.867558, 0xBF7A2EE2], [0x3F7338FF, 0xBE1AFD62]], [[0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735]], [[0.7610377, 0x3DF930C0], [0x3EE3420B, 0x3EAAD75D]]], [[[1.4940791, 0xBE521502], [0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186], [0.8644362, -0.742165]], [[2.2697546, 0xBFBA28A8], [0x3D3B6D48, 0xBE3FAD20]], [[1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85]]], [[[0xBF6345ED, 0xBFFD8ABD], [0xBEB2218B, 0x3E2019F2]], [[1.2302907, 1.2023798], [0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018], [0xBFDA6710, 1.9507754]], [[0xBF027891, 0xBEE04B46], [0xBFA05B99, 0.7774904]]]]> : tensor<3x4x2x2xf32>
  %a1 = onnx.constant dense<[0xBFCE9434, 0xBE59D897, 0xBF653D4C, 0.3869025]> : tensor<4xf32>
  %a2 = onnx.constant dense<[0xBF02C420, 0xBF971EF5, 0xBCE6DE6B, 0x3EDB4E51]> : tensor<4xf32>
  %r0 = onnx.GroupNormalization.v21(%a0, %a1, %a2) {num_groups = 2 : i64} : (tensor<3x4x2x2xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4x2x2xf32>)
  return %r0 : tensor<3x4x2x2xf32>
}

func.func @group_normalization_epsilon() -> (
    tensor<3x4x2x2xf32> {gensyn.expected = dense<[[[[0xBFF249D0, 0x3E7F48FC], [0xBF28D0D5, 0xC0291393]], [[0xBFB12EE3, 0xBF4B95EA], [0xBF98DE97, 0xBF775C55]], [[1.035778, 0x3D2390E2], [0x3F0E7A26, -1.982845]], [[0x3F313E8C, 0x3E20B8FE], [0x3EDA7FF4, 0x3EAB4198]]], [[[-2.715115, 0xBED0524A], [0xBF8E2FCE, 0x3EF30386]], [[0xBF3F1C80, 0xBFA90CE4], [0xBFADE1DB, -1.070776]], [[0xBFB7C342, 1.5705224], [0x3EB81D4A, 0.5476333]], [[0.7794156, 0.7572963], [0x3E990500, 0x3EC0E11D]]], [[[0x3F297E08, 2.4348505], [-0.21355, -1.031419]], [[-1.478864, 0xBFBC87E2], [0xBF9106DE, 0xBF935A85]], [[0x3EDA9E37, 0x3F3657AF], [0.9321188, -1.876512]], [[0.410491, 0x3EDE5510], [0x3E27D3A8, 0.8376043]]]]> : tensor<3x4x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.7640524, 0.4001572], [0.978738, 2.2408931]], [[1.867558, 0xBF7A2EE2], [0x3F7338FF, 0xBE1AFD62]], [[0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735]], [[0.7610377, 0x3DF930C0], [0x3EE3420B, 0x3EAAD75D]]], [[[1.4940791, 0xBE521502], [0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186], [0.8644362, -0.742165]], [[2.2697546, 0xBFBA28A8], [0x3D3B6D48, 0xBE3FAD20]], [[1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85]]], [[[0xBF6345ED, 0xBFFD8ABD], [0xBEB2218B, 0x3E2019F2]], [[1.2302907, 1.2023798], [0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018], [0xBFDA6710, 1.9507754]], [[0xBF027891, 0xBEE04B46], [0xBFA05B99, 0.7774904]]]]> : tensor<3x4x2x2xf32>
  %a1 = onnx.constant dense<[0xBFCE9434, 0xBE59D897, 0xBF653D4C, 0.3869025]> : tensor<4xf32>
  %a2 = onnx.constant dense<[0xBF02C420, 0xBF971EF5, 0xBCE6DE6B, 0x3EDB4E51]> : tensor<4xf32>
  %r0 = onnx.GroupNormalization.v21(%a0, %a1, %a2) {epsilon = 0.00999999978 : f32, num_groups = 2 : i64} : (tensor<3x4x2x2xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4x2x2xf32>)
  return %r0 : tensor<3x4x2x2xf32>
}

func.func @instancenorm_example() -> (
    tensor<1x2x1x3xf32> {gensyn.expected = dense<[[[[0xBF9CC423, 0.0, 1.2247356]], [[0xBF564C68, 1.0, 2.8371034]]]]> : tensor<1x2x1x3xf32>}) {
  %a0 = onnx.constant dense<[[[[-1.0, 0.0, 1.0]], [[2.0, 3.0, 4.0]]]]> : tensor<1x2x1x3xf32>
  %a1 = onnx.constant dense<[1.0, 1.5]> : tensor<2xf32>
  %a2 = onnx.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r0 = onnx.InstanceNormalization.v22(%a0, %a1, %a2) : (tensor<1x2x1x3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x1x3xf32>)
  return %r0 : tensor<1x2x1x3xf32>
}

func.func @layer_normalization_2d_axis0() -> (
    tensor<3x4xf32> {gensyn.expected = dense<[[3.1075883, 0xBFC00894, 0x3E2068A0, 0x3EB4875E], [3.3452215, 1.8530023, 0x3E64CDB4, 1.2108226], [1.4679415, 0xC00E139C, 0xBF69F640, 0xBED2B657]]> : tensor<3x4xf32>},
    tensor<1x1xf32> {gensyn.expected = dense<[[0.7482124]]> : tensor<1x1xf32>},
    tensor<1x1xf32> {gensyn.expected = dense<[[1.0837431]]> : tensor<1x1xf32>}) {
  %a0 = onnx.constant dense<[[1.7640524, 0.4001572, 0.978738, 2.2408931], [1.867558, 0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62], [0xBDD36468, 0x3ED239F8, 0x3E138028, 1.4542735]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<[[0.7610377, 0x3DF930C0, 0x3EE3420B, 0x3EAAD75D], [1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605], [0xC023642F, 0.6536186, 0.8644362, -0.742165]]> : tensor<3x4xf32>
  %a2 = onnx.constant dense<[[2.2697546, 0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20], [1.5327792, 1.4693588, 0x3E1EAA8A, 0x3EC19E85], [0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B, 0x3E2019F2]]> : tensor<3x4xf32>
  %r0:3 = onnx.LayerNormalization.v17(%a0, %a1, %a2) {axis = 0 : i64} : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<1x1xf32>, tensor<1x1xf32>)
  return %r0#0, %r0#1, %r0#2 : tensor<3x4xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

func.func @layer_normalization_2d_axis_negative_2() -> (
    tensor<3x4xf32> {gensyn.expected = dense<[[0xBE84D7D0, 0xBF2A9161, 0xBF7E02F5, 0xBDD12824], [0xBFE4325E, 1.4747845, 0xBECD8F30, 0xBFBC9B1D], [0x3F096B11, 0x3EECEE8C, 0x3E3E6D14, 0x3E6DC21C]]> : tensor<3x4xf32>},
    tensor<1x1xf32> {gensyn.expected = dense<[[0.7482124]]> : tensor<1x1xf32>},
    tensor<1x1xf32> {gensyn.expected = dense<[[1.0837431]]> : tensor<1x1xf32>}) {
  %a0 = onnx.constant dense<[[1.7640524, 0.4001572, 0.978738, 2.2408931], [1.867558, 0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62], [0xBDD36468, 0x3ED239F8, 0x3E138028, 1.4542735]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<[[1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D], [-1.048553, -1.420018, 0xBFDA6710, 1.9507754], [0xBF027891, 0xBEE04B46, 0xBFA05B99, 0.7774904]]> : tensor<3x4xf32>
  %a2 = onnx.constant dense<[[0xBFCE9434, 0xBE59D897, 0xBF653D4C, 0.3869025], [0xBF02C420, 0xBF971EF5, 0xBCE6DE6B, 0x3EDB4E51], [0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]> : tensor<3x4xf32>
  %r0:3 = onnx.LayerNormalization.v17(%a0, %a1, %a2) {axis = -2 : i64} : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<1x1xf32>, tensor<1x1xf32>)
  return %r0#0, %r0#1, %r0#2 : tensor<3x4xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

func.func @l2normalization_axis_0() -> (
    tensor<2x2x3xf32> {gensyn.expected = dense<[[[1.0, 0x3EBE26EB, 0x3EBE26EB], [0.4472136, 0.4472136, 0.0]], [[0.0, 0.9284767, 0.9284767], [0.8944272, 0.8944272, 0.0]]]> : tensor<2x2x3xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 2.0, 2.0], [3.0, 4.0, 0.0]], [[0.0, 5.0, 5.0], [6.0, 8.0, 0.0]]]> : tensor<2x2x3xf32>
  %r0 = onnx.LpNormalization.v22(%a0) {axis = 0 : i64, p = 2 : i64} : (tensor<2x2x3xf32>) -> (tensor<2x2x3xf32>)
  return %r0 : tensor<2x2x3xf32>
}

func.func @l2normalization_axis_1() -> (
    tensor<2x2xf32> {gensyn.expected = dense<[[0.6, 0.8], [0.6, 0.8]]> : tensor<2x2xf32>}) {
  %a0 = onnx.constant dense<[[3.0, 4.0], [6.0, 8.0]]> : tensor<2x2xf32>
  %r0 = onnx.LpNormalization.v22(%a0) {axis = 1 : i64, p = 2 : i64} : (tensor<2x2xf32>) -> (tensor<2x2xf32>)
  return %r0 : tensor<2x2xf32>
}

func.func @mvn() -> (
    tensor<3x3x3x1xf32> {gensyn.expected = dense<[[[[1.3546419], [0.3305349], [-1.545081]], [[0xBF9AF772], [0xBF64811E], [0x3E9906FA]], [[0x3EC2FC47], [0x3F516E38], [0.8586565]]], [[[0xBF8D9338], [0xBD63721F], [0xBF487973]], [[0x3F553345], [-1.250282], [0x3F2CB7BC]], [[0.7669373], [0.9113871], [0xBFD2BBE2]]], [[[0xBE6FA4EE], [1.6092128], [0x3EDBDB15]], [[1.2906139], [1.1860244], [0xBF6DF0FA]], [[0x3D93BAAF], [0xBEC3736F], [0xBFE3D4DE]]]]> : tensor<3x3x3x1xf32>}) {
  %a0 = onnx.constant dense<[[[[0.8439683], [0.5665144], [0x3D6F129A]], [[0x3CEEE8A6], [0x3E04C110], [0.5060197]], [[0x3F4B9E39], [0.9411346], [0.9546573]]], [[[0x3E35909A], [0x3EEC80E7], [0x3E879474]], [[0.6746842], [0x3C886AF8], [0x3F1FEE5B]], [[0.9240844], [0.9722341], [0x3DF50EB9]]], [[[0x3ED3BE57], [0.9129373], [0x3F17E28F]], [[0x3F51BD9A], [0.7862604], [0x3DF1A8EE]], [[0x3F3146A9], [0x3F0A8BB3], [0x3D99DEED]]]]> : tensor<3x3x3x1xf32>
  %r0 = onnx.MeanVarianceNormalization.v13(%a0) : (tensor<3x3x3x1xf32>) -> (tensor<3x3x3x1xf32>)
  return %r0 : tensor<3x3x3x1xf32>
}

func.func @rms_normalization_2d_axis0() -> (
    tensor<3x4xf32> {gensyn.expected = dense<[[1.1300974, 0x3D27E06A, 0x3EBB3BCE, 0x3F2121D3], [2.3487992, 0.1687739, 0.2503805, 0x3DDEDCE9], [0x3E632588, 0x3E675591, 0x3DD6A972, 0xBF68962E]]> : tensor<3x4xf32>}) {
  %a0 = onnx.constant dense<[[1.7640524, 0.4001572, 0.978738, 2.2408931], [1.867558, 0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62], [0xBDD36468, 0x3ED239F8, 0x3E138028, 1.4542735]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<[[0.7610377, 0x3DF930C0, 0x3EE3420B, 0x3EAAD75D], [1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605], [0xC023642F, 0.6536186, 0.8644362, -0.742165]]> : tensor<3x4xf32>
  %r0 = onnx.RMSNormalization.v23(%a0, %a1) {axis = 0 : i64} : (tensor<3x4xf32>, tensor<3x4xf32>) -> (tensor<3x4xf32>)
  return %r0 : tensor<3x4xf32>
}

func.func @rms_normalization_2d_axis_negative_2() -> (
    tensor<3x4xf32> {gensyn.expected = dense<[[3.3704555, 0xBEFAD371, 0x3D1A6AE2, 0xBEB4C876], [2.4096386, 0xBF9AB904, 0x3DFDCA8C, 0xBD4559E8], [0x3D9DFA40, 0xBF2F43DC, 0xBD2CCA8C, 0x3E43FE10]]> : tensor<3x4xf32>}) {
  %a0 = onnx.constant dense<[[1.7640524, 0.4001572, 0.978738, 2.2408931], [1.867558, 0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62], [0xBDD36468, 0x3ED239F8, 0x3E138028, 1.4542735]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<[[2.2697546, 0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20], [1.5327792, 1.4693588, 0x3E1EAA8A, 0x3EC19E85], [0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B, 0x3E2019F2]]> : tensor<3x4xf32>
  %r0 = onnx.RMSNormalization.v23(%a0, %a1) {axis = -2 : i64} : (tensor<3x4xf32>, tensor<3x4xf32>) -> (tensor<3x4xf32>)
  return %r0 : tensor<3x4xf32>
}

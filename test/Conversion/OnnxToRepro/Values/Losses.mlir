// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-15: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @nllloss_NC() -> (
    tensor<3xf32> {gensyn.expected = dense<[0xBF3716A6, 0xBEC45272, 0xBF6CF3E7]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A]]> : tensor<3x5xf32>
  %a1 = onnx.constant dense<[1, 4, 3]> : tensor<3xi64>
  %r0 = onnx.NegativeLogLikelihoodLoss.v22(%a0, %a1) {reduction = "none"} : (tensor<3x5xf32>, tensor<3xi64>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @nllloss_NCd1() -> (
    tensor<f32> {gensyn.expected = dense<0xBF0803BB> : tensor<f32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6], [0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941], [0.4375872, 0.891773], [0x3F76B29A, 0.3834415]], [[0x3F4AAE7E, 0.5288949], [0x3F116B5E, 0x3F6CF3E7], [0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693], [0x3F473548, 0x3F5EB91E]], [[0.9786183, 0.7991586], [0x3EEC4706, 0.7805292], [0x3DF239DD, 0.639921], [0x3E12CB34, 0.9446689], [0.5218483, 0x3ED44E92]]]> : tensor<3x5x2xf32>
  %a1 = onnx.constant dense<[[3, 3], [2, 4], [2, 0]]> : tensor<3x2xi64>
  %r0 = onnx.NegativeLogLikelihoodLoss.v22(%a0, %a1) {reduction = "mean"} : (tensor<3x5x2xf32>, tensor<3x2xi64>) -> (tensor<f32>)
  return %r0 : tensor<f32>
}

func.func @nllloss_NCd1_weight() -> (
    tensor<f32> {gensyn.expected = dense<0xBF049FEA> : tensor<f32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6], [0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941], [0.4375872, 0.891773], [0x3F76B29A, 0.3834415]], [[0x3F4AAE7E, 0.5288949], [0x3F116B5E, 0x3F6CF3E7], [0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693], [0x3F473548, 0x3F5EB91E]], [[0.9786183, 0.7991586], [0x3EEC4706, 0.7805292], [0x3DF239DD, 0.639921], [0x3E12CB34, 0.9446689], [0.5218483, 0x3ED44E92]]]> : tensor<3x5x2xf32>
  %a1 = onnx.constant dense<[[3, 3], [2, 4], [2, 0]]> : tensor<3x2xi64>
  %a2 = onnx.constant dense<[0.0187898, 0.6176355, 0.6120957, 0.616934, 0x3F719979]> : tensor<5xf32>
  %r0 = onnx.NegativeLogLikelihoodLoss.v22(%a0, %a1, %a2) {reduction = "mean"} : (tensor<3x5x2xf32>, tensor<3x2xi64>, tensor<5xf32>) -> (tensor<f32>)
  return %r0 : tensor<f32>
}

func.func @nllloss_NCd1_ii() -> (
    tensor<f32> {gensyn.expected = dense<0xBF0CD022> : tensor<f32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6], [0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941], [0.4375872, 0.891773], [0x3F76B29A, 0.3834415]], [[0x3F4AAE7E, 0.5288949], [0x3F116B5E, 0x3F6CF3E7], [0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693], [0x3F473548, 0x3F5EB91E]], [[0.9786183, 0.7991586], [0x3EEC4706, 0.7805292], [0x3DF239DD, 0.639921], [0x3E12CB34, 0.9446689], [0.5218483, 0x3ED44E92]]]> : tensor<3x5x2xf32>
  %a1 = onnx.constant dense<[[1, 3], [2, 4], [2, 0]]> : tensor<3x2xi64>
  %r0 = onnx.NegativeLogLikelihoodLoss.v22(%a0, %a1) {ignore_index = 1 : i64, reduction = "mean"} : (tensor<3x5x2xf32>, tensor<3x2xi64>) -> (tensor<f32>)
  return %r0 : tensor<f32>
}

func.func @nllloss_NCd1_weight_ii() -> (
    tensor<f32> {gensyn.expected = dense<0xBF09287A> : tensor<f32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6], [0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941], [0.4375872, 0.891773], [0x3F76B29A, 0.3834415]], [[0x3F4AAE7E, 0.5288949], [0x3F116B5E, 0x3F6CF3E7], [0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693], [0x3F473548, 0x3F5EB91E]], [[0.9786183, 0.7991586], [0x3EEC4706, 0.7805292], [0x3DF239DD, 0.639921], [0x3E12CB34, 0.9446689], [0.5218483, 0x3ED44E92]]]> : tensor<3x5x2xf32>
  %a1 = onnx.constant dense<[[1, 3], [2, 4], [2, 0]]> : tensor<3x2xi64>
  %a2 = onnx.constant dense<[0.0187898, 0.6176355, 0.6120957, 0.616934, 0x3F719979]> : tensor<5xf32>
  %r0 = onnx.NegativeLogLikelihoodLoss.v22(%a0, %a1, %a2) {ignore_index = 1 : i64, reduction = "mean"} : (tensor<3x5x2xf32>, tensor<3x2xi64>, tensor<5xf32>) -> (tensor<f32>)
  return %r0 : tensor<f32>
}

func.func @nllloss_NCd1_mean_weight_negative_ii() -> (
    tensor<f32> {gensyn.expected = dense<0xBEE2A44A> : tensor<f32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548, 0.6458941], [0.4375872, 0.891773, 0x3F76B29A, 0.3834415, 0x3F4AAE7E, 0.5288949], [0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A, 0.0871293, 0x3CA5A10D, 0x3F552693], [0x3F473548, 0x3F5EB91E, 0.9786183, 0.7991586, 0x3EEC4706, 0.7805292], [0x3DF239DD, 0.639921, 0x3E12CB34, 0.9446689, 0.5218483, 0x3ED44E92]], [[0.2645556, 0.7742337, 0x3EE98C89, 0x3F1184E3, 0.0187898, 0.6176355], [0.6120957, 0.616934, 0x3F719979, 0.6818203, 0.3595079, 0x3EDFC2A7], [0.6976312, 0x3D76AEFC, 0.6667667, 0x3F2BAEEC, 0x3E576E87, 0x3E040541], [0x3EA17FD3, 0x3EBA384C, 0x3F11F86A, 0x3EE09061, 0.9883738, 0x3DD0FCDF], [0x3E55E3CA, 0x3E252E52, 0.6531083, 0.2532916, 0x3EEEC049, 0.2444256]], [[0x3E22C8EC, 0x3DE20C5D, 0.6563296, 0x3E0D7FD5, 0x3E494CE3, 0x3EBCC98C], [0x3F522C9D, 0x3DC6DD09, 0.8379449, 0x3DC4CF3E, 0x3F79F93F, 0.4686512], [0.9767611, 0.6048455, 0.7392636, 0x3D208361, 0x3E90CC13, 0x3DF6299D], [0.2961402, 0x3DF32785, 0x3EA2CEB1, 0x3ED41A47, 0x3D835FC3, 0.6924721], [0x3F110CCB, 0.2653895, 0.5232481, 0x3DC063E2, 0.5759465, 0.9292962]]]> : tensor<3x5x6xf32>
  %a1 = onnx.constant dense<[[-1, 0, 3, 2, 3, 0], [0, 0, 3, 2, 3, 0], [4, 0, 0, 2, 3, 2]]> : tensor<3x6xi64>
  %a2 = onnx.constant dense<[0x3E93B32F, 0x3EDDD7EF, 0.7561067, 0.3960983, 0.8960384]> : tensor<5xf32>
  %r0 = onnx.NegativeLogLikelihoodLoss.v22(%a0, %a1, %a2) {ignore_index = -1 : i64, reduction = "mean"} : (tensor<3x5x6xf32>, tensor<3x6xi64>, tensor<5xf32>) -> (tensor<f32>)
  return %r0 : tensor<f32>
}

func.func @sce_none() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.4657786, 1.9176137, 1.3007619]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A]]> : tensor<3x5xf32>
  %a1 = onnx.constant dense<[1, 4, 3]> : tensor<3xi64>
  %r0 = onnx.SoftmaxCrossEntropyLoss.v13(%a0, %a1) {reduction = "none"} : (tensor<3x5xf32>, tensor<3xi64>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sce_none_log_prob() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.4657786, 1.9176137, 1.3007619]> : tensor<3xf32>},
    tensor<3x5xf32> {gensyn.expected = dense<[[0xBFD0EA70, 0xBFBB9EA2, 0xBFCA029C, 0xBFD16B3A, 0xBFE0EFA3], [0xBFD3DC52, 0xBFEE8620, 0xBFB4635D, 0xBFAB2FAE, 0xBFF5745E], [0xBFB7A212, 0xBFD9467E, -1.658314, 0xBFA67F5E, 0xC009F0CE]]> : tensor<3x5xf32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A]]> : tensor<3x5xf32>
  %a1 = onnx.constant dense<[1, 4, 3]> : tensor<3xi64>
  %r0:2 = onnx.SoftmaxCrossEntropyLoss.v13(%a0, %a1) {reduction = "none"} : (tensor<3x5xf32>, tensor<3xi64>) -> (tensor<3xf32>, tensor<3x5xf32>)
  return %r0#0, %r0#1 : tensor<3xf32>, tensor<3x5xf32>
}

func.func @sce_none_weights() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.026045, 1.7258524, 1.1706858]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A]]> : tensor<3x5xf32>
  %a1 = onnx.constant dense<[1, 4, 3]> : tensor<3xi64>
  %a2 = onnx.constant dense<[0.9, 0.7, 0.8, 0.9, 0.9]> : tensor<5xf32>
  %r0 = onnx.SoftmaxCrossEntropyLoss.v13(%a0, %a1, %a2) {reduction = "none"} : (tensor<3x5xf32>, tensor<3xi64>, tensor<5xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sce_none_weights_log_prob() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.026045, 1.7258524, 1.1706858]> : tensor<3xf32>},
    tensor<3x5xf32> {gensyn.expected = dense<[[0xBFD0EA70, 0xBFBB9EA2, 0xBFCA029C, 0xBFD16B3A, 0xBFE0EFA3], [0xBFD3DC52, 0xBFEE8620, 0xBFB4635D, 0xBFAB2FAE, 0xBFF5745E], [0xBFB7A212, 0xBFD9467E, -1.658314, 0xBFA67F5E, 0xC009F0CE]]> : tensor<3x5xf32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A]]> : tensor<3x5xf32>
  %a1 = onnx.constant dense<[1, 4, 3]> : tensor<3xi64>
  %a2 = onnx.constant dense<[0.9, 0.7, 0.8, 0.9, 0.9]> : tensor<5xf32>
  %r0:2 = onnx.SoftmaxCrossEntropyLoss.v13(%a0, %a1, %a2) {reduction = "none"} : (tensor<3x5xf32>, tensor<3xi64>, tensor<5xf32>) -> (tensor<3xf32>, tensor<3x5xf32>)
  return %r0#0, %r0#1 : tensor<3xf32>, tensor<3x5xf32>
}

func.func @sce_sum() -> (
    tensor<f32> {gensyn.expected = dense<4.6841545> : tensor<f32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A]]> : tensor<3x5xf32>
  %a1 = onnx.constant dense<[1, 4, 3]> : tensor<3xi64>
  %r0 = onnx.SoftmaxCrossEntropyLoss.v13(%a0, %a1) {reduction = "sum"} : (tensor<3x5xf32>, tensor<3xi64>) -> (tensor<f32>)
  return %r0 : tensor<f32>
}

func.func @sce_sum_log_prob() -> (
    tensor<f32> {gensyn.expected = dense<4.6841545> : tensor<f32>},
    tensor<3x5xf32> {gensyn.expected = dense<[[0xBFD0EA70, 0xBFBB9EA2, 0xBFCA029C, 0xBFD16B3A, 0xBFE0EFA3], [0xBFD3DC52, 0xBFEE8620, 0xBFB4635D, 0xBFAB2FAE, 0xBFF5745E], [0xBFB7A212, 0xBFD9467E, -1.658314, 0xBFA67F5E, 0xC009F0CE]]> : tensor<3x5xf32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A]]> : tensor<3x5xf32>
  %a1 = onnx.constant dense<[1, 4, 3]> : tensor<3xi64>
  %r0:2 = onnx.SoftmaxCrossEntropyLoss.v13(%a0, %a1) {reduction = "sum"} : (tensor<3x5xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<3x5xf32>)
  return %r0#0, %r0#1 : tensor<f32>, tensor<3x5xf32>
}

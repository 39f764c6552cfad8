// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-31: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @argmax_no_keepdims_example() -> (
    tensor<2xi64> {gensyn.expected = dense<[0, 1]> : tensor<2xi64>}) {
  %a0 = onnx.constant dense<[[2.0, 2.0], [3.0, 10.0]]> : tensor<2x2xf32>
  %r0 = onnx.ArgMax.v13(%a0) {axis = 1 : i64, keepdims = 0 : i64} : (tensor<2x2xf32>) -> (tensor<2xi64>)
  return %r0 : tensor<2xi64>
}

func.func @argmax_no_keepdims_random() -> (
    tensor<2x4xi64> {gensyn.expected = dense<[[2, 0, 2, 1], [2, 0, 1, 1]]> : tensor<2x4xi64>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787, 2.0552676, 0x3F65CD49], [-1.526904, 2.9178822, 0xBF9FC6D8, 7.83546], [9.273255, 0xC01531E2, 5.834501, 0.5778984]], [[1.3608912, 8.511932, -8.579279, -8.257414], [-9.595632, 6.6523967, 5.563135, 7.400243], [9.572367, 5.9831715, 0xBF4539C5, 5.6105833]]]> : tensor<2x3x4xf32>
  %r0 = onnx.ArgMax.v13(%a0) {axis = 1 : i64, keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> (tensor<2x4xi64>)
  return %r0 : tensor<2x4xi64>
}

func.func @argmin_no_keepdims_example() -> (
    tensor<2xi64> {gensyn.expected = dense<[1, 0]> : tensor<2xi64>}) {
  %a0 = onnx.constant dense<[[2.0, 1.0], [3.0, 10.0]]> : tensor<2x2xf32>
  %r0 = onnx.ArgMin.v13(%a0) {axis = 1 : i64, keepdims = 0 : i64} : (tensor<2x2xf32>) -> (tensor<2xi64>)
  return %r0 : tensor<2xi64>
}

func.func @argmin_no_keepdims_random() -> (
    tensor<2x4xi64> {gensyn.expected = dense<[[1, 2, 1, 2], [1, 2, 0, 0]]> : tensor<2x4xi64>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787, 2.0552676, 0x3F65CD49], [-1.526904, 2.9178822, 0xBF9FC6D8, 7.83546], [9.273255, 0xC01531E2, 5.834501, 0.5778984]], [[1.3608912, 8.511932, -8.579279, -8.257414], [-9.595632, 6.6523967, 5.563135, 7.400243], [9.572367, 5.9831715, 0xBF4539C5, 5.6105833]]]> : tensor<2x3x4xf32>
  %r0 = onnx.ArgMin.v13(%a0) {axis = 1 : i64, keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> (tensor<2x4xi64>)
  return %r0 : tensor<2x4xi64>
}

func.func @hardmax_example() -> (
    tensor<4x4xf32> {gensyn.expected = dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf32>}) {
  %a0 = onnx.constant dense<[[3.0, 0.0, 1.0, 2.0], [2.0, 5.0, 1.0, 0.0], [0.0, 1.0, 3.0, 2.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<4x4xf32>
  %r0 = onnx.Hardmax.v13(%a0) : (tensor<4x4xf32>) -> (tensor<4x4xf32>)
  return %r0 : tensor<4x4xf32>
}

func.func @hardmax_one_hot() -> (
    tensor<1x4xf32> {gensyn.expected = dense<[[1.0, 0.0, 0.0, 0.0]]> : tensor<1x4xf32>}) {
  %a0 = onnx.constant dense<[[3.0, 3.0, 3.0, 1.0]]> : tensor<1x4xf32>
  %r0 = onnx.Hardmax.v13(%a0) : (tensor<1x4xf32>) -> (tensor<1x4xf32>)
  return %r0 : tensor<1x4xf32>
}

func.func @logsoftmax_example_1() -> (
    tensor<1x3xf32> {gensyn.expected = dense<[[0xC01A1638, -1.407606, 0xBED0B1BD]]> : tensor<1x3xf32>}) {
  %a0 = onnx.constant dense<[[-1.0, 0.0, 1.0]]> : tensor<1x3xf32>
  %r0 = onnx.LogSoftmax.v13(%a0) : (tensor<1x3xf32>) -> (tensor<1x3xf32>)
  return %r0 : tensor<1x3xf32>
}

func.func @logsoftmax_large_number() -> (
    tensor<2x4xf32> {gensyn.expected = dense<[[0xC05C2C12, 0xC01C2C12, 0xBFB85823, 0xBEE1608D], [0xC05C2C12, 0xC01C2C12, 0xBFB85823, 0xBEE1608D]]> : tensor<2x4xf32>}) {
  %a0 = onnx.constant dense<[[0.0, 1.0, 2.0, 3.0], [10000.0, 10001.0, 10002.0, 10003.0]]> : tensor<2x4xf32>
  %r0 = onnx.LogSoftmax.v13(%a0) : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
  return %r0 : tensor<2x4xf32>
}

func.func @reduce_log_sum_desc_axes() -> (
    tensor<3xf32> {gensyn.expected = dense<[2.4536822, 2.4298265, 2.07904]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A], [0.0871293, 0x3CA5A10D, 0x3F552693, 0x3F473548, 0x3F5EB91E]], [[0.9786183, 0.7991586, 0x3EEC4706, 0.7805292, 0x3DF239DD], [0.639921, 0x3E12CB34, 0.9446689, 0.5218483, 0x3ED44E92], [0.2645556, 0.7742337, 0x3EE98C89, 0x3F1184E3, 0.0187898], [0.6176355, 0.6120957, 0.616934, 0x3F719979, 0.6818203]], [[0.3595079, 0x3EDFC2A7, 0.6976312, 0x3D76AEFC, 0.6667667], [0x3F2BAEEC, 0x3E576E87, 0x3E040541, 0x3EA17FD3, 0x3EBA384C], [0x3F11F86A, 0x3EE09061, 0.9883738, 0x3DD0FCDF, 0x3E55E3CA], [0x3E252E52, 0.6531083, 0.2532916, 0x3EEEC049, 0.2444256]]]> : tensor<3x4x5xf32>
  %c1 = onnx.constant dense<[2,1]> : tensor<2xi64>
  %r0 = onnx.ReduceLogSum.v28(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x4x5xf32>, tensor<2xi64>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @reduce_log_sum_asc_axes() -> (
    tensor<5xf32> {gensyn.expected = dense<[1.553096, 1.8662208, 1.5578456, 1.9537709, 1.7313905]> : tensor<5xf32>}) {
  %a0 = onnx.constant dense<[[[0x3E22C8EC, 0x3DE20C5D, 0.6563296, 0x3E0D7FD5, 0x3E494CE3], [0x3EBCC98C, 0x3F522C9D, 0x3DC6DD09, 0.8379449, 0x3DC4CF3E], [0x3F79F93F, 0.4686512, 0.9767611, 0.6048455, 0.7392636], [0x3D208361, 0x3E90CC13, 0x3DF6299D, 0.2961402, 0x3DF32785]], [[0x3EA2CEB1, 0x3ED41A47, 0x3D835FC3, 0.6924721, 0x3F110CCB], [0.2653895, 0.5232481, 0x3DC063E2, 0.5759465, 0.9292962], [0x3EA31B78, 0.6674104, 0x3E06F605, 0.7163272, 0.2894061], [0x3E3B9684, 0.5865129, 0x3CA4B895, 0x3F54356A, 0x3B99DC82]], [[0.6778165, 0x3E8A3E7C, 0.735194, 0x3F7651FD, 0x3E7EB925], [0x3F137F0C, 0.5920419, 0.5722519, 0x3E646F83, 0.952749], [0x3EE4ED9E, 0x3F58AE3D, 0.6994793, 0x3E9849A8, 0x3F50550E], [0x3ECB02CD, 0.8811032, 0.5812729, 0.8817354, 0.6925316]]]> : tensor<3x4x5xf32>
  %c1 = onnx.constant dense<[0,1]> : tensor<2xi64>
  %r0 = onnx.ReduceLogSum.v28(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x4x5xf32>, tensor<2xi64>) -> (tensor<5xf32>)
  return %r0 : tensor<5xf32>
}

func.func @reduce_log_sum_exp_do_not_keepdims_example() -> (
    tensor<3x2xf64> {gensyn.expected = dense<[[0x403400000521D71B, 0x4002818F57F7D825], [0x404400017CD564CA, 0x4002818F57F7D825], [0x404E00DC0C6D122D, 0x4002818F57F7D825]]> : tensor<3x2xf64>}) {
  %a0 = onnx.constant dense<[[[0x4014000000000000, 0x3FF0000000000000], [0x4034000000000000, 0x4000000000000000]], [[0x403E000000000000, 0x3FF0000000000000], [0x4044000000000000, 0x4000000000000000]], [[0x404B800000000000, 0x3FF0000000000000], [0x404E000000000000, 0x4000000000000000]]]> : tensor<3x2x2xf64>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceLogSumExp.v28(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf64>, tensor<1xi64>) -> (tensor<3x2xf64>)
  return %r0 : tensor<3x2xf64>
}

func.func @reduce_log_sum_exp_do_not_keepdims_random() -> (
    tensor<3x2xf64> {gensyn.expected = dense<[[0x4002C87A494D65AB, 0x4011587E1F26A505], [0xBFE5E98A55E4EE7C, 0x401F5EF9E93B638E], [0x40229C15FD9C366E, 0x3FE43112810ADF88]]> : tensor<3x2xf64>}) {
  %a0 = onnx.constant dense<[[[0x3FEF3D9ABF6D7520, 0x4011371406715200], [0x400071301928AE78, 0x3FECB9A923C7B720]], [[0xBFF86E32E70EB530, 0x400757D2A7B008C8], [0xBFF3F8DB0C193EE8, 0x401F5782D4912F68]], [[0x40228BE81B5D0004, 0xC002A63C42725AC8], [0x401756875E1F26E4, 0x3FE27E24C665EEA0]]]> : tensor<3x2x2xf64>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceLogSumExp.v28(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf64>, tensor<1xi64>) -> (tensor<3x2xf64>)
  return %r0 : tensor<3x2xf64>
}

func.func @reduce_l1_do_not_keepdims_example() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[3.0, 7.0], [11.0, 15.0], [19.0, 23.0]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[2]> : tensor<1xi64>
  %r0 = onnx.ReduceL1.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_l1_do_not_keepdims_random() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[5.2800574, 2.9529312], [4.444786, 9.083715], [11.604425, 6.4123993]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787], [2.0552676, 0x3F65CD49]], [[-1.526904, 2.9178822], [0xBF9FC6D8, 7.83546]], [[9.273255, 0xC01531E2], [5.834501, 0.5778984]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[2]> : tensor<1xi64>
  %r0 = onnx.ReduceL1.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_l2_do_not_keepdims_example() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[2.236068, 5.0], [7.81025, 10.630146], [13.453624, 16.27882]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[2]> : tensor<1xi64>
  %r0 = onnx.ReduceL2.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_l2_do_not_keepdims_random() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[4.413127, 2.2427495], [3.2932465, 7.934266], [9.561779, 5.863051]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787], [2.0552676, 0x3F65CD49]], [[-1.526904, 2.9178822], [0xBF9FC6D8, 7.83546]], [[9.273255, 0xC01531E2], [5.834501, 0.5778984]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[2]> : tensor<1xi64>
  %r0 = onnx.ReduceL2.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_max_do_not_keepdims_example() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[20.0, 2.0], [40.0, 2.0], [60.0, 2.0]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[5.0, 1.0], [20.0, 2.0]], [[30.0, 1.0], [40.0, 2.0]], [[55.0, 1.0], [60.0, 2.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceMax.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_max_do_not_keepdims_random() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[2.0552676, 4.303787], [0xBF9FC6D8, 7.83546], [9.273255, 0.5778984]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787], [2.0552676, 0x3F65CD49]], [[-1.526904, 2.9178822], [0xBF9FC6D8, 7.83546]], [[9.273255, 0xC01531E2], [5.834501, 0.5778984]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceMax.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_mean_do_not_keepdims_example() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[12.5, 1.5], [35.0, 1.5], [57.5, 1.5]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[5.0, 1.0], [20.0, 2.0]], [[30.0, 1.0], [40.0, 2.0]], [[55.0, 1.0], [60.0, 2.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceMean.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_mean_do_not_keepdims_random() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[1.5157688, 2.6007254], [0xBFB19C38, 5.3766713], [7.553878, 0xBF606B31]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787], [2.0552676, 0x3F65CD49]], [[-1.526904, 2.9178822], [0xBF9FC6D8, 7.83546]], [[9.273255, 0xC01531E2], [5.834501, 0.5778984]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceMean.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_min_do_not_keepdims_example() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[5.0, 1.0], [30.0, 1.0], [55.0, 1.0]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[5.0, 1.0], [20.0, 2.0]], [[30.0, 1.0], [40.0, 2.0]], [[55.0, 1.0], [60.0, 2.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceMin.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_min_do_not_keepdims_random() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[0.9762701, 0x3F65CD49], [-1.526904, 2.9178822], [5.834501, 0xC01531E2]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787], [2.0552676, 0x3F65CD49]], [[-1.526904, 2.9178822], [0xBF9FC6D8, 7.83546]], [[9.273255, 0xC01531E2], [5.834501, 0.5778984]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceMin.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_prod_do_not_keepdims_example() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[3.0, 8.0], [35.0, 48.0], [99.0, 120.0]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceProd.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_prod_do_not_keepdims_random() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[2.0064962, 3.8633533], [1.9059666, 22.86295], [54.104816, 0xBFAC705E]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787], [2.0552676, 0x3F65CD49]], [[-1.526904, 2.9178822], [0xBF9FC6D8, 7.83546]], [[9.273255, 0xC01531E2], [5.834501, 0.5778984]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceProd.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_sum_do_not_keepdims_example() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[4.0, 6.0], [12.0, 14.0], [20.0, 22.0]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceSum.v13(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_sum_do_not_keepdims_random() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[3.0315375, 5.201451], [0xC0319C38, 10.753343], [15.107756, 0xBFE06B31]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787], [2.0552676, 0x3F65CD49]], [[-1.526904, 2.9178822], [0xBF9FC6D8, 7.83546]], [[9.273255, 0xC01531E2], [5.834501, 0.5778984]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceSum.v13(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_sum_keepdims_example() -> (
    tensor<3x1x2xf32> {gensyn.expected = dense<[[[4.0, 6.0]], [[12.0, 14.0]], [[20.0, 22.0]]]> : tensor<3x1x2xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceSum.v13(%a0, %c1) {keepdims = 1 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x1x2xf32>)
  return %r0 : tensor<3x1x2xf32>
}

func.func @reduce_sum_square_do_not_keepdims_example() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[10.0, 20.0], [74.0, 100.0], [202.0, 244.0]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceSumSquare.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @reduce_sum_square_do_not_keepdims_random() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[5.177228, 19.328384], [3.889578, 69.90847], [120.03467, 5.7683187]]> : tensor<3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.9762701, 4.303787], [2.0552676, 0x3F65CD49]], [[-1.526904, 2.9178822], [0xBF9FC6D8, 7.83546]], [[9.273255, 0xC01531E2], [5.834501, 0.5778984]]]> : tensor<3x2x2xf32>
  %c1 = onnx.constant dense<[1]> : tensor<1xi64>
  %r0 = onnx.ReduceSumSquare.v18(%a0, %c1) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> (tensor<3x2xf32>)
  return %r0 : tensor<3x2xf32>
}

func.func @softmax_example() -> (
    tensor<1x3xf32> {gensyn.expected = dense<[[0x3DB861F2, 0x3E7A9A19, 0.6652409]]> : tensor<1x3xf32>}) {
  %a0 = onnx.constant dense<[[-1.0, 0.0, 1.0]]> : tensor<1x3xf32>
  %r0 = onnx.Softmax.v13(%a0) : (tensor<1x3xf32>) -> (tensor<1x3xf32>)
  return %r0 : tensor<1x3xf32>
}

func.func @softmax_large_number() -> (
    tensor<2x4xf32> {gensyn.expected = dense<[[0.0320586, 0x3DB278B8, 0.2368828, 0.6439142], [0.0320586, 0x3DB278B8, 0.2368828, 0.6439142]]> : tensor<2x4xf32>}) {
  %a0 = onnx.constant dense<[[0.0, 1.0, 2.0, 3.0], [10000.0, 10001.0, 10002.0, 10003.0]]> : tensor<2x4xf32>
  %r0 = onnx.Softmax.v13(%a0) : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
  return %r0 : tensor<2x4xf32>
}

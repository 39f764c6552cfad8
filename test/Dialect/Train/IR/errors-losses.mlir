// Types and attributes of losses.

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @softmax_cross_entropy_axis(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{axis -3 is out of range for rank 2}}
  %0 = train.softmax_cross_entropy %y, %t reduction mean {axis = -3} : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @softmax_cross_entropy_target(%y: tensor<8x4xf32>, %t: tensor<4xi64>) -> tensor<f32> {
  // expected-error @+1 {{target has type 'tensor<4xi64>', not 'tensor<8xi64>'}}
  %0 = train.softmax_cross_entropy %y, %t reduction mean : tensor<8x4xf32>, tensor<4xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @softmax_cross_entropy_weight(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{has 2 weights for 4 classes}}
  %0 = train.softmax_cross_entropy %y, %t reduction mean {weight = array<f64: 1.0, 2.0>} : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @softmax_cross_entropy_reduction(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{has no reduction batchmean}}
  %0 = train.softmax_cross_entropy %y, %t reduction batchmean : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @softmax_cross_entropy_loss_type(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.softmax_cross_entropy %y, %t reduction mean : tensor<8x4xf32>, tensor<8xi64> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @nll_axis(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{axis -3 is out of range for rank 2}}
  %0 = train.nll %y, %t reduction mean {axis = -3} : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @nll_target(%y: tensor<8x4xf32>, %t: tensor<4xi64>) -> tensor<f32> {
  // expected-error @+1 {{target has type 'tensor<4xi64>', not 'tensor<8xi64>'}}
  %0 = train.nll %y, %t reduction mean : tensor<8x4xf32>, tensor<4xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @nll_weight(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{has 2 weights for 4 classes}}
  %0 = train.nll %y, %t reduction mean {weight = array<f64: 1.0, 2.0>} : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @nll_reduction(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{has no reduction batchmean}}
  %0 = train.nll %y, %t reduction batchmean : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @nll_loss_type(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.nll %y, %t reduction mean : tensor<8x4xf32>, tensor<8xi64> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @softmax_cross_entropy_label_smoothing(%y: tensor<8x4xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{label_smoothing 1.500000e+00 is not between 0 and 1}}
  %0 = train.softmax_cross_entropy %y, %t reduction mean {label_smoothing = 1.5 : f64} : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @mse_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.mse"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @mse_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.mse %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @l1_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.l1"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @l1_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.l1 %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @huber_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.huber"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @huber_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.huber %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @smooth_l1_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.smooth_l1"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @smooth_l1_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.smooth_l1 %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @bce_with_logits_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.bce_with_logits"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @bce_with_logits_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.bce_with_logits %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @bce_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.bce"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @bce_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.bce %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @kl_div_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.kl_div"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @kl_div_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.kl_div %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @cosine_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.cosine"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @cosine_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.cosine %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @huber_delta(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{delta 0.000000e+00 is not above 0}}
  %0 = train.huber %y, %t reduction mean {delta = 0.0 : f64} : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @smooth_l1_beta(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{beta -1.000000e+00 is not at least 0}}
  %0 = train.smooth_l1 %y, %t reduction mean {beta = -1.0 : f64} : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @bce_with_logits_pos_weight(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{has 2 weights, neither one nor as many as the last dimension has elements}}
  %0 = train.bce_with_logits %y, %t reduction mean {pos_weight = array<f64: 1.0, 2.0>} : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @cosine_axis(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %0 = train.cosine %y, %t reduction mean {axis = 2} : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @cosine_eps(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{eps -1.000000e+00 is not at least 0}}
  %0 = train.cosine %y, %t reduction mean {eps = -1.0 : f64} : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @soft_target_cross_entropy_target(%y: tensor<8x4xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  // expected-error @+1 {{failed to verify that all of {prediction, target} have same type}}
  %0 = "train.soft_target_cross_entropy"(%y, %t) <{reduction = #train<reduction mean>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @soft_target_cross_entropy_loss_type(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f64> {
  // expected-error @+1 {{loss has type 'tensor<f64>', not 'tensor<f32>'}}
  %0 = train.soft_target_cross_entropy %y, %t reduction mean : tensor<8x4xf32> -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @soft_target_cross_entropy_axis(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %0 = train.soft_target_cross_entropy %y, %t reduction mean {axis = 2} : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @soft_target_cross_entropy_label_smoothing(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{label_smoothing 1.500000e+00 is not between 0 and 1}}
  %0 = train.soft_target_cross_entropy %y, %t reduction mean {label_smoothing = 1.5 : f64} : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @soft_target_cross_entropy_weight(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{has 2 weights for 4 classes}}
  %0 = train.soft_target_cross_entropy %y, %t reduction mean {weight = array<f64: 1.0, 2.0>} : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @soft_target_cross_entropy_reduction(%y: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{has no reduction batchmean}}
  %0 = train.soft_target_cross_entropy %y, %t reduction batchmean : tensor<8x4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @elementwise_c2_sin(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.sin' op operand #0 must be}}
  %0 = repro.sin %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_cos(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.cos' op operand #0 must be}}
  %0 = repro.cos %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_tan(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.tan' op operand #0 must be}}
  %0 = repro.tan %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_asin(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.asin' op operand #0 must be}}
  %0 = repro.asin %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_acos(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.acos' op operand #0 must be}}
  %0 = repro.acos %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_atan(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.atan' op operand #0 must be}}
  %0 = repro.atan %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_sinh(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.sinh' op operand #0 must be}}
  %0 = repro.sinh %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_cosh(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.cosh' op operand #0 must be}}
  %0 = repro.cosh %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_asinh(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.asinh' op operand #0 must be}}
  %0 = repro.asinh %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_acosh(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.acosh' op operand #0 must be}}
  %0 = repro.acosh %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_atanh(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.atanh' op operand #0 must be}}
  %0 = repro.atanh %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c1(%a: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{'repro.sin' op all non-scalar operands/results must have the same shape}}
  %0 = "repro.sin"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @elementwise_c2_pow(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'repro.pow' op operand #0 must be}}
  %0 = repro.pow %a, %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @elementwise_c1_pow(%a: tensor<4xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.pow' op all non-scalar operands/results must have the same shape}}
  %0 = "repro.pow"(%a, %b) : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

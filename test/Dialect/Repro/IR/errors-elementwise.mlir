// Shapes (elementwise_c1) and types (elementwise_c2) of elementwise ops.

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @elementwise_c1_neg(%a: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{'repro.neg' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "repro.neg"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @elementwise_c1_neg_type(%a: tensor<4xf32>) -> tensor<4xf64> {
  // expected-error @+1 {{'repro.neg' op requires the same type for all operands and results}}
  %0 = "repro.neg"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @elementwise_c1_add(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.add' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "repro.add"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elementwise_c1_add_type(%a: tensor<4xf32>, %b: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.add' op requires the same type for all operands and results}}
  %0 = "repro.add"(%a, %b) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elementwise_c1_fma(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.fma' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "repro.fma"(%a, %a, %b) : (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elementwise_c1_fma_type(%a: tensor<4xf32>, %b: tensor<4xf64>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.fma' op requires the same type for all operands and results}}
  %0 = "repro.fma"(%a, %a, %b) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elementwise_c1_round(%a: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{'repro.round' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "repro.round"(%a) <{kind = #repro<round_kind floor>}> : (tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @elementwise_c1_round_type(%a: tensor<4xf32>) -> tensor<4xf64> {
  // expected-error @+1 {{'repro.round' op requires the same type for all operands and results}}
  %0 = "repro.round"(%a) <{kind = #repro<round_kind floor>}> : (tensor<4xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @elementwise_c1_compare(%a: tensor<4xf32>) -> tensor<5xi1> {
  // expected-error @+1 {{'repro.compare' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "repro.compare"(%a, %a) <{kind = #repro<compare_kind lt>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  return %0 : tensor<5xi1>
}

// -----

func.func @elementwise_c1_compare_type(%a: tensor<4xf32>, %b: tensor<4xi32>) -> tensor<4xi1> {
  // expected-error @+1 {{'repro.compare' op requires all operands to have the same type}}
  %0 = "repro.compare"(%a, %b) <{kind = #repro<compare_kind lt>}> : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @elementwise_c1_compare_result(%a: tensor<4xf32>) -> tensor<4xi8> {
  // expected-error @+1 {{'repro.compare' op result #0 must be}}
  %0 = "repro.compare"(%a, %a) <{kind = #repro<compare_kind lt>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @elementwise_c1_select_type(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.select' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "repro.select"(%p, %a, %b) : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elementwise_c1_select_predicate(%p: tensor<5xi1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.select' op failed to verify that the predicate has the result's shape}}
  %0 = "repro.select"(%p, %a, %a) : (tensor<5xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elementwise_c1_convert(%a: tensor<4xf32>) -> tensor<5xi32> {
  // expected-error @+1 {{'repro.convert' op all non-scalar operands/results must have the same shape and base type}}
  %0 = repro.convert %a : tensor<4xf32> to tensor<5xi32>
  return %0 : tensor<5xi32>
}

// -----

func.func @elementwise_c1_bitcast(%a: tensor<4xf32>) -> tensor<5xi32> {
  // expected-error @+1 {{'repro.bitcast' op all non-scalar operands/results must have the same shape and base type}}
  %0 = repro.bitcast %a : tensor<4xf32> to tensor<5xi32>
  return %0 : tensor<5xi32>
}

// -----

func.func @elementwise_c2_add(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{'repro.add' op operand #0 must be}}
  %0 = repro.add %a, %a : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

func.func @elementwise_c2_sub(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{'repro.sub' op operand #0 must be}}
  %0 = repro.sub %a, %a : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

func.func @elementwise_c2_mul(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{'repro.mul' op operand #0 must be}}
  %0 = repro.mul %a, %a : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

func.func @elementwise_c2_div(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{'repro.div' op operand #0 must be}}
  %0 = repro.div %a, %a : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

func.func @elementwise_c2_rem(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{'repro.rem' op operand #0 must be}}
  %0 = repro.rem %a, %a : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

func.func @elementwise_c2_min(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{'repro.min' op operand #0 must be}}
  %0 = repro.min %a, %a : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

func.func @elementwise_c2_max(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{'repro.max' op operand #0 must be}}
  %0 = repro.max %a, %a : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

func.func @elementwise_c2_and(%a: tensor<4xi4>) -> tensor<4xi4> {
  // expected-error @+1 {{'repro.and' op operand #0 must be}}
  %0 = repro.and %a, %a : tensor<4xi4>
  return %0 : tensor<4xi4>
}

// -----

func.func @elementwise_c2_or(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.or' op operand #0 must be}}
  %0 = repro.or %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elementwise_c2_xor(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'repro.xor' op operand #0 must be}}
  %0 = repro.xor %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elementwise_c2_shl(%a: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{'repro.shl' op operand #0 must be}}
  %0 = repro.shl %a, %a : tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @elementwise_c2_shr(%a: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{'repro.shr' op operand #0 must be}}
  %0 = repro.shr %a, %a : tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @elementwise_c2_pow(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'repro.pow' op operand #0 must be}}
  %0 = repro.pow %a, %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @elementwise_c2_neg(%a: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @+1 {{'repro.neg' op operand #0 must be}}
  %0 = repro.neg %a : tensor<4xui32>
  return %0 : tensor<4xui32>
}

// -----

func.func @elementwise_c2_abs(%a: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @+1 {{'repro.abs' op operand #0 must be}}
  %0 = repro.abs %a : tensor<4xui32>
  return %0 : tensor<4xui32>
}

// -----

func.func @elementwise_c2_sqrt(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'repro.sqrt' op operand #0 must be}}
  %0 = repro.sqrt %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @elementwise_c2_exp(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.exp' op operand #0 must be}}
  %0 = repro.exp %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_log(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.log' op operand #0 must be}}
  %0 = repro.log %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_expm1(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.expm1' op operand #0 must be}}
  %0 = repro.expm1 %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_log1p(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.log1p' op operand #0 must be}}
  %0 = repro.log1p %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_sigmoid(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.sigmoid' op operand #0 must be}}
  %0 = repro.sigmoid %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @elementwise_c2_erf(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.erf' op operand #0 must be}}
  %0 = repro.erf %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

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

func.func @elementwise_c2_tanh(%a: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'repro.tanh' op operand #0 must be}}
  %0 = repro.tanh %a : tensor<4xf16>
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

func.func @elementwise_c2_not(%a: tensor<4xi4>) -> tensor<4xi4> {
  // expected-error @+1 {{'repro.not' op operand #0 must be}}
  %0 = repro.not %a : tensor<4xi4>
  return %0 : tensor<4xi4>
}

// -----

func.func @elementwise_c2_fma(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'repro.fma' op operand #0 must be}}
  %0 = repro.fma %a, %a, %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @elementwise_c2_round(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'repro.round' op operand #0 must be}}
  %0 = repro.round floor %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

func.func @operand_count(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 1 operand, expected 2}}
  %0 = onnx.Add.v14(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @result_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 2 results, expected 1}}
  %0:2 = onnx.Relu.v14(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @operand_may_not_be_absent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %none = onnx.none
  // expected-error @+1 {{operand 'B' may not be absent}}
  %0 = onnx.Add.v14(%x, %none) : (tensor<4xf32>, none) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @operand_type(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{operand #0 'X' may not be bool[4]}}
  %0 = onnx.Relu.v14(%x) : (tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @type_binding(%x: tensor<4xf32>, %y: tensor<4xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{operand #1 'B' is tensor(int64), but 'A' is tensor(float); both are T}}
  %0 = onnx.Add.v14(%x, %y) : (tensor<4xf32>, tensor<4xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unknown_attribute(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no attribute 'slope'}}
  %0 = onnx.LeakyRelu.v16(%x) {slope = 1.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @attribute_kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'alpha' is an integer; a float is wanted}}
  %0 = onnx.LeakyRelu.v16(%x) {alpha = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @attribute_nan(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'alpha' is NaN}}
  %0 = onnx.LeakyRelu.v16(%x) {alpha = 0x7FC00000 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @attribute_required(%x: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error @+1 {{lacks the required attribute 'to'}}
  %0 = onnx.Cast.v13(%x) : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @region_terminator(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'else_branch' to be one block that ends in onnx.yield}}
  %y = onnx.If.v16(%c) else_branch {
    func.return %x : tensor<4xf32>
  } then_branch {
    onnx.yield %x : tensor<4xf32>
  } : (tensor<i1>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @constant_type() -> tensor<2xi64> {
  // expected-error @+1 {{has a value of type 'tensor<2xi64>' and a result of type 'tensor<3xi64>'}}
  %0 = "onnx.constant"() {value = dense<1> : tensor<2xi64>} : () -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// -----

// expected-error @+1 {{data of argument #0 has 64 bytes, expected 128}}
func.func @data_length(%w: tensor<8x4xf32> {onnx.data = #onnx.external<file = "w.data", offset = 0,
    length = 64, hash = "0fc6c3c9544eadf86e393ffdedfeb95ac3d0e1f0b2e12e218dddb645e1564e65">}) {
  return
}

// -----

// expected-error @+1 {{argument #0 has data but no static shape}}
func.func @data_shape(%w: tensor<?xf32> {onnx.data = dense<0.0> : tensor<4xf32>}) {
  return
}

// -----

// expected-error @+1 {{argument #0 is 'tensor<3xf32>' but its data is 'tensor<4xf32>'}}
func.func @data_type(%w: tensor<3xf32> {onnx.data = dense<0.0> : tensor<4xf32>}) {
  return
}

// -----

// expected-error @+1 {{data of argument #0 is neither a tensor nor #onnx.external nor #onnx.symbolic}}
func.func @data_kind(%w: tensor<3xf32> {onnx.data = "w.data"}) {
  return
}

// -----

// expected-error @+1 {{data of argument #0 is symbolic, but 'i64' has no symbolic values}}
func.func @symbolic_type(%w: tensor<3xi64> {onnx.data = #onnx.symbolic<name = "w", seed = 0, center = 0, exponent = 0>}) {
  return
}

// -----

// expected-error @+1 {{center 129 or exponent 0 is out of range}}
func.func @symbolic_center(%w: tensor<3xf32> {onnx.data = #onnx.symbolic<name = "w", seed = 0, center = 129, exponent = 0>}) {
  return
}

// -----

// expected-error @+1 {{name of argument #0 is not a string}}
func.func @argument_name(%w: tensor<3xf32> {onnx.name = 3 : i64}) {
  return
}

// -----

// expected-error @+1 {{name of result #0 is not a string}}
func.func @result_name(%w: tensor<3xf32>) -> (tensor<3xf32> {onnx.name = 3 : i64}) {
  return %w : tensor<3xf32>
}

// -----

// expected-error @+1 {{hash is not 64 hexadecimal digits}}
func.func @hash(%w: tensor<1xf32> {onnx.data = #onnx.external<file = "w", offset = 0, length = 4, hash = "12">}) {
  return
}

// -----

// expected-error @+1 {{file is empty}}
func.func @file(%w: tensor<1xf32> {onnx.data = #onnx.external<file = "", offset = 0, length = 4, hash = "0fc6c3c9544eadf86e393ffdedfeb95ac3d0e1f0b2e12e218dddb645e1564e65">}) {
  return
}

// -----

// expected-error @+1 {{'onnx.opsets' is not a dictionary of versions}}
module attributes {onnx.opsets = {ai.onnx = "new"}} {
}

// -----

// ONNX counts them as int.
// expected-error @+1 {{'onnx.opsets' is not a dictionary of versions}}
module attributes {onnx.opsets = {ai.onnx = 2147483648 : i64}} {
}

// -----

// expected-error @+1 {{'onnx.opsets' is not a dictionary of versions}}
module attributes {onnx.opsets = {ai.onnx = 0 : i64}} {
}

// -----

// expected-error @+1 {{'onnx.path' is not a string}}
module attributes {onnx.path = 1 : i64} {
}

// -----

func.func @operand_size(%x: tensor<1048576x2097152xf32>) {
  // expected-error @+1 {{operand #0 'X' is float32[1048576,2097152], expected at most 2^40 elements}}
  %0 = onnx.Neg.v13(%x) : (tensor<1048576x2097152xf32>) -> tensor<?x?xf32>
  return
}

// -----

// The product of what is known does not fit 64 bits.
func.func @result_size(%x: tensor<2xi64>) {
  // expected-error @+1 {{result #0 'output' is float32[4611686018427387904,?,4], expected at most 2^40 elements}}
  %0 = onnx.ConstantOfShape.v9(%x) : (tensor<2xi64>) -> tensor<4611686018427387904x?x4xf32>
  return
}

// -----

func.func @constant_size() {
  // expected-error @+1 {{value has 8589934592 bytes, expected at most 536870912}}
  %0 = onnx.constant dense<0> : tensor<1073741824xi64>
  return
}

// -----

func.func @constant_elements() {
  // expected-error @+1 {{value has more than 2^40 elements}}
  %0 = onnx.constant dense<0> : tensor<1099511627777xi64>
  return
}

// -----

func.func @constant_resource() {
  // expected-error @+1 {{value has a resource of 0 bytes, expected 32}}
  %0 = onnx.constant dense_resource<absent> : tensor<4xi64>
  return
}

// -----

func.func @constant_sparse() {
  // expected-error @+1 {{value is neither dense nor a resource}}
  %0 = onnx.constant sparse<[[0]], [1]> : tensor<4xi64>
  return
}

// -----

func.func @constant_element_type() {
  // expected-error @+1 {{value has elements of a type that ONNX does not have}}
  %0 = onnx.constant dense<0> : tensor<4xindex>
  return
}

// -----

func.func @attribute_size() {
  // expected-error @+1 {{attribute 'value' has 1073741824 bytes, expected at most 536870912}}
  %0 = onnx.Constant.v13() {value = dense<0.0> : tensor<268435456xf32>} : () -> tensor<268435456xf32>
  return
}

// -----

// expected-error @+1 {{data of argument #0 is neither dense nor a resource}}
func.func @data(%x: tensor<4xf32> {onnx.data = sparse<[[0]], [1.0]> : tensor<4xf32>}) {
  return
}

// -----

// expected-error @+1 {{offset 18446744073709551615 plus length 4 overflows}}
func.func @offset(%w: tensor<1xf32> {onnx.data = #onnx.external<file = "w", offset = 18446744073709551615, length = 4, hash = "0fc6c3c9544eadf86e393ffdedfeb95ac3d0e1f0b2e12e218dddb645e1564e65">}) {
  return
}

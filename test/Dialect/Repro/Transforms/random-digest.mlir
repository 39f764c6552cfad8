// The stream of a draw is a part of the program's identity.
// RUN: gensyn-opt %s --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.3
// RUN: sed 's/stream 3/stream 4/' %s | gensyn-opt --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.4
// RUN: not cmp -s %t.3 %t.4
// RUN: FileCheck %s < %t.3
// RUN: FileCheck %s < %t.4
// CHECK: digest = "{{[0-9a-f]+}}"

func.func @main(%key: tensor<2xui32>, %step: tensor<ui32>) -> tensor<4xui32> {
  %0 = repro.random_bits %key, %step, %step stream 3 : tensor<4xui32>
  return %0 : tensor<4xui32>
}

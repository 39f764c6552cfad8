// A module is reduced while a wrong pass still changes a bit of it.
// RUN: env GENSYN_OPT=%build/bin/gensyn-wrong-opt gensyn-reduce %s -reduction-tree="traversal-mode=0 test=%build/bin/check-bits-fails.sh test-arg=--wrong-reassociate-add" | FileCheck %s
// CHECK-NOT: func.func
// CHECK: func.func @wrong
// CHECK-COUNT-2: repro.add
// CHECK-NOT: repro
// CHECK-NOT: func.func

// A module that no pass changes is not interesting.
// RUN: not env GENSYN_OPT=%build/bin/gensyn-wrong-opt gensyn-reduce %s -reduction-tree="traversal-mode=0 test=%build/bin/check-bits-fails.sh test-arg=--cse"

func.func @before(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = repro.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @wrong(%a: tensor<33xf32>, %b: tensor<33xf32>, %c: tensor<33xf32>) -> tensor<33xf32> {
  %s = repro.add %a, %b : tensor<33xf32>
  %t = repro.add %s, %c : tensor<33xf32>
  return %t : tensor<33xf32>
}

func.func @behind(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = repro.log %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

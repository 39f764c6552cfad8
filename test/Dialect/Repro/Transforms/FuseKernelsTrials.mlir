// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=pointwise})' --split-input-file | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=pointwise readers=2 near=1})' --split-input-file | FileCheck %s --check-prefixes=CHECK,NEAR
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=horizontal})' --split-input-file | FileCheck %s --check-prefixes=LATER
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=horizontal refused=1})' --split-input-file | FileCheck %s --check-prefixes=FULL

// Two readers of a tensor with another kernel between them: joined, but where
// two are many and an op is far.
// CHECK-LABEL: func.func @readers
// ALL: repro.kernel {{.+}} -> (tensor<300x1000xf32>, tensor<300x1000xf32>) {
// NEAR: repro.kernel "k0_neg"
// NEAR: repro.kernel "k1_abs"
// NEAR: repro.kernel "k2_exp"
// LATER-LABEL: func.func @readers
// FULL-LABEL: func.func @readers
func.func @readers(%x: tensor<300x1000xf32>, %y: tensor<70x1001xf32>)
    -> (tensor<300x1000xf32>, tensor<70x1001xf32>, tensor<300x1000xf32>) {
  %a = repro.neg %x : tensor<300x1000xf32>
  %b = repro.abs %y : tensor<70x1001xf32>
  %c = repro.exp %x : tensor<300x1000xf32>
  return %a, %b, %c : tensor<300x1000xf32>, tensor<70x1001xf32>, tensor<300x1000xf32>
}

// -----

// "b" needs "a", "c" does not: it joins "a", unless one refusal ends that. (What
// ends in results is joined before; these three do not.)
// CHECK-LABEL: func.func @refused
// LATER-LABEL: func.func @refused
// LATER: %[[AC:.+]]:2 = repro.kernel {{.+}} -> (tensor<40xf32>, tensor<60xf32>) {
// LATER: repro.kernel "b" ({{.+}} = %[[AC]]#0 : tensor<40xf32>) -> (tensor<40xf32>) {
// FULL-LABEL: func.func @refused
// FULL: %[[A:.+]] = repro.kernel "a" {{.+}} -> (tensor<40xf32>) {
// FULL: repro.kernel {{.+}}%[[A]]{{.+}} -> (tensor<40xf32>, tensor<60xf32>) {
func.func @refused(%x: tensor<40xf32>, %z: tensor<60xf32>) -> (tensor<40xf32>, tensor<60xf32>) {
  %a = repro.kernel "a" (%q = %x : tensor<40xf32>) -> (tensor<40xf32>) {
    %r = repro.neg %q : tensor<40xf32>
    repro.yield %r : tensor<40xf32>
  }
  %b = repro.kernel "b" (%q = %a : tensor<40xf32>) -> (tensor<40xf32>) {
    %r = repro.neg %q : tensor<40xf32>
    repro.yield %r : tensor<40xf32>
  }
  %c = repro.kernel "c" (%q = %z : tensor<60xf32>) -> (tensor<60xf32>) {
    %r = repro.neg %q : tensor<60xf32>
    repro.yield %r : tensor<60xf32>
  }
  %b2 = repro.kernel "b2" (%q = %b : tensor<40xf32>) -> (tensor<40xf32>) {
    %r = repro.exp %q : tensor<40xf32>
    repro.yield %r : tensor<40xf32>
  }
  %c2 = repro.kernel "c2" (%q = %c : tensor<60xf32>) -> (tensor<60xf32>) {
    %r = repro.exp %q : tensor<60xf32>
    repro.yield %r : tensor<60xf32>
  }
  return %b2, %c2 : tensor<40xf32>, tensor<60xf32>
}

// -----

// A reader through a reshape is one as well.
// CHECK-LABEL: func.func @reshaped
// ALL: repro.kernel {{.+}} -> (tensor<1000x300xf32>, tensor<1000x300xf32>) {
// NEAR: repro.kernel "k0_neg"
// NEAR: repro.kernel "k1_abs"
// NEAR: repro.kernel "k2_exp"
// LATER-LABEL: func.func @reshaped
// FULL-LABEL: func.func @reshaped
func.func @reshaped(%x: tensor<300x1000xf32>, %y: tensor<70x1001xf32>)
    -> (tensor<300x1000xf32>, tensor<70x1001xf32>, tensor<1000x300xf32>) {
  %a = repro.neg %x : tensor<300x1000xf32>
  %b = repro.abs %y : tensor<70x1001xf32>
  %r = repro.reshape %x : tensor<300x1000xf32> to tensor<1000x300xf32>
  %c = repro.exp %r : tensor<1000x300xf32>
  return %a, %b, %c : tensor<300x1000xf32>, tensor<70x1001xf32>, tensor<1000x300xf32>
}

// -----

// "b" reads "a", which "c" joins: "b" then stands behind "e", the other one
// that is left. They join in the order in which they stand.
// CHECK-LABEL: func.func @moved
// LATER-LABEL: func.func @moved
// LATER: %[[AC:.+]]:2 = repro.kernel "c" {{.+}} -> (tensor<40xf32>, tensor<60xf32>) {
// LATER: repro.kernel "b" {{.+}}%[[AC]]#0 : tensor<40xf32>) -> (tensor<4x10xf32>, tensor<40xf32>) {
// LATER: return
// FULL-LABEL: func.func @moved
func.func @moved(%x: tensor<40xf32>, %z: tensor<60xf32>) -> (tensor<40xf32>, tensor<4x10xf32>, tensor<60xf32>) {
  %a = repro.kernel "a" (%q = %x : tensor<40xf32>) -> (tensor<40xf32>) {
    %r = repro.neg %q : tensor<40xf32>
    repro.yield %r : tensor<40xf32>
  }
  %b = repro.kernel "b" (%q = %a : tensor<40xf32>) -> (tensor<40xf32>) {
    %r = repro.neg %q : tensor<40xf32>
    repro.yield %r : tensor<40xf32>
  }
  %xr = repro.reshape %x : tensor<40xf32> to tensor<4x10xf32>
  %e = repro.kernel "e" (%q = %xr : tensor<4x10xf32>) -> (tensor<4x10xf32>) {
    %r = repro.neg %q : tensor<4x10xf32>
    repro.yield %r : tensor<4x10xf32>
  }
  %c = repro.kernel "c" (%q = %z : tensor<60xf32>) -> (tensor<60xf32>) {
    %r = repro.neg %q : tensor<60xf32>
    repro.yield %r : tensor<60xf32>
  }
  %b2 = repro.kernel "b2" (%q = %b : tensor<40xf32>) -> (tensor<40xf32>) {
    %r = repro.exp %q : tensor<40xf32>
    repro.yield %r : tensor<40xf32>
  }
  %e2 = repro.kernel "e2" (%q = %e : tensor<4x10xf32>) -> (tensor<4x10xf32>) {
    %r = repro.exp %q : tensor<4x10xf32>
    repro.yield %r : tensor<4x10xf32>
  }
  %c2 = repro.kernel "c2" (%q = %c : tensor<60xf32>) -> (tensor<60xf32>) {
    %r = repro.exp %q : tensor<60xf32>
    repro.yield %r : tensor<60xf32>
  }
  return %b2, %e2, %c2 : tensor<40xf32>, tensor<4x10xf32>, tensor<60xf32>
}

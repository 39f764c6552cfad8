// Lives of memory around loops. A matrix takes 4 KiB; what is put away too early would make the arena smaller.
// RUN: split-file %s %t.parts
// RUN: gensyn-translate --mlir-to-ptx --sm=80 --plan=%t.read %t.parts/read.mlir -o /dev/null && FileCheck %s --check-prefix=READ < %t.read
// RUN: gensyn-translate --mlir-to-ptx --sm=80 --plan=%t.turns %t.parts/turns.mlir -o /dev/null && FileCheck %s --check-prefix=TURNS < %t.turns

// %p lives until the loop ends, since each pass reads it: it, the carried value, the two of the body, what takes turns
// with the carried value, and the loop's index.
// READ: "arena_bytes": 20544,
//--- read.mlir
#l = affine_map<(d0, d1, d2) -> (d0, d2)>
#r = affine_map<(d0, d1, d2) -> (d2, d1)>
#o = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %p = repro.contract %x, %w domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %y = repro.loop trips 4 (%j, %a = %x : tensor<32x32xf32>) invariant (%d = %p : tensor<32x32xf32>, %v = %w : tensor<32x32xf32>) {
    %0 = repro.contract %a, %d domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %1 = repro.contract %0, %v domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %2 = repro.contract %1, %v domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    repro.yield %2 : tensor<32x32xf32>
  }
  return %y : tensor<32x32xf32>
}

// The two that take turns live as long as the loop's result, whichever of them it is in: beside them are five matrices
// that are read later, and the first that reads the result.
// TURNS: "arena_bytes": 32768,
//--- turns.mlir
#l = affine_map<(d0, d1, d2) -> (d0, d2)>
#r = affine_map<(d0, d1, d2) -> (d2, d1)>
#o = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %p = repro.contract %x, %w domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %y = repro.loop trips 4 (%j, %a = %x : tensor<32x32xf32>) invariant (%d = %p : tensor<32x32xf32>, %v = %w : tensor<32x32xf32>) {
    %0 = repro.contract %a, %d domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %1 = repro.contract %0, %v domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %2 = repro.contract %1, %v domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    repro.yield %2 : tensor<32x32xf32>
  }
  %q1 = repro.contract %x, %w domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %q2 = repro.contract %q1, %w domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %q3 = repro.contract %q2, %w domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %q4 = repro.contract %q3, %w domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %q5 = repro.contract %q4, %w domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %s1 = repro.contract %q5, %y domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %s2 = repro.contract %s1, %q1 domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %s3 = repro.contract %s2, %q2 domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %s4 = repro.contract %s3, %q3 domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %s5 = repro.contract %s4, %q4 domain <[32, 32, 32], reduce [2]> maps [#l, #r, #o] bounds [in, in] : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  return %s5 : tensor<32x32xf32>
}

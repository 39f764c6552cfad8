// REQUIRES: ptxas
// RUN: gensyn-translate --mlir-to-ptx --sm=75 %S/ContractScheduleLarge.mlir -o %t.75.ptx
// RUN: gensyn-translate --mlir-to-ptx --sm=90 %S/ContractScheduleLarge.mlir -o %t.90.ptx
// RUN: %ptxas -arch=sm_75 -v %t.75.ptx -o %t.cubin 2>&1 | FileCheck %s
// RUN: %ptxas -arch=sm_90 -v %t.90.ptx -o %t.cubin 2>&1 | FileCheck %s

// The assembler takes large contractions, with all of a thread in registers.
// CHECK-COUNT-4: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: bytes stack frame

// IR that the back end does not support is an error, and nothing is written.
// RUN: rm -rf %t && mkdir %t && split-file %s %t/texts
// RUN: bash -c 'for f in threads intrinsic type; do gensyn-translate --mlir-to-ptx --sm=80 %t/texts/$f.mlir -o %t/out.ptx; echo exit $?; done; ls %t' 2>&1 | FileCheck %s
// CHECK: threads.mlir:1:1: error: the NVPTX back end refuses it: can't parse integer attribute -64 in nvvm.maxntid
// CHECK: exit 3
// CHECK: gensyn-translate: error: the back end refuses the module: Cannot select: intrinsic %llvm.x86.sse2.pause
// CHECK: exit 3
// CHECK: type.mlir:3:10: error: 'llvm.getelementptr' op "elem_type" is f4E2M1FN, expected a type that LLVM has
// CHECK: exit 3
// CHECK-NEXT: {{^}}texts{{$}}
//--- threads.mlir
gpu.module @kernels {
  llvm.func @none() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: -64>} {
    llvm.return
  }
}
//--- intrinsic.mlir
gpu.module @kernels {
  llvm.func @none() attributes {gpu.kernel, nvvm.kernel} {
    llvm.call_intrinsic "llvm.x86.sse2.pause"() : () -> ()
    llvm.return
  }
}
//--- type.mlir
gpu.module @kernels {
  llvm.func @none(%x: !llvm.ptr, %i: i32) attributes {gpu.kernel, nvvm.kernel} {
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f4E2M1FN
    llvm.return
  }
}

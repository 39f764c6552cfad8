// RUN: sed '/^[/][/] -----/,$d' %s | gensyn-translate --mlir-to-ptx --sm=80 -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: gensyn-ptx audit %t.ptx
// RUN: sed '1,/^[/][/] -----/d' %s | not gensyn-translate --mlir-to-ptx --sm=80 2>&1 | FileCheck %s --check-prefix=TWICE

// Several gpu.modules are one text: one head, memory that they share once, and
// entries in their order.
// CHECK: .version 7.0
// CHECK: .target sm_80
// CHECK-NOT: .version
// CHECK: .extern .shared .align 128 .b8 dynamic_shared[];
// CHECK-NOT: {{[.]version|[.]extern|Generated}}
// CHECK: .visible .entry first
// CHECK-NOT: {{[.]version|[.]extern|Generated}}
// CHECK: .visible .entry second
// CHECK-NOT: {{[.]version|[.]extern|Generated}}
// CHECK: .visible .entry third
// CHECK-NOT: {{[.]version|[.]extern|Generated}}
// CHECK: ret;
module attributes {gpu.container_module} {
  gpu.module @a {
    llvm.mlir.global external @dynamic_shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
    llvm.func @first(%y: !llvm.ptr) attributes {nvvm.kernel} {
      %s = llvm.mlir.addressof @dynamic_shared : !llvm.ptr<3>
      %v = llvm.load %s : !llvm.ptr<3> -> f32
      llvm.store %v, %y : f32, !llvm.ptr
      llvm.return
    }
  }
  module {
    gpu.module @b {
      llvm.mlir.global external @dynamic_shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
      llvm.func @second(%y: !llvm.ptr) attributes {nvvm.kernel} {
        %s = llvm.mlir.addressof @dynamic_shared : !llvm.ptr<3>
        %v = llvm.load %s : !llvm.ptr<3> -> f32
        llvm.store %v, %y : f32, !llvm.ptr
        llvm.return
      }
    }
  }
  gpu.module @c {
    llvm.func @third() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// TWICE: error: 'kernel' is defined in two gpu.modules
module attributes {gpu.container_module} {
  gpu.module @a {
    llvm.func @kernel() attributes {nvvm.kernel} {
      llvm.return
    }
  }
  gpu.module @b {
    llvm.func @kernel() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

; Kernels for SamplesTest. Made into PTX by
;   llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 -mattr=+ptx80 -O3
; and likewise for sm_75 (ptx75, -O0), sm_90 (ptx80) and sm_120 (ptx88).
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare float @llvm.fma.f32(float,float,float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.minimum.f32(float,float)
declare float @llvm.maximum.f32(float,float)
declare float @llvm.minnum.f32(float,float)
declare float @llvm.fabs.f32(float)
declare float @llvm.copysign.f32(float,float)
declare float @llvm.rint.f32(float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.round.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.trunc.f32(float)
declare double @llvm.ceil.f64(double)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.ctlz.i32(i32,i1)
declare i64 @llvm.ctlz.i64(i64,i1)
declare i32 @llvm.cttz.i32(i32,i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.fshl.i32(i32,i32,i32)
declare i64 @llvm.fshl.i64(i64,i64,i64)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i32 @llvm.smax.i32(i32,i32)
declare i8 @llvm.umin.i8(i8,i8)
declare {i32,i1} @llvm.sadd.with.overflow.i32(i32,i32)
declare {i64,i1} @llvm.umul.with.overflow.i64(i64,i64)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32,i32,i32,i32)
declare float @llvm.nvvm.shfl.sync.down.f32(i32,float,i32,i32)
@sm = internal addrspace(3) global [256 x float] undef, align 16
@dyn = external addrspace(3) global [0 x float], align 16
@tab = internal addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0], align 4
@g = internal addrspace(1) global i32 5, align 4

define ptx_kernel void @scalarops(ptr noalias %x, ptr noalias readonly %y, i32 %n, float %s, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nt = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %m = mul i32 %b, %nt
  %i = add i32 %m, %t
  %c = icmp slt i32 %i, %n
  br i1 %c, label %do, label %end
do:
  %i64 = sext i32 %i to i64
  %px = getelementptr float, ptr %x, i64 %i64
  %py = getelementptr float, ptr %y, i64 %i64
  %po = getelementptr float, ptr %out, i64 %i64
  %a = load float, ptr %px
  %d = load float, ptr %py
  %v1 = call float @llvm.fma.f32(float %a, float %d, float %s)
  %v2 = fdiv float %v1, %d
  %v3 = call float @llvm.sqrt.f32(float %v2)
  %v4 = call float @llvm.minimum.f32(float %v3, float %a)
  %v5 = call float @llvm.maximum.f32(float %v4, float %d)
  %v6 = call float @llvm.minnum.f32(float %v5, float %s)
  %v7 = call float @llvm.fabs.f32(float %v6)
  %v8 = call float @llvm.copysign.f32(float %v7, float %a)
  %v9 = call float @llvm.rint.f32(float %v8)
  %v10 = call float @llvm.floor.f32(float %v9)
  %v11 = call float @llvm.trunc.f32(float %d)
  %v12 = fadd float %v10, %v11
  %v13 = fneg float %v12
  %v14 = fsub float %v13, %s
  %v15 = call float @llvm.roundeven.f32(float %v14)
  %rr = call float @llvm.round.f32(float %v15)
  %h = fptrunc float %rr to half
  %hf = fpext half %h to float
  %bf = fptrunc float %hf to bfloat
  %bff = fpext bfloat %bf to float
  %dbl = fpext float %bff to double
  %ce = call double @llvm.ceil.f64(double %dbl)
  %dd = fdiv double %ce, 3.0
  %df = fptrunc double %dd to float
  %i1 = call i32 @llvm.fptosi.sat.i32.f32(float %df)
  %i2 = call i8 @llvm.fptoui.sat.i8.f32(float %a)
  %i3 = call i64 @llvm.fptosi.sat.i64.f64(double %dd)
  %i2z = zext i8 %i2 to i32
  %i4 = add i32 %i1, %i2z
  %i5 = call i32 @llvm.ctpop.i32(i32 %i4)
  %i6 = call i32 @llvm.ctlz.i32(i32 %i4, i1 false)
  %i7 = call i32 @llvm.cttz.i32(i32 %i4, i1 false)
  %i8 = call i32 @llvm.bitreverse.i32(i32 %i4)
  %i9 = call i32 @llvm.bswap.i32(i32 %i8)
  %i10 = call i32 @llvm.fshl.i32(i32 %i9, i32 %i4, i32 %i)
  %i11 = xor i32 %i10, %i5
  %i12 = or i32 %i11, %i6
  %i13 = sub i32 %i12, %i7
  %i14 = call i32 @llvm.smax.i32(i32 %i13, i32 %i1)
  %t31 = and i32 %t, 31
  %i15 = ashr i32 %i14, %t31
  %i16 = lshr i32 %i15, 3
  %i17 = and i32 %i16, 255
  %tr = trunc i32 %i17 to i8
  %um = call i8 @llvm.umin.i8(i8 %tr, i8 %i2)
  %uz = sext i8 %um to i64
  %q = sdiv i64 %i3, 7
  %uzo = or i64 %uz, 1
  %q2 = udiv i64 %q, %uzo
  %i64o = or i64 %i64, 1
  %q3 = srem i64 %q2, %i64o
  %f3 = call i64 @llvm.fshl.i64(i64 %q3, i64 %q2, i64 13)
  %p3 = call i64 @llvm.ctpop.i64(i64 %f3)
  %z3 = call i64 @llvm.ctlz.i64(i64 %f3, i1 false)
  %p4 = add i64 %p3, %z3
  %ov = call {i32,i1} @llvm.sadd.with.overflow.i32(i32 %i14, i32 %i13)
  %ov1 = extractvalue {i32,i1} %ov, 1
  %mo = call {i64,i1} @llvm.umul.with.overflow.i64(i64 %q2, i64 %q)
  %mo1 = extractvalue {i64,i1} %mo, 1
  %bo = xor i1 %ov1, %mo1
  %sel = select i1 %bo, i64 %p4, i64 %q
  %w = mul i128 18446744073709551629, 3
  %wx = zext i64 %sel to i128
  %wa = add i128 %wx, %w
  %ws = lshr i128 %wa, 60
  %wt = trunc i128 %ws to i64
  %res = sitofp i64 %wt to float
  %res2 = uitofp i64 %sel to float
  %r3 = fmul float %res, %res2
  %cmp = fcmp uno float %r3, %a
  %cmp2 = fcmp olt float %r3, %d
  %cmp3 = fcmp une float %r3, %s
  %cc = or i1 %cmp, %cmp2
  %cd = and i1 %cc, %cmp3
  %r4 = select i1 %cd, float %r3, float 0x7FF8000000000000
  store float %r4, ptr %po
  br label %end
end:
  ret void
}

define ptx_kernel void @reduce(ptr noalias %x, ptr %out) "nvvm.reqntid"="256,1,1" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = mul i32 %b, 256
  %i = add i32 %m, %t
  %px = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %px
  %ps = getelementptr [256 x float], ptr addrspace(3) @sm, i32 0, i32 %t
  store float %v, ptr addrspace(3) %ps
  call void @llvm.nvvm.barrier0()
  br label %loop
loop:
  %s = phi i32 [128, %0], [%s2, %next]
  %c = icmp ult i32 %t, %s
  br i1 %c, label %add, label %next
add:
  %o = add i32 %t, %s
  %pq = getelementptr [256 x float], ptr addrspace(3) @sm, i32 0, i32 %o
  %l = load float, ptr addrspace(3) %ps
  %r = load float, ptr addrspace(3) %pq
  %a = fadd float %l, %r
  store float %a, ptr addrspace(3) %ps
  br label %next
next:
  call void @llvm.nvvm.barrier0()
  %s2 = lshr i32 %s, 1
  %d = icmp ne i32 %s2, 0
  br i1 %d, label %loop, label %done
done:
  %z = icmp eq i32 %t, 0
  br i1 %z, label %st, label %end
st:
  %f = load float, ptr addrspace(3) @sm
  %po = getelementptr float, ptr %out, i32 %b
  store float %f, ptr %po
  br label %end
end:
  ret void
}

define ptx_kernel void @locals(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = alloca [16 x i32], align 16
  br label %fill
fill:
  %k = phi i32 [0, %0], [%k2, %fill]
  %pk = getelementptr [16 x i32], ptr %p, i32 0, i32 %k
  %kv = mul i32 %k, %t
  store i32 %kv, ptr %pk
  %k2 = add i32 %k, 1
  %c = icmp slt i32 %k2, 16
  br i1 %c, label %fill, label %read
read:
  %idx = and i32 %n, 15
  %pi = getelementptr [16 x i32], ptr %p, i32 0, i32 %idx
  %v = load i32, ptr %pi
  %ti = and i32 %t, 3
  %pt = getelementptr [4 x float], ptr addrspace(4) @tab, i32 0, i32 %ti
  %tv = load float, ptr addrspace(4) %pt
  %tvi = fptosi float %tv to i32
  %old = atomicrmw min ptr addrspace(1) @g, i32 %tvi monotonic
  %sum = add i32 %v, %tvi
  %po = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %po
  ret void
}

define ptx_kernel void @sw(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %t, label %def [ i32 0, label %a0
    i32 1, label %a1
    i32 2, label %a2
    i32 3, label %a3
    i32 4, label %a4
    i32 5, label %a5 ]
a0: br label %def
a1: %x1 = mul i32 %n, 7
 br label %def
a2: %x2 = mul i32 %n, %n
 br label %def
a3: %x3 = add i32 %n, 11
 br label %def
a4: %x4 = xor i32 %n, 1234
 br label %def
a5: %x5 = sdiv i32 %n, 3
 br label %def
def:
  %r = phi i32 [0, %0], [5, %a0], [%x1, %a1], [%x2, %a2], [%x3, %a3], [%x4, %a4], [%x5, %a5]
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %r, i32 1, i32 31)
  %po = getelementptr i32, ptr %out, i32 %t
  store i32 %s, ptr %po
  ret void
}
define ptx_kernel void @vec(ptr noalias align 16 %x, ptr align 16 %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr <4 x float>, ptr %x, i32 %t
  %v = load <4 x float>, ptr %px, align 16
  %e = extractelement <4 x float> %v, i32 1
  %w = fadd <4 x float> %v, %v
  %w2 = insertelement <4 x float> %w, float %e, i32 0
  %po = getelementptr <4 x float>, ptr %out, i32 %t
  store <4 x float> %w2, ptr %po, align 16
  %pb = getelementptr i8, ptr %x, i32 %t
  %b = load i8, ptr %pb
  %pdy = getelementptr [0 x float], ptr addrspace(3) @dyn, i32 0, i32 %t
  %bs = sitofp i8 %b to float
  store float %bs, ptr addrspace(3) %pdy
  %h = bitcast float %bs to <2 x half>
  %h0 = extractelement <2 x half> %h, i32 1
  %hf = fpext half %h0 to float
  %pob = getelementptr float, ptr %out, i32 1000
  store float %hf, ptr %pob
  ret void
}

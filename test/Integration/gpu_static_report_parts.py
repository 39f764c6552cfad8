"""The parts of benchmarks/gpu_static_report.py that need no tool of NVIDIA's."""

import sys

sys.path.insert(0, sys.argv[1])
import gpu_static_report as report
import ptx_accesses
from gpu_generations import GENERATIONS

PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'product' for 'sm_80'
ptxas info    : Function properties for product
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers, 49152 bytes smem, 400 bytes cmem[0]
ptxas info    : Compiling entry function 'other' for 'sm_80'
ptxas info    : Function properties for other
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 20 registers, used 0 barriers, 400 bytes cmem[0]
"""
CODE = """//--------------------- .text.product    --------------------------
\t.section\t.text.product,"ax",@progbits
.text.product:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   IADD3 R2, R2, 0x1, RZ ;
.L_x_0:
        /*0020*/                   LDS.128 R4, [R2] ;
        /*0030*/                   LDGSTS.E.BYPASS.128 [R8], [R10.64] ;
        /*0040*/                   FFMA R4, R5, R6, R4 ;
        /*0050*/               @P1 FFMA R5, R5, R6, R5 ;
        /*0060*/                   FFMA2 R6, R5, R6, R6 ;
        /*0070*/                   NOP ;
        /*0080*/              @!P0 BRA `(.L_x_0) ;
        /*0090*/               @P1 BRA `(.L_x_1) ;
        /*00a0*/                   EXIT ;
.L_x_2:
        /*00b0*/                   BRA `(.L_x_2);
"""
PTX = ".visible .entry product(.param .u64 a)\n.reqntid 16, 16, 1\n.minnctapersm 2\n{\n}\n.visible .entry other()\n{\n}\n"


def check(got, wanted):
    if got != wanted:
        sys.exit(f"got {got}, wanted {wanted}")


check(sorted(report.LIMITS), GENERATIONS)

kernels = report.read_figures(PTXAS)
report.read_code(CODE, kernels)
report.read_blocks(PTX, kernels)
product = kernels["product"]
check((product.registers, product.spills, product.stack, product.shared, product.block), (128, 12, 16, 49152, 256))
check((kernels["other"].registers, kernels["other"].shared, kernels["other"].block), (20, 0, None))
# The inner of the two loops; a branch to itself at the end is not one.
check(len(product.loops()), 2)
mix = product.hottest()
check((mix.issued, mix.fma, round(mix.share, 4)), (6, 4, 0.6667))
check((dict(mix.shared_loads), dict(mix.copies)), ({"128": 1}, {"128": 1}))
# 65536 registers hold two blocks of 256 threads with 128 each.
check(product.occupancy(), (2, 0.25))

# A memory-bound launch takes its bytes' time. Any other takes its operations' time at the share of the issue slots, of
# which an A100 has two for each f32 lane.
a100, h100 = report.GPUS[0], report.GPUS[1]
check(report.lower_bound(a100, None, 1000, 0, 2039e9), 1.0)
check(round(report.lower_bound(a100, product, 108, 19.5e12, 0), 6), 1.0)
check(round(report.lower_bound(h100, product, 132, 67e12, 0), 6), 1.5)
check(round(report.lower_bound(h100, product, 198, 67e12, 0), 6), 2.0)

# A loop of matrix instructions takes their rate: with all of the issue slots the peak, with few of them less. An A100's
# quarter of a multiprocessor begins one in 8 clocks.
def loop_of(imma, others):
    return report.Mix([("IMMA.16832.S8.S8", "")] * imma + [("IADD3", "")] * others, True)


check(round(report.peak(a100, loop_of(1, 1)) / 1e12), 624)
check(round(report.peak(a100, loop_of(1, 15)) / 1e12), 312)

# Of four parameters the first launch loads one and adds to another; the second cannot be told.
ACCESSES = """.visible .entry first(
	.param .u64 .ptr .align 16 first_param_0,
	.param .u64 .ptr .align 16 first_param_1,
	.param .u64 .ptr .align 16 first_param_2,
	.param .u64 .ptr .align 16 first_param_3
)
{
	ld.param.b64 	%rd1, [first_param_0];
	ld.param.b64 	%rd2, [first_param_2+0];
	ld.param.b64 	%rd8, [first_param_3];
	cvta.to.global.u64 	%rd3, %rd1;
$L__BB0_1:
	mov.b64 	%rd5, %rd4;
	add.s64 	%rd4, %rd3, 16;
	ld.global.nc.v2.b32 	{%r1, %r2}, [%rd5+8];
	cvt.u64.u32 	%rd6, %r1;
	add.s64 	%rd7, %rd2, %rd6;
	@%p1 bra 	$L__BB0_1;
	cp.async.cg.shared.global [%r2], [%rd8+16], 16;
	cp.async.commit_group;
	ld.shared.b32 	%r3, [%rd1];
	st.global.b32 	[%rd7], %r3;
	atom.global.min.u64 	%rd9, [%rd7], %rd1;
}
.visible .entry second(.param .u64 second_param_0)
{
	ld.param.b64 	%rd1, [second_param_0];
	ld.global.b64 	%rd2, [%rd1];
	st.global.b32 	[%rd2], %r1;
}
"""
accesses = ptx_accesses.accesses_of(ACCESSES)
check(accesses, {"first": ({0, 2, 3}, {2}), "second": None})
buffers = [{"bytes": str(size)} for size in (1, 10, 100, 1000, 10000)]
launch = {"buffers": [1, 2, 3, 4]}
check(report.bytes_of(launch, buffers, accesses["first"]), 10 + 1000 + 10000 + 1000)
check(report.bytes_of(launch, buffers, accesses["second"]), 11110)

#!/usr/bin/env python3
"""What can be said of the speed of PTX without a GPU: gpu_static_report.py [options] FILE.ptx...

Each text is assembled by ptxas for its own target (or --sm), disassembled by
nvdisasm, and the hottest loop of each kernel is looked at: the innermost one
with the most fused multiply-adds. With the launch plan that gensyn-translate
writes beside the PTX (--plan) it also prints a lower bound of the time of each
launch on several GPUs, from their published peak rates.

nvdisasm comes with the CUDA toolkit, and with the wheel of `triton`. It is only
for our own code: never point it at NVIDIA's libraries.
"""

import argparse
import collections
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import ptx_accesses

# Limits of a streaming multiprocessor, by compute capability (CUDA C++ Programming Guide, table of technical
# specifications): warps, blocks, KiB of shared memory, of which a block may have all but `reserved`, and f32 lanes.
Limits = collections.namedtuple("Limits", "warps blocks shared reserved lanes")
LIMITS = {
    75: Limits(32, 16, 64, 0, 64),
    80: Limits(64, 32, 164, 1, 64),
    86: Limits(48, 16, 100, 1, 128),
    89: Limits(48, 24, 100, 1, 128),
    90: Limits(64, 32, 228, 1, 128),
    100: Limits(64, 32, 228, 1, 128),
    103: Limits(64, 32, 228, 1, 128),
    110: Limits(48, 24, 228, 1, 128),
    120: Limits(48, 24, 100, 1, 128),
    121: Limits(48, 24, 100, 1, 128),
}
REGISTERS = 65536  # of a multiprocessor; warps get multiples of 256
SCHEDULERS = 4  # each issues an instruction of a warp a clock

# Published peaks: f32 and f64 without tensor cores in Tflop/s, memory in GB/s. And 8-bit integers by `mma.sync`, in T/s:
# the dense peak of an A100 and an RTX 4090. A newer GPU's is reached by other instructions alone; that an H100 does 62 %
# of it (1979) by mma.sync, and a B200 as much per multiprocessor and clock, are assumptions.
Gpu = collections.namedtuple("Gpu", "name sm processors f32 f64 bandwidth int8 source")
GPUS = [
    Gpu("A100 SXM 80 GB", 80, 108, 19.5, 9.7, 2039, 624, "NVIDIA A100 datasheet"),
    Gpu("H100 SXM", 90, 132, 67, 34, 3350, 1227, "NVIDIA H100 datasheet"),
    Gpu("H200 SXM", 90, 132, 67, 34, 4800, 1227, "NVIDIA H200 datasheet"),
    Gpu("RTX 4090", 89, 128, 82.6, 1.29, 1008, 660.6, "NVIDIA Ada architecture whitepaper"),
    Gpu("B200 (HGX)", 100, 148, 80, 40, 8000, 1465, "NVIDIA Blackwell datasheet"),
]
PRODUCTS = 4096  # of an IMMA of 16 x 8 results and 32 points

ENTRY = re.compile(r"ptxas info\s*: Compiling entry function '([^']+)' for 'sm_(\d+)\w?'")
SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
SMEM = re.compile(r"(\d+) bytes smem")
INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)([^;]*);?")
LABEL = re.compile(r"^(\.L_\w+):")
TARGET = re.compile(r"`\((\.L_\w+)\)")


def find_nvdisasm():
    """In the path, in the toolkit, or in the triton wheel of this Python."""
    for path in (os.environ.get("NVDISASM"), shutil.which("nvdisasm"), "/usr/local/cuda/bin/nvdisasm"):
        if path and os.path.exists(path):
            return path
    for folder in sys.path:
        path = os.path.join(folder, "triton", "backends", "nvidia", "bin", "nvdisasm")
        if os.path.exists(path):
            return path
    return None


class Kernel:
    """A kernel as the assembler made it for one target."""

    def __init__(self, name, sm):
        self.name, self.sm = name, sm
        self.registers = self.shared = self.stack = 0
        self.spill_stores = self.spill_loads = 0
        self.block = None  # threads
        self.code = []  # (opcode, operands)
        self.labels = {}
        self.dynamic_shared = 0

    @property
    def spills(self):
        return self.spill_stores + self.spill_loads

    def loops(self):
        """Ranges [first, last] of instructions that a backward branch closes."""
        found = set()
        for i, (opcode, operands) in enumerate(self.code):
            target = TARGET.search(operands)
            if opcode.startswith("BRA") and target:
                first = self.labels.get(target.group(1), len(self.code))
                if first < i:
                    found.add((first, i))
        return sorted(found)

    def hottest(self):
        """The instructions of the hottest loop, or of all where there is none."""
        loops = self.loops()
        inner = [a for a in loops
                 if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
        bodies = [self.code[first:last + 1] for first, last in inner] or [self.code]
        return Mix(max(bodies, key=lambda body: (Mix(body).fma, len(body))), bool(inner))

    def occupancy(self):
        """Blocks and part of the warps of a multiprocessor that fit."""
        if not self.block:
            return None
        limits = LIMITS[self.sm]
        warps = math.ceil(self.block / 32)
        by_registers = REGISTERS // (math.ceil(self.registers * 32 / 256) * 256 * warps) if self.registers else 99
        shared = self.shared + self.dynamic_shared + 1024 * limits.reserved
        by_shared = limits.shared * 1024 // shared if self.shared + self.dynamic_shared else 99
        blocks = min(limits.blocks, limits.warps // warps, by_registers, by_shared)
        return blocks, blocks * warps / limits.warps


class Mix:
    """What a stretch of code consists of."""

    def __init__(self, code, is_loop=False):
        self.is_loop = is_loop
        self.issued = sum(opcode != "NOP" for opcode, _ in code)
        self.counts = collections.Counter(opcode.split(".")[0] for opcode, _ in code)
        self.ffma2 = self.counts["FFMA2"]
        self.imma = self.counts["IMMA"]
        self.fma = self.counts["FFMA"] + 2 * self.ffma2 + self.imma
        self.shared_loads = self.widths(code, "LDS")
        self.matrix_loads = collections.Counter({"4": self.counts["LDSM"]} if self.counts["LDSM"] else {})
        self.global_loads = self.widths(code, "LDG")
        self.copies = self.widths(code, "LDGSTS")
        self.stores = self.widths(code, "STG")
        self.local = self.counts["LDL"] + self.counts["STL"]

    @staticmethod
    def widths(code, base):
        counts = collections.Counter()
        for opcode, _ in code:
            parts = opcode.split(".")
            if parts[0] == base:
                width = next((part for part in parts if part in ("64", "128", "256", "U8", "S8", "U16", "S16")), "32")
                counts[width.strip("US")] += 1
        return counts

    @property
    def share(self):
        """Fused multiply-adds an issued instruction; a packed one counts as two, one of a matrix unit as one."""
        return self.fma / self.issued if self.issued else 0.0


def assemble(path, ptxas, sm):
    """The cubin's path and ptxas' kernels."""
    cubin = tempfile.NamedTemporaryFile(suffix=".cubin", delete=False).name
    done = subprocess.run([ptxas, f"-arch=sm_{sm}", "-v", path, "-o", cubin], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: ptxas for sm_{sm} failed:\n{done.stderr}")
    return cubin, read_figures(done.stderr + done.stdout)


def read_figures(text):
    """The kernels of `ptxas -v`, by name."""
    kernels, kernel = {}, None
    for line in text.splitlines():
        if match := ENTRY.search(line):
            kernel = kernels[match.group(1)] = Kernel(match.group(1), int(match.group(2)))
        elif kernel and (match := SPILLS.search(line)):
            kernel.stack, kernel.spill_stores, kernel.spill_loads = map(int, match.groups())
        elif kernel and (match := USED.search(line)):
            kernel.registers = int(match.group(1))
            if match := SMEM.search(line):
                kernel.shared = int(match.group(1))
    return kernels


def read_code(text, kernels):
    """Adds the instructions of a disassembly to the kernels."""
    kernel = None
    for line in text.splitlines():
        if line.startswith("\t.section\t") or line.startswith(".section"):
            match = re.search(r"\.text\.([\w$]+)", line)
            kernel = kernels.get(match.group(1)) if match else None
        elif kernel is None:
            continue
        elif match := LABEL.match(line):
            kernel.labels[match.group(1)] = len(kernel.code)
        elif match := INSTRUCTION.match(line):
            kernel.code.append((match.group(2), match.group(3)))


def read_blocks(text, kernels):
    """Adds the block sizes that a PTX text states."""
    for part in re.split(r"\.entry\s+", text)[1:]:
        name = re.match(r"[\w$]+", part).group(0)
        match = re.search(r"\.(?:reqntid|maxntid)\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?", part.split("{")[0])
        if match and name in kernels:
            kernels[name].block = math.prod(int(each) for each in match.groups() if each)


def load(path, options):
    """The kernels of a PTX file for its target."""
    with open(path) as file:
        text = file.read()
    targets = options.sm or [int(re.search(r"^\.target\s+sm_(\d+)", text, re.M).group(1))]
    result = []
    for sm in targets:
        cubin, kernels = assemble(path, options.ptxas, sm)
        try:
            if options.nvdisasm:
                done = subprocess.run([options.nvdisasm, "-c", cubin], capture_output=True, text=True, check=True)
                read_code(done.stdout, kernels)
        finally:
            os.unlink(cubin)
        read_blocks(text, kernels)
        result += kernels.values()
    return result


def widths_text(*groups):
    """"64 LDS.128, 4 LDGSTS.128"."""
    return ", ".join(f"{count} {name}.{width}" for name, counter in groups
                     for width, count in sorted(counter.items(), key=lambda item: -int(item[0]))) or "-"


def table(rows, header):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def print_kernels(kernels, options):
    rows = []
    for kernel in kernels:
        occupancy = kernel.occupancy()
        places = f"{occupancy[0]} ({occupancy[1]:.0%})" if occupancy else "-"
        row = [f"`{kernel.name}`", f"sm_{kernel.sm}", kernel.registers, kernel.spills,
               f"{(kernel.shared + kernel.dynamic_shared) / 1024:g}", places]
        if kernel.code:
            mix = kernel.hottest()
            loads = sum(mix.shared_loads.values())
            row += [f"{'loop' if mix.is_loop else 'all'} of {mix.issued}", mix.fma, f"{mix.share:.1%}" if mix.fma else "-",
                    f"{loads / mix.fma:.3f}" if mix.fma else "-",
                    (f"{mix.local} local, " if mix.local else "") + widths_text(("LDS", mix.shared_loads), ("LDSM", mix.matrix_loads), ("LDGSTS", mix.copies), ("LDG", mix.global_loads),
                                ("STG", mix.stores))]
        rows.append(row)
    header = ["kernel", "target", "registers", "spilled bytes", "shared KiB", "blocks/SM (warps)"]
    if options.nvdisasm:
        header += ["hottest code", "FMA", "FMA share", "LDS per FMA", "accesses"]
    table(rows, header)


def bytes_of(launch, buffers, accesses):
    """The buffers that the launch's text loads from, and those that it stores to; all of them where no text tells."""
    numbers = launch["buffers"]
    if accesses is None:
        return sum(int(buffers[number]["bytes"]) for number in dict.fromkeys(numbers))
    return sum(int(buffers[number]["bytes"]) for touched in accesses
               for number in dict.fromkeys(numbers[parameter] for parameter in sorted(touched)))


def launches_of(plan, work, accesses):
    """(kernel, blocks, threads, dynamic shared, flops or None, bytes, operation) of each launch, by kernel. Bytes are
    those of the buffers that it loads from, and of those that it stores to."""
    for launch in plan["launches"]:
        known = work.get(launch["kernel"], launch)
        touched = bytes_of(launch, plan["buffers"], accesses.get(launch["kernel"]))
        if "bytes_read" in known:
            touched = int(known["bytes_read"]) + int(known["bytes_written"])
        flops = known.get("flops")
        yield (launch["kernel"], math.prod(launch.get("grid", [1])), math.prod(launch.get("block", [1])),
               int(launch.get("shared_bytes", 0)), None if flops is None else int(flops), touched,
               launch.get("operation", ""))


def peak(gpu, mix):
    """Operations in a second, at most, of a loop that multiplies: the rate of f32 or of matrix units, where the share of
    such instructions among the issued ones allows it."""
    if not mix.imma:
        return gpu.f32 * 1e12 * min(1.0, mix.share * SCHEDULERS * 32 / LIMITS[gpu.sm].lanes)
    clock = gpu.f32 * 1e12 / (2 * LIMITS[gpu.sm].lanes * gpu.processors)
    taken = 2 * PRODUCTS * gpu.processors * SCHEDULERS * clock / (gpu.int8 * 1e12)  # clocks of an instruction
    return gpu.int8 * 1e12 * min(1.0, mix.imma / mix.issued * taken)


def lower_bound(gpu, kernel, blocks, flops, touched):
    """Seconds: of memory and of arithmetic, the longer one. Arithmetic runs at
    the peak of f32; where a loop consists of multiply-adds or matrix
    instructions above all, at the rate that their share of the issue slots
    allows, on as many multiprocessors as the grid fills."""
    memory = touched / (gpu.bandwidth * 1e9)
    if not flops:
        return memory
    mix = kernel.hottest() if kernel and kernel.code else None
    if mix is None or not mix.is_loop or (mix.share < 0.4 and not mix.imma):
        return max(memory, flops / (gpu.f32 * 1e12))
    turns = blocks / gpu.processors
    filled = turns / math.ceil(turns)
    return max(memory, flops / (peak(gpu, mix) * filled))


def print_launches(kernels, plan, work, accesses, top):
    by_name = {}
    for kernel in kernels:
        by_name.setdefault(kernel.name, {})[kernel.sm] = kernel
    rows, totals, moved = [], [0.0] * len(GPUS), 0
    for name, blocks, _, _, flops, touched, operation in launches_of(plan, work, accesses):
        times = []
        moved += touched
        for gpu in GPUS:
            versions = by_name.get(name, {})
            kernel = versions.get(gpu.sm) or next(iter(versions.values()), None)
            times.append(lower_bound(gpu, kernel, blocks, flops, touched))
        totals = [total + each for total, each in zip(totals, times)]
        rows.append([times[0], f"`{name}`", operation, blocks, "-" if flops is None else f"{flops / 1e6:.3f}",
                     f"{touched / 1e6:.3f}"] + [f"{each * 1e6:.2f}" for each in times])
    count = len(rows)
    rows = [row[1:] for row in sorted(rows, key=lambda row: -row[0])[:top]]
    rows.append([f"all {count} launches", "", "", "", f"{moved / 1e6:.1f}"] + [f"{each * 1e6:.1f}" for each in totals])
    print("Lower bounds of time in microseconds, the longest launches first; starting a kernel is not in them.\n")
    table(rows, ["kernel", "node", "blocks", "Mflop", "MB"] + [gpu.name for gpu in GPUS])


def read_work(path):
    """Kernel names to {"flops", "bytes_read", "bytes_written"}: a kernel report, or a list of its objects."""
    with open(path) as file:
        report = json.load(file)
    return {each["name"]: each for each in (report if isinstance(report, list) else report["kernels"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="PTX texts of one program, one a target")
    parser.add_argument("--plan", help="the launch plan of the program (JSON)")
    parser.add_argument("--work", help="flops and bytes of the kernels (JSON), where the plan lacks them")
    parser.add_argument("--sm", type=int, action="append", help="assemble for this target instead of the text's own")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
    parser.add_argument("--nvdisasm", default=find_nvdisasm(), help="none: registers and spills only")
    parser.add_argument("--kernels", default="", help="only kernels whose name matches this expression")
    parser.add_argument("--top", type=int, default=20, help="launches to list")
    parser.add_argument("--no-spills", metavar="EXPRESSION",
                        help="fail where a kernel whose name matches uses local memory")
    parser.add_argument("--share", type=float, help="fail where a loop with at least 64 FMA has a smaller share")
    options = parser.parse_args()
    if options.nvdisasm == "none":
        options.nvdisasm = None

    kernels = [kernel for path in options.files for kernel in load(path, options)]
    accesses = {}
    for path in options.files if options.plan else []:
        with open(path) as file:
            accesses |= ptx_accesses.accesses_of(file.read())
    plan = None
    if options.plan:
        with open(options.plan) as file:
            plan = json.load(file)
        for name, _, threads, dynamic, *_ in launches_of(plan, {}, {}):
            for kernel in kernels:
                if kernel.name == name:
                    kernel.block = kernel.block or threads
                    kernel.dynamic_shared = max(kernel.dynamic_shared, dynamic)
    kernels = [kernel for kernel in kernels if re.search(options.kernels, kernel.name)]
    print_kernels(kernels, options)
    if plan:
        print_launches(kernels, plan, read_work(options.work) if options.work else {}, accesses, options.top)

    failures = []
    for kernel in kernels:
        if options.no_spills is not None and re.search(options.no_spills, kernel.name) and (kernel.spills or kernel.stack):
            failures.append(f"{kernel.name} on sm_{kernel.sm}: {kernel.spills} bytes spilled, "
                            f"{kernel.stack} bytes of stack")
        if options.share and kernel.code and kernel.hottest().fma >= 64 and kernel.hottest().share < options.share:
            failures.append(f"{kernel.name} on sm_{kernel.sm}: FMA share {kernel.hottest().share:.3f}")
    for failure in failures:
        print(f"gpu_static_report: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

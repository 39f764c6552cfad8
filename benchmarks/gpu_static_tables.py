#!/usr/bin/env python3
"""The tables of docs/Performance.md on GPU kernels: gpu_static_tables.py BUILD FOLDER.

Makes PTX of the models of gpu_main_models.py and of two training steps for every
GPU generation with BUILD/bin/gensyn-translate, keeps it in FOLDER, and prints what
gpu_static_report.py finds. Needs onnx, ptxas and nvdisasm; the repository is the
working directory.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import gpu_static_report as report
import ptx_accesses

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test/Integration"))
from gpu_generations import GENERATIONS
CASE = Path("test/Inputs/cases/gpt2-tiny-dynamo")


def translate(build, model, stem, arguments):
    """The PTX files of every target; the plan of each lies beside it."""
    files = {}
    for sm in GENERATIONS:
        files[sm] = f"{stem}.sm_{sm}.ptx"
        subprocess.run([f"{build}/bin/gensyn-translate", "--onnx-to-ptx", f"--sm={sm}", *arguments, str(model),
                        "-o", files[sm], f"--plan={stem}.sm_{sm}.json"], check=True)
    return files


class Program:
    """What is known of a program's kernels and launches on every target."""

    def __init__(self, name, files, options):
        self.name, self.kernels, self.launches = name, {}, {}
        for sm, path in files.items():
            self.kernels[sm] = {kernel.name: kernel for kernel in report.load(path, options)}
            plan = json.loads(Path(path).with_suffix(".json").read_text())
            accesses = ptx_accesses.accesses_of(Path(path).read_text())
            self.launches[sm] = list(report.launches_of(plan, {}, accesses))
            for kernel, _, threads, dynamic, *_ in self.launches[sm]:
                known = self.kernels[sm][kernel]
                known.block = known.block or threads
                known.dynamic_shared = max(known.dynamic_shared, dynamic)

    def hottest(self, sm):
        """The kernel with the most work."""
        name = max(self.launches[sm], key=lambda launch: (launch[4] or 0, launch[5]))[0]
        return self.kernels[sm][name]

    def spills(self):
        return sum(kernel.spills for kernels in self.kernels.values() for kernel in kernels.values())

    def bound(self, gpu):
        """Seconds: of all launches one after the other."""
        return sum(report.lower_bound(gpu, self.kernels[gpu.sm][kernel], blocks, flops, touched)
                   for kernel, blocks, _, _, flops, touched, _ in self.launches[gpu.sm])


def share_cell(kernel):
    mix = kernel.hottest()
    occupancy = kernel.occupancy()
    return f"{mix.share:.1%}, {kernel.registers}, {occupancy[0] if occupancy else '-'}"


def print_contractions(programs):
    print("Share of fused multiply-adds in the hottest loop, registers of a thread, blocks a multiprocessor:\n")
    report.table([[program.name] + [share_cell(program.hottest(sm)) for sm in GENERATIONS] + [program.spills()]
                  for program in programs], ["model"] + [f"sm_{sm}" for sm in GENERATIONS] + ["spilled bytes, all targets"])


def print_others(programs, sm):
    rows = []
    for program in programs:
        for kernel in program.kernels[sm].values():
            mix = report.Mix(kernel.code)
            occupancy = kernel.occupancy()
            rows.append([program.name, f"`{kernel.name.rsplit('_', 1)[0]}`", kernel.registers,
                         f"{occupancy[1]:.0%}" if occupancy else "-", mix.issued, f"{kernel.shared / 1024:g}",
                         report.widths_text(("LDG", mix.global_loads), ("LDS", mix.shared_loads), ("STG", mix.stores))])
    report.table(rows, ["model", "kernel", "registers", "warps", "instructions", "shared KiB", "accesses"])


def print_bounds(programs):
    rows = []
    for program in programs:
        launches = program.launches[90]
        flops = sum(launch[4] or 0 for launch in launches)
        touched = sum(launch[5] for launch in launches)
        rows.append([program.name, len(launches), f"{flops / 1e6:,.1f}", f"{touched / 1e6:,.2f}"] +
                    [f"{program.bound(gpu) * 1e6:,.1f}" for gpu in report.GPUS])
    report.table(rows, ["model", "launches (sm_90)", "Mflop", "MB"] + [f"{gpu.name}, us" for gpu in report.GPUS])


def print_largest(program, sm, count):
    rows = []
    gpu = next(gpu for gpu in report.GPUS if gpu.sm == sm)
    for name, blocks, threads, _, flops, touched, node in program.launches[sm]:
        kernel = program.kernels[sm][name]
        seconds = report.lower_bound(gpu, kernel, blocks, flops, touched)
        rows.append((seconds, [f"`{name.rsplit('_', 1)[0]}`", node, blocks, threads, f"{(flops or 0) / 1e6:.3f}",
                               f"{touched / 1e6:.3f}", kernel.registers, kernel.spills, f"{seconds * 1e6:.2f}"]))
    rows.sort(key=lambda row: -row[0])
    report.table([row for _, row in rows[:count]],
                 ["kernel", "node", "blocks", "threads", "Mflop", "MB", "registers", "spilled", f"{gpu.name}, us"])


def main():
    build, folder = Path(sys.argv[1]), Path(sys.argv[2])
    here = Path(__file__).parent
    names = subprocess.run([sys.executable, here / "gpu_main_models.py", folder], capture_output=True, text=True,
                           check=True).stdout.split()
    options = SimpleNamespace(sm=None, ptxas=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas",
                              nvdisasm=report.find_nvdisasm())
    if not options.nvdisasm:
        sys.exit("no nvdisasm: set NVDISASM, or install the CUDA toolkit or the wheel of triton")
    programs = [Program(name, translate(build, folder / f"{name}.onnx", folder / name, ["--kind=infer"]), options)
                for name in names]
    contractions = [program for program in programs
                    if any(kernel.hottest().fma >= 64 and kernel.hottest().is_loop
                           for kernel in program.kernels[80].values())]
    others = [program for program in programs if program not in contractions]

    facts = json.loads((CASE / "case.json").read_text())
    recipe = folder / "gpt2.json"
    recipe.write_text(json.dumps({key: facts[key] for key in ("loss", "optimizer")}))
    dims = [f"--dim={name}={value}" for name, value in facts["dims"].items()]
    steps = [
        Program("LeNet, batch 30", translate(build, "examples/digits/lenet.onnx", folder / "lenet", [
            "--kind=train", "--recipe=examples/digits/recipe.json", "--batch-size=30"]), options),
        Program("GPT-2, 2 layers of 64, batch 4 of 24", translate(build, CASE / "model.onnx", folder / "gpt2", [
            "--kind=train", f"--recipe={recipe}", *dims]), options)]

    print_contractions(contractions)
    for sm in (80, 89):
        print(f"Everything else on sm_{sm}, whole kernels:\n")
        print_others(others, sm)
    print("Lower bounds:\n")
    print_bounds(programs)
    print("Training steps:\n")
    print_bounds(steps)
    for step in steps:
        registers = max(kernel.registers for kernels in step.kernels.values() for kernel in kernels.values())
        print(f"{step.name}: at most {registers} registers, {step.spills()} bytes spilled on all targets together; "
              "the longest launches:\n")
        print_largest(step, 90, 6)
    for program in programs + steps:
        for sm, kernels in program.kernels.items():
            for kernel in kernels.values():
                if kernel.spills:
                    print(f"spills: {program.name}: {kernel.name} on sm_{sm}: {kernel.spills} bytes, "
                          f"{kernel.hottest().local} accesses in the hottest loop")


if __name__ == "__main__":
    main()

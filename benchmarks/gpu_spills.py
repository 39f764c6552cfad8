#!/usr/bin/env python3
"""Which kernels the assembler runs out of registers for: gpu_spills.py BIN FOLDER [MODEL...].

BIN is the folder of gensyn-translate. Compiles models for every generation of GPUs,
assembles them with ptxas, and prints each kernel that uses local memory, with the
bytes of its stack, of spill stores and of spill loads; ends with 1 where there is
one. MODEL is an expression that the whole name of a model has to match; without
one, all of them:

  the models of gpu_main_models.py;
  CASE.infer, CASE.train   the test cases' programs (test/Inputs/cases, or --cases);
  the shapes below, e.g. gpt2-up-4096, by name and .infer or .grad: products of
  GPT-2 124M, convolutions of ResNet-50, attention, and sizes that fit no tile.

Needs the Python package onnx. All of it takes about half an hour on one core.
"""

import argparse
import concurrent.futures
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import onnx

import gpu_main_models as main_models
from gpu_static_report import read_figures

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test/Integration"))
from gpu_generations import GENERATIONS
MSE = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.1}}


def strided(batch, channels, size, filters, window, stride, pad):
    node = onnx.helper.make_node("Conv", ["x", "w"], ["y"], pads=[pad] * 4, kernel_shape=[window, window],
                                 strides=[stride, stride])
    return lambda: main_models.model({"x": (batch, channels, size, size), "w": (filters, channels, window, window)},
                                     [node], "y")


def shapes():
    """Names to functions that make a model of inputs alone."""
    found = {}
    # M of the products of GPT-2 124M: batch times positions.
    for m in (1024, 4096, 8192):
        for name, n, k in (("qkv", 2304, 768), ("out", 768, 768), ("up", 3072, 768), ("down", 768, 3072)):
            found[f"gpt2-{name}-{m}"] = main_models.product(m, n, k)
            found[f"gpt2-{name}-at-{m}"] = main_models.product(n, k, m, transA=1)
            found[f"gpt2-{name}-bt-{m}"] = main_models.product(m, k, n, transB=1)
        found[f"gpt2-logits-{m}"] = main_models.product(m, 50257, 768, transB=1)
        found[f"gpt2-logits-data-{m}"] = main_models.product(m, 768, 50257)
        found[f"gpt2-logits-at-{m}"] = main_models.product(50257, 768, m, transA=1)
    for heads, length in ((12, 1024), (96, 1024), (48, 256), (16, 64), (8, 24)):
        found[f"scores-{heads}-{length}"] = main_models.batched(heads, length, length, 64)
        found[f"values-{heads}-{length}"] = main_models.batched(heads, length, 64, length)
        found[f"narrow-{heads}-{length}"] = main_models.batched(heads, length, 16, length)
    for m, n, k in ((17, 33, 65), (100, 10, 784), (1000, 1000, 1000), (1, 1000, 2048), (2048, 1, 513), (511, 513, 257),
                    (30, 84, 120), (96, 65, 64), (3, 3000, 7), (4095, 4097, 1025), (64, 4096, 2500), (7, 5, 4096),
                    (300, 300, 5000), (128, 128, 100000)):
        found[f"odd-{m}x{n}x{k}"] = main_models.product(m, n, k)
        found[f"odd-at-{m}x{n}x{k}"] = main_models.product(m, n, k, transA=1)
        found[f"odd-bt-{m}x{n}x{k}"] = main_models.product(m, n, k, transB=1)
    for batch in (8, 32):
        found |= {f"{name}-{batch}": strided(batch, *shape) for name, shape in {
            "resnet-stem": (3, 224, 64, 7, 2, 3), "resnet-1x1-64": (64, 56, 256, 1, 1, 0),
            "resnet-3x3-64": (64, 56, 64, 3, 1, 1), "resnet-3x3-128s2": (128, 56, 128, 3, 2, 1),
            "resnet-1x1-512s2": (512, 28, 1024, 1, 2, 0), "resnet-3x3-256": (256, 14, 256, 3, 1, 1),
            "resnet-1x1-1024": (1024, 14, 256, 1, 1, 0), "resnet-3x3-512": (512, 7, 512, 3, 1, 1),
            "resnet-1x1-2048": (512, 7, 2048, 1, 1, 0)}.items()}
    found |= {f"odd-{name}": strided(*shape) for name, shape in {
        "conv5": (4, 3, 33, 7, 5, 1, 2), "conv3s3": (2, 5, 29, 11, 3, 3, 0), "conv2": (30, 6, 14, 16, 2, 2, 1)}.items()}
    return found


class Program:
    """A model and what is made of it."""

    def __init__(self, name, kind, make=None, path=None, recipe=None, dims=None):
        self.name, self.kind, self.make, self.path = name, kind, make, path
        self.recipe, self.dims = recipe, dims or {}

    def assemble(self, folder, sm, given):
        """(kernels, text of each that uses local memory)."""
        stem = folder / f"{self.name}.sm_{sm}"
        words = [f"--dim={name}={size}" for name, size in self.dims.items()]
        if self.recipe:
            words.append(f"--recipe={folder / self.name}.json")
        ptx = f"{stem}.ptx"
        subprocess.run([Path(given.bin) / "gensyn-translate", "--onnx-to-ptx", f"--kind={self.kind}", f"--sm={sm}", *words,
                        str(self.path), "-o", ptx], check=True)
        done = subprocess.run([given.ptxas, f"-arch=sm_{sm}", "-v", ptx, "-o", "/dev/null"], capture_output=True,
                              text=True)
        if done.returncode:
            sys.exit(f"{ptx}: ptxas failed:\n{done.stderr}")
        kernels = read_figures(done.stderr + done.stdout)
        lines = [f"{self.name} sm_{sm} {kernel.name}: {kernel.registers} registers, {kernel.stack} bytes of stack, "
                 f"{kernel.spill_stores} stored, {kernel.spill_loads} loaded"
                 for kernel in kernels.values() if kernel.stack or kernel.spills]
        if not lines and not given.keep:
            Path(ptx).unlink()
        return len(kernels), lines

    def prepare(self, folder):
        if self.make:
            self.path = folder / f"{self.name}.onnx"
            onnx.save(self.make(), self.path)
        if self.recipe:
            (folder / f"{self.name}.json").write_text(json.dumps(self.recipe))


def programs(cases):
    for name, make in main_models.MODELS.items():
        yield Program(name, "infer", make)
    for name, make in shapes().items():
        yield Program(f"{name}.infer", "infer", make)
        if "conv" in name or "resnet" in name:
            yield Program(f"{name}.grad", "grad", make, recipe=MSE)
    for facts_path in sorted(cases.glob("*/case.json")):
        facts = json.loads(facts_path.read_text())
        model, dims = facts_path.parent / "model.onnx", facts.get("dims", {})
        recipe = {key: facts[key] for key in ("loss", "optimizer", "frozen") if facts.get(key)}
        yield Program(f"{facts['name']}.infer", "infer", path=model, dims=dims)
        if "optimizer" in recipe:
            yield Program(f"{facts['name']}.train", "train", path=model, dims=dims, recipe=recipe)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--cases", type=Path, default=Path(__file__).parent.parent / "test" / "Inputs" / "cases")
    parser.add_argument("--sm", type=int, action="append", help="only this generation")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep every PTX text, not only those that spill")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    wanted = [program for program in programs(given.cases)
              if not given.models or any(re.fullmatch(model, program.name) for model in given.models)]
    for program in wanted:
        program.prepare(given.folder)
    spilled = kernels = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        work = [pool.submit(program.assemble, given.folder, sm, given)
                for program in wanted for sm in given.sm or GENERATIONS]
        for one in work:
            count, lines = one.result()
            kernels += count
            spilled += len(lines)
            for line in lines:
                print(line, flush=True)
    print(f"{len(wanted)} programs, {kernels} kernels, {spilled} of which use local memory")
    return 1 if spilled else 0


if __name__ == "__main__":
    sys.exit(main())

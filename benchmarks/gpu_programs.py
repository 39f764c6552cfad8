#!/usr/bin/env python3
"""Makes the programs that gensyn-bench-gpu measures: gpu_programs.py BIN FOLDER [--tiny] [--generations 90,...].

BIN is the folder of gensyn-translate and gensyn-run. Writes a package (.gxe) per
case into FOLDER, with PTX for every generation of GPUs and code for CPUs, and
cases.json, which says what each is compared with; where nvcc is there, also the
loops on libdevice and the sums by CUB. --tiny: small sizes for one generation and
no CUB, to try the measurement itself. --generations: PTX for these only.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test/Integration"))
from gpu_generations import GENERATIONS
CPUS = ["cpu:x86-64", "cpu:x86-64-v3"]


def tensor(*shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + "f32>"


def module(inputs, outputs, *lines):
    """Text of a model: names and types of its inputs and outputs, and its nodes."""
    arguments = ", ".join(f'%{name}: {kind} {{gensyn.role = "input", onnx.name = "{name}"}}'
                          for name, kind in inputs.items())
    results = ", ".join(f'{kind} {{onnx.name = "{name}"}}' for name, kind in outputs.items())
    body = "\n    ".join([*lines, "return " + ", ".join(f"%{name}" for name in outputs)
                          + " : " + ", ".join(outputs.values())])
    return ('module attributes {onnx.graph_name = "bench", onnx.ir_version = 8 : i64, '
            'onnx.opsets = {ai.onnx = 17 : i64}} {\n'
            f"  func.func @main({arguments}) -> ({results}) {{\n    {body}\n  }}\n}}\n")


class Nodes:
    """Nodes of elementwise ops on tensors of one type, and numbers."""

    def __init__(self, kind):
        self.kind, self.lines, self.scalars = kind, [], set()

    def number(self, value):
        name = f"c{len(self.lines)}"
        self.lines.append(f"%{name} = onnx.Constant.v13() {{value_float = {value:.9e} : f32}} : () -> tensor<f32>")
        self.scalars.add(name)
        return name

    def add(self, op, *operands, name=None):
        name = name or f"v{len(self.lines)}"
        types = ", ".join("tensor<f32>" if each in self.scalars else self.kind for each in operands)
        self.lines.append(f"%{name} = onnx.{op}({', '.join('%' + each for each in operands)})"
                          f" : ({types}) -> {self.kind}")
        return name


def matmul(m, k, n):
    a, b, y = tensor(m, k), tensor(k, n), tensor(m, n)
    return module({"a": a, "b": b}, {"y": y}, f"%y = onnx.MatMul.v13(%a, %b) : ({a}, {b}) -> {y}")


def unary(op, count):
    kind = tensor(count)
    return module({"x": kind}, {"y": kind}, f"%y = onnx.{op}(%x) : ({kind}) -> {kind}")


def add_relu(count):
    kind = tensor(count)
    return module({"a": kind, "b": kind}, {"y": kind},
                  f"%s = onnx.Add.v14(%a, %b) : ({kind}, {kind}) -> {kind}",
                  f"%y = onnx.Relu.v14(%s) : ({kind}) -> {kind}")


def softmax(rows, columns):
    kind = tensor(rows, columns)
    return module({"x": kind}, {"y": kind}, f"%y = onnx.Softmax.v13(%x) {{axis = -1 : i64}} : ({kind}) -> {kind}")


def layer_norm(rows, columns):
    kind, row = tensor(rows, columns), tensor(columns)
    return module({"x": kind, "scale": row, "bias": row}, {"y": kind},
                  "%y = onnx.LayerNormalization.v17(%x, %scale, %bias) {axis = -1 : i64, epsilon = 1.0e-05 : f32}"
                  f" : ({kind}, {row}, {row}) -> {kind}")


def adamw(count):
    """The update of torch.optim.AdamW at some step: what it reads and writes is all that matters."""
    kind = tensor(count)
    nodes = Nodes(kind)
    number, add = nodes.number, nodes.add
    add("Add.v14", add("Mul.v14", "m", number(0.9)), add("Mul.v14", "g", number(0.1)), name="m2")
    add("Add.v14", add("Mul.v14", "v", number(0.999)), add("Mul.v14", add("Mul.v14", "g", "g"), number(0.001)),
        name="v2")
    bottom = add("Add.v14", add("Sqrt.v13", add("Div.v14", "v2", number(0.5))), number(1e-8))
    step = add("Mul.v14", add("Div.v14", "m2", bottom), number(1e-3))
    add("Sub.v14", add("Mul.v14", "w", number(0.99999)), step, name="w2")
    return module({name: kind for name in "wgmv"}, {name: kind for name in ("w2", "m2", "v2")}, *nodes.lines)


def reduce(rows, columns):
    kind, result = tensor(rows, columns), tensor(rows)
    return module({"x": kind}, {"y": result},
                  "%axes = onnx.Constant.v13() {value_ints = array<i64: 1>} : () -> tensor<1xi64>",
                  f"%y = onnx.ReduceSum.v13(%x, %axes) {{keepdims = 0 : i64}} : ({kind}, tensor<1xi64>) -> {result}")


def cases(tiny):
    """Name, text, what it is compared with, its sizes."""
    products = [(n, n, n) for n in (1024, 2048, 4096, 8192)]
    # GPT-2 124M, 4 x 1024 tokens: attention's input and output, the two layers of the perceptron.
    products += [(4096, 768, 2304), (4096, 768, 768), (4096, 768, 3072), (4096, 3072, 768), (1024, 768, 50257)]
    rows, norms, count, sums = [(8192, 1024), (2048, 50257)], [(8192, 768), (8192, 4096)], 1 << 26, [(1, 1 << 26),
                                                                                                  (8192, 8192)]
    if tiny:
        products, rows, norms, count, sums = [(33, 20, 18)], [(3, 40)], [(3, 40)], 300, [(1, 3000), (3, 100)]
    for m, k, n in products:
        yield f"matmul {m}x{k}x{n}", matmul(m, k, n), "sgemm", {"m": m, "k": k, "n": n}, 0.90
    yield f"add and relu, {count}", add_relu(count), "copy", {}, 0.90
    for shape in rows:
        yield "softmax {}x{}".format(*shape), softmax(*shape), "copy", {}, 0.90
    for shape in norms:
        yield "layer norm {}x{}".format(*shape), layer_norm(*shape), "copy", {}, 0.90
    yield f"AdamW, {count // 2}", adamw(count // 2), "copy", {}, 0.90
    for op, version in (("exp", 13), ("tanh", 13), ("erf", 13)):
        yield f"{op}, {count}", unary(f"{op.capitalize()}.v{version}", count), "libdevice", {"function": op}, 1.05
    for shape in sums:
        yield "sums of {} rows of {}".format(*shape), reduce(*shape), "cub", {"rows": shape[0],
                                                                             "columns": shape[1]}, 1.10


def compile_cuda(folder, tiny):
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not nvcc:
        return print("no nvcc: nothing to compare functions and sums with")
    here = Path(__file__).parent
    subprocess.run([nvcc, "-ptx", "-O3", "-arch=compute_75", "-o", folder / "libdevice.ptx", here / "GpuLibdevice.cu"],
                   check=True)
    if not tiny:
        subprocess.run([nvcc, "-shared", "-O3", "-std=c++17", "-Xcompiler", "-fPIC", "-cudart", "static",
                        "-gencode", "arch=compute_75,code=compute_75", "-o", folder / "libgensyn-bench-cub.so",
                        here / "GpuCub.cu"], check=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    binaries, folder, tiny = Path(sys.argv[1]), Path(sys.argv[2]), "--tiny" in sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    generations = ["90"] if tiny else GENERATIONS
    if "--generations" in sys.argv:
        generations = sys.argv[sys.argv.index("--generations") + 1].split(",")
    targets = [*(f"sm_{sm}" for sm in generations), *CPUS]
    listed = []
    with tempfile.TemporaryDirectory() as scratch:
        text, model = Path(scratch) / "bench.mlir", Path(scratch) / "bench.onnx"
        for number, (name, mlir, against, sizes, goal) in enumerate(cases(tiny)):
            text.write_text(mlir)
            subprocess.run([binaries / "gensyn-translate", "--mlir-to-onnx", text, "-o", model], check=True)
            package = f"{number:02}.gxe"
            subprocess.run([binaries / "gensyn-run", "compile", model, "-o", folder / package, "--quiet",
                            *(word for target in targets for word in ("--target", target))], check=True)
            listed.append({"name": name, "package": package, "against": against, "goal": goal, **sizes})
            print(f"{package}  {name}", flush=True)
    compile_cuda(folder, tiny)
    (folder / "cases.json").write_text(json.dumps(listed, indent=1) + "\n")


if __name__ == "__main__":
    main()

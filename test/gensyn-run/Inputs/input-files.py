"""Asks every command that writes to write over what it reads.

usage: input-files.py BIN FOLDER
"""

import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from limits import seconds

BIN, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def save(path, tensors):
    header, body = {}, b""
    for name, array in tensors.items():
        kind = {"float32": "F32", "int64": "I64"}[str(array.dtype)]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


def make_inputs():
    weight = np.arange(400, dtype=np.float32).reshape(20, 20) / 400
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 20])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 20])],
        [numpy_helper.from_array(weight, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, "a.onnx", save_as_external_data=True, location="model.onnx.data", size_threshold=0)
    x = np.ones((2, 20), np.float32)
    save("data.safetensors", {"x": x, "target": x})
    save("x.safetensors", {"x": x})
    save("p.safetensors", {"w": weight})
    np.save("target.npy", x)
    pathlib.Path("r.json").write_text(json.dumps(
        {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.1}, "batch_size": 2}))
    # Names that outputs get by themselves: FILE.data, FILE.constants, FILE.safetensors, files of a run folder.
    shutil.copy("r.json", "taken.data")
    shutil.copy("r.json", "plan.h.constants")
    shutil.copy("p.safetensors", "q.safetensors")
    pathlib.Path("sum.mlir").write_text("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n")
    vocabulary = [chr(97 + i) for i in range(20)]
    pathlib.Path("v.json").write_text(json.dumps(vocabulary))
    tokens = helper.make_graph(
        [helper.make_node("Gather", ["w", "x"], ["y"])], "g",
        [helper.make_tensor_value_info("x", TensorProto.INT64, [1, 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 20])],
        [numpy_helper.from_array(weight, "w")])
    model = helper.make_model(tokens, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, "text.onnx")
    np.save("tokens.npy", np.arange(3))


def digests():
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(pathlib.Path(".").rglob("*")) if path.is_file() and not path.is_symlink()}


def run(command):
    tool, *arguments = command
    return subprocess.run([BIN / tool, *map(str, arguments)], capture_output=True, text=True, timeout=seconds(120))


GENSYN = "gensyn-run"
# A command, with OUT where its output goes, and what it reads.
COMMANDS = [
    ([GENSYN, "infer", "a.onnx", "--inputs", "x.safetensors", "--outputs", "OUT"],
     ["a.onnx", "model.onnx.data", "x.safetensors"]),
    ([GENSYN, "infer", "a.onnx", "--inputs", "x.safetensors", "--parameters", "p.safetensors", "--outputs", "OUT"],
     ["p.safetensors"]),
    ([GENSYN, "grad", "a.onnx", "--recipe", "r.json", "--inputs", "data.safetensors", "--outputs", "OUT"],
     ["a.onnx", "model.onnx.data", "data.safetensors", "r.json"]),
    ([GENSYN, "compile", "a.onnx", "--recipe", "r.json", "--target", "reference", "-o", "OUT"],
     ["a.onnx", "model.onnx.data", "r.json"]),
    ([GENSYN, "export", "a.onnx", "--parameters", "p.safetensors", "-o", "OUT"],
     ["a.onnx", "model.onnx.data", "p.safetensors"]),
    ([GENSYN, "export", "a.onnx", "--parameters", "p.safetensors", "--training-info", "--recipe", "r.json", "-o", "OUT"],
     ["r.json"]),
    ([GENSYN, "generate", "text.onnx", "--vocabulary", "v.json", "--prompt", "ab", "--tokens", "2", "--outputs", "OUT"],
     ["text.onnx", "v.json"]),
    ([GENSYN, "generate", "text.onnx", "--prompt-tokens", "tokens.npy", "--tokens", "2", "--outputs", "OUT"], ["tokens.npy"]),
    (["gensyn-translate", "--onnx-to-mlir", "a.onnx", "-o", "OUT"], ["a.onnx", "model.onnx.data"]),
    (["gensyn-translate", "--onnx-to-ptx", "--batch-size=2", "a.onnx", "-o", "OUT"], ["a.onnx", "model.onnx.data"]),
    (["gensyn-translate", "--onnx-to-ptx", "--kind=train", "--recipe=r.json", "--batch-size=2", "a.onnx", "--plan=OUT",
      "-o", "x.ptx"], ["a.onnx", "model.onnx.data", "r.json"]),
    (["gensyn-translate", "--onnx-to-ptx", "--batch-size=2", "a.onnx", "--header=OUT", "-o", "x.ptx"],
     ["a.onnx", "model.onnx.data"]),
    (["gensyn-translate", "--mlir-to-onnx", "a.mlir", "-o", "OUT"], ["a.mlir", "model.onnx.data"]),
    (["gensyn-opt", "sum.mlir", "-o", "OUT"], ["sum.mlir"]),
    (["gensyn-opt", "sum.mlir", "--mlir-pass-pipeline-crash-reproducer=OUT"], ["sum.mlir"]),
]
REPLACED = ": is read, and would be replaced"
TRAIN = [GENSYN, "train", "a.onnx"]
# Outputs whose names are made of what was given, with the exit code and what is said.
MADE = [
    ([GENSYN, "export", "a.onnx", "--parameters", "p.safetensors", "--inline-limit", "1000", "-o", "model.onnx"],
     2, "model.onnx.data" + REPLACED),
    ([GENSYN, "export", "a.onnx", "--parameters", "p.safetensors", "--training-info", "--recipe", "taken.data",
      "--inline-limit", "1000", "-o", "taken"], 2, "taken.data" + REPLACED),
    ([*TRAIN, "--recipe", "r.json", "--data", "data.safetensors", "--parameters", "run", "-o", "run", "--overwrite"],
     2, "run/parameters.safetensors" + REPLACED),
    ([*TRAIN, "--recipe", "r.json", "--data", "data.safetensors", "--parameters",
      "run/checkpoints/step-1/parameters.safetensors", "-o", "run", "--overwrite"],
     2, "run/checkpoints/step-1/parameters.safetensors" + REPLACED),
    ([*TRAIN, "--recipe", "taken.run/program.json", "--data", "data.safetensors", "-o", "taken.run", "--overwrite"],
     2, "taken.run/program.json" + REPLACED),
    ([*TRAIN, "--recipe", "r.json", "--data", "taken.run/ema.safetensors", "-o", "taken.run", "--overwrite"],
     2, "taken.run/ema.safetensors" + REPLACED),
    # A file that is not a recipe, or not data, is refused as such.
    ([*TRAIN, "--recipe", "run/program.json", "--data", "data.safetensors", "-o", "run", "--overwrite"],
     3, "run/program.json: loss: a JSON object is wanted, string is there"),
    ([*TRAIN, "--recipe", "r.json", "--data", "run/log.jsonl", "-o", "run", "--overwrite"],
     3, "run/log.jsonl: the header is longer than the file"),
    ([*TRAIN, "--recipe", "r.json", "--data", "data.safetensors", "--parameters", "p.safetensors", "-o", "linked",
      "--overwrite"], 2, "linked/parameters.safetensors" + REPLACED),
]


def ways(path):
    yield path
    yield "./" + path
    yield "sub/../" + path
    yield str(pathlib.Path(path).absolute())
    for make, name in ((os.symlink, "link"), (os.link, "hard")):
        if os.path.lexists(name):
            os.unlink(name)
        make(path, name)
        yield name


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir()
BIN = BIN.absolute()
os.chdir(FOLDER)
os.mkdir("sub")
make_inputs()
for command in (["gensyn-translate", "--onnx-to-mlir", "a.onnx", "-o", "a.mlir"],
                [GENSYN, "train", "a.onnx", "--recipe", "r.json", "--data", "data.safetensors", "-o", "run", "--quiet"]):
    done = run(command)
    assert done.returncode == 0, done.stderr
os.mkdir("linked")
os.link("p.safetensors", "linked/parameters.safetensors")
# Files of a run that are inputs at the same time.
os.mkdir("taken.run")
shutil.copy("r.json", "taken.run/program.json")
shutil.copy("data.safetensors", "taken.run/ema.safetensors")
# The lock and the empty run folder are no loss; files are.
before = digests()
asked = refused = 0


def ask(command, code, said):
    global asked, refused
    asked += 1
    done = run(command)
    after = digests()
    lost = [path for path, digest in before.items() if after.get(path) != digest]
    good = done.returncode == code and not lost and said in done.stderr
    refused += good
    if not good:
        print(*command, "->", done.returncode, done.stderr, lost)
        for path in lost:
            sys.exit("lost: the rest would say nothing")


for command, inputs in COMMANDS:
    for path in inputs:
        for way in ways(path):
            ask([str(word).replace("OUT", way) for word in command], 2, REPLACED)
for name in ("link", "hard"):
    os.unlink(name)
for command, code, said in MADE:
    ask(command, code, said)
print(f"{refused} of {asked} refused, nothing changed")

written = 0
for command, _ in COMMANDS:
    if os.path.exists("fresh.onnx"):
        os.unlink("fresh.onnx")
    done = run([str(word).replace("OUT", "fresh.onnx") for word in command])
    written += done.returncode == 0 and (os.path.exists("fresh.onnx") or "reproducer" in command[-1])
    if done.returncode:
        print(*command, "->", done.returncode, done.stderr)
print(f"{written} of {len(COMMANDS)} beside them written")
assert digests() | before == digests(), "inputs changed"

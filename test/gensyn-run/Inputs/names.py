"""Gives every tool names that a terminal would act on.

usage: names.py BIN FOLDER
"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unicodedata

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from limits import seconds

BIN, FOLDER = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
# Red, a bell, the title of the window, C1's introducer, a right-to-left override, a new line.
EVIL = "e\x1b[31m\x07\x1b]0;t\x07\x9b1m\u202ex\r\ny\x7f"
LONG = "l" * (1 << 20)
MISSING = "dir/" + EVIL + "n"
SHOWN = re.compile(r"e(\\x1b|\\u001b|\\1B)(\[|\\5B)31m")  # EVIL as text, in listings, in JSON and in MLIR
MOST = 1 << 16  # bytes that a run may print


def save(path, names):
    header, offset = {}, 0
    for name in names:
        header[name] = {"dtype": "F32", "shape": [1], "data_offsets": [offset, offset + 4]}
        offset += 4
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"\0" * offset)


def save_model(path, name, op="Relu", extent=None, extra=()):
    """x -> op -> y, every name of which is `name`."""
    shape = [extent or name, 2]
    graph = helper.make_graph(
        [helper.make_node(op, [name + "x"], [name + "y"], name=name), *extra], name,
        [helper.make_tensor_value_info(name + "x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(name + "y", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(np.ones((2, 2), np.float32), name + "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name=name)
    helper.set_model_props(model, {name: name})
    pathlib.Path(path).write_bytes(model.SerializeToString())


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir()
os.chdir(FOLDER)
commands = []
for tag, name in (("evil", EVIL), ("long", LONG)):
    other = name + "2"
    save(f"{tag}.safetensors", [name, other])
    save(f"{tag}2.safetensors", [name])
    save_model(f"{tag}.onnx", name)
    bad = helper.make_node("MatMul", [name + "w", name + "x"], [name + "z"], name=name + "bad")
    save_model(f"{tag}-shape.onnx", name, extent=3, extra=[bad])
    save_model(f"{tag}-op.onnx", name, op="Re" + name)
    recipe = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.1}}
    recipes = (("key", {**recipe, name: 1}), ("kind", {**recipe, "loss": {"kind": name}}),
               ("target", {**recipe, "loss": {"kind": "mse", "target": name}}),
               ("frozen", {**recipe, "frozen": [name]}), ("twice", None))
    # A long name ends in the same places; a few of them will do.
    is_evil = tag == "evil"
    for key, value in recipes if is_evil else recipes[:1]:
        text = json.dumps(value, ensure_ascii=False) if value else f"{{{json.dumps(name)}:1,{json.dumps(name)}:1}}"
        pathlib.Path(f"{tag}-{key}.json").write_text(text)
        commands.append(["gensyn-run", "grad", f"{tag}.onnx", "--recipe", f"{tag}-{key}.json", "--inputs",
                         f"{tag}.safetensors", "--outputs", "out", "--dim", "n=1"])
        commands.append(["gensyn-run", "info", f"{tag}.onnx", "--recipe", f"{tag}-{key}.json"])
    pathlib.Path(f"{tag}.npz").write_bytes(b"PK\x03\x04" + name.encode()[:60000])
    for flags in [[], ["--json"]] + ([["--orders"], ["--kernels"], ["--memory"]] if is_evil else []):
        commands.append(["gensyn-run", "info", f"{tag}.onnx", *flags])
    for model in ("", "-shape", "-op") if is_evil else ("-shape",):
        commands += [["gensyn-run", "infer", f"{tag}{model}.onnx", "--inputs", f"{tag}.safetensors", "--outputs", "out"],
                     ["gensyn-run", "infer", f"{tag}{model}.onnx", "--inputs", f"{tag}.npz", "--outputs", "out"],
                     ["gensyn-run", "compile", f"{tag}{model}.onnx", "--target", "reference", "--batch-size", "2",
                      "-o", f"{tag}{model}.gxe"],
                     ["gensyn-run", "export", f"{tag}{model}.onnx", "--parameters", f"{tag}.safetensors", "-o", "out"],
                     ["gensyn-translate", "--onnx-to-ptx", f"{tag}{model}.onnx"],
                     ["gensyn-translate", "--onnx-to-mlir", f"{tag}{model}.onnx", "-o", f"{tag}{model}.mlir"]]
    if not is_evil:
        commands.append(["gensyn-run", "compile", "long.onnx", "--target", "reference", "--batch-size", "2", "-o", "long.gxe"])
    if is_evil:  # the model that is imported
        commands += [["gensyn-translate", "--mlir-to-ptx", f"{tag}.mlir"],
                     ["gensyn-opt", f"{tag}.mlir", "--gensyn-onnx-pipeline", "--gensyn-freeze-pipeline"]]
    commands += [["gensyn-run", "info", f"{tag}.gxe"], ["gensyn-run", "info", f"{tag}.gxe", "--json"],
                 ["gensyn-run", "compare", f"{tag}.safetensors", f"{tag}2.safetensors"],
                 ["gensyn-run", "compare", f"{tag}.safetensors", f"{tag}2.safetensors", "--json"]]
    pathlib.Path(f"{tag}-raw.mlir").write_text(f'func.func @"{name}"() {{\n  "{name}"() : () -> ()\n  return\n}}\n')
    commands += [["gensyn-opt", f"{tag}-raw.mlir"], ["gensyn-translate", "--mlir-to-ptx", f"{tag}-raw.mlir"]]
    # In MLIR's own way to write them.
    escaped = "".join(c if c.isalnum() else "".join(f"\\{byte:02X}" for byte in c.encode()) for c in name)
    pathlib.Path(f"{tag}-escaped.mlir").write_text(
        f'func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n'
        f'  %0 = onnx.custom "{escaped}" "{escaped}" (%x) : (tensor<2xf32>) -> tensor<2xf32> loc("{escaped}")\n'
        f'  return %0 : tensor<2xf32>\n}}\n')
    commands += [["gensyn-opt", f"{tag}-escaped.mlir", "--convert-onnx-to-repro"],
                 ["gensyn-translate", "--mlir-to-onnx", f"{tag}-escaped.mlir", "-o", "out"]]
    # Errors of the parser and of the verifier, before any pass.
    for key, text in (("twice", f'func.func private @"{escaped}"()\n' * 2),
                      ("call", f'func.func @f() {{\n  func.call @"{escaped}"() : () -> ()\n  return\n}}\n'),
                      ("unknown", f'"{escaped}"() : () -> ()\n')) if is_evil else ():
        pathlib.Path(f"{tag}-{key}.mlir").write_text(text)
        commands += [["gensyn-opt", f"{tag}-{key}.mlir"], ["gensyn-translate", "--mlir-to-ptx", f"{tag}-{key}.mlir"]]
    pathlib.Path(f"{tag}.ptx").write_text(f".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {{\n {name};\n}}\n")
    pathlib.Path(f"{tag}-head.ptx").write_text(f".version {name}\n.target {name}\n")
    for file in (f"{tag}.ptx", f"{tag}-head.ptx"):
        commands += [["gensyn-ptx", "info", file], ["gensyn-ptx", "audit", file], ["gensyn-ptx", "run", file]]
    if is_evil:
        os.makedirs("dir")
        path = "dir/" + EVIL.replace("/", "")
        shutil.copy("evil.safetensors", path)
        commands += [["gensyn-run", "compare", path, path], ["gensyn-run", "compare", path, MISSING],
                     ["gensyn-run", "info", path], ["gensyn-opt", path], ["gensyn-ptx", "info", path],
                     ["gensyn-translate", "--onnx-to-mlir", path],
                     ["gensyn-run", "infer", "evil.onnx", "--inputs", path, "--outputs", path]]


def text_of(done):
    return (done.stderr + done.stdout).decode(errors="replace")


def wrong_with(command, done):
    """What of the output is no text; MLIR's own output, which has its own escapes, may be long."""
    out = b"" if command[0] == "gensyn-opt" or "-o" in command else done.stdout
    for stream in (done.stderr, done.stdout):
        try:
            text = stream.decode()
        except UnicodeDecodeError as error:
            return str(error)
        found = {c for c in text if c not in "\n\t" and unicodedata.category(c) == "Cc"}
        found |= set(re.findall("[\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]", text))
        if found:
            return f"{found} in {text[:300]!r}"
    if "No such file" in text_of(done) and MISSING not in command:
        return f"reads nothing: {done.stderr[:300]}"
    if done.returncode < 0 or done.returncode == 70:
        return f"ends with {done.returncode}: {done.stderr[:300]}"
    if "--json" in command:
        [json.loads(line) for line in done.stdout.splitlines()]
        return len(done.stderr) > MOST and "too long"
    if command[0] == "gensyn-opt":  # MLIR shows the whole line that a message is about
        return None
    return len(done.stderr) > MOST or (len(out) > MOST and command[0] != "gensyn-translate") and "too long"


good, shown = 0, set()
for command in commands:
    done = subprocess.run([BIN / command[0], *command[1:]], capture_output=True, timeout=seconds(120))
    wrong = wrong_with(command, done)
    if SHOWN.search(text_of(done)):
        shown.add(command[0])
    good += not wrong
    if wrong:
        print([word[:60] for word in command], done.returncode, wrong, len(done.stderr), len(done.stdout))
for tool in sorted({command[0] for command in commands} - shown):
    print(f"{tool} shows no name in any run")
print(f"{good} of {len(commands)} runs print text")

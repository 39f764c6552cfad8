"""Trains y = w x with a dynamic loss scale and prints the scale of each step.

usage: loss_scale.py GENSYN_RUN FOLDER
"""

import json
import math
import os
import shutil
import struct
import subprocess
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

TOOL, FOLDER = sys.argv[1:3]


def save(path, tensors):
    header, body = {}, b""
    for name, array in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)


def scales(x, initial, interval, rate=0.0):
    """The scale of six steps, and the parameter after them; targets are 0."""
    save("data.safetensors", {"x": x, "target": np.zeros_like(x)})
    recipe = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": rate}, "batch_size": 1, "epochs": 1, "shuffle": False,
              "precision": {"compute": "f16", "loss_scale": "dynamic", "initial": initial,
                            "growth_interval": interval}}
    with open("recipe.json", "w") as file:
        json.dump(recipe, file)
    subprocess.run([TOOL, "train", "m.onnx", "--recipe", "recipe.json", "--data", "data.safetensors", "-o", "run",
                    "--overwrite", "--quiet", "--on-nan", "continue"], check=True)
    with open("run/log.jsonl") as file:
        rows = [json.loads(line) for line in file]
    return " ".join(f"2^{math.log2(row['loss_scale']):g}" if row["loss_scale"] else "none"
                    for row in rows if "loss_scale" in row)


def trained():
    with open("run/parameters.safetensors", "rb") as file:
        return file.read()[-4:]


shutil.rmtree(FOLDER, ignore_errors=True)
os.mkdir(FOLDER)
os.chdir(FOLDER)
one = np.ones(1, np.float32)
graph = helper.make_graph([helper.make_node("Mul", ["x", "w"], ["y"])], "g",
                          [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 1])],
                          [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 1])],
                          [numpy_helper.from_array(one, "w")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
with open("m.onnx", "wb") as file:
    file.write(model.SerializeToString())
zeros, ones = np.zeros((6, 1), np.float32), np.ones((6, 1), np.float32)
# Elementwise operators compute in f32.
print("at the end:", scales(zeros, 2.0**126, 1))
print("overflow:", scales(2.0**60 * ones, 2.0**127, 1, rate=0.1), "and w stays" if trained() == one.tobytes() else "and w moves")
print("interval:", scales(zeros, 2.0**10, 2))
# The second of them alone overflows, when one step was good.
print("again:", scales(2.0**60 * np.eye(6, 1, -1, dtype=np.float32), 2.0**20, 3))
# The gradient is 2^101, and 2^128 is no f32.
print("back:", scales(2.0**50 * ones, 2.0**26, 2))

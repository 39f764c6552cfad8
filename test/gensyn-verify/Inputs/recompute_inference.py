"""Recomputes the commitment of an inference by another implementation.

recompute_inference.py FILE [state=TENSORS] [inputs=TENSORS] [outputs=TENSORS] [samples=TENSORS] [metrics=JSON]

A list has to have the tensors of a safetensors file, the samples' root follows from those of a data file, and metrics
are those that `eval --json` printed.
"""

import json
import struct
import sys
from pathlib import Path

import commitments
from safetensors import load

TYPES = {"float32": "f32", "float64": "f64", "int64": "i64"}


def tensors_of(path):
    return {name: (TYPES[v.dtype.name], v.shape, v.tobytes()) for name, v in load(path).items()}


file, facts = commitments.read_inference(sys.argv[1])
if commitments.inference_root(file["facts"]).hex() != file["root"]:
    sys.exit("the facts have another root")
for kind in ("state", "inputs", "outputs"):
    if commitments.facts_list_root(kind, facts[kind]["tensors"]).hex() != facts[kind]["root"]:
        sys.exit(f"the list '{kind}' has another root")
    for row in facts[kind]["tensors"].values():
        if "values" in row and commitments.blake3(commitments.fact_bytes(row)).hexdigest() != row["elements"]:
            sys.exit("values have another digest")
checked = []
for kind, path in (word.split("=") for word in sys.argv[2:]):
    checked.append(kind)
    if kind == "samples":
        data = tensors_of(path)
        rows = {name: [(t, shape[1:], raw[i * (len(raw) // shape[0]):][:len(raw) // shape[0]])
                       for i in range(shape[0])] for name, (t, shape, raw) in data.items()}
        samples = [dict(zip(rows, sample)) for sample in zip(*rows.values())]
        if commitments.samples_root(samples).hex() != facts["options"]["samples_root"]:
            sys.exit("the samples have another root")
    elif kind == "metrics":
        printed = {name: value for name, value in json.loads(Path(path).read_text()).items()
                   if name.startswith("eval_") and name != "eval_samples"}
        metrics = {name: ("f64", (), struct.pack("<d", value)) for name, value in printed.items()}
        if commitments.state_root(metrics, "outputs").hex() != facts["outputs"]["root"]:
            sys.exit("the metrics have another root")
    elif commitments.state_root(tensors_of(path), kind).hex() != facts[kind]["root"]:
        sys.exit(f"the tensors of {path} have another root than '{kind}'")
print(f"the same root, also of {', '.join(checked)}")

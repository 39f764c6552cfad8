"""Writes two files of tensors that differ, with names that HTML could mistake: different_tensors.py FOLDER."""

import json
import struct
import sys
from pathlib import Path

import numpy

HOSTILE = "</script><b onclick='alert(1)'>\"\n&amp;"


def write(path, tensors):
    header, body = {}, b""
    for name, values in tensors.items():
        kind = {"float32": "F32", "int64": "I64", "float16": "F16"}[str(values.dtype)]
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [len(body), len(body) + values.nbytes]}
        body += values.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


random = numpy.random.default_rng(1)
first = {
    "million": random.standard_normal((1000, 1001)).astype("float32"),
    "same": numpy.zeros((3, 4), "float32"),
    "lines": random.standard_normal(1003).astype("float32"),
    "half": random.standard_normal((5, 4)).astype("float16"),
    "ids": numpy.arange(20).reshape(4, 5),
    "scalar": numpy.array(3, "float32"),
    "shape": numpy.zeros((2, 2), "float32"),
    HOSTILE: numpy.ones(3, "float32"),
    "long" * 2500: numpy.ones(3, "float32"),
}
second = {name: values.copy() for name, values in first.items()}
second["million"].view("int32")[100:200, 300:400] += 3
second["million"][500, 600] += 1
second["lines"].view("int32")[7] += 3
second["half"][4, 3] = numpy.nan
second["ids"][2, 3] = 7
second["scalar"] = numpy.array(-3, "float32")
second["shape"] = numpy.zeros((4, 1), "float32")
second[HOSTILE][1] = 2
second["long" * 2500][0] = 0
write(Path(sys.argv[1]) / "a.safetensors", first)
write(Path(sys.argv[1]) / "b.safetensors", second)

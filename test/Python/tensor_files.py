"""Reads files of tensors without a package."""

import json
import struct

import numpy

TYPES = {"F32": "float32", "F64": "float64", "I64": "int64"}


def read_tensors(path):
    """Returns the tensors of a safetensors file by name."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        tensors[name] = numpy.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors

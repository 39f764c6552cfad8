"""Reads and writes safetensors files with numpy."""

import json
import struct
from pathlib import Path

import numpy as np

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1",
          "U16": "<u2", "U32": "<u4", "U64": "<u8", "BOOL": "?"}
CODES = {np.dtype(code): name for name, code in DTYPES.items()}
# Read as bit patterns; types in the last list are packed into bytes.
DTYPES["BF16"] = "<u2"
BYTES = ["F8_E4M3", "F8_E4M3FNUZ", "F8_E5M2", "F8_E5M2FNUZ", "F8_E8M0"]
SHARED = {"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6}


def elements(raw, dtype):
    if dtype not in SHARED:
        return np.frombuffer(raw, "u1" if dtype in BYTES else DTYPES[dtype])
    bits = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little").reshape(-1, SHARED[dtype])
    return np.packbits(bits, axis=1, bitorder="little").ravel()


def load(path):
    raw = Path(path).read_bytes()
    (size,) = struct.unpack("<Q", raw[:8])
    header, body = json.loads(raw[8 : 8 + size]), raw[8 + size :]
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = elements(body[begin:end], entry["dtype"]).reshape(entry["shape"])
    return tensors


def save(path, tensors):
    header, chunks, offset = {}, [], 0
    for name, array in tensors.items():
        data = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": CODES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [offset, offset + len(data)]}
        chunks.append(data)
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(chunks))

"""Writes the tensors of a safetensors file in NumPy's formats and as shards.

data-forms.py FILE FOLDER
"""

import json
import pathlib
import sys

import numpy


def read(path):
    data = pathlib.Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    types = {"F32": "<f4", "I64": "<i8"}
    return {
        name: numpy.frombuffer(
            data[8 + length:][slice(*entry["data_offsets"])], types[entry["dtype"]]
        ).reshape(entry["shape"])
        for name, entry in json.loads(data[8:8 + length]).items()
    }


def write(path, tensors):
    header, body = {}, b""
    for name, tensor in tensors.items():
        end = len(body) + tensor.nbytes
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(body), end]}
        body += tensor.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


source, folder = sys.argv[1], pathlib.Path(sys.argv[2])
tensors = read(source)
numpy.savez(folder / "stored.npz", **tensors)
numpy.savez_compressed(folder / "deflated.npz", **tensors)
numpy.save(folder / "tokens.npy", numpy.arange(50, dtype="uint16"))
for name in ("arrays", "shards", "wrong"):
    (folder / name).mkdir()
for name, tensor in tensors.items():
    numpy.save(folder / "arrays" / f"{name}.npy", tensor)
for name in ("shards", "wrong"):
    numpy.savez_compressed(folder / name / "1.npz", **{k: v[:3] for k, v in tensors.items()})
write(folder / "shards" / "2.safetensors", {k: v[3:] for k, v in tensors.items()})
write(folder / "wrong" / "2.safetensors", {k: numpy.zeros((2, 3), "<f4") for k in tensors})

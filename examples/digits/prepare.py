#!/usr/bin/env python3
"""Writes train.safetensors and test.safetensors: prepare.py [FOLDER].

Needs scikit-learn and numpy. The images are scikit-learn's copy of the UCI
"Optical Recognition of Handwritten Digits", in its order: the first 1500 train,
the last 297 test. Tensors are named as gensyn-run wants them: `x` as the model's
input, and `target`.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits


def save(path, tensors):
    """A safetensors file: length of the header, header, bytes."""
    header, body = {}, b""
    for name, (kind, array) in tensors.items():
        data = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    digits = load_digits()
    images = (digits.images / 16).astype("<f4")[:, None]
    labels = digits.target.astype("<i8")
    for name, part in (("train", slice(0, 1500)), ("test", slice(1500, None))):
        save(folder / f"{name}.safetensors", {"x": ("F32", images[part]), "target": ("I64", labels[part])})


if __name__ == "__main__":
    main()

"""Writes one stream of tokens in several forms into a folder.

tokens.py FOLDER
"""

import pathlib
import sys

import numpy

folder = pathlib.Path(sys.argv[1])
tokens = numpy.random.default_rng(1).integers(0, 96, 32 * 8 + 1).astype("uint8")
numpy.save(folder / "tokens.npy", tokens)
numpy.savez_compressed(folder / "wide.npz", text=tokens.astype("int64"))
# Windows end with their shard: each begins with the token that is the last target of the one before.
for i, begin in enumerate(range(0, 32 * 8, 8 * 8)):
    numpy.save(folder / "shards" / f"{i}.npy", tokens[begin:begin + 8 * 8 + 1].astype("uint16"))
numpy.savez(
    folder / "windows.npz",
    input_ids=tokens[:-1].reshape(32, 8).astype("int64"),
    target=tokens[1:].reshape(32, 8).astype("int64"))
large = tokens.copy()
large[100] = 96
numpy.save(folder / "large.npy", large)

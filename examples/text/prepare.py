#!/usr/bin/env python3
"""Turns a text into tokens, a character each.

  prepare.py TEXT [FOLDER]      FOLDER: default, this script's

Writes train.safetensors and test.safetensors (`tokens` uint8: the first nine
tenths and the rest) and vocabulary.json. A printable ASCII character c is the
token c - 32, anything else (mostly line ends) is 95. The files here were made of
the GNU General Public License, version 3, as Debian has it in
/usr/share/common-licenses/GPL-3.
"""

import json
import struct
import sys
from pathlib import Path


def write(path, tokens):
    """A safetensors file with one tensor."""
    header = json.dumps({"tokens": {"dtype": "U8", "shape": [len(tokens)], "data_offsets": [0, len(tokens)]}})
    header += " " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header.encode() + tokens)


if __name__ == "__main__":
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent
    text = Path(sys.argv[1]).read_bytes()
    tokens = bytes(c - 32 if 32 <= c < 127 else 95 for c in text)
    cut = len(tokens) * 9 // 10
    write(folder / "train.safetensors", tokens[:cut])
    write(folder / "test.safetensors", tokens[cut:])
    vocabulary = [chr(c) for c in range(32, 127)] + ["\n"]
    (folder / "vocabulary.json").write_text(json.dumps(vocabulary) + "\n")

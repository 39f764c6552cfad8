"""The commitments of a run by another implementation of docs/Proof.md: what tests compare with, and alter."""

import json
import struct
from pathlib import Path

from blake3 import blake3

FILE = "commitments.jsonl"


def digest(*fields):
    return blake3(b"".join(fields)).digest()


def number(value):
    return struct.pack("<Q", value & (2**64 - 1))


def text(value):
    data = value.encode() if isinstance(value, str) else value
    return number(len(data)) + data


def numbers(values):
    return number(len(values)) + b"".join(map(number, values))


def list_root(kind, entries):
    """Of a list of bytes."""

    def top(begin, end):
        if end - begin == 1:
            return digest(b"\0", number(begin), entries[begin])
        left = 1 << ((end - begin - 1).bit_length() - 1)
        return digest(b"\1", top(begin, begin + left), top(begin + left, end))

    return digest(text("gensyn list 1"), text(kind), number(len(entries)),
                  top(0, len(entries)) if entries else b"")


def tensor_root(element_type, shape, data):
    return digest(text("gensyn tensor 2"), text(element_type), numbers(shape), number(len(data)), blake3(data).digest())


def state_root(tensors):
    """Of {name: (element type, shape, bytes)}."""
    order = sorted(tensors, key=lambda name: name.encode())
    return list_root("state", [text(name) + tensor_root(*tensors[name]) for name in order])


def samples_root(samples):
    """Of a list of {name: (element type, shape, bytes)}."""
    order = sorted(samples[0], key=lambda name: name.encode())
    return list_root("samples", [b"".join(text(name) + tensor_root(*sample[name]) for name in order)
                                 for sample in samples])


def facts_root(facts):
    return digest(text("gensyn run 1"), text(facts))


def step_root(before, step, program, samples, loss):
    return digest(text("gensyn step 1"), before, number(step), text(program), numbers(samples), struct.pack("<d", loss))


def point_root(before, row):
    return digest(text("gensyn point 1"), before, number(row["step"]), bytes.fromhex(row["history"]),
                  bytes.fromhex(row["state"]))


def run_signature(row):
    """What is signed by a line of signatures.jsonl."""
    return (text("gensyn signature 1") + text("run") + bytes.fromhex(row["root"]) + number(row["step"]) +
            text(row["time"]))


def answer_signature(root, question, answer):
    """What is signed of an answer; both as protobuf has them, the answer without its signature."""
    return text("gensyn signature 1") + text("answer") + root + digest(question) + digest(answer)


def read(folder):
    return [json.loads(line) for line in (Path(folder) / FILE).read_text().splitlines()]


def write(folder, rows):
    """Writes rows with roots that follow from them."""
    before = b""
    for row in rows:
        before = point_root(before, row)
        row["root"] = before.hex()
    lines = [json.dumps(row, separators=(",", ":")) for row in rows]
    (Path(folder) / FILE).write_text("".join(line + "\n" for line in lines))

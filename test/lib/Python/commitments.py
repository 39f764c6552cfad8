"""The commitments of a run or an inference by another implementation of docs/Proof.md: what tests compare with, and alter."""

import json
import math
import struct
from pathlib import Path

from blake3 import blake3

FILE = "commitments.jsonl"
INFERENCE = "gensyn-inference-1"


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


def state_root(tensors, kind="state"):
    """Of {name: (element type, shape, bytes)}."""
    order = sorted(tensors, key=lambda name: name.encode())
    return list_root(kind, [text(name) + tensor_root(*tensors[name]) for name in order])


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


def inference_root(facts):
    return digest(text("gensyn inference 1"), text(facts))


def fact_root(row):
    """Of a tensor in the facts of an inference."""
    size = {"i64": 8, "f64": 8, "f32": 4}[row["type"]] * math.prod(row["shape"])
    return digest(text("gensyn tensor 2"), text(row["type"]), numbers(row["shape"]), number(size),
                  bytes.fromhex(row["elements"]))


def fact_bytes(row):
    """Of the values in the facts."""
    return b"".join(struct.pack("<Q", int(value, 16)) if row["type"] == "f64" else struct.pack("<q", value)
                    for value in row["values"])


def facts_list_root(kind, rows):
    order = sorted(rows, key=lambda name: name.encode())
    return list_root(kind, [text(name) + fact_root(rows[name]) for name in order])


def read_inference(path):
    """The file and its facts."""
    file = json.loads(Path(path).read_text())
    return file, json.loads(file["facts"])


def write_inference(path, facts):
    """Writes facts with digests and roots that follow from them."""
    for kind in ("state", "inputs", "outputs"):
        for row in facts[kind]["tensors"].values():
            if "values" in row:
                row["elements"] = blake3(fact_bytes(row)).hexdigest()
        facts[kind]["root"] = facts_list_root(kind, facts[kind]["tensors"]).hex()
    facts = json.dumps(facts, separators=(",", ":"))
    file = {"format": INFERENCE, "facts": facts, "root": inference_root(facts).hex()}
    Path(path).write_text(json.dumps(file, separators=(",", ":")) + "\n")


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

"""Compares evaluations of evaluate.test, and reads its TensorBoard files.

evaluate.py FOLDER
The files are read by a parser of their own here, and by the tensorboard package
where there is one.
"""

import json
import math
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])


def crc32c(data):
    word = 0xFFFFFFFF
    for byte in data:
        word ^= byte
        for _ in range(8):
            word = word >> 1 ^ (0x82F63B78 if word & 1 else 0)
    return word ^ 0xFFFFFFFF


def masked(data):
    word = crc32c(data)
    return ((word >> 15 | word << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        assert struct.unpack("<I", data[8:12]) == (masked(data[:8]),)
        body = data[12:12 + length]
        assert struct.unpack("<I", data[12 + length:16 + length]) == (masked(body),)
        yield body
        data = data[16 + length:]


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Number and value of each field of a message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            length = {1: 8, 5: 4}.get(key & 7)
            if key & 7 == 2:
                length, at = varint(data, at)
            value = data[at:at + length]
            at += length
        yield key >> 3, value


def scalars(path):
    """(tag, step) -> value, by the numbers of event.proto and summary.proto."""
    found = {}
    for number, record in enumerate(records(path.read_bytes())):
        event = dict(fields(record))
        assert struct.unpack("<d", event[1])[0] > 1.6e9
        if number == 0:
            assert event[3] == b"brain.Event:2"
            continue
        for _, value in fields(event[5]):
            parts = dict(fields(value))
            found[parts[1].decode(), event.get(2, 0)] = struct.unpack("<f", parts[2])[0]
    return found


rows = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text().splitlines()]
logged = next(row for row in rows if "eval_loss" in row)
trained, again, untrained = (
    json.loads((folder / f"{name}.json").read_text()) for name in ("trained", "again", "untrained"))
for key in ("eval_loss", "eval_accuracy", "eval_perplexity", "eval_samples"):
    assert trained[key] == again[key] == logged[key], key
assert untrained["eval_loss"] > trained["eval_loss"]
assert math.isclose(trained["eval_perplexity"], math.exp(trained["eval_loss"]), rel_tol=1e-15)
assert trained["parameters"] == rows[-1]["parameters"] != untrained["parameters"]

(events,) = (folder / "run" / "tensorboard").iterdir()
found = scalars(events)
wanted = {
    (name, row["step"]): struct.unpack("<f", struct.pack("<f", value))[0]
    for row in rows for name, value in row.items()
    if name in ("loss", "lr", "eval_loss", "eval_accuracy", "eval_perplexity")}
for key, value in wanted.items():
    assert found[key] == value, key
try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError:
    pass
else:
    accumulator = EventAccumulator(str(events.parent))
    accumulator.Reload()
    for name, step in wanted:
        read = {event.step: event.value for event in accumulator.Scalars(name)}
        assert read[step] == wanted[name, step], name
print(f"3 evaluations, {len(wanted)} scalars")

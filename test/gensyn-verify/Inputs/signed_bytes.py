"""Checks signatures by openssl and another implementation of what is signed: signed_bytes.py FOLDER.

FOLDER has the signed `run`, `case.pb` of a dispute in which the first party, of that run, signed its answers, and
`maker.pub`. Writes FOLDER/altered.pb, of which the answer 3 of the first is altered."""

import subprocess
import sys
from pathlib import Path

import commitments
from blake3 import blake3

folder = Path(sys.argv[1])
FIRST, SIGNATURE = 4, 20


def verify(message, signature):
    (folder / "message").write_bytes(message)
    (folder / "signature").write_bytes(signature)
    done = subprocess.run(["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", folder / "maker.pub", "-in",
                           folder / "message", "-sigfile", folder / "signature"], capture_output=True, text=True)
    return "verified" if done.returncode == 0 else "refused"


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """(number, begin of the field, begin of its bytes, end) of each field of a message with bytes."""
    at = 0
    while at < len(data):
        begin = at
        tag, at = varint(data, at)
        size, body = varint(data, at)
        at = body + size if tag % 8 == 2 else body
        yield tag >> 3, begin, body, at


raw = subprocess.run(["openssl", "pkey", "-pubin", "-in", folder / "maker.pub", "-outform", "DER"], check=True,
                     capture_output=True).stdout[-32:]
row = commitments.json.loads((folder / "run" / "signatures.jsonl").read_text().splitlines()[0])
print("fingerprint", blake3(raw).hexdigest())
print("key", "same" if row["public_key"] == raw.hex() else "other")
print("root", "last" if row["root"] == commitments.read(folder / "run")[-1]["root"] else "other")
signature = bytes.fromhex(row["signature"])
print("run", verify(commitments.run_signature(row), signature))
for key, value in (("step", row["step"] + 1), ("time", "2026-12-02T09:30:00Z"), ("root", "00" * 32)):
    print(f"another {key}", verify(commitments.run_signature({**row, key: value}), signature))

case = (folder / "case.pb").read_bytes()
answers = [(body, end) for number, _, body, end in fields(case) if number == FIRST]
answer = case[slice(*answers[0])]
begin, body = next((begin, body) for number, begin, body, _ in fields(answer) if number == SIGNATURE)
question = b"\x0a\x00"  # what the run is
message = commitments.answer_signature(bytes.fromhex(row["root"]), question, answer[:begin])
print("answer", verify(message, answer[body:]))
altered = bytearray(case)
altered[answers[2][0] + 8] ^= 1
(folder / "altered.pb").write_bytes(altered)

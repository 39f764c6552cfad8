"""Alters what a commitment to an inference says, with roots that follow: cheat_inference.py FILE CHEATED EDIT

EDIT is output (a bit of its digest), metric (the last bit of the first one), token=N (the one at position N), note (a
word that no command writes), or the name of an option and another value, seed=2.
"""

import sys

import commitments

source, cheated, edit = sys.argv[1:]
_, facts = commitments.read_inference(source)
outputs = facts["outputs"]["tensors"]
first = next(iter(outputs.values()))
name, _, value = edit.partition("=")
if name == "output":
    elements = bytearray.fromhex(first["elements"])
    elements[0] ^= 1
    first["elements"] = elements.hex()
elif name == "metric":
    first["values"][0] = f"{int(first['values'][0], 16) ^ 1:016x}"
elif name == "token":
    first["values"][int(value)] ^= 1
elif name == "note":
    facts["note"] = "by hand"
else:
    facts["options"][name] = int(value)
commitments.write_inference(cheated, facts)

"""Writes texts that no tool may hand to MLIR's parser.

usage: untrusted_texts.py FOLDER
"""

import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1])


def chain(count, sign, first, around):
    """Aliases, each of which has the one before in it."""
    lines = [f"{sign}0 = {first}\n"]
    lines += [f"{sign}{i} = {around.replace('@', f'{sign}{i - 1}')}\n" for i in range(1, count)]
    return "".join(lines), f"{sign}{count - 1}"


def attribute(aliases, value):
    return f"{aliases}module attributes {{a.b = {value}}} {{}}\n"


def function(aliases, value):
    return f"{aliases}func.func private @f({value})\n"


def expression(*terms):
    return attribute("", f"affine_map<(d0) -> (d0 {' '.join(terms)})>")


attributes, types = chain(60000, "#a", "[]", "[@]"), chain(60000, "!t", "i32", "tuple<@>")
locations, location = chain(60000, "#l", 'loc("a")', "loc(callsite(@ at #l0))")
texts = {
    "alias-of-index": attribute("!i = index\n", "array<!i: 1, 2>"),
    "attributes-chain": attribute(*attributes),
    "attributes-double": attribute(*chain(60, "#a", "[]", "[@, @]")),
    "brackets": attribute("", "[" * 50000),
    "control-byte": "// \x01\n" + attribute("", "[" * 50000),
    "expression-product": expression(*(f"mod {i}" for i in range(100000, 1, -1))),
    "expression-sum": expression(*(f"+ d0 mod {i}" for i in range(2, 100000))),
    "index": attribute("", "array<index: 1>"),
    "latin-1": attribute("", "array<index: 1>") + "// caf\xe9\n",
    "locations-chain": f"{locations}module {{}} loc({location})\n",
    "types-chain": function(*types),
    "types-double": function(*chain(60, "!t", "i32", "tuple<@, @>")),
}
for name, text in texts.items():
    (FOLDER / f"{name}.mlir").write_text(text, encoding="latin-1")

#!/usr/bin/env python3
"""Writes the page of a dialect for the op reference.

usage: write.py --tblgen LLVM-TBLGEN --root ROOT --include FOLDER --dialect Repro|Train|Onnx -o PAGE
"""

import argparse
import pathlib

import numerics
import records
import render
import sources


def load(tblgen, root, include, name):
    """The dialect and the tests of its errors."""
    definitions = root / "include" / "gensyn" / "Dialect" / name / "IR" / f"{name}Ops.td"
    dialect = records.read(tblgen, definitions, [root / "include", include], name.lower())
    return dialect, sources.Tests(root / "test" / "Dialect" / name, root)


def main():
    parser = argparse.ArgumentParser()
    for option in ("--tblgen", "--root", "--include", "--dialect", "--output"):
        parser.add_argument(*(["-o"] if option == "--output" else []), option, required=True)
    options = parser.parse_args()
    root = pathlib.Path(options.root)
    dialect, tests = load(options.tblgen, root, options.include, options.dialect)
    rules = numerics.Numerics((root / "docs" / "Numerics.md").read_text())
    pathlib.Path(options.output).write_text(render.Page(dialect, rules, tests).text())


if __name__ == "__main__":
    main()

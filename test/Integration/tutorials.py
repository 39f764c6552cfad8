#!/usr/bin/env python3
"""Runs the Python cells of a tutorial, and compares what they print.

  tutorials.py PAGE FOLDER

The cells are the fenced blocks of Python, which share their variables, and run in FOLDER. The indented lines behind a
cell are its output, with the marks of documents.py; a cell without such lines prints nothing. Exit 1 where a cell prints
other lines or raises an error.
"""

import contextlib
import io
import os
import re
import sys
import traceback
from pathlib import Path

from documents import masked, pattern


def cells(text):
    """Returns for each cell its first line's number, its code and the lines behind it."""
    found, lines = [], text.splitlines()
    i = 0
    while i < len(lines):
        if lines[i] != "```python":
            i += 1
            continue
        end = lines.index("```", i)
        code, i, number = lines[i + 1 : end], end + 1, i + 2
        while i < len(lines) and not lines[i]:
            i += 1
        output = []
        while i < len(lines) and lines[i].startswith("    "):
            output.append(lines[i][4:])
            i += 1
        found.append((number, "\n".join(code), output))
    return found


def main():
    page, folder = (Path(name).absolute() for name in sys.argv[1:])
    os.chdir(folder)
    found = cells(page.read_text())
    variables = {"__name__": "__main__"}
    for number, code, output in found:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                # Behind empty lines, so that tracebacks have the lines of the page.
                exec(compile("\n" * (number - 1) + code, page, "exec"), variables)
        except Exception:
            traceback.print_exc()
            print(f"{page.name}:{number}: the cell raises an error")
            return 1
        if not re.fullmatch(pattern(output), masked(printed.getvalue())):
            print(f"{page.name}:{number}: the cell prints\n{printed.getvalue()}")
            return 1
    print(f"{len(found)} of {len(found)} cells print what the page says")
    return 0


if __name__ == "__main__":
    sys.exit(main())

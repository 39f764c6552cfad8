#!/usr/bin/env python3
"""Checks the structure of the tree: structure.py [--graph] [ROOT]. Prints each finding; exit 1 if there is one.
With --graph it prints the graph of includes between rooms instead.

What CONTRIBUTING.md and docs/Architecture.md state, as far as the text of the files shows it:
includes point one way, passes ask interfaces and state their contract, folders and files stay small,
each folder with sources has tests.
"""

import argparse
import graphlib
import os
import re
import sys
from pathlib import Path

SOURCES = {".cpp", ".h", ".td", ".c", ".py", ".mlir", ".proto"}
MOST_LINES, MOST_FILES = 600, 45
# Folder below lib/ -> the folders below include/gensyn/ that it may include; None: all but those of UPWARD.
MAY_INCLUDE = {
    "Numerics": {"Numerics"},
    "Machine": {"Machine", "Executable", "Numerics"},
    "Ptx": {"Ptx", "Numerics"},
    "Executable": {"Executable", "Numerics"},
    "Communication": {"Communication", "Executable"},
    "Runtime": {"Runtime", "Communication", "Executable", "Machine", "Numerics", "Ptx"},
    "Proof": {"Proof", "Runtime", "Executable", "Numerics"},
}
WITHOUT_MLIR = set(MAY_INCLUDE)
UPWARD = {
    "Dialect": {"Conversion", "Codegen", "Translation", "Pipelines", "Runtime", "Reference", "CheckBits"},
    "Conversion": {"Codegen", "Pipelines", "Runtime", "Translation", "CheckBits"},
    "Codegen": {"Conversion", "Pipelines", "Translation", "CheckBits"},
    "Translation": {"Pipelines", "Codegen", "Runtime", "CheckBits"},
    "Reference": {"Conversion", "Codegen", "Pipelines", "Translation", "CheckBits"},
}
# Room of lib/Codegen -> the rooms there that it may include.
CODEGEN = {
    "Kernel": {"Kernel"},
    "Schedule": {"Schedule", "Kernel", "Plan"},
    "Contraction": {"Contraction"},
    "Emit": {"Emit", "Kernel"},
    "Plan": {"Plan", "Kernel"},
    "Mapping": {"Mapping", "Cpu", "Kernel", "Plan", "Schedule"},
    "CoreProgram": {"CoreProgram", "Mapping", "Cpu"},
    "Cpu": {"Cpu", "Contraction", "Emit", "Kernel", "Plan", "Schedule"},
    "Gpu": {"Gpu", "Contraction", "Emit", "Kernel", "Plan", "Schedule"},
}
# Dialect of a GPU vendor -> the rooms that may name it.
VENDORS = {"NVVM": ("include/gensyn/Codegen/Gpu/Nvvm/", "lib/Codegen/Gpu/Nvvm/", "lib/Translation/Ptx/")}

# Folder of public headers -> what they may not lead to; the headers that may, with the reason.
CLOSED = {
    "Executable": r"gensyn/Executable/plan\.pb\.h|google/protobuf/.*",
    "Runtime": r"gensyn/Executable/plan\.pb\.h|google/protobuf/.*",
    "Dialect": r"onnx/.*|gensyn/Executable/plan\.pb\.h|google/protobuf/.*",
    "Conversion": r"onnx/.*|gensyn/Executable/plan\.pb\.h|google/protobuf/.*",
    "Translation": r"onnx/.*|gensyn/Executable/plan\.pb\.h|google/protobuf/.*",
}
OPEN = {
    "Dialect/Onnx/IR/GraphBuilder.h": "builds ops from the ONNX library's messages, and holds some",
}


def files(root, *folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in SOURCES:
                yield path, path.read_text(errors="replace")


def includes(root):
    """An include leads to a folder that docs/Architecture.md lets it lead to."""
    for top in ("lib", "include/gensyn"):
        for path, text in files(root, top):
            room = path.relative_to(root / top).parts[0]
            for target in re.findall(r'^#include ["<]([^">]+)', text, re.M):
                parts = target.split("/")
                if parts[0] == "gensyn" and len(parts) > 2:
                    allowed = MAY_INCLUDE.get(room)
                    wrong = parts[1] not in allowed if allowed else parts[1] in UPWARD.get(room, ())
                else:
                    wrong = room in WITHOUT_MLIR and parts[0] in ("mlir", "llvm", "onnx")
                inner = path.relative_to(root / top).parts[1]
                if room == "Codegen" and inner in CODEGEN and parts[:2] == ["gensyn", "Codegen"]:
                    wrong = parts[2] not in CODEGEN[inner]
                if wrong:
                    yield f"{path.relative_to(root)}: {room} includes {target}"


def graph(root):
    """The graph of includes between rooms: room -> the rooms that it includes, each with an example.

    A room is a folder of lib/ and the public headers below its name. A public header that lies above
    the rooms belongs to the room of the source of its name.
    """
    sources = {}
    for path, _ in files(root, "lib"):
        parts = path.relative_to(root / "lib").parts
        sources.setdefault((parts[0], path.stem), parts[:-1])

    def room(parts):
        depth = 3 if parts[0] == "Dialect" else 2
        folder = parts[:-1]
        if len(folder) < depth:
            source = sources.get((parts[0], parts[-1].split(".")[0]), ())
            folder = max(folder, source, key=len)
        folder = folder[:depth]
        while not root.joinpath("lib", *folder).is_dir():
            folder = folder[:-1]
        return "/".join(folder)

    arrows = {}
    for top in ("lib", "include/gensyn"):
        for path, text in files(root, top):
            inner = path.relative_to(root / top)
            for target in re.findall(r'^#?\s*include "([^"]+)"', text, re.M):
                local = Path(os.path.normpath(inner.parent / target))
                if target.startswith("gensyn/"):
                    parts = Path(target).parts[1:]
                elif (root / top / local).is_file():
                    parts = local.parts
                else:
                    continue
                here, there = room(inner.parts), room(parts)
                if there and there != here:
                    example = f"{path.relative_to(root)} includes {target}"
                    arrows.setdefault(here, {}).setdefault(there, example)
    return arrows


def circles(root):
    """Rooms do not include each other in a circle."""
    arrows = graph(root)
    try:
        graphlib.TopologicalSorter(arrows).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1]  # each includes the one before it
        examples = (arrows[room][before] for before, room in zip(circle, circle[1:]))
        yield " -> ".join(reversed(circle)) + ": " + "; ".join(sorted(examples))


def leaks(root):
    """A public header does not lead to generated messages or the ONNX library, whatever it includes."""
    top = root / "include"
    included = {
        str(path.relative_to(top)): re.findall(r'^#include ["<]([^">]+)', text, re.M)
        for path, text in files(root, "include/gensyn")
    }
    for path in sorted(included):
        name = path.removeprefix("gensyn/")
        closed = CLOSED.get(name.split("/")[0])
        if not closed or name in OPEN:
            continue
        # Breadth first, so that the shortest chain is shown.
        chains, seen = [[path]], {path}
        for chain in chains:
            if re.fullmatch(closed, chain[-1]):
                yield " includes ".join(chain)
                break
            for target in included.get(chain[-1], ()):
                if target not in seen:
                    seen.add(target)
                    chains.append([*chain, target])
    for name in OPEN:
        if f"gensyn/{name}" not in included:
            yield f"{name}: there is no such header"


def families(root):
    """A family of GPU schedules includes itself and Common, and Common no family."""
    top = root / "lib" / "Codegen" / "Gpu"
    names = {folder.name for folder in top.iterdir() if folder.is_dir()} if top.is_dir() else set()
    for path, text in files(root, "lib/Codegen/Gpu"):
        family = path.relative_to(top).parts[0]
        for target in re.findall(r'^#include "([^"]+)"', text, re.M):
            others = names - {family, "Common"} if family in names else set()
            if others & set(target.split("/")[:-1]) and not target.startswith("gensyn/"):
                yield f"{path.relative_to(root)}: {family} includes {target}"


def vendors(root):
    """Ops of a GPU vendor's dialect are behind GpuTarget: its room and its translation alone name them."""
    for path, text in files(root, "include", "lib", "test/lib", "test/unit", "tools"):
        name = path.relative_to(root).as_posix()
        for dialect, rooms in VENDORS.items():
            for found in re.findall(rf"\b{dialect}::|[\w/]*{dialect}\w*\.h\b", text):
                if not name.startswith(rooms):
                    yield f"{name}: names {found}, which is for {rooms[1]}"


def contracts(root):
    """A pass states what it does to bits, what it needs and what it leaves, and a test runs it."""
    tests = "\n".join(text for _, text in files(root, "test"))
    tests += "\n".join(path.read_text(errors="replace") for path in (root / "test").rglob("*.test"))
    for path, text in files(root, "include"):
        for match in re.finditer(r'^def\s+\w+\s*:\s*(?:Interface)?Pass<\s*"([^"]+)"', text, re.M):
            body = text[match.end():].split("\ndef ")[0]
            for wanted in (r"Numerics:\s*(?:keeps|changes) bits", "Needs:", "Leaves:"):
                if not re.search(wanted, body):
                    yield f"{path.relative_to(root)}: --{match[1]} has no line '{wanted}'"
            if not re.search(rf"(?<![\w-]){re.escape(match[1])}(?![\w-])", tests):
                yield f"{path.relative_to(root)}: no test runs --{match[1]}"


def op_lists(root):
    """A pass or a schedule asks interfaces and traits: three ops of repro in one isa<> are a list."""
    for path, text in files(root, "lib"):
        parts = path.relative_to(root / "lib").parts
        if "Transforms" not in parts and parts[0] != "Codegen":
            continue
        for found in re.findall(r"\b(?:llvm::)?(?:isa|isa_and_nonnull|isa_and_present|IsaPred)<([^<>;()]*)>", text):
            if len([name for name in found.split(",") if re.fullmatch(r"(?:repro::)?\w+Op", name.strip())]) >= 3:
                yield f"{path.relative_to(root)}: a list of ops: {' '.join(found.split())}"


def sizes(root):
    """Files and folders that a reader can take in."""
    for path, text in files(root, "include", "lib", "tools", "test"):
        lines = text.count("\n")
        if lines > MOST_LINES and path.suffix != ".mlir":
            yield f"{path.relative_to(root)}: {lines} lines, at most {MOST_LINES}"
    for top in ("lib", "tools"):
        for folder in sorted((root / top).rglob("*")):
            if folder.is_dir():
                count = sum(file.suffix in (".cpp", ".h") for file in folder.iterdir())
                if count > MOST_FILES:
                    yield f"{folder.relative_to(root)}: {count} files, at most {MOST_FILES}"


def guards(root):
    """A header has a guard of its own name, GENSYN_ROOM_FILE_H, and not #pragma once."""
    owners = {}
    for path, text in files(root, "benchmarks", "include", "lib", "test/lib", "test/unit", "tools"):
        if path.suffix != ".h":
            continue
        guard = re.search(r"^#ifndef (\w+)\n#define \1$", text, re.M)
        name = re.sub(r"\W", "", path.name).upper()
        if not guard or not re.fullmatch(rf"GENSYN\w*{name}", re.sub("_", "", guard[1])):
            yield f"{path.relative_to(root)}: no guard GENSYN_..._{re.sub(r'[^0-9A-Z]', '_', path.name.upper())}"
        elif owners.setdefault(guard[1], path) != path:
            yield f"{path.relative_to(root)}: the guard of {owners[guard[1]].relative_to(root)}"


def test_names(root):
    """A lit test is named after a source (ControlErrors: of Control) or has a name in kebab-case."""
    sources = {path.stem for path, _ in files(root, "include", "lib", "tools")}
    for suffix in ("mlir", "test"):
        for path in sorted((root / "test").rglob(f"*.{suffix}")):
            words = re.findall(r"[A-Z][a-z0-9]*", path.stem)
            begins = {"".join(words[:count]) for count in range(1, len(words) + 1)}
            of_source = "".join(words) == path.stem and begins & sources
            if "Inputs" not in path.parts and not of_source and not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", path.stem):
                yield f"{path.relative_to(root)}: neither the name of a source nor kebab-case"


def mirrored(root):
    """A folder with sources has a folder with tests, of its name or, for IR and Interfaces, of its parent's."""
    for folder in sorted((root / "lib").rglob("*")):
        if not folder.is_dir() or not any(folder.glob("*.cpp")):
            continue
        inner = folder.relative_to(root / "lib")
        names = [inner, inner.parent] if folder.name in ("IR", "Interfaces") else [inner]
        if not any(any((root / top / name).glob("*.*")) for top in ("test", "test/unit") for name in names):
            yield f"lib/{inner}: neither test/{inner} nor test/unit/{inner} has tests"


CHECKS = (includes, circles, leaks, families, vendors, contracts, op_lists, sizes, guards, test_names, mirrored)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", action="store_true", help="print the graph of includes between rooms")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    options = parser.parse_args()
    root = options.root.resolve()
    if options.graph:
        arrows = graph(root)
        for room in sorted(arrows):
            print(f"{room}: {', '.join(sorted(arrows[room]))}")
        print(f"{len(arrows.keys() | set().union(*arrows.values()))} rooms, {sum(map(len, arrows.values()))} arrows")
        return 0
    found = [f"{check.__name__}: {finding}" for check in CHECKS for finding in check(root)]
    print(*found, f"{len(CHECKS)} checks of {sum(1 for _ in files(root, 'lib', 'include'))} files, {len(found)} findings", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

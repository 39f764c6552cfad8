#!/usr/bin/env python3
"""Plants one-line faults in a copy of the tree and asks whether tests find them.

  mutants.py check                      which faults of faults.txt fit the sources
  mutants.py build COPY [--jobs N]      makes the copy, plants all of them, builds it
  mutants.py run COPY [NUMBER...]       runs the tests of each fault's room

See README.md beside it for the form of faults.txt.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HEADER = """// The number in GENSYN_MUTANT, read once.
#pragma once
#include <cstdlib>
static inline int gensynMutant() {
  static const int chosen = [] {
    const char *text = std::getenv("GENSYN_MUTANT");
    return text ? std::atoi(text) : 0;
  }();
  return chosen;
}
// Constants of the program have no fault.
static constexpr bool gensynIsMutant(int number) {
  return !__builtin_is_constant_evaluated() && gensynMutant() == number;
}
"""
TARGETS = ["gensyn-tools", "gensyn-unit-tests", "gensyn-wrong-opt", "gensyn-random-programs"]
LIT = '\nimport os\nconfig.environment["GENSYN_MUTANT"] = os.environ.get("GENSYN_MUTANT", "0")\n'


class Mutant:
    def __init__(self, number, title):
        self.number, self.title = number, title
        self.file = self.after = self.old = self.new = None
        self.lit, self.unit = [], []


def read():
    mutants = []
    for line in (HERE / "faults.txt").read_text().splitlines():
        head = re.match(r"\[(\d+)\] (.*)", line)
        if head:
            mutants.append(Mutant(int(head[1]), head[2]))
            continue
        if not line or line.startswith("#"):
            continue
        key, _, value = line.partition(" ")
        mutant = mutants[-1]
        if key in ("lit", "unit"):
            getattr(mutant, key).append(value)
        else:
            setattr(mutant, {"-": "old", "+": "new"}.get(key, key), value)
    numbers = [mutant.number for mutant in mutants]
    assert len(set(numbers)) == len(numbers), "a number is there twice"
    return mutants


def pattern(text):
    """The text with any white space where it has some."""
    return r"\s*".join(re.escape(word) for word in re.findall(r"\w+|[^\w\s]", text))


def is_expression(text):
    """Whether it may stand in parentheses, as far as its brackets and its first and last words tell."""
    text = re.sub(r"'(\\.|[^'\\])'|\"(\\.|[^\"\\])*\"", "0", text)
    opened = []
    for bracket in re.findall(r"[()\[\]{}]", text):
        if bracket in "([{":
            opened.append(bracket)
        elif not opened or opened.pop() + bracket not in ("()", "[]", "{}"):
            return False
    whole = text.count("?") == len(re.findall(r"(?<!:):(?!:)", text))
    return (whole and not opened and not text.endswith(";")
            and not re.match(r"(if|for|while|return|const|auto)\b|[:?,.=|%]", text)
            and not re.search(r"([^+]\+|[^-]-|[*/%&|<>=?:,.])$", text))


def find(mutant, text):
    """Where the expression stands, or what is wrong."""
    for part in (mutant.old, mutant.new):
        if not is_expression(part):
            return f"'{part}' is no expression"
    begin = 0
    if mutant.after:
        found = re.search(pattern(mutant.after), text)
        if not found:
            return f"no '{mutant.after}'"
        begin = found.end()
    matches = list(re.finditer(pattern(mutant.old), text[begin:]))
    if not matches:
        return f"no '{mutant.old}'"
    if len(matches) > 1 and not mutant.after:
        return f"'{mutant.old}' is there {len(matches)} times"
    return begin + matches[0].start(), begin + matches[0].end()


def plant(root, mutants):
    """Changes the files below `root`; the faults that do not fit."""
    wrong = []
    for path in sorted({mutant.file for mutant in mutants}):
        place = root / path
        text = place.read_text() if place.exists() else ""
        mine = [mutant for mutant in mutants if mutant.file == path]
        edits = {}
        for mutant in mine:
            found = find(mutant, text)
            if isinstance(found, str):
                wrong.append(f"{mutant.number}: {path}: {found}")
            else:
                edits.setdefault(found, []).append(mutant)
        for (begin, end), several in sorted(edits.items(), reverse=True):
            new = text[begin:end]
            for mutant in several:
                new = f"(gensynIsMutant({mutant.number}) ? ({mutant.new}) : ({new}))"
            text = text[:begin] + new + text[end:]
        include = text.index("#include") if "#include" in text else 0
        place.write_text(text[:include] + '#include "gensyn/Mutant.h"\n' + text[include:]) if edits else None
    return wrong


def check():
    wrong = []
    for mutant in read():
        place = ROOT / mutant.file
        found = find(mutant, place.read_text()) if place.exists() else "no such file"
        if isinstance(found, str):
            wrong.append(f"{mutant.number}: {mutant.file}: {found}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(read()) - len(wrong)} of {len(read())} faults fit")
    return bool(wrong)


def build(copy, jobs, launcher):
    copy.mkdir(parents=True, exist_ok=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, files.decode().split("\0")):
        source, target = ROOT / name, copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # Unchanged files keep their time stamps, so that a second build is short.
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copy(source, target)
    (copy / "include/gensyn/Mutant.h").write_text(HEADER)
    for wrong in plant(copy, read()):
        print("does not fit:", wrong)
    for name in ("test/lit.cfg.py", "test/unit/lit.cfg.py"):
        with open(copy / name, "a") as file:
            file.write(LIT)
    launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX")] if launcher else []
    subprocess.run(["cmake", "--preset", "release", *launchers], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    # A fault that does not compile is a line of output, and does not end the run.
    subprocess.run(["ninja", "-C", "build/release", "-k", "0", f"-j{jobs}", *TARGETS], cwd=copy)


def commands(copy, mutant):
    build_folder = copy / "build/release"
    for folder in mutant.unit:
        for binary in sorted((build_folder / "test/unit" / folder).glob("*Tests")) or sorted(
                (build_folder / "test/unit").glob("*Tests")):
            if unit_folders(copy).get(binary.name) == folder:
                yield [str(binary), "--gtest_brief=1"]
    for path in mutant.lit:
        yield ["lit", "-sv", "-j1", "--max-failures=1", str(build_folder / "test" / path)]


def unit_folders(copy):
    """The folder of each GoogleTest binary."""
    folders = {}
    for file in (copy / "test/unit").rglob("CMakeLists.txt"):
        for name in re.findall(r"gensyn_add_unit_test\((\w+)", file.read_text()):
            folders[name] = str(file.parent.relative_to(copy / "test/unit"))
    return folders


def find_killer(copy, mutant, limit):
    """A test that fails, or None, and whether a command took longer than `limit` before any did: that may be
    the fault, which makes a loop endless, or a busy machine."""
    late = False
    cache = copy / "cache" / str(mutant.number)
    environment = dict(os.environ, GENSYN_MUTANT=str(mutant.number))
    # Cached kernels of one fault must not be used for another; the environment of Python stays where it is.
    environment.setdefault("GENSYN_CACHE", os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "gensyn"))
    environment["XDG_CACHE_HOME"] = str(cache)
    lit = os.environ.get("LIT", "lit-22")
    for command in commands(copy, mutant):
        if command[0] == "lit":
            command[0] = lit
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=limit, cwd=copy)
        except subprocess.TimeoutExpired:
            late = True
            continue
        if done.returncode:
            named = re.search(r"(?:\[  FAILED  \] |FAIL: )(\S+(?: :: \S+)?)", done.stdout)
            return named[1] if named else f"{Path(command[0]).name} ends with {done.returncode}", late
    return None, late


def run(copy, numbers, limit):
    mutants = read()
    chosen = [mutant for mutant in mutants if not numbers or mutant.number in numbers]
    if unknown := set(numbers) - {mutant.number for mutant in mutants}:
        sys.exit(f"no faults have the numbers {sorted(unknown)}")
    # A test that fails without a fault detects none.
    rooms = Mutant(0, "no fault")
    rooms.unit = sorted({room for mutant in chosen for room in mutant.unit})
    rooms.lit = sorted({room for mutant in chosen for room in mutant.lit})
    if killer := find_killer(copy, rooms, None)[0]:
        sys.exit(f"fails without a fault: {killer}")
    found = unknown = 0
    for mutant in chosen:
        if not list(commands(copy, mutant)):
            sys.exit(f"fault {mutant.number} has no tests")
        killer, late = find_killer(copy, mutant, limit)
        found += killer is not None
        unknown += late and not killer
        verdict = f"found by {killer}" if killer else f"NO END in {limit} seconds" if late else "SURVIVED"
        print(f"[{mutant.number}] {mutant.title}: {verdict}", flush=True)
    print(f"{found} of {len(chosen)} found, {100 * found / max(len(chosen), 1):.1f} %"
          + (f"; {unknown} without an end" if unknown else ""))
    return found < len(chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("check", "build", "run"))
    parser.add_argument("copy", nargs="?", type=Path)
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--launcher", help="compiler launcher, such as ccache")
    parser.add_argument("--limit", type=int, default=900, help="seconds of a command")
    options = parser.parse_args()
    if options.command == "check":
        return check()
    if not options.copy:
        parser.error("COPY is wanted")
    copy = options.copy.resolve()
    if options.command == "build":
        return build(copy, options.jobs, options.launcher)
    return run(copy, options.numbers, options.limit)


if __name__ == "__main__":
    sys.exit(main())

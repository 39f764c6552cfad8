#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy: tidy.py BUILD [--all | FILE ...] [--jobs N].

By default on the lines that differ from main: committed, changed or new; whole files where they are
named. A header is checked through one source that includes it. Prints each finding once and a line that
counts them; exit 1 if there is one.

Sources that the build compiles in batches get commands of their own, in BUILD/tidy.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("benchmarks", "include", "lib", "test", "tools")


def git(*words):
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed():
    """The lines that differ from main, where there is one, else from HEAD: for each file a list of the first
    and the last of each run. What only lost lines is left out."""
    base = next((found[0] for name in ("origin/main", "main") if (found := git("merge-base", "HEAD", name))), "HEAD")
    ranges, name = {}, None
    for line in git("-c", "core.quotePath=off", "diff", "--unified=0", "--no-color", "--no-ext-diff",
                    "--dst-prefix=b/", base):
        if line.startswith("+++ "):
            name = line[6:] if line.startswith("+++ b/") else None
        elif name and (hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            if count:
                ranges.setdefault(name, []).append((first, first + count - 1))
    return ranges | {name: [(1, sys.maxsize)] for name in git("ls-files", "--others", "--exclude-standard")}


def is_changed(ranges, name, position, message):
    """True for a finding on a changed line, and for what stops the compiler, wherever it is."""
    line = position.partition(":")[0]
    if not line.isdigit() or "[clang-diagnostic-error]" in message:
        return True
    return any(first <= int(line) <= last for first, last in ranges.get(name, ()))


def commands(build):
    """The command of each source of ours."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = Path(entry["directory"], entry["file"])
        batch = re.findall(r'#include "([^"]+)"', file.read_text()) if file.parent.name == "Unity" else [str(file)]
        for source in batch:
            if Path(source).is_relative_to(ROOT) and not Path(source).is_relative_to(build):
                command = entry["command"].replace(str(file), source)
                found.setdefault(source, {"directory": entry["directory"], "file": source, "command": command})
    return found


def includer(header, sources):
    """The source of the header's name, else the first that includes it."""
    own = [source for source in sources if Path(source).stem == header.stem]
    pattern = re.compile(rf'^#include ".*\b{re.escape(header.name)}"', re.M)
    return next((source for source in own + sorted(sources) if pattern.search(Path(source).read_text())), None)


def select(names, sources):
    """The sources to check, and the names for which there is none."""
    chosen, left = set(), []
    for name in names:
        path = (ROOT / name).resolve()
        if path.suffix not in (".cpp", ".h") or path.relative_to(ROOT).parts[0] not in FOLDERS:
            continue
        source = includer(path, sources) if path.suffix == ".h" else str(path)
        if source in sources:
            chosen.add(source)
        else:
            left.append(name)
    return sorted(chosen), left


def check(source, folder):
    done = subprocess.run(["clang-tidy-22", "-p", str(folder), "--quiet", source], capture_output=True, text=True)
    if done.returncode and not done.stdout:
        return [f"{source}: {done.stderr.strip() or 'clang-tidy failed'}"]
    # A finding is a line with its place and the lines that quote it.
    parts = re.split(r"^(?=\S+?:\d+:\d+: (?:error|warning):)", done.stdout, flags=re.M)
    return [part.rstrip() for part in parts if part.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--all", action="store_true", help="every source of the tree")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    build = options.build.resolve()
    if not (build / "compile_commands.json").exists():
        sys.exit(f"tidy.py: error: {options.build} is not configured")
    sources = commands(build)
    ranges = None
    if options.all:
        chosen, left = sorted(sources), []
    elif options.files:
        chosen, left = select(options.files, sources)
    else:
        ranges = changed()
        chosen, left = select(ranges, sources)
    for name in left:
        print(f"{name}: not part of the build, not checked")
    if not chosen:
        print("clang-tidy: nothing to check")
        return 0
    # What sources include of what the build makes.
    made = subprocess.run(["ninja", "-C", str(build), "--quiet", "gensyn-generated"], capture_output=True, text=True)
    if made.returncode:
        sys.exit(made.stdout + made.stderr)
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(list(sources.values()), indent=1))
    seen = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda source: check(source, folder), chosen):
            for finding in found:
                first, _, rest = finding.partition("\n")
                place, _, message = first.partition(": ")
                name, _, position = place.partition(":")
                name = os.path.relpath(os.path.realpath(name), ROOT)
                if ranges is not None and not is_changed(ranges, name, position, message):
                    continue
                key = f"{name}:{position}: {message}"
                if seen.setdefault(key, rest) is rest:
                    print(key, *([rest] if rest else []), sep="\n", flush=True)
    print(f"clang-tidy: {len(chosen)} files, {len(seen)} findings")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())

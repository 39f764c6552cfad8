"""Runs the programs of a machine's cores in QEMU, one core at a time, and compares every byte that they store.

core_programs.py FOLDER MODEL INPUTS [--machine NAME] [--cores N] [--option ...]

The inputs of each core come from a simulation with values, in which other cores take part; so do the bytes that it
must store (docs/CorePrograms.md). Ends with 0 if all are equal. --mapped FOLDER takes programs and records that are
there: *.elf, *.in and *.expected.
"""

import argparse
import shutil
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BOARD = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none"]
SECONDS = 600


def gensyn(*words):
    result = subprocess.run(["gensyn-run", *map(str, words)], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"gensyn-run {words[0]}: exit {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def segments(record):
    """Number, and sizes of what is stored and written, of each repetition of a segment in a record."""
    place = 0
    while struct.unpack_from("<I", record, place)[0] != 0xFFFFFFFF:  # weights
        place += 12 + struct.unpack_from("<3I", record, place)[2]
    place += 4
    while struct.unpack_from("<I", record, place)[0] != 0xFFFFFFFF:
        numbers = struct.unpack_from("<10I", record, place)
        yield numbers[0], sum(numbers[7:9]), numbers[9]
        place += 40 + 16 * numbers[2] + sum(numbers[3:7])


def describe(record, byte):
    for number, stored, written in segments(record):
        if byte < stored:
            return f"byte {byte} of what it stores in segment {number}"
        if byte < stored + written:
            return f"byte {byte - stored} of what it writes in place, or of fault words, in segment {number}"
        byte -= stored + written
    return "a byte after the last segment"


def run(folder, name):
    """Returns the number of bytes that are equal, and what is wrong."""
    words = f"enable=on,target=native,arg={name}.elf,arg={name}.in,arg={name}.out"
    try:
        result = subprocess.run([*BOARD, "-semihosting-config", words, "-kernel", f"{name}.elf"], cwd=folder,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return 0, f"{name}: has not ended after {SECONDS} seconds"
    if result.returncode:
        return 0, f"{name}: ends with {result.returncode}: {(result.stdout + result.stderr).strip()}"
    expected = (folder / f"{name}.expected").read_bytes()
    output = folder / f"{name}.out"
    found = output.read_bytes()
    output.unlink()
    if found == expected:
        return len(expected), ""
    for byte, (is_, should) in enumerate(zip(found, expected)):
        if is_ != should:
            record = (folder / f"{name}.in").read_bytes()
            return byte, f"{name}: {describe(record, byte)} is {is_:02x}, expected {should:02x}"
    return 0, f"{name}: stores {len(found)} bytes, expected {len(expected)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="for programs and records; it must not exist")
    parser.add_argument("model", nargs="?")
    parser.add_argument("inputs", nargs="?")
    parser.add_argument("--machine", default="spinnaker2-chip")
    parser.add_argument("--batch-size", type=int, help="of the inputs")
    parser.add_argument("--dim", action="append", default=[], help="a symbolic dimension of the model, NAME=SIZE")
    parser.add_argument("--weights", help="where they lie; default: in shared memory")
    parser.add_argument("--recipe", help="of gradients; default: inference")
    parser.add_argument("--cores", type=int, help="how many to run, evenly chosen; default: all")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--mapped", action="store_true", help="the folder has programs and records already")
    options = parser.parse_args()
    if not shutil.which(BOARD[0]):
        sys.exit(f"{BOARD[0]} is not installed")
    folder = options.folder
    if not options.mapped:
        shutil.rmtree(folder, ignore_errors=True)
        mapping = folder.with_suffix(".gmap")
        more = ["--batch-size", options.batch_size] if options.batch_size else []
        for dim in options.dim:
            more += ["--dim", dim]
        kind = ["--recipe", options.recipe, "--kind", "grad"] if options.recipe else []
        if options.weights:
            more += ["--weights", options.weights]
        print(gensyn("map", options.model, "--machine", options.machine, *more, *kind, "--bodies", "--elf", folder,
                     "-o", mapping), end="")
        names = sorted(file.stem for file in folder.glob("*.elf"))
        chosen = choose(names, options.cores)
        record = folder.with_suffix(".record")
        shutil.rmtree(record, ignore_errors=True)
        gensyn("simulate", mapping, "--values", "--inputs", options.inputs, "--outputs", folder.with_suffix(".values"),
               "--record", record, "--record-cores", ",".join(str(int(name.split("-")[1])) for name in chosen))
        for file in record.iterdir():
            file.rename(folder / file.name)
    names = choose(sorted(file.stem for file in folder.glob("*.expected")), options.cores)
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda name: run(folder, name), names))
    wrong = [text for _, text in results if text]
    for text in wrong:
        print(text)
    equal = sum(count for count, text in results if not text)
    print(f"{len(names)} cores in QEMU: {equal:,} bytes stored by {len(names) - len(wrong)} of them are equal"
          + (f", {len(wrong)} cores differ" if wrong else ""))
    return 1 if wrong or not names else 0


def choose(names, count):
    if not count or count >= len(names):
        return names
    return [names[i * len(names) // count] for i in range(count)]


if __name__ == "__main__":
    sys.exit(main())

"""Runs the command streams of a machine's blocks in the RTL, and compares every byte that they store.

block_programs.py FOLDER MODEL INPUTS [--machine NAME] [--batch-size N] [--rtl FOLDER]

A simulation with values says what the machine's other cores leave in the memory, how long their tasks take, and what
the block must store (docs/Block.md). The RTL is compiled by Verilator, to FOLDER.rtl unless --rtl names a folder,
where what was compiled before is taken. Ends with 0 if all bytes are equal. --mapped FOLDER takes streams and records that are there.
"""

import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
RTL = SOURCE / "share/rtl/gensyn-block"


def gensyn(*words):
    result = subprocess.run(["gensyn-run", *map(str, words)], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"gensyn-run {words[0]}: exit {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def compile_rtl(folder):
    """The test bench with the RTL, unless it is there and newer than its sources."""
    sources = list(dict.fromkeys([RTL / "block_package.sv", *sorted(RTL.glob("*.sv")),
                                  SOURCE / "test/Integration/Block/bench.cpp"]))
    made = folder / "bench"
    headers = (SOURCE / "include/gensyn/Machine").glob("*.h")
    if made.exists() and made.stat().st_mtime > max(file.stat().st_mtime for file in [*sources, *headers]):
        return made
    words = ["verilator", "--cc", "--exe", "--build", "-O3", "-Wall", "-Wno-UNUSEDSIGNAL", "--top-module",
             "gensyn_block", "-CFLAGS", f"-O2 -std=c++20 -I{SOURCE / 'include'}", "-Mdir", folder, "-o", made.name, *sources]
    result = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"verilator: exit {result.returncode}: {result.stderr.strip()}")
    return made


def read_runs(path):
    """Of each run of a segment the number of tasks that compute, and of copies."""
    data, runs = path.read_bytes(), {}
    count, buffers = struct.unpack_from("<II", data, 12)
    place = 24 + 16 * buffers
    for _ in range(count):
        segment, repetition, *sizes = struct.unpack_from("<4I", data, place)
        place += 16
        tasks = []
        for size in sizes:
            words = struct.unpack_from(f"<{size}Q", data, place)
            place += 8 * size
            number, word = 0, 0
            while word < size:
                opcode = words[word] & 255
                number += opcode > 2
                word += {3: 3 + 2 * (words[word] >> 8 & 15), 4: 3 + 2 * (words[word] >> 8 & 15),
                         5: 6 + 3 * sum(words[word] >> shift & 15 for shift in (8, 12, 16, 20))}.get(opcode, 1)
            tasks.append(number)
        runs[segment, repetition] = tasks
    return runs


def write_times(path, machine, trace, block, others):
    """The times that bench.cpp reads, in cycles of the block's clock, of the runs in which the block has tasks.
    Returns the cycles of these runs. Segments run in their order, each once for each repetition."""
    numbers = {entry["number"]: entry["value"]
               for entry in json.loads(gensyn("machine", machine, "--numbers", "--json"))["numbers"]}
    cycle = 10**12 // numbers["core.frequency"]
    latency = numbers["memory.latency"] + numbers["network.star.latency"]
    burst = numbers["memory.burst"] * 10**12 // numbers["memory.bandwidth"]
    queues = {}
    for event in json.loads(trace.read_text())["traceEvents"]:
        if event["ph"] == "X":
            queues.setdefault((event["tid"] // 2, event["tid"] % 2), []).append(
                (round(event["ts"] * 10**6), round(event["dur"] * 10**6)))
    runs = {int(file.stem.split("-")[1]): read_runs(file) for file in [block, *others]}
    own = runs[int(block.stem.split("-")[1])]
    times, total = {(core, queue): [] for core in runs for queue in (0, 1)}, 0
    places = dict.fromkeys(times, 0)
    for queue in queues.values():
        queue.sort()
    order = sorted({run for of_core in runs.values() for run in of_core})
    # The first ones prepare parameters, which the trace does not have.
    missing = sum(sum(sum(of_core[run]) for run in of_core) for of_core in runs.values())
    missing -= sum(len(queue) for queue in queues.values())
    while missing > 0:
        missing -= sum(sum(of_core.get(order[0], [0])) for of_core in runs.values())
        order.pop(0)
    for run in order:
        begin, end = None, 0
        for core, queue in times:
            count = runs[core].get(run, [0, 0])[queue]
            tasks = queues.get((core, queue), [])[places[core, queue]:places[core, queue] + count]
            if len(tasks) != count:
                sys.exit("the trace has fewer tasks than the streams")
            places[core, queue] += count
            for start, time in tasks:
                begin, end = start if begin is None else min(begin, start), max(end, start + time)
            if run in own:
                times[core, queue] += [-(-time // cycle) for _, time in tasks]
        if run in own:
            total += end - begin
    words = [latency // cycle, burst // cycle, numbers["network.signal"] // cycle]
    for entries in times.values():
        words += [len(entries), *entries]
    path.write_text("\n".join(map(str, words)) + "\n")
    return total / cycle


def estimate(model, machine, more, mapping):
    """The time of a run that a sweep finds in closed form, against a simulation."""
    sweep = json.loads(gensyn("map", model, "--machine", machine, *more, "--json", "--sweep",
                              "core.frequency=200:400:2").splitlines()[-1])
    simulation = [json.loads(line) for line in gensyn("simulate", mapping, "--json").splitlines()]
    simulated = next(event["picoseconds"] for event in simulation if event["event"] == "mapping")
    found = sweep["points"][0]["picoseconds"]
    print(f"estimated {found / 1e6:,.3f} us a run, simulated {simulated / 1e6:,.3f} us: "
          f"{100 * (found / simulated - 1):+.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="for streams and records; it must not exist")
    parser.add_argument("model", nargs="?")
    parser.add_argument("inputs", nargs="?")
    parser.add_argument("--machine", default="gensyn-block")
    parser.add_argument("--batch-size", type=int, help="of the inputs")
    parser.add_argument("--integer-sums", action="store_true", help="as that option of map")
    parser.add_argument("--rtl", type=Path, help="for the compiled RTL and test bench; default: FOLDER.rtl")
    parser.add_argument("--estimate", action="store_true", help="also print the estimate of the mapping's time")
    parser.add_argument("--mapped", action="store_true", help="the folder has streams and records already")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if not shutil.which("verilator"):
        sys.exit("verilator is not installed")

    def beside(suffix):
        return folder.parent / (folder.name + suffix)

    if not options.mapped:
        for place in [folder, beside(".record")]:
            shutil.rmtree(place, ignore_errors=True)
        mapping = beside(".gmap")
        more = ["--batch-size", options.batch_size] if options.batch_size else []
        more += ["--integer-sums"] if options.integer_sums else []
        print(gensyn("map", options.model, "--machine", options.machine, *more, "--bodies", "--block", folder, "-o",
                     mapping), end="")
        streams = sorted(folder.glob("*.block"))
        if not streams:
            sys.exit("no core of the mapping is a block")
        if options.estimate:
            estimate(options.model, options.machine, more, mapping)
        cores = ",".join(str(int(stream.stem.split("-")[1])) for stream in streams)
        record = beside(".record")
        gensyn("simulate", mapping, "--values", "--inputs", options.inputs, "--outputs",
               beside(".safetensors"), "--record", record, "--record-cores", cores, "--trace",
               folder / "trace.json", "--trace-tasks", 10**7)
        for file in record.iterdir():
            file.rename(folder / file.name)
    bench = compile_rtl((options.rtl or beside(".rtl")).resolve())
    others = sorted(folder.glob("*.tasks"))
    wrong = False
    for stream in sorted(folder.glob("*.block")):
        times = stream.with_suffix(".times")
        try:
            simulated = write_times(times, options.machine, folder / "trace.json", stream, others)
        except struct.error:  # The test bench says what is wrong with a stream.
            times.write_text("0 0 0\n" + "0 0\n" * (1 + len(others)))
            simulated = 0
        result = subprocess.run([str(bench), stream, stream.with_suffix(".in"), stream.with_suffix(".expected"), times,
                                 *others], capture_output=True, text=True, env=os.environ)
        print(f"{stream.stem}: " + (result.stdout + result.stderr).strip().replace("\n", f"\n{stream.stem}: "))
        print(f"{stream.stem}: simulated {simulated:,.0f} cycles")
        wrong |= result.returncode != 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

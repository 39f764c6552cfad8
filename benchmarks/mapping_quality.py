#!/usr/bin/env python3
"""Mappings of small programs against the best ones that there are.

  mapping_quality.py BUILD [--instances 200] [--seed 16] [--only TEXT] [--limit 3000] [--orders 40] [--markdown FILE]

Of each program on each small machine, all alternatives are simulated: parts, cores and tiles of each kernel, given as
attributes. HiGHS (`pip install highspy`) bounds what another order of tasks, or other cores for tiles, could gain. See
"Quality" in docs/Mapping.md. Needs gensyn-translate, gensyn-opt and gensyn-mapping-alternatives in BUILD.

Ends with 1 if mappings take more than 1.05 of the least time in the median or 1.20 at worst, or the memory planned for
fewer than 95 % of cores is at most 1.02 of what lives at once.
"""

import argparse
import collections
import itertools
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MACHINES = ROOT / "share/machines"
CASES = ROOT / "test/Inputs/cases"
MEDIAN, WORST, MEMORY, SHARE = 1.05, 1.20, 1.02, 0.95
ALIGNMENT = 64


# Machines: parts of those that come with the tools.

def number(machine, value, unit):
    machine["sources"]["small"] = {"kind": "assumed", "title": "a small machine for mapping_quality.py"}
    return {"value": value, "unit": unit, "source": "small", "low": value, "high": 2 * value}


def spinnaker(cores, kib=None):
    machine = json.loads((MACHINES / "spinnaker2-chip.json").read_text())
    columns, rows = {2: (2, 1), 3: (3, 1), 4: (2, 2), 6: (3, 2)}[cores]
    machine["cores"] = [{"kind": "pe", "per_node": [columns, rows], "at": [[7, 5]]}]
    machine.pop("dead", None)
    if kib:
        machine["memories"][0]["size"] = number(machine, 32 + kib, "KiB")
        machine["memories"][0]["reserved"] = number(machine, 32, "KiB")
    return machine


def with_cores(name, kinds):
    """The cores of a machine, as often as `kinds` says of each."""
    machine = json.loads((MACHINES / f"{name}.json").read_text())
    cores = []
    for group in machine["cores"]:
        count = kinds.get(group["kind"], 0)
        if count:
            cores.append(group | {"per_node": [count, 1]})
    machine["cores"] = cores
    return machine


def list_machines():
    return {
        "spinnaker2, 2 cores": spinnaker(2), "spinnaker2, 3 cores": spinnaker(3), "spinnaker2, 4 cores": spinnaker(4),
        "spinnaker2, 6 cores": spinnaker(6), "spinnaker2, 2 cores of 12 KiB": spinnaker(2, 12),
        "spinnaker2, 4 cores of 12 KiB": spinnaker(4, 12),
        "xr-soc": with_cores("xr-soc", {"npu": 1, "dsp": 1, "cpu": 1}), "xr-soc, 2 dsp": with_cores("xr-soc", {"dsp": 2}),
        "xr-soc, 4 cpu": with_cores("xr-soc", {"cpu": 4}),
        "gap9": with_cores("gap9", {"cluster": 1, "controller": 1}),
        "gap9, 2 clusters": with_cores("gap9", {"cluster": 2}), "gap9, 4 controllers": with_cores("gap9", {"controller": 4}),
    }


# Programs.

class Text:
    """A function of repro ops."""

    def __init__(self):
        self.arguments, self.lines, self.types = [], [], {}

    def argument(self, *shape):
        name = f"%a{len(self.arguments)}"
        self.types[name] = shape
        self.arguments.append(name)
        return name

    def add(self, text, *shape):
        name = f"%v{len(self.lines)}"
        self.types[name] = shape
        self.lines.append(f"  {name} = {text}")
        return name

    def type(self, name):
        return "tensor<" + "".join(f"{size}x" for size in self.types[name]) + "f32>"

    def unary(self, op, x):
        return self.add(f"repro.{op} {x} : {self.type(x)}", *self.types[x])

    def binary(self, op, x, y):
        return self.add(f"repro.{op} {x}, {y} : {self.type(x)}", *self.types[x])

    def dense(self, x, columns):
        (rows, depth), w = self.types[x], self.argument(self.types[x][1], columns)
        self.types["%made"] = (rows, columns)
        return self.add(
            f"repro.contract {x}, {w} domain <[{rows}, {columns}, {depth}], reduce [2]> maps [affine_map<(d0, d1, d2) -> "
            f"(d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] bounds [in, in] order "
            f"sequential : {self.type(x)}, {self.type(w)} -> {self.type('%made')}", rows, columns)

    def sum_rows(self, x):
        rows, columns = self.types[x]
        self.types["%made"] = (rows,)
        return self.add(f"repro.reduce sum {x} domain <[{rows}, {columns}], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
                        f"affine_map<(d0, d1) -> (d0)>] order lanes<32> : {self.type(x)} -> {self.type('%made')}", rows)

    def finish(self, *results):
        arguments = ", ".join(f"{name}: {self.type(name)}" for name in self.arguments)
        types = ", ".join(self.type(name) for name in results)
        return "\n".join([f"func.func @main({arguments}) -> ({types}) {{", *self.lines,
                          f"  return {', '.join(results)} : {types}", "}", ""])


def make_program(kind, choose):
    """The text of a random program of a kind; `choose` is a random.Random."""
    text = Text()
    size = lambda: choose.choice([8, 12, 16, 24, 30, 32, 48, 64, 96, 100, 128])
    x = text.argument(size(), size())
    if kind == "pointwise":
        return text.finish(text.unary(choose.choice(["exp", "neg", "abs", "sqrt"]), x))
    if kind == "rows":
        return text.finish(text.sum_rows(x))
    if kind == "dense":
        return text.finish(text.dense(x, size()))
    if kind == "dense, exp":
        return text.finish(text.unary("exp", text.dense(x, size())))
    if kind == "two dense":
        return text.finish(text.dense(text.unary("exp", text.dense(x, size())), size()))
    if kind == "dense, rows":
        return text.finish(text.sum_rows(text.dense(x, size())))
    if kind == "branches":
        columns = size()
        return text.finish(text.dense(x, columns), text.dense(text.argument(*text.types[x]), columns))
    if kind == "three dense":
        made = text.dense(text.dense(x, size()), size())
        return text.finish(text.dense(made, size()))
    raise ValueError(kind)


KINDS = ["pointwise", "rows", "dense", "dense, exp", "two dense", "dense, rows", "branches", "three dense"]
MODELS = {"lenet-digits": 2, "resnet-tiny-infer": 1, "mobilenet-tiny": 1, "mlp-digits": 4, "bert-tiny": 1, "llama-tiny": 1}


class Instances:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.machines = {}
        for name, machine in list_machines().items():
            self.machines[name] = folder / f"machine{len(self.machines)}.json"
            self.machines[name].write_text(json.dumps(machine))

    def list(self, count, seed):
        """Names, machines, files, and which kernels: four fifths made at random, one fifth kernels of models."""
        choose = random.Random(seed)
        names = list(self.machines)
        of_models = self.list_models(count // 5, choose, names)
        for i in range(count - len(of_models)):
            machine, kind = names[i % len(names)], KINDS[i // len(names) % len(KINDS)]
            if kind == "three dense" and "2 c" not in machine and machine not in ("gap9", "xr-soc"):
                kind = "two dense"
            file = self.folder / f"program{i}.mlir"
            file.write_text(make_program(kind, choose))
            yield f"{i}: {kind}", machine, file, []
        yield from of_models

    def list_models(self, count, choose, names):
        made = []
        kernels = []
        for name, batch in MODELS.items():
            file = self.form_kernels(name, batch)
            total = file.read_text().count("= repro.kernel ")
            kernels += [(name, file, number) for number in range(total)]
        choose.shuffle(kernels)
        for i, (name, file, number) in enumerate(kernels[:count]):
            made.append((f"{name}, kernel {number}", names[i % len(names)], file, [str(number), "1"]))
        return made

    def form_kernels(self, name, batch):
        facts = json.loads((CASES / name / "case.json").read_text())
        dims = facts.get("dims", {}) | ({"batch": batch} if "batch" in facts.get("dims", {}) else {})
        onnx, made = self.folder / f"{name}.onnx.mlir", self.folder / f"{name}.mlir"
        tools = self.build / "bin"
        subprocess.run([tools / "gensyn-translate", "--onnx-to-mlir", CASES / name / "model.onnx", "-o", onnx], check=True)
        words = "=dims=" + ",".join(f"{key}={value}" for key, value in dims.items()) if dims else ""
        subprocess.run([tools / "gensyn-opt", onnx, f"--gensyn-onnx-pipeline{words}", "--gensyn-train-pipeline=kind=infer", "--gensyn-freeze-pipeline",
                        "--gensyn-kernel-pipeline=forms=prologues,epilogues,pointwise", "-o", made], check=True)
        return made


# Alternatives.

def ceil_div(a, b):
    return -(-a // b)


def grids(extents, free, most):
    """Sizes of boxes, at most so many of them, and how many."""
    def visit(dimension, count):
        if dimension == len(extents):
            yield (), count
            return
        extent = max(extents[dimension], 1)
        sizes = {extent}
        if free[dimension]:
            sizes |= {ceil_div(extent, n) for n in range(1, most // count + 1)}
        for size in sorted(sizes, reverse=True):
            if count * ceil_div(extent, size) <= most:
                for rest, total in visit(dimension + 1, count * ceil_div(extent, size)):
                    yield (size, *rest), total
    return list(visit(0, 1))


def core_lists(parts, cores, kinds):
    """Cores for so many parts. Equal ones have one part each; where they differ, fast and slow ones have several."""
    made = set()
    if parts <= len(cores):
        made |= set(itertools.combinations(cores, parts))
    if len({kinds[core] for core in cores}) > 1:
        made |= {(core,) * parts for core in cores}
        for first, second in itertools.permutations(cores, 2):
            made |= {(first,) * n + (second,) * (parts - n) for n in range(1, parts)}
    return sorted(made)


def alternatives(kernel, kinds, most_tiles):
    cores = kernel["cores"]
    mixed = len({kinds[core] for core in cores}) > 1
    made = []
    for parts, count in grids(kernel["extents"], kernel["free"], 8 if mixed else len(cores)):
        for tiles, pieces in grids(parts, kernel["free"], most_tiles):
            cut = [i for i, (part, tile) in enumerate(zip(parts, tiles)) if tile < part]
            if len(cut) > 1 and pieces > 4:
                continue
            rest = [i for i in range(len(parts)) if i not in cut]
            for order in itertools.permutations(cut):
                for chosen in core_lists(count, cores, kinds):
                    made.append({"parts": list(parts), "tiles": list(tiles), "order": [*rest, *order],
                                 "in_place": [False] * kernel["arguments"], "cores": list(chosen)})
    return made


def canonical(choices, kinds):
    """The same for mappings in which equal cores have changed places."""
    uses = collections.defaultdict(list)
    for i, choice in enumerate(choices):
        for j, core in enumerate(choice["cores"]):
            uses[core].append((i, j if len(set(choice["cores"])) < len(choice["cores"]) else 0))
    return tuple(sorted((kinds[core], tuple(own)) for core, own in uses.items()))


def products(lists, kinds):
    seen = set()
    for choices in itertools.product(*lists):
        key = (canonical(choices, kinds), *[(*c["parts"], *c["tiles"], *c["order"], len(c["cores"])) for c in choices])
        if key not in seen:
            seen.add(key)
            yield list(choices)


class Tool:
    def __init__(self, build, machine, file, words):
        self.process = subprocess.Popen([build / "benchmarks/gensyn-mapping-alternatives", machine, file, *words],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise ValueError(self.process.stderr.read().strip() or "the tool ended")
        self.own = json.loads(line)

    def run(self, choices, detailed=False):
        self.process.stdin.write(json.dumps({"kernels": choices, "detailed": detailed}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def find_best(tool, limit, known=None):
    """The least time of all alternatives, the choices, how many there are, and the most tiles of a part. `known`: the row of
    an earlier run, of an equal program."""
    kernels, kinds = tool.own["kernels"], tool.own["kinds"]
    if known:
        best = min((tool.own["picoseconds"], [kernel["own"] for kernel in kernels]), (known["best"], known["best choice"]),
                   key=lambda found: found[0])
        return *best, known["count"], known["tiles"]
    for most_tiles in (8, 6, 4, 2, 1):
        lists = [alternatives(kernel, kinds, most_tiles) for kernel in kernels]
        if math.prod(map(len, lists)) <= 40 * limit:
            made = list(products(lists, kinds))
            if len(made) <= limit:
                break
    else:
        return None
    best = (tool.own["picoseconds"], [kernel["own"] for kernel in kernels])
    for choices in made:
        found = tool.run(choices)
        if found.get("picoseconds", best[0]) < best[0]:
            best = (found["picoseconds"], choices)
    return *best, len(made), most_tiles


# Memory.

def most_live(accesses):
    """The most bytes that live at once: from the first to the last access, when something else is written there."""
    spans, known = [], {}
    for begin, end, key, address, size in sorted(accesses, key=lambda access: (access[0], access[2] == "reads")):
        span = known.get(address)
        if span is None or (key == "writes" and span["written"]):
            span = known[address] = {"begin": begin, "end": end, "size": size, "written": False}
            spans.append(span)
        span["written"] |= key == "writes"
        span["end"] = max(span["end"], end)
    events = []
    for span in spans:
        size = ceil_div(span["size"], ALIGNMENT) * ALIGNMENT
        events += [(span["begin"], 1, size), (span["end"], 0, -size)]
    live = most = 0
    for _, _, size in sorted(events):
        live += size
        most = max(most, live)
    return most


def live_peaks(own):
    """For each core with tasks: the memory that is planned, and the most bytes that live at once in the run."""
    accesses = collections.defaultdict(list)
    for segment in own["segments"]:
        for core in segment:
            for task in core["tasks"]:
                for key in ("writes", "reads"):
                    for address, size in task.get(key, []):
                        accesses[core["core"]].append((task["begin"], task["end"], key, address, size))
                for other, address, size in task.get("others", []):
                    accesses[other].append((task["begin"], task["end"], "writes", address, size))
    for core, own_accesses in sorted(accesses.items()):
        yield ceil_div(own["peaks"][core], ALIGNMENT) * ALIGNMENT, most_live(own_accesses)


# Orders: HiGHS.

def bytes_of(task):
    """The places of a copy in its buffer, as ranges of bytes."""
    starts = [task["offset"]]
    for count, stride in task["rows"]:
        starts = [start + i * stride for start in starts for i in range(count)]
    return [(start, start + task["row_bytes"]) for start in starts]


def overlaps(first, second):
    first, second = sorted(first), sorted(second)
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i][0] < second[j][1] and second[j][0] < first[i][1]:
            return True
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return False


def list_dependences(tasks):
    """Pairs of tasks of which the second needs what the first makes, in a core's memory or a shared one."""
    writer = {}
    stores = collections.defaultdict(list)
    for number, task in enumerate(tasks):
        for address, _ in task.get("reads", []):
            if (task["core"], address) in writer:
                yield writer[task["core"], address], number
        for address, _ in task.get("writes", []):
            writer[task["core"], address] = number
        for other, address, _ in task.get("others", []):
            writer[other, address] = number
        if task["kind"] == "store":
            stores[task["buffer"]].append(number)
    for number, task in enumerate(tasks):
        if task["kind"] == "fetch":
            for store in stores[task["buffer"]]:
                if tasks[store]["launch"] < task["launch"] and overlaps(bytes_of(tasks[store]), bytes_of(task)):
                    yield store, number


def bound_orders(own, most_pairs):
    """A lower bound of the time of these tasks on these cores in any order, with memory without end: HiGHS's proof. None
    for more pairs than `most_pairs` whose order is open."""
    import highspy
    tasks = [task | {"core": core["core"]} for segment in own["segments"] for core in segment for task in core["tasks"]]
    tasks.sort(key=lambda task: (task["begin"], task["end"]))
    after = [set() for _ in tasks]
    for first, second in list_dependences(tasks):
        after[second] |= {first} | after[first]
    pairs = [(i, j) for i, j in itertools.combinations(range(len(tasks)), 2)
             if tasks[i]["core"] == tasks[j]["core"] and (tasks[i]["kind"] == "compute") == (tasks[j]["kind"] == "compute")
             and i not in after[j] and j not in after[i]]
    if len(pairs) > most_pairs:
        return None
    unit = 1000.0  # nanoseconds
    times = [min(task["alone"], task["end"] - task["begin"]) / unit for task in tasks]
    horizon = own["picoseconds"] / unit
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    end = solver.addVariable(lb=0, ub=horizon)
    starts = [solver.addVariable(lb=0, ub=horizon) for _ in tasks]
    for number in range(len(tasks)):
        solver.addConstr(end - starts[number] >= times[number])
        for before in after[number]:
            solver.addConstr(starts[number] - starts[before] >= times[before])
    for i, j in pairs:
        if {tasks[i]["kind"], tasks[j]["kind"]} == {"fetch"} and i > j:
            continue
        first = solver.addBinary()
        solver.addConstr(starts[j] - starts[i] + horizon * (1 - first) >= times[i])
        solver.addConstr(starts[i] - starts[j] + horizon * first >= times[j])
    # What a queue, and the ports of a memory, have to do, one after another.
    loads = collections.Counter()
    for task, time in zip(tasks, times):
        loads[task["core"], task["kind"] == "compute"] += time
        if "memory" in task:
            loads["memory", task["memory"]] += task["moved"] / task["bandwidth"] * 1e12 / unit
    for load in loads.values():
        solver.addConstr(end >= load)
    solver.setOptionValue("mip_max_nodes", 5000)
    solver.setOptionValue("threads", 1)
    solver.minimize(end)
    info = solver.getInfo()
    bound = info.mip_dual_bound if pairs else info.objective_function_value
    return max(bound, 0) * unit


# Results.

def measure(build, instance, given):
    name, machine, file, words = instance
    tool = Tool(build, given.machines[machine], file, words)
    try:
        best = find_best(tool, given.limit, given.known.get(f"{name} on {machine}"))
        if best is None:
            return {"name": name, "machine": machine, "why": f"more than {given.limit} alternatives"}
        time, choices, count, tiles = best
        own = tool.own["picoseconds"]
        bound = bound_orders(tool.run(choices, True) if time < own else tool.own, given.orders) if given.orders else None
        return {"name": name, "machine": machine, "ratio": own / time, "own": own, "best": time, "count": count,
                "tiles": tiles, "bound": bound, "peaks": list(live_peaks(tool.own)),
                "own choice": [kernel["own"] for kernel in tool.own["kernels"]], "best choice": choices}
    finally:
        tool.close()


def show(choices):
    return "; ".join(f"parts {c['parts']} tiles {c['tiles']} cores {c['cores']}" for c in choices)


def table(rows, machines):
    yield "| machine | programs | alternatives | time: median | 95 % | worst | order: median | cores | memory: within 2 % | worst |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for machine in ["all", *machines]:
        own = [row for row in rows if machine in ("all", row["machine"])]
        if not own:
            continue
        ratios = sorted(row["ratio"] for row in own)
        orders = [row["best"] / row["bound"] for row in own if row["bound"]]
        memory = [peak / live for row in own for peak, live in row["peaks"] if live]
        yield (f"| {machine} | {len(own)} | {sum(row['count'] for row in own):,} | {statistics.median(ratios):.3f} | "
               f"{ratios[min(len(ratios) - 1, int(0.95 * len(ratios)))]:.3f} | {ratios[-1]:.3f} | "
               f"{f'{statistics.median(orders):.3f} of {len(orders)}' if orders else ''} | {len(memory)} | "
               f"{sum(ratio <= MEMORY for ratio in memory) / max(len(memory), 1):.1%} | {max(memory, default=1):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--instances", type=int, default=200)
    parser.add_argument("--seed", type=int, default=16, help="of programs, and of which kernels of models")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=int, default=3000)
    parser.add_argument("--orders", type=int, default=40, help="the most pairs of tasks that HiGHS orders; 0: none")
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--known", type=Path, help="what --json wrote with this seed: the least times are those of then")
    given = parser.parse_args()
    known = json.loads(given.known.read_text()) if given.known else []
    given.known = {f"{row['name']} on {row['machine']}": row for row in known}
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        instances = Instances(given.build, Path(scratch))
        given.machines = instances.machines
        for instance in instances.list(given.instances, given.seed):
            if given.only not in f"{instance[0]} on {instance[1]}":
                continue
            try:
                row = measure(given.build, instance, given)
            except ValueError as error:
                row = {"name": instance[0], "machine": instance[1], "why": str(error)}
            if "why" in row:
                print(f"skipped  {row['name']} on {row['machine']}: {row['why']}", flush=True)
                continue
            rows.append(row)
            print(f"{row['ratio']:.3f}  {row['name']} on {row['machine']}: {row['own'] / 1e6:.3f} us, best {row['best'] / 1e6:.3f} "
                  f"us of {row['count']:,}", flush=True)
            if row["ratio"] > 1.02:
                print(f"       own  {show(row['own choice'])}\n       best {show(row['best choice'])}", flush=True)
    lines = list(table(rows, instances.machines))
    print("\n".join(["", *lines, ""]))
    if given.markdown:
        given.markdown.write_text("\n".join(lines) + "\n")
    if given.json:
        given.json.write_text(json.dumps(rows))
    ratios = [row["ratio"] for row in rows]
    memory = [peak <= MEMORY * live for row in rows for peak, live in row["peaks"]]
    missed = [f"median {statistics.median(ratios):.3f}, the bound is {MEDIAN}"] if statistics.median(ratios) > MEDIAN else []
    missed += [f"worst {max(ratios):.3f}, the bound is {WORST}"] if max(ratios) > WORST else []
    missed += [f"memory of {sum(memory)} of {len(memory)} cores within {MEMORY}"] if sum(memory) < SHARE * len(memory) else []
    print("\n".join(f"missed   {line}" for line in missed) or f"{len(rows)} programs, all bounds are kept")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()

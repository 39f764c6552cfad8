"""Mutations of the project's own MLIR tests, run with the pipelines of their RUN lines and with others: no text may end
a tool by a signal, take more than TIME seconds of a processor or more than MEMORY megabytes.

usage: mlir_fuzz.py [--seed N] [--first N] [--count N] [--jobs N] [--time S] [--memory MB] [--crashes DIR] [--only TEXT]

Case N of a seed is the same whatever --first, --count and --jobs are. A case that fails is run again alone, written to
CRASHES and named in a line of output; the exit status is then 1.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import itertools
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent

# Pipelines that run on any text, besides those of its own file.
COMMON = [
    "roundtrip",
    "canonicalize,cse",
    "onnx-infer-shapes,onnx-simplify",
    "gensyn-onnx-pipeline",
    "convert-onnx-to-repro",
    "convert-train-to-repro,cse",
    "train-differentiate,canonicalize",
    "gensyn-freeze-pipeline",
    "gensyn-freeze-pipeline,gensyn-kernel-pipeline",
    "gensyn-kernel-pipeline",
    "gensyn-emit-gpu-kernels{sm=90}",
    "check-bits gensyn-freeze-pipeline,gensyn-kernel-pipeline",
    "translate --mlir-to-onnx",
    "translate --mlir-to-ptx --sm=80",
    "translate --interpret",
]

NUMBERS = [
    0, 1, -1, 2, 3, 4, 7, 8, 31, 32, 33, 64, 127, 128, 255, 256, 1000, 1024, 1025, 65535, 65536, 10**6, 2**24, 2**30,
    2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33, 2**40 - 1, 2**40, 2**40 + 1, 2**48, 2**56, 2**60, 2**62, 2**63 - 1, 2**63,
    2**64, 10**30, -2, -100, -2**31, -2**32, -2**40, -2**62, -2**63, -2**63 - 1
]
TYPES = [
    "f32", "f64", "f16", "bf16", "i1", "i2", "i4", "i8", "i16", "i32", "i64", "i128", "ui2", "ui4", "ui8", "ui16", "ui32",
    "ui64", "si32", "index", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "f80", "complex<f32>", "none",
    "!onnx.unknown", "!onnx.string"
]
WORDS = [
    ["sum", "product", "max", "min", "and", "or", "set", "add", "mul"],
    ["in", "zero", "skip", "fault", "stop"],
    ["eq", "ne", "lt", "le", "gt", "ge"],
    ["floor", "ceil", "trunc", "even", "nearest", "up", "down"],
    ["ascending", "descending"],
    ["sequential", "exact", "lanes<32>", "blocked<16, sequential, sequential>", "blocked<4, lanes<2>, exact>"],
    ["mean", "sum", "batchmean"],
    ["true", "false"],
]
NUMBER = re.compile(r"(?<![\w%#@.$])-?\d+(?![\w.])|(?<=x)\d+(?=x)|(?<=<)\d+(?=x)|(?<=<)\d+(?=[,>])|(?<= )-?\d+(?=x)")
FLOAT = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?")
TYPE = re.compile(r"\b(?:bf16|f\d+(?:E\d+M\d+\w*)?|[su]?i\d+|index|none)\b|(?<=x)(?:bf16|f\d+(?:E\d+M\d+\w*)?|[su]?i\d+)")
SHAPE = re.compile(r"tensor<((?:(?:\d+|\?|\*)x)*)(?=[a-z!])")
VALUE = re.compile(r"%[\w$.]+(?:#\d+)?")
DIM = re.compile(r"\bd\d+\b")
OP = re.compile(r"\b(?:repro|train|onnx|func|linalg|arith|tensor)\.[\w.]+")
ATTRIBUTE = re.compile(r"[\w.]+ = (?:dense<[^>]*> : tensor<[^>]*>|array<[^>]*>|\[[^\]]*\]|\"[^\"]*\"|[-\w.]+(?: : \w+)?)")
LIST = re.compile(r"array<\w+: ([^>]*)>|\[([-\d, ]+)\]")


def pipelines_of(text):
    """What the RUN lines of a test do with its text, as actions of gensyn-mlir-runner."""
    lines = re.sub(r"\\\n\s*//\s*RUN:", "", "\n".join(re.findall(r"// RUN:.*", text)).replace("\\\n// RUN:", ""))
    found = []
    for line in lines.splitlines():
        for command in line.split("RUN:", 1)[1].split("|"):
            match = re.search(r"gensyn-(opt|wrong-opt|translate)\b(.*)", command)
            if not match:
                continue
            try:
                words = shlex.split(re.sub(r"2>.*|>.*", "", match.group(2)))
            except ValueError:
                continue
            # The rest belongs to another command.
            words = list(itertools.takewhile(lambda word: word not in ("&&", "|", ";"), words))
            if match.group(1) == "translate":
                options = translation_options(words)
                if options:
                    found.append("translate " + " ".join(options))
                continue
            passes, checked = [], ""
            for word in words:
                name, _, options = word.lstrip("-").partition("=")
                if word.startswith("--check-bits"):
                    checked = "check-bits "
                elif word.startswith("--pass-pipeline"):
                    options = re.sub(r",wrong-[\w-]+|wrong-[\w-]+,?", "", options)
                    passes.append(re.sub(r"^builtin.module\((.*)\)$", r"\1", options).replace(",gpu.module()", ""))
                elif word.startswith("--") and not re.match(
                        r"wrong|split-input|verify|mlir-print|allow|mlir-disable|dump|debug|show", name):
                    passes.append(name + ("{" + options + "}" if options else ""))
            found.append(checked + ",".join(passes) if passes else "roundtrip")
    return found


def translation_options(words):
    """`--mlir-to-...`, `--interpret` and options that name no file; nothing for other translations."""
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "--plan", "--header"):
            skip = True
        elif word == "--sm":
            skip = True
            kept.append("--sm=80")
        elif word.startswith("--") and "%" not in word and not word.startswith(("--plan=", "--header=")):
            kept.append(word)
    return kept if any(word.startswith(("--mlir-to-", "--interpret")) for word in kept) else []


@functools.cache
def corpus(only):
    """(path, actions, sections) of every test of MLIR texts."""
    found = []
    for path in sorted(TESTS.rglob("*.mlir")):
        text = path.read_text(encoding="utf-8")
        actions = pipelines_of(text)
        if not actions or "Inputs" in path.parts or only not in str(path):
            continue
        sections = [strip_comments(section) for section in re.split(r"^// -----.*$", text, flags=re.M)]
        sections = [section for section in sections if section.strip()]
        if sections:
            found.append((path, actions, sections))
    return found


def choose_file(key, only):
    """An entry of the corpus, by a rule under which a new file takes few cases from the others."""
    return min(corpus(only), key=lambda entry: hashlib.blake2b(
        f"{key}:{entry[0].relative_to(TESTS)}".encode(), digest_size=8).digest())


def strip_comments(text):
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//")) + "\n"


def spread(rng, text, match, old, new):
    """Replaces one match, or all equal tokens of its line or of the text, so that types go on agreeing."""
    how = rng.random()
    token = re.compile(r"(?<![A-Za-z_%#@\d.])" + re.escape(old) + r"(?!\d)|(?<=x)" + re.escape(old) + r"(?=x)")
    if how < 0.35:
        return text[:match.start()] + new + text[match.end():]
    if how < 0.5:
        begin, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
        end = len(text) if end < 0 else end
        return text[:begin] + token.sub(lambda _: new, text[begin:end]) + text[end:]
    return token.sub(lambda _: new, text)


def pick(rng, pattern, text):
    matches = list(pattern.finditer(text))
    return rng.choice(matches) if matches else None


def change_number(rng, text):
    match = pick(rng, NUMBER, text)
    if not match:
        return text
    old = match.group()
    new = rng.choice(NUMBERS) if rng.random() < 0.7 else int(old) + rng.choice([-1, 1, int(old), -2 * int(old)])
    return spread(rng, text, match, old, str(new))


def change_float(rng, text):
    match = pick(rng, FLOAT, text)
    if not match:
        return text
    new = rng.choice(["0.0", "-0.0", "1.0e+30", "-1.0", "1.0e-300", "0x7FC00000", "0x7F800000", "1.0e+308", "2", "0.5"])
    return text[:match.start()] + new + text[match.end():]


def change_type(rng, text):
    match = pick(rng, TYPE, text)
    return spread(rng, text, match, match.group(), rng.choice(TYPES)) if match else text


def change_shape(rng, text):
    match = pick(rng, SHAPE, text)
    if not match:
        return text
    extents = match.group(1).split("x")[:-1]
    how = rng.randrange(6)
    if how == 0 and extents:
        extents.pop(rng.randrange(len(extents)))
    elif how == 1:
        extents.insert(rng.randrange(len(extents) + 1), str(rng.choice([0, 1, 2, 3, 2**20, 2**31, 2**40])))
    elif how == 2 and extents:
        extents[rng.randrange(len(extents))] = "?"
    elif how == 3:
        extents = ["*"]
    elif how == 4:
        rng.shuffle(extents)
    elif extents:
        extents[rng.randrange(len(extents))] = str(abs(rng.choice(NUMBERS)))
    new = "tensor<" + "".join(extent + "x" for extent in extents)
    if rng.random() < 0.5:
        return text[:match.start()] + new + text[match.end():]
    return re.sub(re.escape(match.group()) + r"(?=[a-z!])", lambda _: new, text)


def change_word(rng, text):
    group = rng.choice(WORDS)
    match = pick(rng, re.compile(r"\b(?:" + "|".join(re.escape(word) for word in group) + r")"), text)
    return text[:match.start()] + rng.choice(group) + text[match.end():] if match else text


def change_value(rng, text):
    match, other = pick(rng, VALUE, text), pick(rng, VALUE, text)
    return text[:match.start()] + other.group() + text[match.end():] if match else text


def change_dim(rng, text):
    match = pick(rng, DIM, text)
    if not match:
        return text
    number = rng.choice(NUMBERS)
    new = rng.choice(["d0", "d1", "d2", "s0", "0", f"{match.group()} * {number}", f"{match.group()} + {number}",
                      f"{match.group()} mod {number}", f"{match.group()} floordiv {number}", "-" + match.group()])
    return text[:match.start()] + new + text[match.end():]


def change_op(rng, text):
    match, other = pick(rng, OP, text), pick(rng, OP, text)
    return text[:match.start()] + other.group() + text[match.end():] if match else text


def change_attribute(rng, text):
    match, other = pick(rng, ATTRIBUTE, text), pick(rng, ATTRIBUTE, text)
    if not match:
        return text
    how = rng.randrange(3)
    if how == 0:
        new = ""
    elif how == 1:
        new = other.group()
    else:
        new = match.group().split(" = ")[0] + " = " + rng.choice(
            ["0 : i64", "-1 : i64", "9223372036854775807 : i64", "\"\"", "unit", "[]", "array<i64>", "array<i64: -1>",
             "dense<0> : tensor<i64>", "dense<> : tensor<0xf32>", "dense<1> : tensor<1099511627776xi64>", "1.0 : f32", "1 : i1",
             "dense_resource<absent> : tensor<4xf32>", "sparse<[[0]], [1]> : tensor<4xi64>"])
    return text[:match.start()] + new + text[match.end():]


def change_list(rng, text):
    match = pick(rng, LIST, text)
    if not match:
        return text
    group = 1 if match.group(1) is not None else 2
    items = match.group(group).split(",")
    how = rng.randrange(4)
    if how == 0:
        items.pop(rng.randrange(len(items)))
    elif how == 1:
        items.insert(rng.randrange(len(items) + 1), rng.choice(items))
    elif how == 2:
        rng.shuffle(items)
    else:
        items[rng.randrange(len(items))] = " " + str(rng.choice(NUMBERS))
    return text[:match.start(group)] + ",".join(items) + text[match.end(group):]


def change_lines(rng, text):
    lines = text.splitlines(keepends=True)
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.randrange(4)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(to, lines[at])
    elif how == 2:
        lines[at], lines[to] = lines[to], lines[at]
    else:
        _, _, sections = choose_file(rng.random(), "")
        lines.insert(to, rng.choice(rng.choice(sections).splitlines(keepends=True)))
    return "".join(lines)


def change_characters(rng, text):
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(["", "-", "<", ">", "0", "9", "x", ",", "%", "[]", "\x1b[31m", "\0"]) + text[at + rng.randrange(3):]


CHANGES = [(change_number, 30), (change_shape, 12), (change_type, 8), (change_list, 10), (change_attribute, 8),
           (change_value, 6), (change_dim, 6), (change_word, 5), (change_op, 5), (change_lines, 6), (change_float, 2),
           (change_characters, 2)]


def use_alias(rng, text):
    """Names a type or an attribute of the text."""
    which = rng.randrange(2)
    match = pick(rng, TYPE if which else ATTRIBUTE, text)
    if not match:
        return text
    name, value = ("!alias", match.group()) if which else ("#alias", match.group().split(" = ", 1)[1])
    begin = match.end() - len(value)
    body = text[:begin] + name + text[match.end():] if rng.random() < 0.5 else text.replace(value, name)
    return f"{name} = {rng.choice([value, value, rng.choice(TYPES)])}\n{body}"


def add_chain(rng, text):
    """Aliases, each with the one before in it, once or twice, and a use of the last."""
    sign, first, inside = rng.choice([("#c", "[]", "[@]"), ("#c", "[]", "[@, @]"), ("#c", "{}", "{a = @, b = @}"),
                                      ("!c", "i32", "tuple<@>"), ("!c", "i32", "tuple<@, @>"), ("!c", "i32", "() -> @"),
                                      ("#c", 'loc("a")', "loc(callsite(@ at #c0))"),
                                      ("#c", 'loc("a")', "loc(fused[@, @])")])
    count = rng.choice([2, 20, 60, 255, 300, 20000])
    lines = [f"{sign}0 = {first}\n"]
    lines += [f"{sign}{i} = {inside.replace('@', f'{sign}{i - 1}')}\n" for i in range(1, count)]
    last = f"{sign}{count - 1}"
    use = f"func.func private @chain({last})\n" if sign == "!c" else f"module attributes {{a.b = {last}}} {{}}\n"
    return "".join(lines) + (f"module {{}} loc({last})\n" if "loc" in first else use) + text


def add_expression(rng, text):
    terms = rng.choice(["mod @", "floordiv @", "+ d0 mod @", "- d0", "* 2 + 1", "- -d0", "+ (d0 floordiv @) * @"])
    count = rng.choice([2, 100, 250, 257, 20000])
    body = "".join(" " + terms.replace("@", str(rng.randrange(2, 1 << 20))) for _ in range(count))
    return f"module attributes {{a.b = affine_map<(d0) -> (d0{body})>}} {{}}\n" + text


def add_array(rng, text):
    kind = rng.choice(TYPES + ["!i"])
    alias = f"!i = {rng.choice(TYPES[:-2])}\n" if kind == "!i" else ""
    return f"{alias}module attributes {{a.b = array<{kind}: {rng.choice(['1', '1.0', '1, 2', 'true'])}>}} {{}}\n{text}"


def add_byte(rng, text):
    """A byte that is no text, where it means nothing."""
    byte = rng.choice([bytes([rng.randrange(1, 9)]), bytes([rng.randrange(128, 256)]), b"\x7f", b"\x1b[31m"])
    return text + "// " + byte.decode("utf-8", "surrogateescape") + "\n"


# Structures that are checked before the parser sees them. Added last, to some cases only, in texts that are otherwise
# correct.
ADDITIONS = [use_alias, add_chain, add_expression, add_array, add_byte]


def case(seed, number, only):
    """(name of the file, action, text) of one case."""
    rng = random.Random(f"{seed}:{number}")
    path, actions, sections = choose_file(f"{seed}:{number}", only)
    text = rng.choice(sections)
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5])):
        change = rng.choices([change for change, _ in CHANGES], [weight for _, weight in CHANGES])[0]
        text = change(rng, text) or "\n"
    action = rng.choice(actions) if rng.random() < 0.6 else rng.choice(COMMON)
    if rng.random() < 0.15:
        text = rng.choice([text, "module {}\n"])
        for _ in range(rng.choice([1, 1, 2])):
            text = rng.choice(ADDITIONS)(rng, text)
    return str(path.relative_to(TESTS)), action, text


def run(options, cases):
    """The outcome of each case, by its name."""
    parts = []
    for name, (_, action, text) in cases.items():
        action, text = action.encode(), text.encode("utf-8", "surrogateescape")
        parts.append(f"case {name} {len(action)} {len(text)}\n".encode() + action + text)
    result = subprocess.run(["gensyn-mlir-runner", "--time", str(options.time), "--memory", str(options.memory)],
                            input=b"".join(parts), capture_output=True, check=False)
    outcomes = dict(line.split(" ", 1) for line in result.stdout.decode().splitlines())
    for name in cases:
        outcomes.setdefault(name, f"no outcome: {result.stderr.decode()[-200:]}")
    return outcomes


def run_slice(options, first, count):
    cases = {f"{number}": case(options.seed, number, options.only) for number in range(first, first + count)}
    outcomes = run(options, cases)
    failures = []
    counts = {"ok": 0, "refused": 0}
    for name, outcome in outcomes.items():
        if outcome not in counts:  # alone it must fail too: cases before it leave memory behind
            outcome = run(options, {name: cases[name]})[name]
        if outcome in counts:
            counts[outcome] += 1
        else:
            failures.append((int(name), outcome, *cases[name]))
    return counts, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--time", type=int, default=10, help="seconds of a case")
    parser.add_argument("--memory", type=int, default=2048, help="megabytes of a case; 0: no limit, for sanitizers")
    parser.add_argument("--crashes", type=pathlib.Path, default=pathlib.Path("mlir_fuzz"), help="where failing texts go")
    parser.add_argument("--only", default="", help="files whose path contains this")
    options = parser.parse_args()
    slice_size = 512
    ends = options.first + options.count
    slices = [(first, min(slice_size, ends - first)) for first in range(options.first, ends, slice_size)]
    total, failed = {"ok": 0, "refused": 0}, 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for counts, failures in pool.map(functools.partial(run_slice, options), *zip(*slices)):
            for key, value in counts.items():
                total[key] += value
            for number, outcome, path, action, text in failures:
                failed += 1
                options.crashes.mkdir(parents=True, exist_ok=True)
                file = options.crashes / f"{options.seed}_{number}.mlir"
                file.write_bytes(text.encode("utf-8", "surrogateescape"))
                print(f"failure: {outcome}: {file} from {path}: {action}", flush=True)
            if os.isatty(1):
                print(f"{sum(total.values()) + failed} cases", end="\r", flush=True)
    print(f"seed {options.seed}: {sum(total.values()) + failed} cases, {total['ok']} ok, {total['refused']} refused, "
          f"{failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Every rule of docs/Numerics.md stands somewhere: a constraint (`_c`) in a verifier and in a test of its error, a
meaning (`_r`, `g`) in the code or in a test. Every rule that code or tests name is defined, and every rule says why.

usage: numerics_rules.py ROOT
"""

import pathlib
import re
import sys

# `eval_r2` is a metric.
RULE = re.compile(r"\b(?!eval_)(?:[a-z]+_[cr]\d+|g[1-9])\b")
SOURCES = {".h", ".cpp", ".td", ".def", ".proto"}
TESTS = {".mlir", ".test", ".ptx", ".cpp", ".h", ".py"}
# Optimizers and losses of `train` are a family of `train` ops, not of `repro`.
FAMILIES_OF_CODE_ONLY = {"update"}


def named_in(folders, suffixes, excluded=()):
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix not in suffixes or any(part in excluded for part in path.parts) or path == here:
                continue
            for rule in RULE.findall(path.read_text(encoding="utf-8", errors="replace")):
                found.setdefault(rule, path)
    return found


def defined_in(text):
    """Rules in bold, and those that a table of ops gives in its column of constraints; with the text of each."""
    rules = {}
    for paragraph in re.split(r"\n\s*\n", text):
        bold = re.findall(r"\*\*((?:[a-z]+_[cr]|g)\d+)\*\*", paragraph)
        rows = [line for line in paragraph.splitlines() if line.startswith("|")]
        for rule in bold or RULE.findall("\n".join(rows)):
            if re.match(r"g\d", rule) and not bold:
                continue
            rules.setdefault(rule, paragraph)
    return rules


def explained(text):
    """Rules with a *Why* before the next rule or heading, or in a paragraph that says why and names them."""
    rules = set()
    for paragraph in re.split(r"\n\s*\n", text):
        if "*Why" in paragraph:
            rules.update(RULE.findall(paragraph))
    for piece in re.split(r"\n(?=##+ |\*\*(?:[a-z]+_[cr]|g)\d+\*\*)", text):
        first = re.match(r"\*\*((?:[a-z]+_[cr]|g)\d+)\*\*", piece)
        if first and "*Why" in piece:
            rules.add(first.group(1))
    return rules


here = pathlib.Path(__file__).resolve()
root = pathlib.Path(sys.argv[1]).resolve()
text = (root / "docs" / "Numerics.md").read_text(encoding="utf-8")
rules = defined_in(text)
code = named_in([root / "lib", root / "include"], SOURCES)
tests = named_in([root / "test"], TESTS, excluded=("Inputs",))
why = explained(text)

problems = []
for rule in rules:
    if "_c" in rule:
        if rule not in code:
            problems.append(f"{rule}: no verifier names it")
        if rule not in tests:
            problems.append(f"{rule}: no test of its error names it")
    elif rule not in code and rule not in tests:
        problems.append(f"{rule}: neither code nor a test names it")
    if rule not in why:
        problems.append(f"{rule}: docs/Numerics.md does not say why")
for rule, path in sorted((code | tests).items()):
    if rule not in rules and rule.split("_")[0] not in FAMILIES_OF_CODE_ONLY:
        problems.append(f"{rule}: {path.relative_to(root)} names it, docs/Numerics.md does not define it")
for problem in problems:
    print(problem, file=sys.stderr)
print(f"{len(rules)} rules, {len(problems)} problems")
sys.exit(1 if problems else 0)

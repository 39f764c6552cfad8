"""Checks that the op reference is complete, and true as far as a script can see.

usage: reference_check.py --tblgen LLVM-TBLGEN --root ROOT --include FOLDER

- Each op and attribute has Semantics, Constraints (may be stated to be none) and
  Examples; each op of repro and train cites a rule; each value has a description.
- Each message of a verifier of repro and train has a constraint, of the op or
  attribute whose verifier it is.
- The message of a constraint is one of a verifier, of a trait or of ODS.
- The tests of a constraint exist and expect its message; they use the op.
- Each constraint that a trait checks is stated.
- Each `_c` rule of docs/Numerics.md is the rule of a constraint.
"""

import argparse
import pathlib
import re
import sys

# Messages of traits; None where a trait states nothing that an op could break, or
# nothing beside another trait.
TRAITS = {
    "AttrSizedOperandSegments": None,
    "ConstantLike": None,
    "Elementwise": "all non-scalar operands/results must have the same shape and base type",
    "ParentOneOf": "expects parent op ...",
    "InferTypeOpAdaptor": "inferred type(s) ... are incompatible with return type(s) of operation ...",
    "IsolatedFromAbove": "using value defined outside the region",
    "Pure": None,
    "RecursiveMemoryEffects": None,
    "Repro_Additive": None,
    "Repro_KeepsElementOrder": None,
    "Repro_PlanStep": None,
    "Repro_ReadsWholeOperands": None,
    "ReturnLike": None,
    "SameOperandsAndResultShape": None,  # Elementwise checks it first.
    "SameOperandsAndResultType": "requires the same type for all operands and results",
    "SameTypeOperands": "requires all operands to have the same type",
    "SingleBlock": None,
    "SingleBlockImplicitTerminator": None,
    "Terminator": None,
}
# Traits that an op has, and whose message another trait of it prevents.
IMPLIED = {("repro.select", "Elementwise"): "its types match, which is checked first"}
# Messages of ODS, and of the parser of orders.
GENERATED = [
    "operand #... must be ...", "result #... must be ...", "attribute '...' failed to satisfy constraint: ...",
    "failed to verify that ...", "to be one of: ...", "more than 4 levels of orders",
]
# Verifier messages that no text can show.
UNREACHABLE = {
    "'...' is not the canonical spelling '...'": "the parser spells the order itself",
    "order has ... levels, expected at most 4": "the parser counts levels itself",
}


def spelling(entry):
    """An op in a text, or an attribute, which an op may spell without its prefix."""
    prefix, name = entry.name.split(".")
    return rf"({re.escape(prefix)}\.|\b){name}" if prefix.startswith("#") else re.escape(entry.name)


class Checker:
    def __init__(self, root, numerics, sources):
        self.root, self.numerics, self.sources = root, numerics, sources
        self.defined = numerics.Numerics((root / "docs" / "Numerics.md").read_text())
        self.problems, self.cited = [], set()
        self.entries = self.constraints = 0

    def report(self, where, text):
        self.problems.append(f"{where}: {text}")

    def check(self, dialect, tests, has_rules):
        entries = dialect.entries()
        self.entries += len(entries)
        folder = self.root / "lib" / "Dialect" / dialect.name.capitalize()
        verifiers = self.sources.messages(folder)
        known = [*self.sources.messages(folder, everything=True),
                 *self.sources.read(self.root / "lib" / "Numerics" / "Order.cpp")]
        if dialect.name == "repro":
            verifiers += self.sources.read(self.root / "lib" / "Numerics" / "Order.cpp")
        for entry in entries:
            self.sections(entry, has_rules)
            self.traits(entry)
            for constraint in entry.constraints or ():
                self.constraint(entry, constraint, known)
                self.tests(entry, constraint, tests, entries)
        if has_rules:
            for message in verifiers:
                self.message(message, entries)

    def sections(self, entry, has_rules):
        if not entry.prose:
            self.report(entry.name, "has no Semantics")
        if not entry.examples:
            self.report(entry.name, "has no Examples")
        if entry.constraints is None:
            self.report(entry.name, "states no Constraints; write 'constraints = []' where there are none")
        for value in entry.values():
            if not value.description:
                self.report(entry.name, f"'{value.name}' has no description")
        labels = self.numerics.LABEL.findall(entry.prose)
        if has_rules and not labels and entry.name.split(".")[-1] not in self.defined.meanings:
            self.report(entry.name, "cites no rule of docs/Numerics.md")
        for label in labels + [c.rule for c in entry.constraints or () if c.rule]:
            self.cited.add(label)
            if label not in self.defined.rules:
                self.report(entry.name, f"cites '{label}', which docs/Numerics.md does not define")

    def traits(self, entry):
        for trait in entry.traits:
            message = TRAITS.get(trait, f"failed to verify that {trait}")
            stated = [constraint.message for constraint in entry.constraints or ()]
            if (entry.name, trait) not in IMPLIED and message and not any(
                    re.fullmatch(self.sources.pattern(message), text) for text in stated):
                self.report(entry.name, f"states no constraint for the trait {trait}: '{message}'")

    def constraint(self, entry, constraint, known):
        self.constraints += 1
        generated = [message for message in [*TRAITS.values(), *GENERATED] if message]
        if not any(message.covers(constraint.message) for message in known) and not any(
                re.fullmatch(self.sources.pattern(message), constraint.message) for message in generated):
            self.report(entry.name, f"no verifier emits '{constraint.message}'")
        if not constraint.tests and constraint.message not in UNREACHABLE:
            self.report(entry.name, f"'{constraint.message}' has no test")

    def tests(self, entry, constraint, tests, entries):
        shared = [other for other in entries if any(
            (c.message, c.tests) == (constraint.message, constraint.tests) for c in other.constraints or ())]
        for name in constraint.tests:
            if name not in tests.functions:
                self.report(entry.name, f"there is no test @{name} of '{constraint.message}'")
                continue
            if name in tests.repeated:
                self.report(entry.name, f"more than one test is called @{name}")
            path, section, expected = tests.functions[name]
            message = self.sources.pattern(constraint.message.removesuffix(" ..."))
            if not any(re.search(message, text) for text in expected):
                self.report(entry.name, f"{path}: @{name} does not expect '{constraint.message}'")
            if not any(re.search(spelling(other) + r"\b", section) for other in shared):
                self.report(entry.name, f"{path}: @{name} is not about {entry.name}")

    def message(self, message, entries):
        if message.text in UNREACHABLE:
            return
        owner = message.function.split("::")[-2] if "::verify" in message.function else ""
        own = [entry for entry in entries if entry.cpp == owner] or entries
        if not any(message.covers(c.message) for entry in own for c in entry.constraints or ()):
            place = f"{message.path.relative_to(self.root)}:{message.line}"
            self.report(place, f"no constraint of {own[0].name if len(own) == 1 else 'any op'} states '{message.text}'")

    def all_rules(self):
        for label in self.defined.rules:
            if "_c" in label and label not in self.cited:
                self.report(label, "is the rule of no constraint")


def main():
    parser = argparse.ArgumentParser()
    for option in ("--tblgen", "--root", "--include"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    root = pathlib.Path(options.root).resolve()
    sys.path.insert(0, str(root / "docs" / "reference"))
    import numerics
    import sources
    import write

    checker = Checker(root, numerics, sources)
    for name in ("Repro", "Train", "Onnx"):
        dialect, tests = write.load(options.tblgen, root, options.include, name)
        checker.check(dialect, tests, name != "Onnx")
    checker.all_rules()
    print(*checker.problems, sep="\n")
    print(f"{checker.entries} ops and attributes, {checker.constraints} constraints, {len(checker.problems)} problems")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())

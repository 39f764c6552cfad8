"""Writes a dialect's page of the op reference."""

import re

from numerics import LABEL, anchor


class Page:
    def __init__(self, dialect, numerics, tests):
        self.dialect, self.numerics, self.tests = dialect, numerics, tests
        self.cited = {}  # Labels in the order in which the page cites them.
        self.lines = []

    def text(self):
        self.add(f"<!-- Written by docs/reference/write.py. Do not edit. -->\n\n# The {self.dialect.name} dialect",
                 self.dialect.summary + ".", self.linked(self.dialect.description))
        self.contents()
        for family, ops in self.dialect.families:
            self.add(f"## {family}")
            for op in ops:
                self.entry(op)
        if self.dialect.attributes:
            self.add("## Attributes")
            for attribute in self.dialect.attributes:
                self.entry(attribute)
        self.names("Enums", self.dialect.enums, "Values")
        self.names("Types", self.dialect.types, "")
        self.rules()
        return "\n\n".join(self.lines) + "\n"

    def add(self, *blocks):
        self.lines += [block for block in blocks if block]

    def contents(self):
        lines = []
        for family, ops in self.dialect.families + [("Attributes", self.dialect.attributes)]:
            if ops:
                lines.append(f"- {family}")
                lines += [f"  - [`{op.name}`](#{anchor(op.name)}): {op.summary}" for op in ops]
        self.add("## Contents", "\n".join(lines))

    def entry(self, entry):
        self.add(f"### {entry.name}", f"*{entry.summary}.* Defined in `{entry.place}`.")
        self.add("#### Semantics", self.linked(entry.prose))
        parameters, meaning = self.numerics.meanings.get(entry.name.split(".")[-1], ("", ""))
        if meaning and entry.name.startswith("repro."):
            shown = f"`{entry.name.split('.')[-1]}` {parameters}".strip()
            self.add(f"Definition in Numerics.md, {shown}: {self.linked(meaning)}.")
        if entry.syntax:
            self.add("#### Syntax", f"    {entry.name} {entry.syntax}")
        self.table("Inputs", "I", entry.inputs)
        self.table("Parameters" if entry.name.startswith("#") else "Attributes", "A", entry.attributes)
        self.table("Outputs", "O", entry.outputs)
        self.table("Regions", "R", entry.regions)
        self.constraints(entry)
        self.add("#### Examples", *(f"```mlir\n{example}\n```" for example in entry.examples))
        if entry.traits or entry.interfaces:
            named = [*(name for name in entry.traits if " " not in name), *entry.interfaces]
            self.add("Traits and interfaces: " + ", ".join(f"`{name}`" for name in named) + ".")

    def table(self, title, letter, values):
        if not values:
            return
        rows = [f"| ({letter}{number}) | `{value.name}` | {cell(value.type)} | {cell(value.description)} |"
                for number, value in enumerate(values, 1)]
        head = ["| label | name | type | description |", "| --- | --- | --- | --- |"]
        self.add(f"#### {title}", "\n".join([*head, *rows]))

    def constraints(self, entry):
        rows = []
        for number, constraint in enumerate(entry.constraints or [], 1):
            rule = self.linked(constraint.rule)
            tests = ", ".join(f"`{self.tests.place(name)}`" for name in constraint.tests)
            rows.append(f"| (C{number}) | {cell(self.linked(constraint.statement))} | {rule} | "
                        f"{cell(f'`{constraint.message}`')} | {tests} |")
        self.add("#### Constraints", "\n".join(
            ["| label | constraint | rule | error | test |", "| --- | --- | --- | --- | --- |", *rows]) if rows
            else "None beside the types above.")

    def names(self, title, values, extra):
        if values:
            rows = [f"| `{value.name}` | {value.type or value.description} |" if not extra else
                    f"| `{value.name}` | {value.description} | {value.type} |" for value in values]
            head = "| name | description |" if not extra else "| name | description | values |"
            self.add(f"## {title}", "\n".join([head, "| --- |" + " --- |" * (head.count("|") - 2), *rows]))

    def linked(self, text):
        """The text with links to the rules that it cites; `tensor<i1>` outside of code is no HTML tag."""
        def link(match):
            if match[0] not in self.numerics.rules:
                return match[0]
            self.cited[match[0]] = True
            return f"[{match[0]}](#{match[0]})"
        parts = re.split(r"(`[^`]*`|^ {4}.*$)", text, flags=re.M)
        parts[::2] = [re.sub(r"<(?=\w)", r"\<", LABEL.sub(link, part)) for part in parts[::2]]
        return "".join(parts)

    def rules(self):
        """The texts of the rules that the page cites, and of those that they cite."""
        if not self.cited:
            return
        self.add("## Rules", "Quoted from [Numerics.md](../Numerics.md), which is normative.")
        texts = {}
        while missing := self.cited.keys() - texts.keys():
            texts.update((label, self.linked(self.numerics.rules[label])) for label in missing)
        for label in sorted(texts, key=list(self.numerics.rules).index):
            heading = self.numerics.sections[label]
            self.add(f"### {label}", f"In [{heading}](../Numerics.md#{anchor(heading)}):", texts[label])


def cell(text):
    return text.replace("|", "\\|")

"""The rules of docs/Numerics.md: their texts, their sections, and the tables of ops."""

import re

LABEL = re.compile(r"\b(?:(?!eval_)[a-z]+_[cr]\d+|g\d)\b")
BOLD = re.compile(r"\*\*((?:[a-z]+_[cr]|g)\d+)\*\*")


class Numerics:
    def __init__(self, text):
        self.rules = {}  # Label: text, as Markdown.
        self.sections = {}  # Label: heading.
        self.meanings = {}  # Op: its row's meaning, and its parameters.
        heading = ""
        for block in re.split(r"^(#+ .*)$", text, flags=re.M):
            if block.startswith("#"):
                heading = block.lstrip("# ")
            else:
                self.section(heading, block)

    def section(self, heading, text):
        pieces = BOLD.split(text)
        for label, rule in zip(pieces[1::2], pieces[2::2]):
            self.add(label, "\n".join(line for line in rule.strip().splitlines() if not line.startswith("|")), heading)
        table = re.search(r"^\| op \|.*\n\|[ -|]*\n((?:\|.*\n)+)", text, re.M)
        for row in re.findall(r"^\| `.*", table.group(1), re.M) if table else ():
            cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
            ops = re.match(r"((?:`[a-z_0-9]+` ?)+)(.*)", cells[0])
            for op in re.findall(r"`(\w+)`", ops.group(1)):
                self.meanings.setdefault(op, (ops.group(2).strip(), cells[1]))
            for part in re.split(r"; (?=[a-z]+_c\d)", cells[-1]):
                if re.match(r"[a-z]+_c\d+ ", part):
                    label, rule = part.split(" ", 1)
                    self.add(label, rule, heading)

    def add(self, label, text, heading):
        self.rules.setdefault(label, text.strip())
        self.sections.setdefault(label, heading)


def anchor(heading):
    """The anchor that Markdown renderers give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")

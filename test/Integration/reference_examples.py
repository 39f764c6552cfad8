"""Parses and verifies every example of the op reference.

usage: reference_examples.py --tblgen LLVM-TBLGEN --root ROOT --include FOLDER --opt GENSYN-OPT

An example of an attribute becomes an attribute of a function. One of ops becomes the
body of a function whose arguments are the values that the example does not define.
Their types are those that the parser reports when it meets definitions of type none.
"""

import argparse
import pathlib
import re
import subprocess
import sys

VALUE = re.compile(r"%[A-Za-z_]\w*")


def free_values(example):
    """Values that the example uses and does not define, in order."""
    defined = set()
    for line in example.splitlines():
        results = re.match(r"\s*(%\w+(?::\d+)?(?:, %\w+(?::\d+)?)*) =", line)
        defined.update(VALUE.findall(results.group(1)) if results else ())
        # Block arguments: %a: type, and %a = %x : type inside parentheses.
        defined.update(re.findall(r"(%\w+): ", line))
        for group in re.findall(r"\(([^()]*%\w+ = [^()]*)\)", line):
            defined.update(re.findall(r"(%\w+) = ", group))
        defined.update(re.findall(r"trips \d+ .*?\((%\w+)", line))
    return [value for value in dict.fromkeys(VALUE.findall(example)) if value not in defined]


class Example:
    def __init__(self, name, text):
        self.name, self.text = name, text
        self.types = {} if text.startswith("#") else dict.fromkeys(free_values(text))

    def probe(self):
        """A module in which the free values without a type are defined as none, after their uses."""
        known = [f'{value} = "probe.value"() : () -> {type or "none"}' for value, type in self.types.items()]
        return "\n".join([self.text, *known])

    def function(self):
        if self.text.startswith("#"):
            return f"func.func private @example() attributes {{example = {self.text}}}"
        arguments = ", ".join(f"{value}: {type}" for value, type in self.types.items())
        return f"func.func @example({arguments}) {{\n{self.text}\nreturn\n}}"


def run(opt, texts, *options):
    """The errors of each text."""
    source = "\n// -----\n".join(texts)
    done = subprocess.run([opt, "--split-input-file", "-o", "/dev/null", *options, "-"], input=source,
                          capture_output=True, text=True, check=False)
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 2)
    errors = [[] for _ in texts]
    for line, message in re.findall(r"^<stdin>:(\d+):\d+: ((?:error|note): .*)", done.stderr, re.M):
        index = max(i for i, start in enumerate(starts[:-1]) if start < int(line))
        errors[index].append(message)
    if done.returncode and not any(errors):
        sys.exit(done.stderr)
    return errors


def resolve(opt, examples):
    """Finds the types of free values, one for each example and run."""
    open_examples = [example for example in examples if None in example.types.values()]
    while open_examples:
        found = run(opt, [example.probe() for example in open_examples], "--allow-unregistered-dialect")
        rest = []
        for example, errors in zip(open_examples, found):
            value = re.search(r"definition of SSA value '(%\w+)#0' has type 'none'", "\n".join(errors))
            type = re.search(r"previously used here with type '(.*)'", "\n".join(errors))
            if value and type and value.group(1) in example.types:
                example.types[value.group(1)] = type.group(1)
                rest += [example] if None in example.types.values() else []
            else:
                # A value whose type is none, or an error that the function will show.
                example.types = {name: type or "none" for name, type in example.types.items()}
        open_examples = rest


def main():
    parser = argparse.ArgumentParser()
    for option in ("--tblgen", "--root", "--include", "--opt"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    root = pathlib.Path(options.root)
    sys.path.insert(0, str(root / "docs" / "reference"))
    import write

    examples = []
    for name in ("Repro", "Train", "Onnx"):
        dialect, _ = write.load(options.tblgen, root, options.include, name)
        for entry in dialect.entries():
            examples += [Example(entry.name, text) for text in entry.examples]
    resolve(options.opt, examples)
    wrong = 0
    for example, errors in zip(examples, run(options.opt, [example.function() for example in examples])):
        wrong += bool(errors)
        for error in errors:
            print(f"{example.name}: {error}\n{example.function()}")
    print(f"{len(examples) - wrong} of {len(examples)} examples are valid")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

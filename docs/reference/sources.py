"""Error messages of verifiers, read from C++, and the tests that expect them."""

import re

# Errors of other things than verifiers: evaluation, derivatives, recipes.
OTHER_FUNCTIONS = re.compile(r"evaluate|vjp|differentiate", re.I)
OTHER_FILES = re.compile(r"^(Evaluate|Vjp|Differentiate|Recipe|Tape)")
OTHER_FOLDERS = {"Transforms", "Autodiff", "Evaluate", "Analysis"}
# Functions that return or assign the reason of an error, which a verifier emits.
REASON_FUNCTIONS = re.compile(r"(\bcheck|whyNot\w+|getRefusal|findGroups)$")
FUNCTION = re.compile(r"^(?=[A-Za-z])[^\n;={}#]*?([\w:~]+)\([^;{}]*\)[^;{}]*\{", re.M)
EMITTER = re.compile(r"\bemit(?:OpError\(|Error\([^()]*\))")
REASON = re.compile(r"\breason = |^\s+return (?=\")", re.M)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


class Message:
    """A message with ... in place of each value, and the function that emits it."""

    def __init__(self, text, function, path, line):
        self.text, self.function, self.path, self.line = text, function, path, line

    def covers(self, text):
        """True if `text` is this message, with or without values in place of ..., or has it as its reason."""
        matches = re.search if REASON_FUNCTIONS.search(self.function) else re.fullmatch
        return matches(pattern(self.text), text) is not None


def pattern(text):
    return ".*".join(re.escape(part) for part in text.split("..."))


def messages(folder, everything=False):
    """All messages of the verifiers in a folder; or of everything in it."""
    found = []
    for path in sorted([*folder.rglob("*.cpp"), *folder.rglob("*.h")]):
        if everything or not OTHER_FOLDERS & set(path.relative_to(folder).parts) and not OTHER_FILES.match(path.name):
            found += read(path)
    return found


def read(path):
    source = re.sub(r"^[ \t]*//.*$|// .*$", "", path.read_text(), flags=re.M)
    functions = [(match.start(), match.group(1)) for match in FUNCTION.finditer(source)]
    for match in [*EMITTER.finditer(source), *REASON.finditer(source)]:
        function = next((name for start, name in reversed(functions) if start <= match.start()), "")
        if OTHER_FUNCTIONS.search(function) or (
                match.re is REASON and not REASON_FUNCTIONS.search(function)):
            continue
        text = spell(statement(source, match.end(), match.group(0).endswith("(")))
        if re.search("[a-z]", text):
            yield Message(text, function, path, source.count("\n", 0, match.start()) + 1)


def statement(source, start, in_call):
    """Pieces of the expression that begins at `start`: what << or + joins."""
    pieces, piece, depth, at = [], "", 0, start
    while at < len(source):
        string = STRING.match(source, at)
        if string:
            piece, at = piece + string.group(0), string.end()
            continue
        char = source[at]
        if char == ")" and depth == 0 and in_call:
            in_call = False
        elif char in ")};" and depth == 0 or char == "," and depth == 0 and not in_call:
            break
        elif source.startswith("<<", at) and depth == 0 or char == "+" and depth == 0:
            pieces.append(piece)
            piece, at = "", at + (2 if char == "<" else 1)
            continue
        else:
            depth += (char in "({") - (char in ")}")
            piece += char
        at += 1
    return [*pieces, piece]


def spell(pieces):
    """The message of the pieces: literals as they are, and ... for values."""
    texts = []
    for piece in pieces:
        if not piece.strip():
            continue
        rest = STRING.sub("", piece).strip()
        texts.append("".join(STRING.findall(piece)) if not rest else "...")
    return re.sub(r"(\.\.\.)+", "...", "".join(texts).replace('\\"', '"'))


class Tests:
    """Functions of the error tests of a dialect, with the errors that their sections expect."""

    def __init__(self, folder, root):
        self.functions, self.repeated = {}, set()
        for path in sorted(folder.rglob("*.mlir")):
            for section in re.split(r"^// -----$", path.read_text(), flags=re.M):
                expected = re.findall(r"expected-error(?:-re)?(?: *@[\w+\-]+)? *\{\{(.*?)\}\}", section)
                for name in re.findall(r"func\.func (?:private )?@(\w+)", section) if expected else ():
                    if name in self.functions:
                        self.repeated.add(name)
                    self.functions[name] = (path.relative_to(root), section, expected)

    def place(self, name):
        return f"{self.functions[name][0]}:@{name}" if name in self.functions else name

"""Ops and attributes of a dialect, from the records that `llvm-tblgen --dump-json` prints."""

import dataclasses
import json
import pathlib
import re
import subprocess
import textwrap

EXAMPLE = re.compile(r"```mlir\n(.*?)```", re.S)
# Types of attribute parameters, by their C++ type.
PARAMETER_TYPES = {
    "StringRef": "string", "StringAttr": "string", "FloatAttr": "f64", "BoolAttr": "bool", "int64_t": "i64",
    "uint64_t": "ui64", "DenseI64ArrayAttr": "list of i64", "ArrayRef<int64_t": "list of i64",
}


@dataclasses.dataclass
class Value:
    """An operand, attribute, result, region or parameter."""

    name: str
    type: str
    description: str


@dataclasses.dataclass
class Constraint:
    rule: str
    statement: str
    message: str
    tests: list


@dataclasses.dataclass
class Entry:
    """An op, or an attribute of the dialect."""

    name: str
    summary: str
    prose: str
    examples: list
    constraints: list  # None if the definition does not state them.
    place: str
    cpp: str  # The C++ class.
    attributes: list
    syntax: str = ""
    inputs: list = ()
    outputs: list = ()
    regions: list = ()
    traits: list = ()
    interfaces: list = ()

    def values(self):
        return [*self.inputs, *self.attributes, *self.outputs]


@dataclasses.dataclass
class Dialect:
    name: str
    summary: str
    description: str
    families: list  # Of (title, ops).
    attributes: list
    types: list
    enums: list

    def entries(self):
        return [*(op for _, ops in self.families for op in ops), *self.attributes]


def read(tblgen, definitions, includes, name):
    """The dialect `name` of the file `definitions`."""
    command = [str(tblgen), "--dump-json", str(definitions), *(f"-I{folder}" for folder in includes)]
    return Reader(json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout),
                  pathlib.Path(definitions)).dialect(name)


class Reader:
    def __init__(self, records, path):
        self.records, self.path = records, path

    def dialect(self, name):
        dialects = [self.records[dialect] for dialect in self.records["!instanceof"]["Dialect"]]
        record = next(dialect for dialect in dialects if dialect["name"] == name)
        own = record["!name"]
        return Dialect(
            name, record["summary"], clean(record["description"]), self.families(own),
            [self.attribute(r, name) for r in self.instances("AttrDef", "dialect", own)
             if "EnumAttr" not in r["!superclasses"]],
            [Value(f"!{name}.{r['mnemonic']}", "", r["summary"]) for r in self.instances("TypeDef", "dialect", own)],
            [self.enum(r) for r in self.instances("EnumAttr", "dialect", own)])

    def instances(self, kind, field, dialect):
        """Records of a class and a dialect, in the order of their definitions."""
        found = [self.records[name] for name in self.records["!instanceof"].get(kind, [])]
        return sorted((r for r in found if r[field] and r[field]["def"] == dialect), key=self.order)

    def order(self, record):
        file, line = place(record)
        included = re.findall(r'^include "gensyn/.*/(\w+\.td)"', self.path.read_text(), re.M)
        return (included.index(file) if file in included else -1, file, line)

    def families(self, dialect):
        """Ops by the file that defines them."""
        families = {}
        for record in self.instances("Op", "opDialect", dialect):
            family = re.sub(r"^(Repro|Train|Onnx)|\.td$", "", place(record)[0])
            families.setdefault(family, []).append(self.op(record))
        return list(families.items())

    def op(self, record):
        dialect = self.records[record["opDialect"]["def"]]["name"]
        arguments = self.values(record["arguments"])
        traits = [self.records[trait["def"]] for trait in record["traits"]]
        return Entry(
            name=f"{dialect}.{record['opName']}", cpp=record["!name"].split("_", 1)[1], **self.common(record),
            syntax=" ".join((record["assemblyFormat"] or "").split()),
            inputs=[value for value, is_attribute in arguments if not is_attribute],
            attributes=[value for value, is_attribute in arguments if is_attribute],
            outputs=[value for value, _ in self.values(record["results"])],
            regions=[value for value, _ in self.values(record["regions"])],
            traits=[self.trait(trait) for trait in traits if "InterfaceTrait" not in trait["!superclasses"]],
            interfaces=[trait["trait"].split("::")[-2] for trait in traits
                        if "InterfaceTrait" in trait["!superclasses"]])

    def attribute(self, record, dialect):
        return Entry(name=f"#{dialect}.{record['mnemonic']}", cpp=record["cppClassName"], **self.common(record),
                     attributes=[self.parameter(*argument) for argument in record["parameters"]["args"]])

    def common(self, record):
        prose, examples = split(record["description"])
        return dict(summary=record["summary"], prose=prose, examples=examples, constraints=self.constraints(record),
                    place=":".join(map(str, place(record))))

    def parameter(self, value, name):
        if isinstance(value, str):
            return Value(name, value, "")
        record = self.records[value["def"]]
        type = record["cppType"].split("::")[-1].rstrip(">")
        return Value(name, PARAMETER_TYPES.get(type, type), record["summary"] or "")

    def constraints(self, record):
        if record.get("constraints") is None:
            return None
        return [Constraint(r["rule"], r["statement"], r["message"], r["tests"])
                for r in (self.records[c["def"]] for c in record["constraints"])]

    def enum(self, record):
        enum = self.records[record["enum"]["def"]]
        return Value(record["mnemonic"], ", ".join(f"`{self.records[c['def']]['str']}`" for c in enum["enumerants"]),
                     enum["summary"])

    def values(self, dag):
        """(value, is an attribute or property) of each argument of a dag."""
        found = []
        for value, name in dag["args"]:
            record, text = self.records[value["def"]], ""
            if "OpVariable" in record["!superclasses"]:
                text, record = record["summary"] or "", self.records[record["constraint"]["def"]]
            found.append((Value(name, self.type(record), text), "Attr" in record["!superclasses"]))
        return found

    def type(self, record):
        kinds = record["!superclasses"]
        if "Variadic" in kinds or "VariadicOfVariadic" in kinds:
            return f"variadic of {self.type(self.records[record['baseType']['def']])}"
        if "Optional" in kinds:
            return f"optional {self.type(self.records[record['baseType']['def']])}"
        if "OptionalAttr" in kinds:
            return f"optional {self.type(self.records[record['baseAttr']['def']])}"
        if record.get("defaultValue") and "UnitAttr" not in kinds and record["!name"] != "UnitAttr":
            base = self.type(self.records[record["baseAttr"]["def"]])
            return f"{base}, default {record['defaultValue'].split('::')[-1].lower()}"
        if "elementTypes" in record:
            return f"tensor of {record['elementText'] or ', '.join(self.element(t) for t in record['elementTypes'])}"
        if "EnumAttr" in kinds:
            return "one of " + self.enum(record).type
        return re.sub(r" values| attribute(?= whose|$)", "", record["summary"] or record["!name"])

    def element(self, type):
        record = self.records[type["def"]]
        name = record["!name"]
        if record["!anonymous"]:
            return record["summary"]
        return "f" + name[1:] if name.startswith("F") else name.lower()

    def trait(self, record):
        """The name of a trait; the requirement of one that is a predicate."""
        if "PredOpTrait" in record["!superclasses"]:
            return record["summary"]
        return record["!superclasses"][-1] if record["!anonymous"] else record["!name"]


def place(record):
    """The file and line of a definition, not of the classes it derives from."""
    file, line = record["!locs"][0].split(":")[:2]
    return file.split("/")[-1], int(line)


def clean(text):
    return textwrap.dedent(text.strip("\n")).strip()


def split(description):
    """Prose and examples of a description."""
    text = clean(description)
    return EXAMPLE.sub("", text).strip(), [textwrap.dedent(e).strip() for e in EXAMPLE.findall(text)]

"""Mutations of ONNX models that know the format: most results still parse, so that
what they break lies behind the reader."""

import copy

import onnx
from onnx import AttributeProto, TensorProto, helper

INTEGERS = [-(1 << 63), -(1 << 63) + 1, -(1 << 56), -(1 << 31), -65, -4, -3, -2, -1, 0, 1, 2, 3,
            4, 5, 7, 8, 63, 64, 255, 1 << 15, 1 << 16, (1 << 31) - 1, 1 << 31, 1 << 32, 1 << 40,
            1 << 50, 1 << 56, 1 << 62, (1 << 63) - 1]
SIZES = [0, 0, 1, 1, 2, 3, 4, 5, 8, 16, 17, 64, 1000, 65536, 1 << 20, (1 << 31) - 1, 1 << 31,
         1 << 32, 1 << 40, 1 << 56, (1 << 63) - 1, -1, -5]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-45, 1e38, -1e38, float("inf"), float("-inf"), float("nan"),
          2.0 ** 31, 2.0 ** 63, 1e-6, 1e6]
STRINGS = ["", "a", "..", "...", "->", "i,j->ij", "..a->a", "ii->i", "linear", "nearest", "cubic",
           "constant", "reflect", "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET", "forward",
           "bidirectional", "none", "sum", "mean", "DCR", "CRD", "tf_crop_and_resize", "x" * 300,
           "\x1b[31m", "\n", "\udc80".encode("utf-8", "surrogatepass").decode("latin1"), "LRtb"]
KINDS = list(range(0, 27))


def schemas():
    return [schema for schema in onnx.defs.get_all_schemas() if schema.domain in ("", "ai.onnx")]


class Mutator:
    """Changes a model in place; the same random.Random gives the same changes."""

    def __init__(self, random):
        self.random = random
        self.schemas = sorted({schema.name for schema in schemas()})
        self.made = 0

    # ---- Parts of a model.

    def graphs(self, model):
        found = []

        def visit(graph):
            found.append(graph)
            for node in graph.node:
                for attribute in node.attribute:
                    if attribute.HasField("g"):
                        visit(attribute.g)
        visit(model.graph)
        return found

    def graph(self, model):
        return self.random.choice(self.graphs(model))

    def node(self, model):
        nodes = [node for graph in self.graphs(model) for node in graph.node]
        nodes += [node for function in model.functions for node in function.node]
        return self.random.choice(nodes) if nodes else None

    def name(self, model):
        """A value's name, mostly one that exists."""
        graph = self.graph(model)
        names = [value.name for value in graph.input] + [t.name for t in graph.initializer]
        names += [output for node in graph.node for output in node.output]
        if not names or self.random.random() < 0.15:
            return self.random.choice(["", "", "nowhere", "x" * 200, "\x1b[0m"])
        return self.random.choice(names)

    def fresh(self):
        self.made += 1
        return "fuzz%d" % self.made

    def integer(self):
        return self.random.choice(INTEGERS) if self.random.random() < 0.7 else self.random.randint(-6, 6)

    def size(self):
        return self.random.choice(SIZES) if self.random.random() < 0.5 else self.random.randint(0, 6)

    # ---- Mutations. Each returns nothing; one that finds nothing to change does nothing.

    def change_attribute(self, model):
        node = self.node(model)
        if node is None or not node.attribute:
            return
        attribute = self.random.choice(node.attribute)
        if attribute.type == AttributeProto.INT:
            attribute.i = self.integer()
        elif attribute.type == AttributeProto.FLOAT:
            attribute.f = self.random.choice(FLOATS)
        elif attribute.type == AttributeProto.STRING:
            attribute.s = self.random.choice(STRINGS).encode("utf-8", "replace")
        elif attribute.type == AttributeProto.INTS:
            self.change_list(attribute.ints, self.integer)
        elif attribute.type == AttributeProto.FLOATS:
            self.change_list(attribute.floats, lambda: self.random.choice(FLOATS))
        elif attribute.type == AttributeProto.STRINGS:
            self.change_list(attribute.strings, lambda: self.random.choice(STRINGS).encode("utf-8", "replace"))
        elif attribute.type == AttributeProto.TENSOR:
            self.change_tensor(attribute.t)
        elif attribute.type == AttributeProto.GRAPH and attribute.g.node:
            del attribute.g.node[self.random.randrange(len(attribute.g.node))]

    def change_list(self, values, make):
        choice = self.random.randrange(4)
        if choice == 0 and len(values):
            del values[self.random.randrange(len(values))]
        elif choice == 1 or not len(values):
            values.append(make())
        elif choice == 2:
            values[self.random.randrange(len(values))] = make()
        else:
            values.extend([make()] * self.random.choice([1, 2, 64, 1000]))

    def remove_attribute(self, model):
        node = self.node(model)
        if node is not None and node.attribute:
            del node.attribute[self.random.randrange(len(node.attribute))]

    def add_attribute(self, model):
        node = self.node(model)
        if node is None:
            return
        try:
            formals = list(onnx.defs.get_schema(node.op_type).attributes.values())
        except onnx.defs.SchemaError:
            return
        if not formals:
            return
        formal = self.random.choice(formals)
        kind = int(formal.type.value)
        values = {
            AttributeProto.INT: self.integer,
            AttributeProto.FLOAT: lambda: self.random.choice(FLOATS),
            AttributeProto.STRING: lambda: self.random.choice(STRINGS),
            AttributeProto.INTS: lambda: [self.integer() for _ in range(self.random.randint(1, 5))],
            AttributeProto.FLOATS: lambda: [self.random.choice(FLOATS) for _ in range(3)],
        }
        if self.random.random() < 0.1:
            kind = self.random.choice(list(values))
        if kind in values:
            for old in [a for a in node.attribute if a.name == formal.name]:
                node.attribute.remove(old)
            node.attribute.append(helper.make_attribute(formal.name, values[kind]()))

    def change_dims(self, dims):
        choice = self.random.randrange(5)
        if choice == 0 and len(dims):
            del dims[self.random.randrange(len(dims))]
        elif choice == 1:
            dims.insert(self.random.randint(0, len(dims)), self.size()) if isinstance(dims, list) \
                else dims.append(self.size())
        elif choice == 2 and len(dims):
            dims[self.random.randrange(len(dims))] = self.size()
        elif choice == 3:
            del dims[:]
        elif len(dims) > 1:
            dims[0], dims[-1] = dims[-1], dims[0]

    def change_tensor(self, tensor):
        choice = self.random.randrange(6)
        if choice == 0:
            tensor.data_type = self.random.choice(KINDS)
        elif choice == 1 and tensor.raw_data:
            data = bytearray(tensor.raw_data)
            data[self.random.randrange(len(data))] = self.random.randrange(256)
            tensor.raw_data = bytes(data)
        elif choice == 2:
            tensor.raw_data = tensor.raw_data[:self.random.randint(0, len(tensor.raw_data))]
        elif choice == 3 and tensor.data_type == TensorProto.INT64:
            count = self.random.randint(0, 5)
            tensor.CopyFrom(helper.make_tensor(tensor.name, TensorProto.INT64, [count],
                                               [self.integer() for _ in range(count)]))
        elif choice == 4:
            tensor.data_location = TensorProto.EXTERNAL
            del tensor.external_data[:]
            for key, value in (("location", self.random.choice(["model.onnx", "../x", "/etc/passwd", "", "a"])),
                               ("offset", str(self.integer())), ("length", str(self.integer()))):
                tensor.external_data.add(key=key, value=value)
        else:
            dims = list(tensor.dims)
            self.change_dims(dims)
            del tensor.dims[:]
            tensor.dims.extend(dims)

    def change_initializer(self, model):
        graph = self.graph(model)
        if graph.initializer:
            self.change_tensor(self.random.choice(graph.initializer))

    def change_type(self, model):
        graph = self.graph(model)
        values = list(graph.input) + list(graph.output) + list(graph.value_info)
        if not values:
            return
        kind = self.random.choice(values).type
        choice = self.random.randrange(8)
        if choice == 0:
            kind.tensor_type.elem_type = self.random.choice(KINDS)
        elif choice == 1:
            kind.tensor_type.ClearField("shape")
        elif choice == 2:
            inner = copy.deepcopy(kind)
            kind.sequence_type.elem_type.CopyFrom(inner)
        elif choice == 3:
            inner = copy.deepcopy(kind)
            kind.optional_type.elem_type.CopyFrom(inner)
        elif choice == 4:
            kind.Clear()
        else:
            if not kind.HasField("tensor_type"):
                return
            dims = [d.dim_value for d in kind.tensor_type.shape.dim]
            self.change_dims(dims)
            kind.tensor_type.shape.Clear()
            for size in dims:
                dim = kind.tensor_type.shape.dim.add()
                if self.random.random() < 0.1:
                    dim.dim_param = self.random.choice(["N", "batch", "", "\x1b[31m", "N"])
                elif self.random.random() < 0.95:
                    dim.dim_value = size

    def change_operand(self, model):
        node = self.node(model)
        if node is None:
            return
        names = node.input if self.random.random() < 0.8 else node.output
        choice = self.random.randrange(6)
        if choice == 0 and names:
            del names[self.random.randrange(len(names))]
        elif choice == 1:
            names.append(self.name(model))
        elif choice == 2 and names:
            names[self.random.randrange(len(names))] = ""
        elif choice == 3 and names:
            names[self.random.randrange(len(names))] = self.name(model)
        elif choice == 4 and len(names) > 1:
            names[0], names[-1] = names[-1], names[0]
        elif names:
            names.extend([names[-1]] * self.random.choice([1, 2, 100]))

    def change_operator(self, model):
        node = self.node(model)
        if node is None:
            return
        node.op_type = self.random.choice(self.schemas)
        if self.random.random() < 0.05:
            node.domain = self.random.choice(["ai.onnx.ml", "com.microsoft", "ai.onnx.preview.training", "d"])

    def add_node(self, model):
        """A node of any operator over values that exist; its result is an output."""
        graph = self.graph(model)
        schema = onnx.defs.get_schema(self.random.choice(self.schemas))
        count = self.random.randint(schema.min_input, min(schema.max_input, schema.min_input + 3))
        results = [self.fresh() for _ in range(max(1, schema.min_output))]
        node = helper.make_node(schema.name, [self.name(model) for _ in range(count)], results)
        graph.node.insert(self.random.randint(0, len(graph.node)), node)
        for _ in range(self.random.randint(0, 2)):
            self.add_attribute(model)
        if graph is model.graph and self.random.random() < 0.8:
            graph.output.append(onnx.ValueInfoProto(name=results[0]))

    def remove_node(self, model):
        graph = self.graph(model)
        if len(graph.node) > 1:
            del graph.node[self.random.randrange(len(graph.node))]

    def copy_node(self, model):
        graph = self.graph(model)
        if not graph.node:
            return
        node = copy.deepcopy(self.random.choice(graph.node))
        if self.random.random() < 0.9:
            node.output[:] = [self.fresh() for _ in node.output]
        graph.node.insert(self.random.randint(0, len(graph.node)), node)

    def change_version(self, model):
        if model.opset_import and self.random.random() < 0.8:
            self.random.choice(model.opset_import).version = self.random.choice(
                [1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 20, 21, 23, 25, 26, 28, 100])
        elif self.random.random() < 0.5:
            model.opset_import.add(domain=self.random.choice(["", "ai.onnx", "d", "ai.onnx.ml"]), version=3)
        else:
            model.ir_version = self.random.choice([0, 1, 3, 4, 8, 13, 14, 100])

    def wrap(self, model):
        """The main graph's nodes become a function of the model, or a branch."""
        nodes = [copy.deepcopy(node) for node in model.graph.node]
        if not nodes:
            return
        outputs = [value.name for value in model.graph.output]
        if self.random.random() < 0.5:
            inputs = [value.name for value in model.graph.input] + [t.name for t in model.graph.initializer]
            function = model.functions.add(domain="d", name=self.fresh())
            function.input.extend(inputs)
            function.output.extend(outputs)
            function.node.extend(nodes)
            function.opset_import.extend(model.opset_import)
            if self.random.random() < 0.3:
                function.node.add(op_type=self.random.choice(model.functions).name, domain="d",
                                  input=inputs, output=outputs)
            if not any(opset.domain == "d" for opset in model.opset_import):
                model.opset_import.add(domain="d", version=1)
            call = helper.make_node(function.name, inputs, outputs, domain="d")
        else:
            flag = self.fresh()
            model.graph.input.append(helper.make_tensor_value_info(flag, TensorProto.BOOL, []))
            branch = onnx.GraphProto(name="g")
            branch.node.extend(nodes)
            branch.output.extend(copy.deepcopy(list(model.graph.output)))
            call = helper.make_node("If", [flag], outputs, then_branch=branch, else_branch=branch)
        del model.graph.node[:]
        model.graph.node.append(call)

    def make_constant(self, model):
        """An input becomes an initializer, so that values decide about shapes."""
        graph = model.graph
        if not graph.input:
            return
        value = self.random.choice(graph.input)
        tensor = value.type.tensor_type
        dims = [d.dim_value for d in tensor.shape.dim]
        count = 1
        for size in dims:
            count *= size
        if not 0 <= count <= 4096:
            return
        kind = tensor.elem_type
        try:
            whole = kind in (TensorProto.INT64, TensorProto.INT32)
            values = [self.integer() if whole and self.random.random() < 0.3 else self.random.randint(-2, 5)
                      for _ in range(count)]
            graph.initializer.append(helper.make_tensor(value.name, kind, dims, values))
        except Exception:  # numpy refuses some values of some types
            return
        graph.input.remove(value)

    def make_input(self, model):
        graph = model.graph
        if graph.initializer:
            tensor = self.random.choice(graph.initializer)
            graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
            graph.initializer.remove(tensor)

    def forget_types(self, model):
        del self.graph(model).value_info[:]
        for value in model.graph.output:
            value.ClearField("type")

    CHOICES = [change_attribute] * 5 + [add_attribute] * 4 + [change_type] * 5 + [change_operand] * 4 + [
        change_initializer] * 4 + [make_constant] * 3 + [remove_attribute, change_operator, change_operator,
                                                         add_node, add_node, remove_node, copy_node,
                                                         change_version, wrap, make_input, forget_types]

    def mutate(self, model, count):
        for _ in range(count):
            try:
                self.random.choice(self.CHOICES)(self, model)
            except (ValueError, TypeError, OverflowError):
                pass  # a value that protobuf does not take

    def change_bytes(self, data):
        """What no structure is left of."""
        data = bytearray(data)
        for _ in range(self.random.randint(1, 8)):
            at = self.random.randrange(len(data) + 1) if data else 0
            choice = self.random.randrange(4)
            if choice == 0 and at < len(data):
                data[at] = self.random.randrange(256)
            elif choice == 1:
                del data[at:at + self.random.randint(1, 16)]
            elif choice == 2:
                data[at:at] = self.random.randbytes(self.random.randint(1, 16))
            else:
                data[at:at] = data[at:at + self.random.randint(1, 64)]
        return bytes(data)

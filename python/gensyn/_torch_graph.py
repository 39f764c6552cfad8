"""A graph of ATen operators as a program: its export, its results, and the random numbers that it takes from PyTorch."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

from gensyn._errors import UsageError
from gensyn._export import quiet
from gensyn._program import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Operators that draw random numbers from PyTorch's generator; "rand" is for rand, rand_like, randn, randint, ...
RANDOM = ("dropout", "bernoulli", "rand", "normal", "uniform", "multinomial", "poisson", "exponential", "philox")
# Those of them that read the shape of a tensor alone, not its elements.
READS_SHAPE = ("rand_like", "randn_like", "randint_like", "bernoulli.p")


class Graph:
    """The program of a graph, whose sizes are fixed, as a function of the graph's inputs.

    Random numbers do not depend on other values. PyTorch draws them before the program runs, in the order of the graph,
    and they are inputs of the program.
    """

    def __init__(self, graph: Any, inputs: Sequence[Any], options: dict[str, Any]) -> None:
        import torch

        placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
        results = next(node for node in graph.graph.nodes if node.op == "output").args[0]
        # Each result is one of the program, an input that is handed on, or a constant.
        self.results: list[tuple[str, Any]] = []
        computed: list[Any] = []
        for result in results:
            if not isinstance(result, torch.fx.Node):
                self.results.append(("constant", result))
            elif result.op == "placeholder":
                self.results.append(("input", placeholders.index(result)))
            else:
                if result not in computed:
                    computed.append(result)
                self.results.append(("output", computed.index(result)))
        if not computed:
            raise UsageError("nothing is computed")
        exported, used, random = _prepare(graph, computed)
        self.draws = [_draw(node) for node in random]
        folder = tempfile.TemporaryDirectory(prefix="gensyn-")
        path = os.path.join(folder.name, "graph.onnx")
        _export(exported, [inputs[place] for place in used] + [_empty(node) for node in random], path)
        self.program = _open(path, folder, options)
        # The exporter leaves out inputs that nothing reads.
        names = [node.target for node in exported.graph.nodes if node.op == "placeholder"]
        places = [*used, *range(len(placeholders), len(placeholders) + len(self.draws))]
        self.places = [places[names.index(spec.name)] for spec in self.program.inputs]
        if len(self.program.outputs) != len(computed):
            raise UsageError(f"the exporter wrote {len(self.program.outputs)} results, expected {len(computed)}")

    def __call__(self, *inputs: Any) -> list[Any]:
        import torch

        values = [*inputs, *(draw() for draw in self.draws)]
        outputs = self.program(*[values[place].detach() for place in self.places])
        if len(self.program.outputs) == 1:
            outputs = (outputs,)
        tensors = [torch.from_numpy(output) for output in outputs]
        return [
            tensors[value] if kind == "output" else inputs[value] if kind == "input" else value
            for kind, value in self.results
        ]


def is_random(node: Any) -> bool:
    """True for a call of an operator that draws random numbers."""
    word = str(node.target).rpartition("aten.")[2].split(".")[0]
    return node.op == "call_function" and any(each in word for each in RANDOM)


def can_be_drawn(node: Any) -> bool:
    """True if the random numbers of a call depend on no elements of other values."""
    return not node.all_input_nodes or str(node.target).rpartition("aten.")[2].startswith(READS_SHAPE)


def specialize(graph: Any, inputs: Sequence[Any]) -> Any:
    """Returns a graph of symbolic sizes with those of the inputs, which are tensors and numbers."""
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx

    # Fake tensors: nothing is computed, and nothing is drawn.
    given = [each.detach() if isinstance(each, torch.Tensor) else each for each in inputs]
    with torch.no_grad():
        return make_fx(graph, tracing_mode="fake")(*given)


def _prepare(graph: Any, computed: list[Any]) -> tuple[Any, list[int], list[Any]]:
    """Returns a copy of a graph of which those nodes are the results, whose inputs are the tensors among the graph's and
    then random numbers; the places of the former, and the nodes that draw the latter."""
    import torch

    copy = torch.fx.Graph()
    nodes: dict[Any, Any] = {}
    used: list[int] = []
    random: list[Any] = []
    placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
    for place, node in enumerate(placeholders):
        if isinstance(node.meta.get("val"), torch.Tensor):
            nodes[node] = copy.node_copy(node)
            used.append(place)
    for node in graph.graph.nodes:
        if is_random(node):
            nodes[node] = copy.placeholder(f"random_{len(random)}")
            random.append(node)
    for node in graph.graph.nodes:
        if node.op not in ("placeholder", "output") and node not in nodes:
            nodes[node] = copy.node_copy(node, lambda each: nodes[each])
    copy.output(tuple(nodes[node] for node in computed))
    result = torch.fx.GraphModule(graph, copy)
    result.graph.eliminate_dead_code()
    result.recompile()
    return result, used, random


def _draw(node: Any) -> Callable[[], Any]:
    """Returns a function that makes the call of a node of the graph, on tensors of its operands' shapes."""
    import torch

    args = torch.fx.map_arg(node.args, _empty)
    kwargs = torch.fx.map_arg(dict(node.kwargs), _empty)
    return lambda: node.target(*args, **kwargs)


def _empty(node: Any) -> Any:
    """Returns a tensor of the type and shape of a node's result."""
    import torch

    result = node.meta["val"]
    return torch.zeros(tuple(map(int, result.shape)), dtype=result.dtype)


def _export(graph: Any, inputs: Sequence[Any], path: str) -> None:
    import torch

    with quiet(), torch.no_grad():
        program = torch.export.export(graph, tuple(inputs))
        torch.onnx.export(
            program, (), path, dynamo=True, optimize=False, verbose=False, external_data=False, opset_version=18
        )


def _open(path: str, folder: tempfile.TemporaryDirectory[str], options: dict[str, Any]) -> Program:
    given: dict[str, Any] = {"threads": 0, "instruction_set": "native", "accuracy": "", "cache": None}
    given |= {name: value for name, value in options.items() if value is not None}
    return Program(
        path,
        folder,
        backend="cpu",
        dims={},
        seed=0,
        specializations=1,
        profile=False,
        device=0,
        parameters=None,
        **given,
    )

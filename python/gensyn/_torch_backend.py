"""A back end of torch.compile.

Dynamo traces a module, AOTAutograd differentiates it and gives a graph of ATen operators for the forward pass and one for
the backward pass. Each becomes an ONNX file by PyTorch's exporter and then a program, so that there is one importer, and
one meaning of each operator. A graph that cannot be had runs in PyTorch, with a warning; `torch_graphs` lists all.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from gensyn._errors import Error, UsageError
from gensyn._export import quiet
from gensyn._program import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Operators that draw random numbers: a program would draw the same ones in each call.
RANDOM = ("dropout", "bernoulli", "rand", "normal", "uniform", "multinomial", "poisson", "exponential", "philox")
OPTIONS = ("threads", "instruction_set", "accuracy", "cache")


class TorchGraph(NamedTuple):
    """A graph that torch.compile gave to the back end.

    Attributes:
        kind: "forward" and "backward" of training, or "inference".
        operators: number of its operators.
        reason: why it runs in PyTorch; empty if it is a program of gensyn.
        digest: of the program; empty if it runs in PyTorch.
    """

    kind: str
    operators: int
    reason: str
    digest: str


_graphs: list[TorchGraph] = []


def torch_graphs() -> tuple[TorchGraph, ...]:
    """Returns the graphs that torch.compile gave to the back end so far, in order."""
    return tuple(_graphs)


def torch_backend(graph: Any, example_inputs: Sequence[Any], *, options: Mapping[str, Any] | None = None) -> Any:
    """The back end itself: `torch.compile(module, backend=gensyn.torch_backend)`.

    Args:
        graph: a torch.fx.GraphModule, from Dynamo.
        example_inputs: its inputs.
        options: of torch.compile: "threads", "instruction_set", "accuracy" and "cache", as of `gensyn.compile`.
    """
    import torch
    from torch._decomp import core_aten_decompositions
    from torch._dynamo.backends.common import aot_autograd

    from gensyn import _torch_decompositions

    unknown = [name for name in options or {} if name not in OPTIONS]
    if unknown:
        raise UsageError(f"the back end has no option {unknown[0]!r}", f"there are {[*OPTIONS]}")

    def make(kind: str) -> Callable[[Any, Sequence[Any]], Any]:
        def compile_graph(lowered: Any, inputs: Sequence[Any]) -> Any:
            return _compile(kind, lowered, inputs, dict(options or {}))

        return compile_graph

    decompositions = {**core_aten_decompositions(), **_torch_decompositions.table()}
    compiler = aot_autograd(
        fw_compiler=make("forward"),
        bw_compiler=make("backward"),
        inference_compiler=make("inference"),
        decompositions=decompositions,
    )
    # The other kernels have backward passes of their own, which are no operators of ONNX.
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        return compiler(graph, example_inputs)


def _compile(kind: str, graph: Any, inputs: Sequence[Any], options: dict[str, Any]) -> Any:
    """Returns a function of a list of tensors, for the runtime of AOTAutograd."""
    calls = [node for node in graph.graph.nodes if node.op == "call_function"]
    if not calls:
        return _boxed(graph.forward)
    reason, program = "", None
    try:
        reason = _refuse(calls, inputs)
        if not reason:
            program = _Graph(graph, inputs, options)
    except Error as error:
        reason = f"{error}"
    except Exception as error:  # noqa: BLE001  (of any kind: the exporter raises many)
        reason = f"{type(error).__name__}: {_short(error)}"
    digest = (program.program.digest or "") if program else ""
    _graphs.append(TorchGraph(kind, len(calls), reason, digest))
    if program is None:
        warnings.warn(f"the {kind} graph of {len(calls)} operators runs in PyTorch: {reason}", stacklevel=2)
        return _boxed(graph.forward)
    return _boxed(program)


def _boxed(function: Callable[..., Any]) -> Any:
    from functorch.compile import make_boxed_func

    return make_boxed_func(function)


def _refuse(calls: list[Any], inputs: Sequence[Any]) -> str:
    """Returns why a graph is not tried."""
    import torch

    for node in calls:
        name = str(node.target)
        if any(word in name.rpartition("aten.")[2].split(".")[0] for word in RANDOM):
            return f"{name} draws random numbers"
    for value in inputs:
        if not isinstance(value, torch.Tensor):
            return f"an input is a {type(value).__name__}: a size that changes (dynamic=False keeps them apart)"
        if value.device.type != "cpu":
            return f"an input is on the device {value.device}"
        if value.dtype in (torch.bfloat16, torch.complex64, torch.complex128):
            return f"an input is {value.dtype}"
    return ""


def _short(error: Exception) -> str:
    """The reason in the messages of exporters, which are long."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if "No ONNX function found" in line or "Unsupported" in line]
    return (causes or lines or [""])[-1][:200]


class _Graph:
    """The program of a graph, and how its results are those of the graph."""

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
        folder = tempfile.TemporaryDirectory(prefix="gensyn-")
        path = os.path.join(folder.name, "graph.onnx")
        _export(_with_results(graph, computed), inputs, path)
        self.program = _open(path, folder, options)
        names = [str(node.target) for node in placeholders]
        # The exporter leaves out inputs that nothing reads.
        self.places = [names.index(spec.name) for spec in self.program.inputs]
        if len(self.program.outputs) != len(computed):
            raise UsageError(f"the exporter wrote {len(self.program.outputs)} results, expected {len(computed)}")

    def __call__(self, *inputs: Any) -> list[Any]:
        import torch

        outputs = self.program(*[inputs[place].detach() for place in self.places])
        if len(self.program.outputs) == 1:
            outputs = (outputs,)
        tensors = [torch.from_numpy(output) for output in outputs]
        return [
            tensors[value] if kind == "output" else inputs[value] if kind == "input" else value
            for kind, value in self.results
        ]


def _with_results(graph: Any, computed: list[Any]) -> Any:
    """Returns a copy of a graph whose results are those nodes."""
    import torch

    copy = torch.fx.Graph()
    nodes: dict[Any, Any] = {}
    copy.graph_copy(graph.graph, nodes)
    copy.output(tuple(nodes[node] for node in computed))
    result = torch.fx.GraphModule(graph, copy)
    result.graph.eliminate_dead_code()
    result.recompile()
    return result


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
        path, folder, backend="cpu", dims={}, seed=0, specializations=1, profile=False, parameters=None, **given
    )

"""A back end of torch.compile.

Dynamo traces a module, AOTAutograd differentiates it and gives a graph of ATen operators for the forward pass and one for
the backward pass. Each becomes an ONNX file by PyTorch's exporter and then a program, so that there is one importer, and
one meaning of each operator. A graph that cannot be had runs in PyTorch, with a warning; `torch_graphs` lists all.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from gensyn._errors import Error, UsageError
from gensyn._torch_graph import Graph, can_be_drawn, is_random, specialize

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

OPTIONS = ("threads", "instruction_set", "accuracy", "cache")
# Programs of a graph with symbolic sizes that are kept, one for each combination of sizes.
MOST_SIZES = 8


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
    if not any(node.op == "call_function" for node in graph.graph.nodes):
        return _boxed(graph.forward)
    if any(map(_is_symbolic, inputs)):
        return _boxed(_AnySize(kind, graph, options))
    return _boxed(_compile_sizes(kind, graph, inputs, options))


def _compile_sizes(kind: str, graph: Any, inputs: Sequence[Any], options: dict[str, Any]) -> Callable[..., Any]:
    """Returns the function of a graph of fixed sizes: a program, or the graph itself."""
    calls = [node for node in graph.graph.nodes if node.op == "call_function"]
    reason, program = "", None
    try:
        reason = _refuse(calls, inputs)
        if not reason:
            program = Graph(graph, inputs, options)
    except Error as error:
        reason = f"{error}"
    except Exception as error:  # noqa: BLE001  (of any kind: the exporter raises many)
        reason = f"{type(error).__name__}: {_short(error)}"
    digest = (program.program.digest or "") if program else ""
    _graphs.append(TorchGraph(kind, len(calls), reason, digest))
    if program is None:
        warnings.warn(f"the {kind} graph of {len(calls)} operators runs in PyTorch: {reason}", stacklevel=2)
        forward: Callable[..., Any] = graph.forward
        return forward
    return program


class _AnySize:
    """A graph of symbolic sizes, which Dynamo makes when it meets a second size: a program for each, when it comes."""

    def __init__(self, kind: str, graph: Any, options: dict[str, Any]) -> None:
        self.kind, self.graph, self.options = kind, graph, options
        self.functions: dict[Any, Callable[..., Any]] = {}

    def __call__(self, *inputs: Any) -> Any:
        key = tuple(tuple(each.shape) if hasattr(each, "shape") else each for each in inputs)
        function = self.functions.pop(key, None)
        if function is None:
            function = self._compile(inputs)
            if len(self.functions) == MOST_SIZES:
                self.functions.pop(next(iter(self.functions)))
        self.functions[key] = function  # the last one was used last
        return function(*inputs)

    def _compile(self, inputs: Sequence[Any]) -> Callable[..., Any]:
        from torch.utils._python_dispatch import _disable_current_modes

        # AOTAutograd looks at the first call by a mode, which the exporter does not expect.
        with _disable_current_modes():
            return _compile_sizes(self.kind, specialize(self.graph, inputs), inputs, self.options)


def _is_symbolic(value: Any) -> bool:
    import torch

    if isinstance(value, torch.Tensor):
        return any(isinstance(size, torch.SymInt) for size in value.shape)
    return isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool))


def _boxed(function: Callable[..., Any]) -> Any:
    from functorch.compile import make_boxed_func

    return make_boxed_func(function)


def _refuse(calls: list[Any], inputs: Sequence[Any]) -> str:
    """Returns why a graph is not tried."""
    import torch

    for node in calls:
        if is_random(node) and not can_be_drawn(node):
            return f"{node.target} draws random numbers that depend on others"
    for value in inputs:
        if not isinstance(value, torch.Tensor):
            continue
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

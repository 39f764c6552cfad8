"""Operators of ATen that ONNX lacks, backward ones among them, by others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def table() -> dict[Any, Callable[..., Any]]:
    """Returns the decompositions by operator, as those of torch._decomp."""
    import torch
    from torch._decomp import get_decompositions

    aten = torch.ops.aten
    # PyTorch's exporter writes every batch normalization in inference mode.
    known = [aten._native_batch_norm_legit_functional.default, aten.native_batch_norm.default]
    return {
        **get_decompositions(known),
        aten.convolution_backward.default: convolution_backward,
        aten.max_pool2d_with_indices_backward.default: max_pool2d_backward,
        aten.avg_pool2d_backward.default: avg_pool2d_backward,
        aten._adaptive_avg_pool2d_backward.default: adaptive_avg_pool2d_backward,
        aten.native_dropout.default: native_dropout,
        aten.as_strided.default: as_strided,
        aten.as_strided_scatter.default: as_strided_scatter,
    }


def _has_strides(size: Any, stride: Any, expected: Any) -> bool:
    """True if these strides are the expected ones; that of a dimension of size 1 says nothing."""
    return all(extent == 1 or one == other for extent, one, other in zip(size, stride, expected))


def _row_major(size: Any) -> list[Any]:
    strides: list[Any] = []
    step = 1
    for extent in reversed(size):
        strides.insert(0, step)
        step = step * extent
    return strides


def as_strided(x: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """Where it is the tensor as it is, or another shape of one that is contiguous, as in averages over an image."""
    if storage_offset not in (None, 0) or x.storage_offset() != 0:
        return NotImplemented
    if list(size) == list(x.shape) and _has_strides(size, stride, x.stride()):
        return x.view(size)
    if math.prod(size) == x.numel() and _is_contiguous(x) and _has_strides(size, stride, _row_major(size)):
        return x.view(size)
    return NotImplemented


def as_strided_scatter(x: Any, source: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """Where it replaces every element, in the same order."""
    if storage_offset not in (None, 0) or x.storage_offset() != 0:
        return NotImplemented
    if math.prod(size) == x.numel() and _is_contiguous(x) and _has_strides(size, stride, _row_major(size)):
        return source.reshape(x.shape)
    return NotImplemented


def _is_contiguous(x: Any) -> bool:
    return _has_strides(x.shape, x.stride(), _row_major(x.shape))


def native_dropout(x: Any, p: float, train: bool | None) -> Any:
    """The result, and what is kept: where a number from [0, 1) is not below `p`."""
    import torch

    aten = torch.ops.aten
    if train is False or p == 0:
        return aten.clone.default(x), aten.full.default(x.shape, True, dtype=torch.bool, device=x.device)
    numbers = aten.rand.default(x.shape, dtype=torch.float32, device=x.device)
    kept = aten.ge.Scalar(numbers, p)
    scale = 0.0 if p == 1 else 1 / (1 - p)
    return aten.where.self(kept, aten.mul.Tensor(x, scale), aten.full.default((), 0.0, dtype=x.dtype)), kept


def _transposed(x: Any, groups: int) -> Any:
    """[N, G C, ...] -> [C, G N, ...]: samples become channels, group by group."""
    shape = [x.shape[0], groups, x.shape[1] // groups, *x.shape[2:]]
    order = [2, 1, 0, *range(3, len(shape))]
    return x.reshape(shape).permute(order).reshape([shape[2], groups * shape[0], *x.shape[2:]])


def _cut(x: Any, sizes: Any) -> Any:
    """The first `sizes` elements of each dimension from the third one on."""
    for i, size in enumerate(sizes):
        x = x.narrow(i + 2, 0, size)
    return x


def convolution_backward(
    grad: Any,
    x: Any,
    weight: Any,
    bias_sizes: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    output_mask: Any,
) -> Any:
    """The gradient of the input is a convolution the other way; that of the weight convolves over the samples, with stride
    and dilation exchanged."""
    import torch

    convolution = torch.ops.aten.convolution.default
    rank = x.dim() - 2
    by_input = by_weight = by_bias = None
    if output_mask[0] and transposed:
        by_input = convolution(grad, weight, None, stride, padding, dilation, False, [0] * rank, groups)
    elif output_mask[0]:
        rest = [
            x.shape[i + 2]
            - ((grad.shape[i + 2] - 1) * stride[i] - 2 * padding[i] + dilation[i] * (weight.shape[i + 2] - 1) + 1)
            for i in range(rank)
        ]
        by_input = convolution(grad, weight, None, stride, padding, dilation, True, rest, groups)
    if output_mask[1]:
        moving, fixed = (grad, x) if transposed else (x, grad)
        found = convolution(
            _transposed(moving, groups),
            fixed.transpose(0, 1),
            None,
            dilation,
            padding,
            stride,
            False,
            [0] * rank,
            groups,
        )
        by_weight = _cut(found, weight.shape[2:]).transpose(0, 1)
    if output_mask[2]:
        by_bias = grad.sum([0, *range(2, grad.dim())])
    return by_input, by_weight, by_bias


def max_pool2d_backward(
    grad: Any, x: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, indices: Any
) -> Any:
    """Each element of the gradient is added where its maximum was."""
    import torch

    flat = torch.zeros_like(x).flatten(-2)
    return flat.scatter_add(-1, indices.flatten(-2), grad.flatten(-2)).reshape(x.shape)


def avg_pool2d_backward(
    grad: Any, x: Any, kernel: Any, stride: Any, padding: Any, ceil_mode: bool, count_include_pad: bool, divisor: Any
) -> Any:
    """A convolution of each channel with ones, the other way."""
    import torch

    kernel = [*kernel] * (2 // len(kernel))
    stride = [*(stride or kernel)] * (2 // len(stride or kernel))
    padding = [*padding] * (2 // len(padding))
    if ceil_mode or x.dim() != 4:
        return NotImplemented
    channels = x.shape[1]
    kind = {"dtype": grad.dtype, "device": grad.device}
    share = 1.0 / (divisor or kernel[0] * kernel[1])
    if any(padding) and not count_include_pad and divisor is None:
        share = 1.0
        # How many elements of the image are in each window.
        image, window = torch.full([1, 1, *x.shape[2:]], 1.0, **kind), torch.full([1, 1, *kernel], 1.0, **kind)
        grad = grad / torch.ops.aten.convolution.default(image, window, None, stride, padding, [1, 1], False, [0, 0], 1)
    weight = torch.full([channels, 1, *kernel], share, **kind)
    rest = [x.shape[i + 2] - ((grad.shape[i + 2] - 1) * stride[i] - 2 * padding[i] + kernel[i]) for i in range(2)]
    return torch.ops.aten.convolution.default(grad, weight, None, stride, padding, [1, 1], True, rest, channels)


def adaptive_avg_pool2d_backward(grad: Any, x: Any) -> Any:
    """Each element is shared out over its window, where all windows have one size."""
    height, width = (size // cells for size, cells in zip(x.shape[-2:], grad.shape[-2:]))
    if [height * grad.shape[-2], width * grad.shape[-1]] != [*x.shape[-2:]]:
        return NotImplemented
    rows, columns = grad.shape[-2:]
    shared = (grad / (height * width)).reshape(*grad.shape[:-2], rows, 1, columns, 1)
    return shared.expand(*grad.shape[:-2], rows, height, columns, width).reshape(x.shape)

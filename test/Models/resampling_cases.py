"""Interpolation and sampling at every mode, padding and kind of size, as expressions."""

import itertools

import torch

from expressions import INPUTS, Expression, normal, uniform

INPUTS.update({
    "line10": normal(2, 3, 10, seed=50), "square10": normal(1, 2, 10, 10, seed=51), "tall": normal(1, 2, 5, 9, seed=52),
    "cube": normal(1, 2, 4, 5, 6, seed=53),
    # Some points lie outside, and two on an edge.
    "grid": torch.cat([uniform(-1.6, 1.6, 1, 6, 5, 2, seed=54), torch.tensor([[[[-1.0, 1.0]] * 5]])], 1),
    "grid3": uniform(-1.4, 1.4, 1, 3, 4, 5, 3, seed=55), "theta": normal(2, 2, 3, seed=56), "theta3": normal(1, 3, 4, seed=57),
})

# 0.7 and 2.3 times 10 elements make 7 and 23 only if the product is rounded to float32; nearest at 0.6 divides 3 by it.
FACTORS = (0.3, 0.6, 0.7, 1.05, 1.3, 1.5, 2, 2.3, 3.1)
SIZES = (1, 4, 10, 17)
PADDINGS = ("zeros", "border", "reflection")


def lines():
    for factor in FACTORS:
        for recompute in ("", ", recompute_scale_factor=True"):
            yield f"F.interpolate(square10, scale_factor={factor}, mode='nearest'{recompute})"
        yield f"F.interpolate(line10, scale_factor={factor}, mode='nearest')"
        yield f"F.interpolate(line10, scale_factor={factor}, mode='nearest-exact')"
        yield f"F.interpolate(square10, scale_factor={factor}, mode='nearest-exact')"
        for mode, aligned in itertools.product(("bilinear", "bicubic"), (False, True)):
            for recompute in ("", ", recompute_scale_factor=True"):
                yield f"F.interpolate(square10, scale_factor={factor}, mode='{mode}', align_corners={aligned}{recompute})"
        for aligned in (False, True):
            yield f"F.interpolate(line10, scale_factor={factor}, mode='linear', align_corners={aligned})"
    for size in SIZES:
        yield f"F.interpolate(tall, size=({size}, {size + 2}), mode='nearest')"
        yield f"F.interpolate(tall, size=({size}, {size + 2}), mode='nearest-exact')"
        yield f"F.interpolate(line10, size={size}, mode='nearest')"
        for mode, aligned in itertools.product(("bilinear", "bicubic"), (False, True)):
            yield f"F.interpolate(tall, size=({size}, {size + 2}), mode='{mode}', align_corners={aligned})"
        for mode in ("bilinear", "bicubic"):
            yield f"F.interpolate(tall, size=({size + 1}, {size + 2}), mode='{mode}', antialias=True)"
    for factor in (0.3, 0.7, 1.5):
        for mode in ("bilinear", "bicubic"):
            yield f"F.interpolate(square10, scale_factor={factor}, mode='{mode}', antialias=True)"
    for factor in ("0.7", "1.3", "(1.5, 0.6, 2.5)"):
        yield f"F.interpolate(cube, scale_factor={factor}, mode='nearest')"
        for aligned in (False, True):
            yield f"F.interpolate(cube, scale_factor={factor}, mode='trilinear', align_corners={aligned})"
    yield "F.interpolate(square10, scale_factor=(0.7, 1.3), mode='nearest')"
    yield "F.interpolate(square10, scale_factor=(0.7, 1.3), mode='bilinear')"
    for mode, padding, aligned in itertools.product(("bilinear", "nearest", "bicubic"), PADDINGS, (False, True)):
        yield f"F.grid_sample(tall, grid, mode='{mode}', padding_mode='{padding}', align_corners={aligned})"
    for mode, padding, aligned in itertools.product(("bilinear", "nearest"), PADDINGS, (False, True)):
        yield f"F.grid_sample(cube, grid3, mode='{mode}', padding_mode='{padding}', align_corners={aligned})"
    for aligned in (False, True):
        yield f"F.affine_grid(theta, (2, 3, 4, 5), align_corners={aligned})"
        yield f"F.affine_grid(theta3, (1, 2, 3, 4, 5), align_corners={aligned})"


def cases():
    for line in lines():
        yield line, lambda line=line: Expression(line)

"""The values of weights whose file is absent, as gensyn-run --symbolic-weights makes them: random_r7 of
docs/Numerics.md, in numpy."""

import math

import numpy


def draw_bytes(name, count, seed):
    """Signed bytes of Philox4x32-10: the key is the seed, the counter the number of 16 bytes and the hash of the name."""
    hashed = 0xCBF29CE484222325
    for byte in name.encode():
        hashed = (hashed ^ byte) * 0x100000001B3 % 2**64
    low, half = numpy.uint64(0xFFFFFFFF), numpy.uint64(32)
    blocks = numpy.arange((count + 15) // 16, dtype=numpy.uint64)
    words = [blocks & low, blocks >> half, *(numpy.full_like(blocks, part) for part in (hashed % 2**32, hashed >> 32))]
    key = [seed % 2**32, seed >> 32]
    for _ in range(10):
        first, second = words[0] * numpy.uint64(0xD2511F53), words[2] * numpy.uint64(0xCD9E8D57)
        words = [(second >> half) ^ words[1] ^ numpy.uint64(key[0]), second & low,
                 (first >> half) ^ words[3] ^ numpy.uint64(key[1]), first & low]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return numpy.stack([word.astype("<u4") for word in words], axis=1).reshape(-1).view(numpy.int8)[:count]


def half_log2(shape):
    return (math.prod(shape) // max(shape)).bit_length() - 1 >> 1


def draw(name, shape, kind, seed=0, scaled=None):
    """The little-endian bytes of a tensor of f32, bf16 or i8; of a scale, `scaled` is the shape and the bits of what it
    belongs to."""
    n = draw_bytes(name, math.prod(shape), seed)
    if kind == "i8":
        return n.tobytes()
    center, exponent = 128, -7
    if scaled:
        exponent -= scaled[1] - 1 + half_log2(scaled[0])
    elif len(shape) > 1:
        center, exponent = 0, -6 - half_log2(shape)
    # Exact in both types.
    values = ((center + (n >> 1).astype("<f4")) * numpy.float32(2.0**exponent)).astype("<f4")
    return values.tobytes() if kind == "f32" else (values.view("<u4") >> 16).astype("<u2").tobytes()

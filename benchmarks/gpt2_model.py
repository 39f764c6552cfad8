"""GPT-2 in PyTorch, and its data, for the benchmarks of training."""

import json

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    """Attention and perceptron, each behind a norm and beside the residual stream."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def split_heads(self, qkv, shape):
        """Queries, keys and values, each of the shape [batch, heads, length, width of a head]."""
        return (part.reshape(shape).transpose(1, 2) for part in qkv.split(qkv.shape[2] // 3, dim=2))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.split_heads(self.qkv(self.norm1(x)), (batch, length, self.heads, width // self.heads))
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(functional.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt2(nn.Module):
    def __init__(self, vocabulary, context, layers, width, heads, block=Block):
        super().__init__()
        self.token, self.place = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens):
        x = self.token(tokens) + self.place.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.token.weight.T


def save_tensors(path, tensors):
    """A safetensors file."""
    kinds = {torch.int64: "I64", torch.float32: "F32"}
    header, offset = {}, 0
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": kinds[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors.values():
            file.write(tensor.numpy().tobytes())

#!/usr/bin/env python3
"""Writes a small untrained GPT-2 as gpt2.onnx.

  export_gpt2.py [FOLDER]       FOLDER: default, this script's

Needs torch and onnxscript (made with PyTorch 2.15.0, onnxscript 0.7.2, onnx 1.23.2).
"""

import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from clean_export import clean  # noqa: E402 (beside both examples)

VOCABULARY, CONTEXT, WIDTH, HEADS, LAYERS = 96, 64, 64, 4, 2


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(WIDTH)
        self.attention = nn.Linear(WIDTH, 3 * WIDTH)
        self.projection = nn.Linear(WIDTH, WIDTH)
        self.ln_2 = nn.LayerNorm(WIDTH)
        self.expand = nn.Linear(WIDTH, 4 * WIDTH)
        self.contract = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        heads = self.attention(self.ln_1(x)).reshape(batch, length, 3, HEADS, WIDTH // HEADS)
        q, k, v = heads.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5
        seen = torch.ones(length, length, dtype=torch.bool).tril()
        weights = torch.softmax(torch.where(seen, scores, -1e30), -1)
        x = x + self.projection((weights @ v).transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.contract(functional.gelu(self.expand(self.ln_2(x)), approximate="tanh"))


class Gpt2(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln = nn.LayerNorm(WIDTH)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                scale = 0.02 / (2 * LAYERS) ** 0.5 if "projection" in name or "contract" in name else 0.02
                nn.init.normal_(weight, std=scale)
            elif name.endswith("bias"):
                nn.init.zeros_(weight)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        # The embedding is the last layer too: one weight, used twice.
        return self.ln(x) @ self.tokens.weight.T


def main():
    path = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent) / "gpt2.onnx"
    torch.manual_seed(0)
    batch, length = torch.export.Dim("batch"), torch.export.Dim("sequence", max=CONTEXT)
    # optimize=False: the optimizer would fold the transpose of the shared weight into a second copy, and the two would
    # be trained separately.
    torch.onnx.export(
        Gpt2().eval(), (torch.zeros(2, 8, dtype=torch.int64),), str(path),
        input_names=["ids"], output_names=["logits"], dynamic_shapes=({0: batch, 1: length},),
        dynamo=True, optimize=False, external_data=False, verbose=False,
    )
    clean(path)


if __name__ == "__main__":
    main()

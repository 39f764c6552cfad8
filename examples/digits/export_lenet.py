#!/usr/bin/env python3
"""Exports the untrained LeNet: export_lenet.py [FILE]. Needs torch, onnx and onnxscript.

3x3 convolutions of 16, 32 and 64 channels, two 2x2 max-poolings, two dense
layers: 40,394 parameters. The batch dimension is symbolic. The seed decides the
initial weights, and so every digest that expected.json records.
"""

import sys
from pathlib import Path

import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from clean_export import clean  # noqa: E402 (beside both examples)

SEED = 7


class LeNet(nn.Module):
    """Digits of 8x8 pixels to ten logits."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.conv3 = nn.Conv2d(32, 64, 3, padding=1)
        self.fc1 = nn.Linear(256, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = torch.max_pool2d(torch.relu(self.conv2(x)), 2)
        x = torch.max_pool2d(torch.relu(self.conv3(x)), 2)
        x = torch.relu(self.fc1(torch.flatten(x, 1)))
        return self.fc2(x)


def main():
    path = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "lenet.onnx")
    torch.manual_seed(SEED)
    model = LeNet()
    assert sum(p.numel() for p in model.parameters()) == 40394
    torch.onnx.export(model, (torch.zeros(2, 1, 8, 8),), str(path), opset_version=18, dynamo=True, verbose=False,
                      external_data=False, input_names=["x"], output_names=["logits"],
                      dynamic_shapes={"x": {0: torch.export.Dim("batch")}})
    clean(path)


if __name__ == "__main__":
    main()

"""Single layers with random weights, which peers.py measures like models when `--models` names them.

What a layer returns is taken for logits. It reads its input plus a parameter for each feature, so that a training step
computes the gradient of the layer's input too.
"""

import torch
from torch import nn
from torch.nn import functional

from peer_models import Model

HEADS, HEAD_SIZE = 12, 64


class Shifted(nn.Module):
    """A layer of an input [batch, ...] plus a parameter of shape `features`, which broadcasts."""

    def __init__(self, layer, features):
        super().__init__()
        self.layer, self.shift = layer, nn.Parameter(torch.zeros(features))

    def forward(self, x):
        return self.layer(x + self.shift)


class Attention(nn.Module):
    """Multi-head self-attention of [batch, tokens, HEADS * HEAD_SIZE]."""

    def __init__(self, causal):
        super().__init__()
        self.causal, width = causal, HEADS * HEAD_SIZE
        self.project, self.join = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        heads = self.project(x).unflatten(-1, (3, HEADS, HEAD_SIZE)).permute(2, 0, 3, 1, 4)
        sums = functional.scaled_dot_product_attention(heads[0], heads[1], heads[2], is_causal=self.causal)
        return self.join(sums.transpose(1, 2).flatten(2))


def reals(*shape):
    def draw(batch):
        return torch.randn(batch, *shape, generator=torch.Generator().manual_seed(batch))
    return draw


def image_layer(layer, channels, size, result):
    """A layer from [batch, channels, size, size] to [batch, channels, result, result]."""
    return Model(lambda: Shifted(layer(), (channels, 1, 1)), reals(channels, size, size), channels,
                 fill=(result, result))


def attention(length, causal=False):
    width = HEADS * HEAD_SIZE
    return Model(lambda: Shifted(Attention(causal), (width,)), reals(length, width), width, (1,), axis=-1,
                 fill=(length,))


LAYERS = {
    "convolution-stride-2": image_layer(lambda: nn.Conv2d(128, 128, 3, stride=2, padding=1), 128, 56, 28),
    "transposed-convolution": image_layer(lambda: nn.ConvTranspose2d(64, 64, 4, stride=2, padding=1), 64, 56, 112),
    "dilated-convolution": image_layer(lambda: nn.Conv2d(128, 128, 3, padding=2, dilation=2), 128, 28, 28),
    "grouped-convolution": image_layer(lambda: nn.Conv2d(256, 256, 3, padding=1, groups=32), 256, 28, 28),
    "attention-2048": attention(2048),
    "attention-4096": attention(4096),
    "causal-attention-4096": attention(4096, causal=True),
}

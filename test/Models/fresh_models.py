"""Modules that are full of equal tensors before they are trained, and of tied and frozen ones.

An exporter that merges equal initializers makes another network of each.
"""

import torch
from torch import nn

from zoo import BATCH, CLASSES, CROSS_ENTROPY, MSE, model, numbers, tokens
from transformer_models import BERT, VOCABULARY


@model
def two_norms():
    layers = nn.Sequential(nn.Linear(6, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 16), nn.LayerNorm(16), nn.ReLU(),
                           nn.Linear(16, 1))
    return layers, {"x": numbers(BATCH, 6)}, MSE, numbers(BATCH, 1, seed=4)


@model
def slopes():
    """Slopes that are equal, one for all channels and one for each."""
    layers = nn.Sequential(nn.Conv2d(1, 8, 3), nn.PReLU(), nn.Conv2d(8, 8, 3), nn.PReLU(), nn.Conv2d(8, 8, 3), nn.PReLU(8),
                           nn.Conv2d(8, 8, 1), nn.PReLU(8), nn.Flatten(), nn.Linear(32, 10))
    return layers, {"x": numbers(BATCH, 1, 8, 8)}, CROSS_ENTROPY, CLASSES


@model
def zero_biases():
    layers = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 16), nn.GELU(),
                           nn.Linear(16, 10))
    for layer in layers[::2]:
        nn.init.zeros_(layer.bias)
    return layers, {"x": numbers(BATCH, 8)}, CROSS_ENTROPY, CLASSES


@model
def zero_convolutions():
    layers = nn.Sequential(nn.Conv2d(1, 8, 3), nn.GroupNorm(2, 8), nn.SiLU(), nn.Conv2d(8, 8, 3), nn.GroupNorm(4, 8),
                           nn.SiLU(), nn.Conv2d(8, 8, 1), nn.Flatten(), nn.Linear(128, 10))
    for layer in layers:
        if isinstance(layer, (nn.Conv2d, nn.Linear)):
            nn.init.zeros_(layer.bias)
    return layers, {"x": numbers(BATCH, 1, 8, 8)}, CROSS_ENTROPY, CLASSES


class Tied(nn.Module):
    """Two tied matrices, a norm that is called twice, and two norms that are equal and not tied."""

    def __init__(self):
        super().__init__()
        self.embedding, self.out = nn.Embedding(20, 8), nn.Linear(8, 20)
        self.out.weight = self.embedding.weight
        self.first, self.second, self.third = (nn.LayerNorm(8) for _ in range(3))
        self.again = self.first
        self.scale, self.shift = nn.Parameter(torch.ones(8)), nn.Parameter(torch.zeros(8))

    def forward(self, x):
        h = self.second(self.first(self.embedding(x)))
        h = self.third(self.again(torch.tanh(h)) * self.scale + self.shift)
        return self.out(h)


@model
def tied():
    return Tied(), {"x": tokens(BATCH, 7, 20)}, CROSS_ENTROPY, tokens(BATCH, 7, 20, seed=5)


class LowRank(nn.Module):
    """A frozen linear layer, and what is added to it: LoRA by hand."""

    def __init__(self, size, rank):
        super().__init__()
        self.base = nn.Linear(size, size)
        self.down, self.up = nn.Linear(size, rank, bias=False), nn.Linear(rank, size, bias=False)
        nn.init.zeros_(self.up.weight)
        self.base.requires_grad_(False)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x))


@model
def low_rank():
    layers = nn.Sequential(nn.Linear(8, 16), LowRank(16, 2), nn.LayerNorm(16), nn.Tanh(), LowRank(16, 2), nn.LayerNorm(16),
                           nn.Linear(16, 10))
    layers[0].requires_grad_(False)
    return layers, {"x": numbers(BATCH, 5, 8)}, CROSS_ENTROPY, tokens(BATCH, 5, 10, seed=5)


@model
def low_rank_bert():
    """LoRA of the peft library."""
    import peft
    import transformers

    from zoo import FirstOutput

    made = transformers.BertForSequenceClassification(transformers.BertConfig(
        vocab_size=VOCABULARY, pad_token_id=None, num_labels=3, attn_implementation="eager", **BERT))
    made = peft.get_peft_model(made, peft.LoraConfig(task_type="SEQ_CLS", r=2, lora_dropout=0.0,
                                                     target_modules=["query", "value"]))
    return (FirstOutput(made, ["input_ids"]), {"input_ids": tokens(BATCH, 12, VOCABULARY)}, CROSS_ENTROPY,
            torch.tensor([0, 1, 2, 1]))


@model
def frozen_bert():
    """Only the classifier is trained."""
    import transformers

    from zoo import FirstOutput

    made = transformers.BertForSequenceClassification(transformers.BertConfig(
        vocab_size=VOCABULARY, pad_token_id=None, num_labels=3, attn_implementation="eager", **BERT))
    made.bert.requires_grad_(False)
    return (FirstOutput(made, ["input_ids"]), {"input_ids": tokens(BATCH, 12, VOCABULARY)}, CROSS_ENTROPY,
            torch.tensor([0, 1, 2, 1]))


@model
def frozen_resnet():
    """A new head on a frozen network."""
    import torchvision

    made = torchvision.models.resnet18(num_classes=10)
    made.requires_grad_(False)
    made.fc.requires_grad_(True)
    return made, {"x": numbers(BATCH, 3, 32, 32)}, CROSS_ENTROPY, CLASSES


@model
def cloned_layers():
    """Layers that begin as copies of one another, as torch.nn.TransformerEncoder makes them."""
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
    made = nn.Sequential(nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(16, 10))
    return made, {"x": numbers(BATCH, 5, 16)}, CROSS_ENTROPY, tokens(BATCH, 5, 10, seed=5)


class Scaled(nn.Module):
    """Scalars that are one or zero at first, and a residual that adds nothing."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))
        self.scales = nn.ParameterList(nn.Parameter(torch.ones(())) for _ in range(3))
        self.gates = nn.ParameterList(nn.Parameter(torch.zeros(8)) for _ in range(3))
        self.norms = nn.ModuleList(nn.RMSNorm(8) for _ in range(3))

    def forward(self, x):
        for layer, scale, gate, norm in zip(self.layers, self.scales, self.gates, self.norms):
            x = x * scale + gate * layer(norm(x))
        return x


@model
def scaled():
    return Scaled(), {"x": numbers(BATCH, 8)}, MSE, numbers(BATCH, 8, seed=4)

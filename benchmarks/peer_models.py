"""Models with random weights, which peers.py measures. Needs torch, and for those of real size torchvision and
transformers.

A model is a module from named tensors to logits, its inputs for a batch, and the number of classes. Training
minimizes the softmax cross-entropy of the logits, whose classes are along dimension 1 of images and the last
dimension otherwise.
"""

import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from gpt2_model import Gpt2

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples" / "digits"))
from export_lenet import LeNet  # noqa: E402


class Language(nn.Module):
    """Logits alone, of a model of transformers."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens):
        return self.model(input_ids=tokens, use_cache=False).logits


class Masked(Language):
    def forward(self, tokens):
        return self.model(input_ids=tokens).logits


class Recurrent(nn.Module):
    """A language model of three recurrent layers of a kind (nn.LSTM, nn.GRU, nn.RNN)."""

    def __init__(self, kind, vocabulary=10000, width=650):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.layers = kind(width, width, num_layers=3, batch_first=True)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        return self.head(self.layers(self.embedding(tokens))[0])


class DoubleConvolution(nn.Sequential):
    def __init__(self, inputs, outputs):
        super().__init__(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
                         nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class UNet(nn.Module):
    """Four levels of max-pooling and transposed convolutions (Ronneberger, Fischer and Brox, 2015), with padding."""

    def __init__(self, classes=2, width=32):
        super().__init__()
        widths = [width << level for level in range(5)]
        self.down = nn.ModuleList(DoubleConvolution(*pair) for pair in zip([3, *widths], widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * size, size, 2, stride=2) for size in widths[:4])
        self.join = nn.ModuleList(DoubleConvolution(2 * size, size) for size in widths[:4])
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, image):
        kept = []
        for level, block in enumerate(self.down):
            image = block(image if level == 0 else functional.max_pool2d(image, 2))
            kept.append(image)
        for level in reversed(range(4)):
            image = self.join[level](torch.cat([kept[level], self.up[level](image)], 1))
        return self.head(image)


class Model:
    """`make` returns the module; `draw` inputs for a batch; `batches` are those that are measured."""

    def __init__(self, make, draw, classes, batches=(1, 16), axis=1, fill=()):
        self.make, self.draw, self.classes = make, draw, classes
        self.batches, self.axis, self.fill = batches, axis, fill

    def module(self):
        """The module with random weights from seed 0. Nothing is dropped: both sides would draw other numbers."""
        torch.manual_seed(0)
        module = self.make()
        # A last layer of zeros would hide all before it, forward and backward.
        for parameter in module.parameters():
            if parameter.dim() > 1 and not parameter.any():
                nn.init.normal_(parameter, std=0.02)
        for part in module.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
            if type(part).__name__ == "StochasticDepth":
                part.p = 0.0
        return module

    def targets(self, batch):
        """A class for each position of the logits."""
        generator = torch.Generator().manual_seed(batch)
        return torch.randint(self.classes, self.fill_shape(batch), generator=generator)

    def fill_shape(self, batch):
        return (batch, *self.fill)


def images(size, channels=3):
    def draw(batch):
        return torch.rand(batch, channels, size, size, generator=torch.Generator().manual_seed(batch))
    return draw


def tokens(vocabulary, length):
    def draw(batch):
        return torch.randint(vocabulary, (batch, length), generator=torch.Generator().manual_seed(batch))
    return draw


def vision(name, **changes):
    def make():
        import torchvision
        return getattr(torchvision.models, name)(weights=None, **changes)
    return Model(make, images(224), 1000)


def language(name, wrap, batches=(1, 8), **changes):
    """A model of transformers by the name of its configuration, without dropout, on 128 tokens."""
    def make():
        import transformers
        configuration = getattr(transformers, name + "Config")(**changes)
        configuration._attn_implementation = "eager" if changes.get("eager") else "sdpa"
        kind = {"Bert": "BertForMaskedLM", "DistilBert": "DistilBertForMaskedLM", "GPT2": "GPT2LMHeadModel",
                "Llama": "LlamaForCausalLM"}[name]
        return wrap(getattr(transformers, kind)(configuration))
    vocabulary = changes["vocab_size"]
    return Model(make, tokens(vocabulary, 128), vocabulary, batches, axis=-1, fill=(128,))


def recurrent(kind):
    return Model(lambda: Recurrent(kind), tokens(10000, 64), 10000, axis=-1, fill=(64,))


MODELS = {
    "resnet18": vision("resnet18"),
    "resnet50": vision("resnet50"),
    "mobilenet-v3-large": vision("mobilenet_v3_large", dropout=0.0),
    "efficientnet-b0": vision("efficientnet_b0", dropout=0.0, stochastic_depth_prob=0.0),
    "convnext-tiny": vision("convnext_tiny", stochastic_depth_prob=0.0),
    "unet": Model(UNet, images(128), 2, axis=1, fill=(128, 128)),
    "vit-b-16": vision("vit_b_16"),
    "swin-t": vision("swin_t"),
    "bert-base": language("Bert", Masked, vocab_size=30522, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0),
    "gpt2-124m": language("GPT2", Language, vocab_size=50257, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0),
    "llama-160m": language("Llama", Language, vocab_size=32000, hidden_size=768, intermediate_size=3072,
                           num_hidden_layers=12, num_attention_heads=12, num_key_value_heads=12),
    "lstm": recurrent(nn.LSTM),
}


def small_gpt2(vocabulary, context, layers, width):
    return Model(lambda: Gpt2(vocabulary, context, layers, width, 4), tokens(vocabulary, context), vocabulary, (4,),
                 axis=-1, fill=(context,))


SMALL = {
    "lenet": Model(LeNet, images(8, channels=1), 10, (32,)),
    "gpt2-small": small_gpt2(96, 24, 2, 64),
    "gpt2-medium": small_gpt2(256, 128, 4, 256),
}

# Models of the same kinds and others, which no schedule was made for.
OTHERS = {
    "vgg16": vision("vgg16", dropout=0.0),
    "densenet121": vision("densenet121"),
    "squeezenet": vision("squeezenet1_1", dropout=0.0),
    "shufflenet": vision("shufflenet_v2_x1_0"),
    "regnet-y-800mf": vision("regnet_y_800mf"),
    "efficientnet-v2-s": vision("efficientnet_v2_s", dropout=0.0, stochastic_depth_prob=0.0),
    "distilbert": language("DistilBert", Masked, vocab_size=30522, dropout=0.0, attention_dropout=0.0),
    "gru": recurrent(nn.GRU),
    "rnn": recurrent(nn.RNN),
}

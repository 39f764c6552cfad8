"""Architectures of torchvision, timm and transformers at their own sizes, with random weights and 10 classes or 500
tokens; inputs are small, so that PyTorch in float64 is quick. Dropout and the like are off: their random numbers are
not PyTorch's.

ARCHITECTURES maps a name to a function that returns a module of one tensor, and a function that makes a batch of inputs
and targets from a seed.
"""

import torch
from torch import nn

ARCHITECTURES = {}
TOKENS, LENGTH, BATCH = 500, 24, 4


class Logits(nn.Module):
    """A language model of transformers as a function of tokens; PyTorch's loss has the classes along dimension 1."""

    def __init__(self, model, **options):
        super().__init__()
        self.model, self.options = model, options

    def forward(self, input_ids):
        return self.model(input_ids=input_ids, **self.options)[0].transpose(1, 2)


class Classes(nn.Module):
    """A classifier of transformers as a function of one tensor."""

    def __init__(self, model, name):
        super().__init__()
        self.model, self.name = model, name

    def forward(self, x):
        return self.model(**{self.name: x})[0]


def images(size, batch=BATCH):
    def make(seed):
        generator = torch.Generator().manual_seed(seed)
        return torch.randn(batch, 3, size, size, generator=generator), torch.randint(
            0, 10, (batch,), generator=generator
        )

    return make


def texts(seed):
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randint(0, TOKENS, (BATCH, LENGTH), generator=generator) for _ in range(2))


def sentences(seed):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(3, TOKENS, (BATCH, LENGTH), generator=generator)
    return ids, torch.randint(0, 10, (BATCH,), generator=generator)


def without_chance(module):
    """The module without dropout and without layers that are dropped as a whole."""
    for each in module.modules():
        for attribute in ("p", "drop_prob", "drop_rate"):
            if type(each).__name__.startswith(("Dropout", "StochasticDepth", "DropPath")) and hasattr(each, attribute):
                setattr(each, attribute, 0.0)
    return module


def torchvision_model(name, size=64, **options):
    def make():
        import torchvision

        made = getattr(torchvision.models, name)(weights=None, num_classes=10, **options)
        return without_chance(made), images(size)

    ARCHITECTURES[name] = make


def timm_model(name, size=64, **options):
    def make():
        import timm

        return without_chance(timm.create_model(name, pretrained=False, num_classes=10, **options)), images(size)

    ARCHITECTURES[name] = make


def transformers_model(name, kind, data, wrap, **sizes):
    def make():
        import transformers

        config = getattr(transformers, name + "Config")(**sizes)
        config._attn_implementation = "eager"
        return wrap(getattr(transformers, name + kind)(config)), data

    ARCHITECTURES[name] = make


def language(name, kind="ForCausalLM", **sizes):
    special = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": None}
    sizes = {**special, **sizes}
    transformers_model(name, kind, texts, lambda made: Logits(made, use_cache=False), vocab_size=TOKENS, **sizes)


def encoder(name, **sizes):
    def wrap(made):
        return Classes(made, "input_ids")

    transformers_model(name, "ForSequenceClassification", sentences, wrap, vocab_size=TOKENS, num_labels=10, **sizes)


def vision(name, size=64, **sizes):
    def wrap(made):
        return Classes(made, "pixel_values")

    transformers_model(name, "ForImageClassification", images(size), wrap, num_labels=10, **sizes)


for each in (
    *("resnet18", "resnet50", "resnext50_32x4d", "mnasnet1_0", "shufflenet_v2_x1_0", "densenet121", "vgg11_bn"),
    *("alexnet", "squeezenet1_1", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "regnet_y_400mf"),
    *("convnext_tiny", "swin_t"),
):
    torchvision_model(each)
torchvision_model("googlenet", aux_logits=False, init_weights=False)
torchvision_model("inception_v3", size=96, aux_logits=False, init_weights=False)
torchvision_model("vit_b_32", image_size=64)
torchvision_model("maxvit_t", size=224)
for each in (
    "ghostnet_100",
    "repvgg_a0",
    "dla34",
    "res2net50_26w_4s",
    "poolformer_s12",
    "mobilevit_xxs",
    "edgenext_xx_small",
):
    timm_model(each)
for each in ("tf_efficientnet_lite0", "hrnet_w18_small", "dpn48b", "seresnet50", "resnetv2_50", "cspresnet50"):
    timm_model(each)
for each in (
    "mixer_s32_224",
    "deit_tiny_patch16_224",
    "xcit_nano_12_p16_224",
    "pit_ti_224",
    "gmlp_ti16_224",
    "levit_128s",
):
    timm_model(each, size=224)

quiet = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
language("GPT2", "LMHeadModel", resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, n_layer=4)
language(
    "GPTNeo", hidden_size=256, num_layers=4, attention_types=[[["global", "local"], 2]], num_heads=8, pad_token_id=0
)
language("GPTNeoX", hidden_size=256, num_hidden_layers=4, num_attention_heads=8, intermediate_size=512)
language(
    "OPT",
    hidden_size=256,
    num_hidden_layers=4,
    num_attention_heads=8,
    ffn_dim=512,
    dropout=0.0,
    word_embed_proj_dim=256,
    pad_token_id=0,
)
shape = {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 8, "intermediate_size": 512}
language("Llama", num_key_value_heads=4, **shape)
language("Mistral", num_key_value_heads=4, **shape)
language("Qwen2", num_key_value_heads=4, **shape)
language("Phi", resid_pdrop=0.0, embd_pdrop=0.0, **shape)
language("Gemma", num_key_value_heads=4, head_dim=32, **shape)
language("Bloom", hidden_size=256, n_layer=4, n_head=8, hidden_dropout=0.0, attention_dropout=0.0, pad_token_id=0)
language("Mamba", hidden_size=256, num_hidden_layers=3, state_size=8, pad_token_id=0)
encoder("Bert", **quiet, **shape)
encoder("Roberta", **quiet, **shape)
encoder("Electra", **quiet, **shape)
encoder("Albert", **quiet, **shape)
encoder(
    "DistilBert",
    dim=256,
    n_layers=4,
    n_heads=8,
    hidden_dim=512,
    dropout=0.0,
    attention_dropout=0.0,
    seq_classif_dropout=0.0,
)
encoder("MPNet", **quiet, **shape)
vision("ViT", image_size=64, patch_size=16, **quiet, **shape)
vision("ConvNext", drop_path_rate=0.0)

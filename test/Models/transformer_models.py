"""Small models of the transformers library."""

from zoo import BATCH, CLASSES, CROSS_ENTROPY, FirstOutput, model, numbers, tokens

import torch

VOCABULARY, LENGTH = 61, 12
NO_DROPOUT = dict(resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
NO_BERT_DROPOUT = dict(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
GPT2 = dict(n_layer=2, n_head=4, n_embd=32, n_positions=32, **NO_DROPOUT)
LLAMA = dict(num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, hidden_size=32,
             intermediate_size=64, max_position_embeddings=32)
BERT = dict(num_hidden_layers=2, num_attention_heads=4, hidden_size=32, intermediate_size=64,
            max_position_embeddings=40, **NO_BERT_DROPOUT)
VIT = dict(num_hidden_layers=2, num_attention_heads=4, hidden_size=32, intermediate_size=64, image_size=32,
           patch_size=8, attn_implementation="eager", **NO_BERT_DROPOUT)


def language(name, kind="ForCausalLM", attention="eager", **sizes):
    """A model of tokens to logits of tokens."""
    import transformers

    config = dict(vocab_size=VOCABULARY, pad_token_id=None, bos_token_id=1, eos_token_id=2, use_cache=False,
                  attn_implementation=attention, **sizes)
    made = getattr(transformers, name + kind)(getattr(transformers, name + "Config")(**config))
    return (FirstOutput(made, ["input_ids"]), {"input_ids": tokens(BATCH, LENGTH, VOCABULARY)}, CROSS_ENTROPY,
            tokens(BATCH, LENGTH, VOCABULARY, seed=5))


def pairs(name, **sizes):
    """A model of two token sequences."""
    import transformers

    made = getattr(transformers, name + "ForConditionalGeneration")(
        getattr(transformers, name + "Config")(vocab_size=VOCABULARY, d_model=32, use_cache=False, **sizes))
    inputs = {"input_ids": tokens(BATCH, LENGTH, VOCABULARY), "decoder_input_ids": tokens(BATCH, 9, VOCABULARY, seed=3)}
    return (FirstOutput(made, list(inputs), use_cache=False), inputs, CROSS_ENTROPY,
            tokens(BATCH, 9, VOCABULARY, seed=5))


def images(name, **sizes):
    import transformers

    made = getattr(transformers, name + "ForImageClassification")(
        getattr(transformers, name + "Config")(num_labels=10, **sizes))
    return FirstOutput(made, ["pixel_values"]), {"pixel_values": numbers(BATCH, 3, 32, 32)}, CROSS_ENTROPY, CLASSES


@model
def gpt2():
    return language("GPT2", "LMHeadModel", **GPT2)


@model
def gpt2_sdpa():
    return language("GPT2", "LMHeadModel", attention="sdpa", **GPT2)


@model
def gpt_neox():
    return language("GPTNeoX", num_hidden_layers=2, num_attention_heads=4, hidden_size=32, intermediate_size=64,
                    max_position_embeddings=32, hidden_dropout=0.0, attention_dropout=0.0)


@model
def opt():
    return language("OPT", num_hidden_layers=2, num_attention_heads=4, hidden_size=32, ffn_dim=64,
                    max_position_embeddings=32, dropout=0.0, attention_dropout=0.0, word_embed_proj_dim=32)


@model
def llama():
    return language("Llama", **LLAMA)


@model
def llama_sdpa():
    return language("Llama", attention="sdpa", **LLAMA)


@model
def mistral():
    return language("Mistral", sliding_window=4, **LLAMA)


@model
def qwen2():
    return language("Qwen2", **LLAMA)


@model
def qwen3():
    return language("Qwen3", head_dim=8, **LLAMA)


@model
def gemma():
    return language("Gemma", head_dim=8, **LLAMA)


@model
def gemma2():
    return language("Gemma2", head_dim=8, sliding_window=4, **LLAMA)


@model
def phi():
    return language("Phi", **LLAMA)


@model
def bloom():
    return language("Bloom", n_layer=2, n_head=4, hidden_size=32, hidden_dropout=0.0, attention_dropout=0.0)


@model
def mamba():
    return language("Mamba", num_hidden_layers=2, hidden_size=32, state_size=4)


@model
def bert():
    return language("Bert", "ForMaskedLM", **BERT)


@model
def albert():
    return language("Albert", "ForMaskedLM", embedding_size=16, **BERT)


@model
def electra():
    return language("Electra", "ForMaskedLM", embedding_size=16, **BERT)


@model
def distilbert():
    return language("DistilBert", "ForMaskedLM", n_layers=2, n_heads=4, dim=32, hidden_dim=64,
                    max_position_embeddings=32, dropout=0.0, attention_dropout=0.0)


@model
def deberta():
    return language("DebertaV2", "ForMaskedLM", relative_attention=True, pos_att_type=["p2c", "c2p"], **BERT)


@model
def bert_classifier():
    import transformers

    made = transformers.BertForSequenceClassification(transformers.BertConfig(
        vocab_size=VOCABULARY, pad_token_id=None, num_labels=3, attn_implementation="eager", **BERT))
    mask = torch.ones(BATCH, LENGTH, dtype=torch.int64)
    mask[1, 7:] = 0
    inputs = {"input_ids": tokens(BATCH, LENGTH, VOCABULARY), "attention_mask": mask}
    return FirstOutput(made, list(inputs)), inputs, CROSS_ENTROPY, torch.tensor([0, 1, 2, 1])


@model
def t5():
    return pairs("T5", d_kv=8, d_ff=64, num_layers=2, num_heads=4, dropout_rate=0.0)


@model
def bart():
    return pairs("Bart", pad_token_id=None, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4,
                 decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=32,
                 dropout=0.0, attention_dropout=0.0, activation_dropout=0.0, attn_implementation="eager")


@model
def vit():
    return images("ViT", **VIT)


@model
def deit():
    return images("DeiT", **VIT)


@model
def beit():
    return images("Beit", use_relative_position_bias=True, drop_path_rate=0.0, **VIT)


@model
def swin():
    return images("Swin", image_size=32, patch_size=2, embed_dim=8, depths=[2, 2], num_heads=[2, 4], window_size=4,
                  hidden_dropout_prob=0.0, drop_path_rate=0.0)


@model
def convnext():
    return images("ConvNext", hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 2, 1], drop_path_rate=0.0)

#!/usr/bin/env python3
"""Writes Llama-3-8B, or a model of its form, as an ONNX file without its weights.

  llama_export.py FILE.onnx [--step decode|prefill] [--layers 32] [--context 2048] [--weights f32|bf16|int8]
                  [--block 0] [--width 4096] [--inner 14336] [--heads 32] [--key-heads 8] [--vocabulary 128256]
                  [--values] [--inputs FILE.safetensors]

The graph is that of transformers' LlamaForCausalLM by torch.onnx.export, of fake tensors: nothing is allocated, and the
8B model takes seconds. Its weights are external data in FILE.onnx.data, which is not written: `gensyn-run
--symbolic-weights` takes such a file. With --values it is written, with the values that --symbolic-weights
stands for (docs/Numerics.md, random_r7), for models that are small enough.

  decode    one token, with the keys and values of --context - 1 earlier ones as inputs; logits, and keys and values
            with those of the token, as outputs
  prefill   --context tokens; the logits of the last one, keys and values

  f32       everything in f32
  bf16      everything in bf16 but what the model itself computes in f32, as the published weights are meant
  int8      weights of the linear layers in int8, with a scale of f32 for each output, or for each --block inputs of one,
            by DequantizeLinear; the rest in f32. Scales for each output are in the file, and small

--inputs writes a file with a tensor for each graph input, for infer. Needs torch, transformers, onnx and onnxscript
(written with 2.9.1, 5.24.0, 1.23.2 and 0.7.2).
"""

import argparse
import math
from pathlib import Path

import numpy
import onnx
import onnx_ir
import torch
from safetensors.torch import save_file
from torch._subclasses.fake_tensor import FakeTensorMode
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

import symbolic_weights

TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "int8": torch.float32}
NAMES = {onnx_ir.DataType.FLOAT: "f32", onnx_ir.DataType.BFLOAT16: "bf16", onnx_ir.DataType.INT8: "i8"}
ALIGNMENT = 64


class Step(torch.nn.Module):
    """The model on tensors alone: keys and values of layers as lists."""

    def __init__(self, model):
        super().__init__()
        self.model, self.lm_head = model.model, model.lm_head

    def forward(self, input_ids, position_ids, past):
        cache = DynamicCache()
        for layer, (keys, values) in enumerate(past):
            cache.update(keys, values, layer)
        states = self.model(input_ids=input_ids, position_ids=position_ids, past_key_values=cache, use_cache=True)
        logits = self.lm_head(states.last_hidden_state[:, -1:])
        return logits, [(layer.keys, layer.values) for layer in states.past_key_values.layers]


def configure(given):
    return LlamaConfig(
        vocab_size=given.vocabulary, hidden_size=given.width, intermediate_size=given.inner, num_hidden_layers=given.layers,
        num_attention_heads=given.heads, num_key_value_heads=given.key_heads, max_position_embeddings=8192,
        rms_norm_eps=1e-5, rope_theta=500000.0, tie_word_embeddings=False, attn_implementation="eager",
        dtype=TYPES[given.weights])


def make_inputs(given):
    """The graph's inputs as a tree; a context of tokens that a generator chose, and of zeros under a fake mode."""
    earlier = given.context - 1 if given.step == "decode" else 0
    count = given.context - earlier
    shape = (1, given.key_heads, earlier, given.width // given.heads)
    tokens = numpy.random.default_rng(1).integers(0, given.vocabulary, (1, count))
    past = []
    if earlier:
        past = [tuple(torch.zeros(shape, dtype=TYPES[given.weights]) for _ in "kv") for _ in range(given.layers)]
    return torch.tensor(tokens), torch.arange(earlier, earlier + count)[None], past


def name_ports(given):
    pairs = [f"{layer}.{what}" for layer in range(given.layers) for what in ("key", "value")]
    past = [f"past_key_values.{pair}" for pair in pairs] if given.step == "decode" else []
    return ["input_ids", "position_ids", *past], ["logits", *(f"present.{pair}" for pair in pairs)]


def export(given):
    """The graph, with fake initializers for weights and real ones for what is computed from the configuration."""
    config = configure(given)
    inputs, outputs = name_ports(given)
    with FakeTensorMode(), torch.no_grad():
        # The type of new parameters: some versions of torch cannot convert a fake module.
        torch.set_default_dtype(TYPES[given.weights])
        model = LlamaForCausalLM(config).eval()
        torch.set_default_dtype(torch.float32)
        program = torch.onnx.export(Step(model), make_inputs(given), input_names=inputs, output_names=outputs,
                                    dynamo=True, optimize=False, verbose=False)
    real = type(model.model.rotary_emb)(config)
    graph = program.model.graph
    for name, buffer in real.named_buffers():
        initializer = graph.initializers.get(f"model.rotary_emb.{name}")
        if initializer is not None:
            initializer.const_value = onnx_ir.tensor(buffer.numpy(), name=initializer.name)
    return program.model


def quantize(model, block):
    """Puts a DequantizeLinear behind an int8 initializer in place of each float matrix that is transposed."""
    graph = model.graph
    for node in list(graph):
        weight = node.inputs[0] if node.op_type == "Transpose" else None
        if weight is None or not weight.is_initializer() or len(weight.shape) != 2:
            continue
        rows, columns = weight.shape
        if block and columns % block:
            raise SystemExit(f"llama_export.py: error: {columns} inputs of {weight.name} are not blocks of {block}")
        whole = onnx_ir.Value(name=weight.name, shape=weight.shape, type=onnx_ir.TensorType(onnx_ir.DataType.INT8))
        scale = onnx_ir.Value(name=weight.name + "_scale", type=onnx_ir.TensorType(onnx_ir.DataType.FLOAT),
                              shape=onnx_ir.Shape([rows, columns // block] if block else [rows]))
        if not block:
            size = 0.58 / (73.9 * math.sqrt(columns))
            spread = numpy.random.default_rng(len(graph.initializers)).uniform(0.5, 1.5, rows)
            scale.const_value = onnx_ir.tensor((size * spread).astype("float32"), name=scale.name)
        attributes = {"axis": 1, "block_size": block} if block else {"axis": 0}
        node_of_weight = onnx_ir.node("DequantizeLinear", [whole, scale], attributes)
        node_of_weight.outputs[0].name = weight.name + "_dequantized"
        del graph.initializers[weight.name]
        graph.initializers[whole.name], graph.initializers[scale.name] = whole, scale
        graph.insert_before(node, node_of_weight)
        node.replace_input_with(0, node_of_weight.outputs[0])


def place_weights(model, data, keep):
    """Makes initializers without values external data of `data`, which is written if `keep`."""
    end = 0
    graph = model.graph
    quantized = {node.inputs[1].name: node.inputs[0].shape.numpy() for node in graph if node.op_type == "DequantizeLinear"}
    out = open(data, "wb") if keep else None
    for name, value in graph.initializers.items():
        # A tensor of the exporter is a fake one.
        if value.const_value is not None and not isinstance(getattr(value.const_value, "raw", None), torch.Tensor):
            continue
        shape = value.shape.numpy()
        size = math.prod(shape) * value.dtype.bitwidth // 8
        value.const_value = onnx_ir.ExternalTensor(data.name, end, size, value.dtype, shape=value.shape, name=name)
        if out:
            scaled = (quantized[name], 8) if name in quantized else None
            out.seek(end)
            out.write(symbolic_weights.draw(name, shape, NAMES[value.dtype], scaled=scaled))
        end += size + -size % ALIGNMENT
    if out:
        out.close()
    return end


def write_inputs(given, path):
    tokens, positions, past = make_inputs(given)
    names, _ = name_ports(given)
    draw = torch.Generator().manual_seed(2)
    flat = [torch.randn(tensor.shape, generator=draw).to(tensor.dtype) for pair in past for tensor in pair]
    save_file(dict(zip(names, [tokens, positions, *flat], strict=True)), path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--step", choices=["decode", "prefill"], default="decode")
    parser.add_argument("--weights", choices=list(TYPES), default="bf16")
    for option, default in [("layers", 32), ("context", 2048), ("block", 0), ("width", 4096), ("inner", 14336),
                            ("heads", 32), ("key-heads", 8), ("vocabulary", 128256)]:
        parser.add_argument("--" + option, type=int, default=default)
    parser.add_argument("--values", action="store_true")
    parser.add_argument("--inputs", type=Path)
    given = parser.parse_args()
    model = export(given)
    if given.weights == "int8":
        quantize(model, given.block)
    data = given.file.with_name(given.file.name + ".data")
    size = place_weights(model, data, given.values)
    onnx.save(onnx_ir.to_proto(model), given.file)
    if given.inputs:
        write_inputs(given, given.inputs)
    print(f"wrote {given.file}, {given.file.stat().st_size:,} bytes, for {size:,} bytes of weights")


if __name__ == "__main__":
    main()

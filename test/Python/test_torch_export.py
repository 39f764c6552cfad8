"""Modules of PyTorch: their export, and programs of them."""

import os
import pickle
import warnings

import gensyn
import onnx
import pytest
import torch


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(288, 5)
    )


def test_a_module_becomes_a_program(tmp_path):
    module = network().train()
    module[1].eval()
    x = torch.rand(4, 3, 8, 8)
    before = {name: value.clone() for name, value in module.state_dict().items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program = gensyn.compile(module, x)
    # As before: modes, parameters and running statistics.
    assert module.training and not module[1].training
    assert all(torch.equal(value, before[name]) for name, value in module.state_dict().items())
    assert program.inputs[0].shape == ("batch", 3, 8, 8)
    for count in (1, 4, 7):
        x = torch.rand(count, 3, 8, 8)
        with torch.no_grad():
            wanted = module.double().eval()(x.double())
        # A dot product of 288 terms and a normalization in float32: far below 288 ulps of values of about 1.
        assert torch.allclose(torch.from_numpy(program(x)).double(), wanted, rtol=0, atol=288 * 2**-24)
        module.float()
    folder = program._folder.name
    assert os.path.isdir(folder)
    del program
    assert not os.path.exists(folder)


def test_a_pickle_has_the_parameters():
    x = torch.rand(4, 3, 8, 8)
    program = gensyn.compile(network(), x)
    y, digest = program(x), program.digest
    packed = pickle.dumps(program)
    folder = program._folder.name
    del program
    copy = pickle.loads(packed)
    assert copy(x).tobytes() == y.tobytes() and copy.digest == digest
    assert copy._folder.name != folder and "Sequential.onnx" in os.listdir(copy._folder.name)
    assert pickle.loads(pickle.dumps(copy))(x).tobytes() == y.tobytes(), "a copy can be pickled too"


def test_names_and_forms_are_kept(tmp_path):
    module = network()
    exported = gensyn.export(module, torch.rand(2, 3, 8, 8), tmp_path / "m.onnx")
    assert exported == (str(tmp_path / "m.onnx"), "dynamo", ())
    graph = onnx.load(exported.path).graph
    shapes = {each.name: tuple(each.dims) for each in graph.initializer}
    for name, value in module.named_parameters():
        assert shapes[name] == tuple(value.shape)
    assert "BatchNormalization" in [node.op_type for node in graph.node], "it is not folded into the convolution"


def test_a_batch_that_cannot_be_open_is_fixed(tmp_path):
    class Fixed(torch.nn.Module):
        def forward(self, x):
            return x * 2 if x.shape[0] == 2 else x

    with pytest.warns(UserWarning, match="the batch is fixed: the exporter gave input 'x' the size"):
        program = gensyn.compile(Fixed(), torch.ones(2, 3))
    assert program.inputs[0].shape == (2, 3)
    assert program(torch.ones(2, 3)).tolist() == [[2, 2, 2], [2, 2, 2]]


def test_open_dimensions_can_be_named(tmp_path):
    shapes = ({0: torch.export.Dim("rows"), 1: torch.export.Dim("columns")},)
    exported = gensyn.export(torch.nn.ReLU(), torch.ones(2, 3), tmp_path / "m.onnx", dynamic_shapes=shapes)
    program = gensyn.compile(exported.path)
    assert program.inputs[0].shape == ("rows", "columns")
    assert program(-torch.ones(4, 5)).tolist() == [[0] * 5] * 4


def test_what_cannot_be_exported(tmp_path):
    class Python(torch.nn.Module):
        def forward(self, x):
            raise RuntimeError("of no use")

    with pytest.raises(gensyn.UnsupportedError, match="PyTorch cannot export the Python: "):
        gensyn.export(Python(), torch.ones(2), tmp_path / "m.onnx")
    for args, message in (((3, torch.ones(2)), "not int"), ((network(), ()), "expected example inputs")):
        with pytest.raises(gensyn.UsageError, match=message):
            gensyn.export(*args, tmp_path / "m.onnx")
    with pytest.raises(gensyn.UsageError, match="needs example inputs"):
        gensyn.compile(network())
    with pytest.raises(gensyn.UsageError, match="the model is a file"):
        gensyn.compile("m.onnx", torch.ones(2))


class Activations(torch.nn.Module):
    """The functions that have a form in float64, and numbers of the code, one of them from a size."""

    def __init__(self):
        super().__init__()
        self.parts = torch.nn.Sequential(
            *(torch.nn.ELU(), torch.nn.Softplus(), torch.nn.GELU(), torch.nn.SiLU(), torch.nn.Mish(), torch.nn.Tanh())
        )

    def forward(self, x):
        return self.parts(x * 0.79788456080286541) * 0.1 / x.shape[0] + x.exp().log()


def test_a_module_of_float64_keeps_its_digits():
    torch.manual_seed(0)
    x = torch.randn(6, 50, dtype=torch.float64)
    module = Activations().double()
    found = gensyn.compile(module, x)(x.numpy())
    assert found.dtype == "float64"
    # Seven functions of numbers below 4, each by less than 3 units of 2^-52; constants in float32 would be off by 1e-9.
    assert abs(found - module(x).numpy()).max() < 4 * 7 * 3 * 2.0**-52

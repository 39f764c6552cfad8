"""Tensors of PyTorch as inputs."""

import gc
import weakref

import gensyn
import models
import pytest
import torch
from onnx import TensorProto


@pytest.fixture
def linear(tmp_path):
    return gensyn.compile(models.linear(tmp_path / "m.onnx"))


def test_tensors_of_any_layout(linear):
    x = torch.rand(5, 3)
    wanted = linear(x.numpy())[0].tobytes()
    for other in (x, x.double(), x.T.contiguous().T, x.clone().requires_grad_(), torch.nn.Parameter(x.clone())):
        assert linear(other)[0].tobytes() == wanted
    assert linear(x.half())[0].tobytes() == linear(x.half().float())[0].tobytes()
    assert linear(x.bfloat16())[0].tobytes() == linear(x.bfloat16().float())[0].tobytes()


def test_a_contiguous_tensor_is_not_converted(linear, monkeypatch):
    def fail(*_):
        raise AssertionError("converted")

    # The extension holds the function itself, so its first step is replaced.
    monkeypatch.setattr(gensyn._convert, "read_array", fail)
    assert linear(torch.zeros(5, 3))[0].shape == (5, 4)
    with pytest.raises(AssertionError, match="converted"):
        linear(torch.zeros(5, 3).double())


def test_bfloat16(tmp_path):
    program = gensyn.compile(models.identity(tmp_path / "m.onnx", TensorProto.BFLOAT16))
    x = torch.tensor([1, -2.5, float("nan"), 3e38], dtype=torch.bfloat16)
    bits = x.view(torch.int16).numpy().tobytes()
    assert program(x).tobytes() == bits
    assert program(torch.stack([x, x], 1)[:, 1]).tobytes() == bits
    with pytest.raises(gensyn.BadInputError, match="the model wants bfloat16"):
        program(x.float())


def test_other_tensors_are_refused(linear):
    for tensor in (torch.zeros(5, 3, device="meta"), torch.zeros(5, 3).to_sparse(), torch.zeros(5, 3).cfloat()):
        with pytest.raises((gensyn.BadInputError, gensyn.UnsupportedError)):
            linear(tensor)


def test_an_input_is_released(linear):
    x = torch.zeros(5, 3)
    watched = weakref.ref(x)
    linear(x)
    del x
    gc.collect()
    assert watched() is None


def test_a_result_is_a_tensor_without_a_copy(linear):
    y, _ = linear(torch.zeros(5, 3))
    address = y.ctypes.data
    for tensor in (torch.from_dlpack(y), torch.from_numpy(y), torch.as_tensor(y)):
        assert tensor.data_ptr() == address
        tensor += 1
    assert (y == 3).all()
    # The memory stays for the tensor.
    tensor = torch.from_dlpack(y)
    del y
    gc.collect()
    assert (tensor == 3).all()
    # It is one of DLPack 1.0 or newer, if it is asked for, and says that it can be written.
    result = linear(torch.zeros(5, 3))[0]
    assert "dltensor_versioned" in repr(result.__dlpack__(max_version=(1, 0)))
    assert result.flags.writeable

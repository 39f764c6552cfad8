"""Models of Keras, with whatever back end KERAS_BACKEND names: against Keras itself, and what is read off its objects."""

import functools
import subprocess
import sys

import gensyn
import keras
import numpy
import pytest
from keras import layers

BATCH = 8
LOGITS = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def mlp():
    return keras.Sequential([keras.Input((5,), name="x"), layers.Dense(16, "tanh"), layers.Dense(4, name="logits")])


def convolutional():
    """With normalizations along the last axis, one of them without a scale, and one after a dense layer."""
    return keras.Sequential(
        [
            keras.Input((8, 8, 3)),
            layers.Conv2D(8, 3, padding="same", use_bias=False),
            layers.BatchNormalization(momentum=0.9),
            layers.ReLU(),
            layers.MaxPooling2D(),
            layers.DepthwiseConv2D(3),
            layers.BatchNormalization(scale=False, epsilon=1e-2),
            layers.GlobalAveragePooling2D(),
            layers.Dense(6),
            layers.BatchNormalization(center=False),
            layers.Dense(4),
        ]
    )


def recurrent():
    first = layers.Bidirectional(layers.LSTM(7, return_sequences=True))
    return keras.Sequential([keras.Input((6, 5)), first, layers.GRU(6), layers.Dense(4)])


class Tied(layers.Layer):
    """An embedding that is used twice, once transposed."""

    def build(self, *shapes):
        self.table = self.add_weight(shape=(4, 6), name="table")

    def call(self, tokens, weights):
        mean = keras.ops.mean(keras.ops.take(self.table, tokens, axis=0) * weights, axis=1)
        return keras.ops.matmul(mean, keras.ops.transpose(self.table))


def two_inputs():
    """A tied weight, and a constant that is not a variable."""
    tokens, weights = keras.Input((3,), dtype="int32", name="tokens"), keras.Input((3, 1), name="weights")
    constant = keras.ops.convert_to_tensor(numpy.linspace(0, 1, 4, dtype="float32"))
    return keras.Model([tokens, weights], Tied()(tokens, weights) + constant)


def data(model, count=40):
    random = numpy.random.default_rng(1)
    inputs = []
    for each in model.inputs:
        shape = (count, *each.shape[1:])
        is_int = "int" in each.dtype
        inputs.append(random.integers(0, 4, shape).astype("int32") if is_int else random.random(shape, "float32"))
    return tuple(inputs), numpy.arange(count) % 4


def make(network):
    keras.utils.clear_session()
    keras.utils.set_random_seed(0)
    model = network()
    random = numpy.random.default_rng(2)
    for each in model.non_trainable_variables:
        if "moving" in each.path:
            each.assign(random.random(each.shape).astype("float32") + 0.5)
    return model


def outputs_of(model, inputs):
    """Of Keras, in inference mode."""
    outputs = model(inputs[0] if len(inputs) == 1 else list(inputs), training=False)
    return keras.ops.convert_to_numpy(outputs)


NETWORKS = [mlp, convolutional, recurrent, two_inputs]


@pytest.mark.parametrize("network", NETWORKS)
def test_outputs_are_those_of_keras(network):
    model = make(network)
    program = gensyn.compile(model)
    assert all(spec.shape[0] == "batch" for spec in program.inputs)
    assert [spec.name for spec in program.inputs] == [each.name for each in model.inputs]
    for count in (1, 5):
        inputs, _ = data(model, count)
        # Sums of at most 72 terms around 1: 72 ulps of them would be 9e-6.
        assert numpy.allclose(program(*inputs), outputs_of(model, inputs), rtol=0, atol=2e-6)


def test_a_network_of_keras_applications():
    model = make(lambda: keras.applications.MobileNetV2((32, 32, 3), alpha=0.35, weights=None, classes=7))
    inputs, _ = data(model, 2)
    # Probabilities of about 0.14; 53 convolutions in float32 part by some ulps each.
    assert numpy.allclose(gensyn.compile(model)(*inputs), outputs_of(model, inputs), rtol=0, atol=1e-5)


@pytest.mark.parametrize("network", NETWORKS)
def test_ten_steps_are_those_of_keras(network):
    model = make(network)
    before = model.get_weights()
    twin = keras.models.clone_model(model)
    twin.set_weights(before)
    inputs, target = data(model)

    def optimizer():
        return keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True)

    trainer = gensyn.Trainer(model, {"loss": LOGITS, "optimizer": optimizer(), "epochs": 2, "batch_size": BATCH})
    result = trainer.fit((*inputs, target), progress=False)
    assert result.steps == 10 and len(set(trainer.state_dict()["model"])) == len(trainer.state_dict()["model"])

    twin.compile(optimizer(), LOGITS)
    x = inputs[0] if len(inputs) == 1 else list(inputs)
    history = twin.fit(x, target, batch_size=BATCH, epochs=2, shuffle=False, verbose=0).history
    assert numpy.allclose([epoch["loss"] for epoch in result.history], history["loss"], rtol=0, atol=1e-5)
    # 10 steps of float32, of sums of at most 512 terms around 1: 10 * 512 ulps would be 3e-4.
    for each, mine, theirs in zip(model.weights, model.get_weights(), twin.get_weights()):
        assert numpy.allclose(mine, theirs, rtol=0, atol=2e-5), each.path
    changed = [not numpy.array_equal(old, new) for old, new in zip(before, model.get_weights())]
    assert all(same for same, each in zip(changed, model.weights) if "seed" not in each.path)


def test_a_model_trains_to_the_same_bits_on_another_instruction_set():
    digests = set()
    for options in ({}, {"instruction_set": "x86-64", "threads": 1}):
        model = make(convolutional)
        inputs, target = data(model)
        recipe = gensyn.Recipe(loss=LOGITS, optimizer=gensyn.optim.Adam(), batch_size=BATCH)
        digests.add(gensyn.Trainer(model, recipe, **options).fit((*inputs, target), progress=False).digest)
    assert len(digests) == 1


def test_layers_that_are_not_trained_stay_as_they_are():
    def network():
        x = keras.Input((8, 8, 3))
        fixed = layers.Conv2D(4, 3, trainable=False)
        called = layers.BatchNormalization()
        y = called(layers.BatchNormalization(trainable=False)(fixed(x)), training=False)
        return keras.Model(x, layers.Dense(4)(layers.GlobalAveragePooling2D()(layers.BatchNormalization()(y))))

    model = make(network)
    before = [numpy.array(each) for each in model.get_weights()]
    inputs, target = data(model)
    recipe = {"loss": LOGITS, "optimizer": keras.optimizers.SGD(0.1), "batch_size": BATCH}
    twin = keras.models.clone_model(model)
    twin.set_weights(before)
    gensyn.Trainer(model, recipe).fit((*inputs, target), progress=False)
    twin.compile(keras.optimizers.SGD(0.1), LOGITS)
    twin.fit(inputs[0], target, batch_size=BATCH, shuffle=False, verbose=0)
    for each, old, mine, theirs in zip(model.weights, before, model.get_weights(), twin.get_weights()):
        assert numpy.allclose(mine, theirs, rtol=0, atol=2e-5), each.path
        assert numpy.array_equal(old, mine) == numpy.array_equal(old, theirs), each.path


def test_dropout_is_active_in_training_alone():
    for rate in (0.0, 0.5):
        parts = [keras.Input((5,)), layers.Dropout(rate), layers.Dense(4)]
        model = make(functools.partial(keras.Sequential, parts))
        inputs, target = data(model)
        trainer = gensyn.Trainer(model, {"loss": LOGITS, "optimizer": {"kind": "SGD", "lr": 0}, "batch_size": BATCH})
        result = trainer.fit((*inputs, target), (*inputs, target), progress=False).history[0]
        assert abs(result["eval_loss"] - float(LOGITS(target, outputs_of(model, inputs)))) < 1e-6
        assert (abs(result["loss"] - result["eval_loss"]) > 1e-3) == (rate > 0)


def test_a_file_has_the_variables_of_keras(tmp_path):
    import onnx

    model = make(convolutional)
    exported = gensyn.from_keras(model, tmp_path / "model.onnx")
    assert exported.exporter in ("tf2onnx", "dynamo", "jax2onnx") and exported.notes == ()
    graph = onnx.load(exported.path).graph
    onnx.checker.check_model(exported.path, full_check=True)
    tensors = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    for each in model.weights:
        assert numpy.array_equal(tensors[each.path], keras.ops.convert_to_numpy(each.value)), each.path
    kinds = {value.name: value.metadata_props[0].value for value in graph.value_info}
    assert {name for name, kind in kinds.items() if kind == "PARAMETER"} == {v.path for v in model.trainable_variables}
    assert [node.op_type for node in graph.node].count("BatchNormalization") == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.onnx"]


def test_exports_leave_keras_as_it_was(tmp_path):
    classes = (layers.BatchNormalization, layers.Dropout)
    calls = [each.call for each in classes]
    model = make(recurrent)
    gensyn.from_keras(model, tmp_path / "model.onnx", training=True)
    assert [each.call for each in classes] == calls
    assert not any(getattr(layer, "unroll", False) for layer in model._flatten_layers())


@pytest.mark.skipif(keras.backend.backend() != "tensorflow", reason="about TensorFlow's libraries")
@pytest.mark.parametrize("modules", ["tensorflow, gensyn", "gensyn, tensorflow"])
def test_tensorflow_keeps_its_libraries_to_itself(modules, tmp_path):
    """It puts LLVM and protobuf into the global scope, where those of another version must not be found."""
    path = gensyn.from_keras(make(mlp), tmp_path / "model.onnx").path
    code = f"import {modules}; print(gensyn.compile({path!r}, cache='')([[0.0] * 5]).shape)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "(1, 4)\n", done.stderr


class Subclassed(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second = layers.Dense(4), layers.Dense(4)

    def call(self, x):
        return self.second(keras.ops.tanh(self.first(x)))


def test_a_subclass_takes_the_shapes_of_its_data():
    model = Subclassed()
    x, y = numpy.random.default_rng(0).random((16, 5), "float32"), numpy.arange(16) % 4
    with pytest.raises(gensyn.UsageError, match="needs example inputs"):
        gensyn.compile(model)
    trainer = gensyn.Trainer(model, {"loss": LOGITS, "optimizer": gensyn.optim.SGD(lr=0.1), "batch_size": 8})
    assert trainer.fit((x, y), progress=False).steps == 2
    program = gensyn.compile(model, x[:2])
    assert numpy.allclose(program(x), outputs_of(model, (x,)), rtol=0, atol=2e-6)


def test_open_dimensions_take_the_sizes_of_an_example():
    model = make(lambda: keras.Sequential([keras.Input((None, 5)), layers.Dense(4)]))
    with pytest.raises(gensyn.UsageError, match="needs example inputs"):
        gensyn.compile(model)
    program = gensyn.compile(model, numpy.zeros((2, 7, 5), "float32"))
    assert program.inputs[0].shape == ("batch", 7, 5)


def trained(*parts):
    model = keras.Sequential([keras.Input((5,)), *parts])
    return gensyn.Trainer(model, {"loss": LOGITS, "optimizer": {"kind": "SGD"}, "batch_size": 8})


def test_what_a_step_would_lack_is_an_error(tmp_path):
    with pytest.raises(gensyn.UnsupportedError, match=r"layer 'a' \(Dense\): its kernel_regularizer"):
        trained(layers.Dense(4, kernel_regularizer="l2", name="a"))
    with pytest.raises(gensyn.UnsupportedError, match="variable '.*b/kernel': its constraint"):
        trained(layers.Dense(4, kernel_constraint="non_neg", name="b"))
    with pytest.raises(gensyn.UnsupportedError, match=r"layer 'c' \(GaussianNoise\) draws random numbers"):
        trained(layers.GaussianNoise(0.1, name="c"), layers.Dense(4))
    with pytest.raises(gensyn.UnsupportedError, match="layer 'd': a BatchNormalization with renorm=True"):
        trained(layers.BatchNormalization(renorm=True, name="d"), layers.Dense(4))
    with pytest.raises(gensyn.UsageError, match=r"expected a keras.Model, not Dense"):
        gensyn.from_keras(layers.Dense(4), tmp_path / "m.onnx")
    with pytest.raises(gensyn.UsageError, match="is not built"):
        gensyn.from_keras(keras.Sequential([layers.Dense(4)]), tmp_path / "m.onnx")
    with pytest.raises(gensyn.FileError, match="cannot be written"):
        gensyn.from_keras(make(mlp), tmp_path / "absent" / "m.onnx")
    assert not list(tmp_path.iterdir())


def read(**parts):
    return gensyn.Trainer(
        make(mlp), {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "batch_size": 4, **parts}
    ).recipe


SCHEDULES = keras.optimizers.schedules


@pytest.mark.parametrize(
    ("schedule", "kind"),
    [
        (SCHEDULES.ExponentialDecay(0.1, 4, 0.5), "exponential"),
        (SCHEDULES.ExponentialDecay(0.1, 4, 0.5, staircase=True), "step"),
        (SCHEDULES.CosineDecay(0.1, 8, alpha=0.1), "cosine"),
        (SCHEDULES.CosineDecay(0.02, 6, warmup_target=0.1, warmup_steps=3), "cosine"),
        (SCHEDULES.PolynomialDecay(0.1, 7, 0.01, power=2.0), "polynomial"),
        (SCHEDULES.PiecewiseConstantDecay([2, 5], [0.1, 0.05, 0.025]), "multi_step"),
        (SCHEDULES.CosineDecayRestarts(0.1, 3, t_mul=2.0, alpha=0.1), "cosine_restarts"),
    ],
)
def test_schedules_are_those_of_keras(schedule, kind):
    """Each step of a parameter whose gradient is always 1 is the step size."""
    recipe = read(optimizer=keras.optimizers.SGD(schedule))
    assert recipe["schedule"]["kind"] == kind
    model = make(lambda: keras.Sequential([keras.Input((1,)), layers.Dense(1, use_bias=False)]))
    trainer = gensyn.Trainer(
        model, {"loss": {"kind": "l1"}, "optimizer": keras.optimizers.SGD(schedule), "batch_size": 1}
    )
    name = model.variables[0].path
    ones, values = numpy.ones((1, 1), "float32"), [float(model.get_weights()[0][0, 0])]
    for _ in range(12):
        trainer.step((ones, -100 * ones))
        values.append(float(trainer.state_dict()["model"][name][0, 0]))
    rates = [float(schedule(step)) for step in range(12)]
    assert numpy.allclose(-numpy.diff(values), rates, rtol=0, atol=1e-6)


def without_decay(optimizer):
    """Decays no biases."""
    optimizer.exclude_from_weight_decay(var_names=["bias"])
    return optimizer


@pytest.mark.parametrize(
    "optimizer",
    [
        lambda: keras.optimizers.SGD(0.1, momentum=0.5),
        lambda: keras.optimizers.SGD(0.1, clipvalue=1e-3),
        lambda: keras.optimizers.Adadelta(0.5, rho=0.8, epsilon=1e-3),
        lambda: keras.optimizers.Lion(1e-3, weight_decay=0.1),
        # An epsilon that shows where it is added, and does not magnify the roundings of small gradients.
        lambda: keras.optimizers.Adam(0.01, epsilon=1e-2),
        lambda: keras.optimizers.Adam(0.01, epsilon=1e-2, amsgrad=True, beta_1=0.8, beta_2=0.9),
        lambda: keras.optimizers.Adam(0.01, epsilon=1e-2, weight_decay=0.1),
        lambda: without_decay(keras.optimizers.AdamW(0.01, epsilon=1e-2, weight_decay=0.5)),
        lambda: keras.optimizers.Nadam(0.01, epsilon=1e-2, weight_decay=0.1),
        lambda: keras.optimizers.Adamax(0.01, epsilon=1e-2),
        lambda: keras.optimizers.Adagrad(0.01, epsilon=1e-2),
        lambda: keras.optimizers.RMSprop(0.01, epsilon=1e-2),
        lambda: keras.optimizers.RMSprop(0.01, epsilon=1e-2, momentum=0.5, centered=True),
        lambda: keras.optimizers.Adam(SCHEDULES.CosineDecay(0.02, 8), epsilon=1e-2),
        lambda: keras.optimizers.Lamb(0.01),
    ],
)
def test_optimizers_are_those_of_keras(optimizer):
    model = make(mlp)
    twin = keras.models.clone_model(model)
    twin.set_weights(model.get_weights())
    inputs, target = data(model)
    recipe = {"loss": LOGITS, "optimizer": optimizer(), "batch_size": BATCH}
    gensyn.Trainer(model, recipe).fit((*inputs, target), progress=False)
    twin.compile(optimizer(), LOGITS)
    twin.fit(inputs[0], target, batch_size=BATCH, shuffle=False, verbose=0)
    for mine, theirs in zip(model.get_weights(), twin.get_weights()):
        assert numpy.allclose(mine, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "loss",
    [
        keras.losses.MeanSquaredError(),
        keras.losses.MeanAbsoluteError(),
        keras.losses.Huber(0.3),
        keras.losses.BinaryCrossentropy(from_logits=True),
        keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1),
    ],
)
def test_losses_are_those_of_keras(loss):
    model = make(mlp)
    (x,), _ = data(model, 8)
    y = numpy.random.default_rng(3).random((8, 4), "float32")
    y /= y.sum(1, keepdims=True)
    trainer = gensyn.Trainer(model, {"loss": loss, "optimizer": {"kind": "SGD"}, "batch_size": 8})
    assert abs(trainer.evaluate((x, y))["eval_loss"] - float(loss(y, outputs_of(model, (x,))))) < 1e-6


def nested_softmax():
    inner = keras.Sequential([keras.Input((16,)), layers.Dense(4, "softmax")])
    x = keras.Input((5,))
    return keras.Model(x, inner(layers.Dense(16, "tanh")(x)))


def softmax_of_operations():
    x = keras.Input((5,))
    return keras.Model(x, keras.ops.softmax(layers.Dense(4)(x)))


@pytest.mark.parametrize(
    "network",
    [
        lambda: keras.Sequential([keras.Input((5,)), layers.Dense(4, "softmax")]),
        lambda: keras.Sequential([keras.Input((5,)), layers.Dense(4), layers.Activation("softmax")]),
        lambda: keras.Sequential([keras.Input((5,)), layers.Dense(4), layers.Softmax()]),
        lambda: keras.Sequential([keras.Input((5,)), layers.Dense(4, "sigmoid")]),
        nested_softmax,
        softmax_of_operations,
    ],
)
def test_losses_of_probabilities_are_computed_from_logits(network):
    model = make(network)
    twin = keras.models.clone_model(model)
    twin.set_weights(model.get_weights())
    (x,), y = data(model)
    loss = keras.losses.SparseCategoricalCrossentropy()
    if getattr(model.layers[-1], "activation", None) is keras.activations.sigmoid:
        loss, y = keras.losses.BinaryCrossentropy(), keras.utils.to_categorical(y, 4)
    trainer = gensyn.Trainer(
        model, {"loss": loss, "optimizer": keras.optimizers.SGD(0.5), "epochs": 2, "batch_size": BATCH}
    )
    result = trainer.fit((x, y), progress=False)
    twin.compile(keras.optimizers.SGD(0.5), loss)
    history = twin.fit(x, y, batch_size=BATCH, epochs=2, shuffle=False, verbose=0).history
    assert numpy.allclose([epoch["loss"] for epoch in result.history], history["loss"], rtol=0, atol=1e-5)
    for mine, theirs in zip(model.get_weights(), twin.get_weights()):
        assert numpy.allclose(mine, theirs, rtol=0, atol=2e-6)
    # The model still ends with probabilities, and so does a program of it.
    assert numpy.allclose(gensyn.compile(model)(x), outputs_of(twin, (x,)), rtol=0, atol=2e-6)
    assert outputs_of(model, (x,)).max() < 1


@pytest.mark.parametrize("loss", ["sparse_categorical_crossentropy", keras.losses.sparse_categorical_crossentropy])
def test_a_compiled_model_brings_its_loss_and_optimizer(loss):
    digests = set()
    for given in (True, False):
        model = make(lambda: keras.Sequential([keras.Input((5,)), layers.Dense(4, "softmax")]))
        (x,), y = data(model)
        recipe = {"loss": keras.losses.SparseCategoricalCrossentropy(), "optimizer": keras.optimizers.Adam(0.01)}
        if not given:
            model.compile(keras.optimizers.Adam(0.01), loss)
        trainer = gensyn.Trainer(model, {**(recipe if given else {}), "batch_size": BATCH})
        digests.add(trainer.fit((x, y), progress=False).digest)
    assert len(digests) == 1
    model.compile("sgd", "kl_divergence")
    with pytest.raises(gensyn.UnsupportedError, match="loss: KlDivergence of Keras is not a loss that gensyn knows"):
        gensyn.Trainer(model, {"batch_size": BATCH})


def test_a_file_has_no_activation_to_leave_out(tmp_path):
    path = gensyn.from_keras(make(mlp), tmp_path / "model.onnx", training=True).path
    with pytest.raises(gensyn.UnsupportedError, match="from_logits=False, expected True"):
        gensyn.Trainer(path, {"loss": keras.losses.SparseCategoricalCrossentropy(), "optimizer": {"kind": "SGD"}})
    with pytest.raises(gensyn.UnsupportedError, match="does not end with a softmax or sigmoid"):
        gensyn.from_keras(make(mlp), tmp_path / "logits.onnx", logits=True)
    loss = keras.losses.SparseCategoricalCrossentropy()
    pages = [
        gensyn.report(make(nested_softmax), each).html for each in (None, {"loss": loss, "optimizer": {"kind": "SGD"}})
    ]
    assert ['"Softmax"' in page for page in pages] == [True, False]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("optimizer", keras.optimizers.Ftrl(), "optimizer: Ftrl of Keras is not an optimizer"),
        ("optimizer", keras.optimizers.SGD(weight_decay=0.1), "weight_decay of SGD is decoupled"),
        ("optimizer", keras.optimizers.RMSprop(weight_decay=0.1), "weight_decay of RMSprop is decoupled"),
        ("optimizer", keras.optimizers.SGD(global_clipnorm=1.0), "global_clipnorm of SGD"),
        ("optimizer", keras.optimizers.SGD(use_ema=True), "use_ema of SGD"),
        ("optimizer", keras.optimizers.SGD(SCHEDULES.CosineDecay(0.1, 5), momentum=0.9), "momentum of Keras' SGD"),
        (
            "optimizer",
            keras.optimizers.RMSprop(SCHEDULES.CosineDecay(0.1, 5), momentum=0.9),
            "momentum of Keras' RMSprop",
        ),
        ("optimizer", keras.optimizers.SGD(SCHEDULES.InverseTimeDecay(0.1, 5, 0.5)), "schedule: InverseTimeDecay"),
        ("schedule", SCHEDULES.CosineDecay(0.1, 5), "schedule: CosineDecay of Keras has the step size in it"),
        ("loss", keras.losses.SparseCategoricalCrossentropy(), "does not end with a softmax that can be left out"),
        ("loss", keras.losses.BinaryCrossentropy(), "does not end with a sigmoid that can be left out"),
        ("loss", keras.losses.KLDivergence(), "loss: KLDivergence of Keras is not a loss"),
        ("loss", keras.losses.MeanSquaredError(reduction="sum"), "MeanSquaredError of Keras has reduction 'sum'"),
    ],
)
def test_what_a_recipe_cannot_express_is_an_error_that_names_it(key, value, message):
    with pytest.raises(gensyn.UnsupportedError) as caught:
        read(**{key: value})
    assert message in str(caught.value)

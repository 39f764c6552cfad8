"""Modules of PyTorch that are trained: against PyTorch in float64, and what is read off its objects."""

import copy

import gensyn
import numpy
import pytest
import torch
from torch import nn
from torch.optim import lr_scheduler


class Network(nn.Module):
    """A convolution without bias, a normalization, two tied matrices, and a layer that is not trained."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, bias=False)
        self.bn = nn.BatchNorm2d(8)
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)
        self.second.weight = self.first.weight
        self.fixed = nn.Linear(8, 5).requires_grad_(False)

    def forward(self, x):
        y = torch.relu(self.bn(self.conv(x))).mean((2, 3))
        return self.fixed(self.second(torch.tanh(self.first(y))))


@pytest.fixture
def network():
    torch.manual_seed(0)
    return Network()


X, Y = torch.rand(40, 3, 8, 8, generator=torch.Generator().manual_seed(1)), torch.arange(40) % 5
BATCHES = [(X[i : i + 8], Y[i : i + 8]) for i in range(0, 40, 8)]


def train_in_float64(module, make_optimizer, loss, epochs, make_scheduler=None, each_epoch=False):
    """PyTorch's own training; returns the step sizes of the first group too."""
    module.double().train()
    optimizer = make_optimizer(module)
    scheduler = make_scheduler(optimizer) if make_scheduler else None
    rates = []
    for _ in range(epochs):
        for x, y in BATCHES:
            optimizer.zero_grad()
            loss(module(x.double()), y).backward()
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            if scheduler and not each_epoch:
                scheduler.step()
        if scheduler and each_epoch:
            scheduler.step()
    return rates


def two_groups(module):
    """An optimizer with other settings for matrices."""
    norms = [module.bn.weight, module.bn.bias]
    others = [p for p in module.parameters() if p.requires_grad and all(p is not norm for norm in norms)]
    return torch.optim.SGD([{"params": others}, {"params": norms, "lr": 0.02, "momentum": 0.5}], lr=0.05, momentum=0.9)


def test_a_module_is_trained_as_by_pytorch(network):
    reference, loss = copy.deepcopy(network), nn.CrossEntropyLoss(label_smoothing=0.1)
    network.eval()
    trainer = gensyn.Trainer(network, {"loss": loss, "optimizer": two_groups(network), "epochs": 3})
    assert trainer.recipe["frozen"] == ["fixed.weight", "fixed.bias"] and trainer.recipe["batch_norm"] == "train"
    result = trainer.fit(BATCHES, progress=False)
    train_in_float64(reference, two_groups, loss, 3)
    wanted = reference.state_dict()
    for name, value in network.state_dict().items():
        if name == "bn.running_var":
            continue  # below
        # 15 steps of float32, of sums of at most 288 terms around 1: 15 * 288 ulps would be 2.6e-4.
        assert torch.allclose(value.double(), wanted[name].double(), rtol=0, atol=2e-5), name
    # PyTorch's running variance is that of the sample, ours that of the population: 288 numbers a channel, and a start
    # of 1 that has the weight 0.9 ** 15.
    started = 0.9**15
    population = (wanted["bn.running_var"] - started) * (287 / 288) + started
    assert torch.allclose(network.bn.running_var.double(), population, rtol=0, atol=2e-5)
    assert network.bn.num_batches_tracked == 15 and result.steps == 15
    assert network.second.weight is network.first.weight, "tied weights stay tied"
    assert not network.training, "the mode is as before"
    assert (trainer.state_dict()["model"]["conv.weight"] == network.conv.weight.detach().numpy()).all()


def test_steps_change_the_module_on_request(network):
    before = copy.deepcopy(network.state_dict())
    recipe = {"loss": nn.functional.cross_entropy, "optimizer": gensyn.optim.AdamW(lr=0.01)}
    trainer = gensyn.Trainer(network, recipe, example_inputs=X[:2])
    losses = [trainer.step(batch) for batch in BATCHES]
    assert all(torch.equal(value, before[name]) for name, value in network.state_dict().items())
    trainer.update_module()
    assert not torch.equal(network.conv.weight, before["conv.weight"])
    assert torch.equal(network.fixed.weight, before["fixed.weight"])
    other = gensyn.Trainer(network, recipe, example_inputs=X[:2])
    other.load_state_dict(trainer.state_dict())
    assert other.step(BATCHES[0]) < losses[0]


@pytest.mark.parametrize("form", ["tensors", "TensorDataset", "DataLoader", "Dataset", "numpy"])
def test_forms_of_data(network, form):
    recipe = {"loss": nn.CrossEntropyLoss(), "optimizer": gensyn.optim.SGD(lr=0.1), "batch_size": 8}
    dataset = torch.utils.data.TensorDataset(X, Y)
    data = {
        "tensors": (X, Y),
        "TensorDataset": dataset,
        "DataLoader": torch.utils.data.DataLoader(dataset, batch_size=8, num_workers=1),
        "Dataset": torch.utils.data.Subset(dataset, range(40)),
        "numpy": (X.numpy().astype("float64"), Y.numpy().astype("int32")),
    }[form]
    digest = gensyn.Trainer(copy.deepcopy(network), recipe).fit(data, data, progress=False).digest
    assert digest == gensyn.Trainer(network, recipe).fit(BATCHES, progress=False).digest


def test_dropout_is_active_in_training_only():
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(4, 64), nn.Dropout(0.5), nn.Linear(64, 1))
    recipe = {"loss": nn.MSELoss(), "optimizer": gensyn.optim.SGD(lr=0.0), "batch_size": 8}
    x, y = torch.rand(16, 4), torch.rand(16, 1)
    trainer = gensyn.Trainer(module, recipe)
    losses = {trainer.step((x[:8], y[:8])) for _ in range(4)}
    assert len(losses) == 4, "each step draws anew"
    wanted = nn.functional.mse_loss(module.eval()(x), y).item()
    assert trainer.evaluate((x, y))["eval_loss"] == pytest.approx(wanted, rel=1e-5)


def test_other_random_numbers_are_a_warning():
    class Noise(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(4, 1)

        def forward(self, x):
            return self.layer(x + torch.rand_like(x) if self.training else x)

    recipe = {"loss": nn.MSELoss(), "optimizer": gensyn.optim.SGD(lr=0.1)}
    with pytest.warns(UserWarning, match="evaluations draw random numbers too: .*RandomUniformLike"):
        gensyn.Trainer(Noise(), recipe, example_inputs=torch.rand(2, 4))


def test_batches_by_name():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.left, self.right = nn.Linear(4, 3), nn.Linear(2, 3)

        def forward(self, left, right):
            return self.left(left) + self.right(right)

    torch.manual_seed(0)
    module = Two()
    other = copy.deepcopy(module)
    left, right, target = torch.rand(6, 4), torch.rand(6, 2), torch.rand(6, 3)
    recipe = {"loss": nn.MSELoss(), "optimizer": gensyn.optim.SGD(lr=0.1)}
    named = gensyn.Trainer(module, recipe)
    named.fit([{"right": right, "left": left, "target": target}], progress=False)
    placed = gensyn.Trainer(other, recipe)
    placed.fit([((left, right), target)], progress=False)
    assert named.digest == placed.digest
    assert {spec.name for spec in named.inputs} == {"left", "right", "target"}


class Rates(gensyn.Callback):
    """Keeps the step sizes."""

    def __init__(self):
        self.rates = []

    def on_step_end(self, trainer, record):
        self.rates.append(record["lr"])


def after_warmup(optimizer):
    warmup = lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=4)
    rest = lr_scheduler.CosineAnnealingLR(optimizer, T_max=20, eta_min=0.001)
    return lr_scheduler.SequentialLR(optimizer, [warmup, rest], milestones=[4])


SCHEDULERS = {
    "step": lambda o: lr_scheduler.StepLR(o, step_size=3, gamma=0.5),
    "multi_step": lambda o: lr_scheduler.MultiStepLR(o, milestones=[2, 6], gamma=0.2),
    "exponential": lambda o: lr_scheduler.ExponentialLR(o, gamma=0.9),
    "cosine": lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=15, eta_min=0.01),
    "warm-up": lambda o: lr_scheduler.LinearLR(o, start_factor=0.25, total_iters=6),
    "linear": lambda o: lr_scheduler.LinearLR(o, start_factor=1.0, end_factor=0.1, total_iters=12),
    "polynomial": lambda o: lr_scheduler.PolynomialLR(o, total_iters=15, power=2.0),
    "cosine_restarts": lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, T_0=3, T_mult=2),
    "one_cycle": lambda o: lr_scheduler.OneCycleLR(o, max_lr=0.1, total_steps=20, cycle_momentum=False),
    "cyclic": lambda o: lr_scheduler.CyclicLR(
        o, base_lr=0.01, max_lr=0.1, step_size_up=3, step_size_down=4, cycle_momentum=False
    ),
    "sequence": after_warmup,
}


@pytest.mark.parametrize("name", SCHEDULERS)
def test_schedulers(network, name):
    def make(module):
        return torch.optim.SGD([p for p in module.parameters() if p.requires_grad], lr=0.05)

    reference, loss = copy.deepcopy(network), nn.CrossEntropyLoss()
    wanted = train_in_float64(reference, make, loss, 3, SCHEDULERS[name])
    optimizer = make(network)
    recipe = {"loss": loss, "optimizer": optimizer, "schedule": SCHEDULERS[name](optimizer), "epochs": 3}
    rates = Rates()
    gensyn.Trainer(network, recipe).fit(BATCHES, callbacks=[rates], progress=False)
    # The factor is computed in float64 and lr rounded to float32.
    assert numpy.allclose(rates.rates, wanted, rtol=2e-7, atol=1e-9)


@pytest.mark.parametrize("name", ["step", "multi_step", "cosine", "warm-up", "cosine_restarts", "sequence"])
def test_schedulers_that_step_once_an_epoch(network, name, tmp_path):
    def make(module):
        return torch.optim.SGD([p for p in module.parameters() if p.requires_grad], lr=0.05)

    def run(batches, *, folder=None, resume=False, max_steps=None):
        module = copy.deepcopy(network)
        optimizer, rates = make(module), Rates()
        schedule = gensyn.schedules.each_epoch(SCHEDULERS[name](optimizer))
        recipe = {"loss": loss, "optimizer": optimizer, "schedule": schedule, "epochs": 7}
        trainer = gensyn.Trainer(module, recipe, folder=folder, resume=resume)
        result = trainer.fit(batches, callbacks=[rates], progress=False, max_steps=max_steps)
        return rates.rates, result.digest

    reference, loss = copy.deepcopy(network), nn.CrossEntropyLoss()
    wanted = train_in_float64(reference, make, loss, 7, SCHEDULERS[name], each_epoch=True)
    rates, digest = run(BATCHES)
    assert numpy.allclose(rates, wanted, rtol=2e-7, atol=1e-9) and len(set(rates)) > 1
    # An epoch may be left and taken up again.
    run(BATCHES, folder=tmp_path / "run", max_steps=18)
    assert run(BATCHES, folder=tmp_path / "run", resume=True) == (rates[18:], digest)


OPTIMIZERS = {
    "SGD": {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01},
    "Adam": {"amsgrad": True},
    "AdamW": {"weight_decay": 0.1},
    "NAdam": {},
    "RAdam": {},
    "Adamax": {},
    "Adagrad": {"lr_decay": 0.1},
    "Adadelta": {},
    "RMSprop": {"momentum": 0.5, "centered": True},
    "Adafactor": {},
    "ASGD": {},
    "Rprop": {},
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name):
    """Every setting of each is read: a step that follows PyTorch's, from tensors whose gradients are far from 0."""

    def make(module):
        return getattr(torch.optim, name)(module.parameters(), **OPTIMIZERS[name])

    torch.manual_seed(0)
    module = nn.Linear(3, 2)
    reference = copy.deepcopy(module).double()
    x, y = torch.rand(4, 3) + 1, torch.full((4, 2), 9.0)
    trainer = gensyn.Trainer(module, {"loss": nn.MSELoss(), "optimizer": make(module)}, example_inputs=x)
    optimizer = make(reference)
    for _ in range(3):
        trainer.step((x, y))
        optimizer.zero_grad()
        nn.functional.mse_loss(reference(x.double()), y.double()).backward()
        optimizer.step()
    trainer.update_module()
    for parameter, value in module.named_parameters():
        # Three steps of float32 at values around 1.
        assert torch.allclose(value.double(), reference.get_parameter(parameter), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("loss", "output", "target"),
    [
        (nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5]), ignore_index=1), (4, 3, 2), "classes"),
        (nn.CrossEntropyLoss(reduction="sum"), (4, 3), "classes"),
        (nn.NLLLoss(), (4, 3), "classes"),
        (nn.MSELoss(), (4, 3), "numbers"),
        (nn.L1Loss(reduction="sum"), (4, 3), "numbers"),
        (nn.HuberLoss(delta=0.3), (4, 3), "numbers"),
        (nn.SmoothL1Loss(beta=0.3), (4, 3), "numbers"),
        (nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0])), (4, 3), "numbers"),
        (nn.KLDivLoss(reduction="batchmean", log_target=True), (4, 3), "numbers"),
        (nn.functional.mse_loss, (4, 3), "numbers"),
    ],
    ids=str,
)
def test_losses(loss, output, target):
    class Identity(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.ones(()))

        def forward(self, x):
            return x * self.w

    x = torch.rand(output, generator=torch.Generator().manual_seed(2))
    y = torch.rand(output, generator=torch.Generator().manual_seed(3))
    if target == "classes":
        y = (y.sum(1) * 2).long() % 3
    trainer = gensyn.Trainer(Identity(), {"loss": loss, "optimizer": gensyn.optim.SGD(lr=0.0)}, example_inputs=x)
    loss = copy.deepcopy(loss).double() if isinstance(loss, nn.Module) else loss
    wanted = loss(x.double(), y if target == "classes" else y.double()).item()
    # At most 24 terms in float32.
    assert trainer.step((x, y)) == pytest.approx(wanted, rel=24 * 2**-23)


def used(module):
    """An optimizer that has made a step."""
    optimizer = torch.optim.Adam(module.parameters())
    module(X).sum().backward()
    optimizer.step()
    return optimizer


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda m: {"loss": nn.MultiMarginLoss()}, "loss: MultiMarginLoss is not a loss that gensyn knows"),
        (lambda m: {"loss": lambda x, y: x}, "loss: <lambda> is not a loss"),
        (lambda m: {"loss": nn.MSELoss(reduction="none")}, "MSELoss has reduction 'none', expected 'mean' or 'sum'"),
        (lambda m: {"loss": nn.BCELoss(weight=torch.ones(3))}, "the weight of BCELoss has no counterpart"),
        (lambda m: {"optimizer": torch.optim.LBFGS(m.parameters())}, "optimizer: LBFGS is not an optimizer"),
        (lambda m: {"optimizer": used(m)}, "the Adam has a state of earlier steps"),
        (lambda m: {"optimizer": torch.optim.SGD([nn.Parameter(X)])}, "1 parameters of group 0 are not of the Network"),
        (
            lambda m: {"schedule": lr_scheduler.LambdaLR(torch.optim.SGD(m.parameters()), lambda step: 1.0)},
            "schedule: the function <lambda> of LambdaLR has no counterpart",
        ),
        (
            lambda m: {"schedule": lr_scheduler.OneCycleLR(torch.optim.SGD(m.parameters(), momentum=0.9), 0.1, 9)},
            "schedule: cycle_momentum=True of OneCycleLR",
        ),
    ],
    ids=["loss", "function", "reduction", "weight", "optimizer", "state", "parameters", "lambda", "momentum"],
)
def test_what_a_recipe_cannot_say_is_named(network, make, message):
    recipe = {"loss": nn.MSELoss(), "optimizer": gensyn.optim.SGD(), **make(network)}
    with pytest.raises((gensyn.UnsupportedError, gensyn.UsageError), match=message):
        gensyn.Trainer(network, recipe)

"""Recipes: every class of losses, optimizers and schedules is known to the compiler, with all of its fields."""

import dataclasses
import json

import gensyn
import models
import numpy
import pytest

# Values of fields that have no other example.
VALUES = {
    "lr": 0.01,
    "weight_decay": 0.1,
    "maximize": False,
    "groups": [{"match": "w", "lr": 0.02}],
    "momentum": 0.9,
    "dampening": 0.0,
    "nesterov": True,
    "betas": (0.8, 0.9),
    "eps": 1e-6,
    "amsgrad": True,
    "tensorflow_eps": True,
    "decoupled_weight_decay": True,
    "momentum_decay": 0.01,
    "lr_decay": 0.1,
    "initial_accumulator_value": 0.1,
    "rho": 0.8,
    "alpha": 0.9,
    "centered": True,
    "beta2_decay": -0.7,
    "d": 2.0,
    "ns_coefficients": (3.0, -4.0, 2.0),
    "ns_steps": 3,
    "adjust_lr_fn": "original",
    "lambd": 1e-3,
    "t0": 2.0,
    "etas": (0.4, 1.3),
    "step_sizes": (1e-5, 10.0),
    "target": "t",
    "reduction": "sum",
    "logits": "y",
    "prediction": "y",
    "output": "s",
    "ignore_index": 2,
    "axis": 1,
    "label_smoothing": 0.1,
    "weight": [1.0, 2.0, 3.0, 4.0],
    "delta": 2.0,
    "beta": 2.0,
    "pos_weight": 2.0,
    "log_target": True,
    "warmup_steps": 2,
    "warmup_start": 0.5,
    "total_steps": 10,
    "final": 0.1,
    "power": 2.0,
    "timescale": 5.0,
    "gamma": 0.5,
    "step_size": 2,
    "milestones": (2, 4),
    "pct_start": 0.4,
    "anneal_strategy": "linear",
    "div_factor": 10.0,
    "final_div_factor": 100.0,
    "three_phase": True,
    "T_0": 3,
    "T_mult": 2,
    "step_size_up": 3,
    "step_size_down": 4,
    "mode": "triangular2",
    "metric": "loss",
    "factor": 0.5,
    "patience": 2,
    "threshold": 1e-3,
    "threshold_mode": "abs",
    "cooldown": 1,
    "interval": "epoch",
}
OTHER = {
    ("Adafactor", "eps"): (None, 1e-3),
    ("ReduceOnPlateau", "mode"): "min",
    ("Muon", "weight_decay"): 0.0,
    ("InverseSqrt", "warmup_steps"): 3,
}
WITHOUT = {("Rprop", "weight_decay")}
X, Y = numpy.ones((2, 3), "float32"), numpy.full((2, 4), 0.5, "float32")


def classes(module):
    bases = ("Optimizer", "Loss", "Schedule", "RecipeObject")
    found = [each for each in vars(module).values() if dataclasses.is_dataclass(each) and each.__name__ not in bases]
    assert len(found) > 9
    return found


def filled(each):
    names = [field.name for field in dataclasses.fields(each) if (each.__name__, field.name) not in WITHOUT]
    return each(**{name: OTHER.get((each.__name__, name), VALUES[name]) for name in names})


def step(tmp_path, recipe):
    """Runs a step of the recipe on y = x W, where s is the sum of y."""
    # Not every loss has y in its domain: what counts here is that all keys are known.
    trainer = gensyn.Trainer(models.linear(tmp_path / "m.onnx"), recipe, on_nan="continue")
    kind = trainer.recipe["loss"]["kind"]
    target = {"graph_output": (), "softmax_cross_entropy": ([1, 3],), "nll": ([1, 3],)}.get(kind, (Y,))
    trainer.step((X, *target))
    return trainer


@pytest.mark.parametrize("each", classes(gensyn.optim), ids=lambda each: each.__name__)
def test_optimizers(tmp_path, each):
    recipe = gensyn.Recipe(loss=gensyn.losses.Mse(prediction="y"), optimizer=filled(each), batch_size=2)
    assert step(tmp_path, recipe).recipe["optimizer"]["kind"] == each.__name__


@pytest.mark.filterwarnings("ignore:the loss of step 1 is not finite")
@pytest.mark.parametrize("each", classes(gensyn.losses), ids=lambda each: each.__name__)
def test_losses(tmp_path, each):
    trainer = step(tmp_path, gensyn.Recipe(loss=filled(each), optimizer=gensyn.optim.SGD(), batch_size=2))
    names = [spec.name for spec in trainer.inputs]
    assert names == (["x"] if each is gensyn.losses.GraphOutput else ["x", "t"])


@pytest.mark.parametrize("each", classes(gensyn.schedules), ids=lambda each: each.__name__)
def test_schedules(tmp_path, each):
    loss = gensyn.losses.L1(prediction="y")
    step(tmp_path, gensyn.Recipe(loss=loss, optimizer=gensyn.optim.SGD(lr=0.1), schedule=filled(each), batch_size=2))


def test_all_forms_of_a_recipe_are_one(tmp_path):
    recipe = {
        "loss": {"kind": "huber", "prediction": "y", "delta": 2.0},
        "optimizer": {"kind": "SGD", "lr": 0.1, "momentum": 0.9},
        "schedule": {"kind": "step", "step_size": 1, "gamma": 0.5},
        "batch_size": 2,
        "clip": {"norm": 1.0},
    }
    (tmp_path / "r.json").write_text(json.dumps(recipe))
    objects = gensyn.Recipe(
        loss=gensyn.losses.Huber(prediction="y", delta=2.0),
        optimizer=gensyn.optim.SGD(lr=numpy.float64(0.1), momentum=0.9),
        schedule=gensyn.schedules.Step(step_size=numpy.int32(1), gamma=0.5),
        batch_size=2,
        clip={"norm": 1.0},
    )
    digests = set()
    for form in (recipe, tmp_path / "r.json", objects, dict(recipe, optimizer=objects.optimizer, epochs=None)):
        trainer = step(tmp_path, form)
        digests.add((trainer.program_digest, trainer.digest))
    assert len(digests) == 1


def test_fields_that_are_not_there():
    with pytest.raises(TypeError, match="unexpected keyword argument 'beta'"):
        gensyn.optim.Adam(beta=0.9)
    with pytest.raises(TypeError, match="unexpected keyword argument 'epoch'"):
        gensyn.Recipe(epoch=3)

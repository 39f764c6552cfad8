#!/usr/bin/env python3
"""Writes TorchSteps.inc: a parameter, and its average where the optimizer keeps one,
after twenty steps of each optimizer in PyTorch's f64.

usage: torch_steps.py > TorchSteps.inc     (needs torch; the table was made with the version in its first line)

Lion and LAMB, which torch.optim lacks, are written out from their papers' algorithms.
"""

import functools
import math

import torch

STEPS = 20


def start(shape):
    count = math.prod(shape)
    return torch.tensor([((i * 7) % 11 - 5) / 4 + 0.125 for i in range(count)]).reshape(shape)


def gradient(shape, t):
    """Multiples of 1/8, so that each format has them; some are 0."""
    count = math.prod(shape)
    return torch.tensor([((i * 5 + t * 3 + (i * t) % 4) % 13 - 6) / 8 for i in range(count)]).reshape(shape)


class Lion:
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        self.p, self.lr, self.betas, self.decay = params[0], lr, betas, weight_decay
        self.mean = torch.zeros_like(self.p)

    def step(self):
        g, (b1, b2) = self.p.grad, self.betas
        self.p.data.mul_(1 - self.lr * self.decay)
        self.p.data.sub_(self.lr * torch.sign(b1 * self.mean + (1 - b1) * g))
        self.mean = b2 * self.mean + (1 - b2) * g


class Lamb:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.01):
        self.p, self.lr, self.betas, self.eps, self.decay = params[0], lr, betas, eps, weight_decay
        self.mean, self.square, self.t = torch.zeros_like(self.p), torch.zeros_like(self.p), 0

    def step(self):
        g, (b1, b2) = self.p.grad, self.betas
        self.t += 1
        self.mean = b1 * self.mean + (1 - b1) * g
        self.square = b2 * self.square + (1 - b2) * g * g
        ratio = (self.mean / (1 - b1**self.t)) / ((self.square / (1 - b2**self.t)).sqrt() + self.eps)
        update = ratio + self.decay * self.p.data
        size, length = self.p.data.norm(), update.norm()
        trust = size / length if size > 0 and length > 0 else 1.0
        self.p.data.sub_(self.lr * trust * update)


def spelled(key, value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) or key == "ns_steps":
        return str(value)
    digits, e, exponent = repr(float(value)).partition("e")
    return (digits if "." in digits else digits + ".0") + e + exponent


def spelled_tensor(values):
    return "{" + ", ".join(value.hex() for value in values.flatten().tolist()) + "}"


def text(mnemonic, arguments):
    """The rule's attribute."""
    return f"#train.{mnemonic}<{', '.join(f'{key} = {spelled(key, value)}' for key, value in arguments.items())}>"


def case(mnemonic, make, lr, shape, upwards=False, **arguments):
    """One row: `arguments` are the attribute's; PyTorch's are made of them."""
    given = dict(arguments)
    betas = [given.pop(key) for key in ("beta1", "beta2") if key in given]
    if betas:
        given["betas"] = tuple(betas)
    if "a" in given:
        given["ns_coefficients"] = tuple(given.pop(key) for key in "abc")
    if "eps1" in given:
        eps1 = given.pop("eps1")
        given["eps"] = (None if eps1 < 0 else eps1, given.pop("eps2"))
    if "eta_minus" in given:
        given["etas"] = (given.pop("eta_minus"), given.pop("eta_plus"))
        given["step_sizes"] = (given.pop("step_min"), given.pop("step_max"))
    if upwards:
        given["maximize"] = True
    p = torch.nn.Parameter(start(shape))
    optimizer = make([p], lr=lr, **given)
    for t in range(1, STEPS + 1):
        p.grad = gradient(shape, t)
        optimizer.step()
    rule = text(mnemonic, arguments)
    if upwards:
        rule = f"#train.maximize<{rule}>"
    extents = ", ".join(map(str, shape))
    average = f", {spelled_tensor(optimizer.state[p]['ax'])}" if mnemonic == "asgd" else ""
    print(f'{{"{rule}", {lr}, {{{extents}}}, {spelled_tensor(p.detach())}{average}}},')


def main():
    torch.set_default_dtype(torch.float64)
    version = torch.__version__.split("+")[0]
    print(f"// By torch_steps.py with PyTorch {version}: rule, step size, shape, parameter and average after {STEPS} steps.")
    print("// clang-format off")
    optim = torch.optim
    vector, matrix = (6,), (3, 4)
    adam = {"beta1": 0.8, "beta2": 0.95, "eps": 1e-8}
    for upwards in (False, True):
        case("sgd", optim.SGD, 0.1, vector, upwards, momentum=0.9, dampening=0.25, weight_decay=0.01, nesterov=False)
    case("adam", optim.Adam, 0.01, vector, **adam, weight_decay=0.1, amsgrad=True)
    case("adamw", optim.AdamW, 0.01, vector, **adam, weight_decay=0.1, amsgrad=False)
    case("adagrad", optim.Adagrad, 0.1, vector, lr_decay=0.3, weight_decay=0.05,
         initial_accumulator_value=0.5, eps=1e-10)
    case("rmsprop", optim.RMSprop, 0.01, vector, alpha=0.9, eps=1e-3, weight_decay=0.05, momentum=0.9, centered=True)
    for decoupled in (False, True):
        case("nadam", optim.NAdam, 0.01, vector, **adam, weight_decay=0.1, momentum_decay=4e-3,
             decoupled_weight_decay=decoupled)
        case("radam", optim.RAdam, 0.01, vector, **adam, weight_decay=0.1, decoupled_weight_decay=decoupled)
    case("adamax", optim.Adamax, 0.01, vector, **adam, weight_decay=0.1)
    case("adadelta", optim.Adadelta, 1.0, vector, rho=0.9, eps=1e-6, weight_decay=0.1)
    for averaged in (1e6, 5):
        case("asgd", optim.ASGD, 0.1, vector, lambd=0.01, alpha=0.75, t0=averaged, weight_decay=0.05)
    case("rprop", optim.Rprop, 0.01, vector, eta_minus=0.5, eta_plus=1.2, step_min=1e-6, step_max=50.0)
    case("rprop", optim.Rprop, 0.1, vector, True, eta_minus=0.25, eta_plus=2.0, step_min=0.05, step_max=0.3)
    case("lion", Lion, 0.01, vector, beta1=0.9, beta2=0.99, weight_decay=0.1)
    case("lamb", Lamb, 0.01, matrix, beta1=0.8, beta2=0.95, eps=1e-6, weight_decay=0.1)
    for shape in (vector, matrix, (2, 3, 4)):
        case("adafactor", optim.Adafactor, 0.3, shape, beta2_decay=-0.8, eps1=-1, eps2=1e-3, d=1.0, weight_decay=0.1)
    case("adafactor", optim.Adafactor, 0.3, matrix, True, beta2_decay=-0.5, eps1=1e-3, eps2=4.0, d=2.0,
         weight_decay=0.0)
    muon = functools.partial(case, "muon", optim.Muon, weight_decay=0.1, momentum=0.95,
                             a=3.4445, b=-4.775, c=2.0315, eps=1e-7)
    muon(lr=0.02, shape=(3, 4), nesterov=True, ns_steps=5, adjust_lr_fn="original")
    muon(lr=0.02, shape=(4, 3), nesterov=False, ns_steps=3, adjust_lr_fn="match_rms_adamw")
    muon(lr=0.02, shape=(4, 3), nesterov=True, ns_steps=5, adjust_lr_fn="spectral_unclamped")


if __name__ == "__main__":
    main()

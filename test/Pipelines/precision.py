"""What the runs of precision.test come to: f32, bf16 and f16 in a folder."""

import json
import pathlib
import sys


def lines(run):
    return [json.loads(line) for line in (pathlib.Path(sys.argv[1]) / run / "log.jsonl").read_text().splitlines()]


# The mean over the last four epochs: 297 samples alone vary by 2 %.
accuracy = {run: sum([line["eval_accuracy"] for line in lines(run) if "eval_accuracy" in line][-4:]) / 4
            for run in ("f32", "bf16", "f16")}
print(accuracy)
assert min(accuracy.values()) > accuracy["f32"] - 0.03 and accuracy["f32"] > 0.93, accuracy

# It starts far too large, is halved until gradients are finite, and doubled after 40 steps.
scales = [line["loss_scale"] for line in lines("f16") if "loss_scale" in line]
print(scales)
norms = [line["grad_norm"] for line in lines("f16") if "grad_norm" in line]
assert scales[0] == 2.0**24
growths = 0
for step, (scale, after) in enumerate(zip(scales, scales[1:])):
    # JSON has no NaN and no infinity.
    finite = isinstance(norms[step], float) and abs(norms[step]) < float("inf")
    if not finite:
        assert after == scale / 2, (step, scale, after)
    else:
        assert after in (scale, 2 * scale), (step, scale, after)
        growths += after > scale
assert scales[1] < scales[0] and growths >= 2, scales

#!/usr/bin/env python3
"""Writes an untrained convolutional network for 8x8 digits, built with Keras.

  export_keras.py [FILE]        FILE: default, convnet.onnx beside this script

Needs tensorflow, keras, tf2onnx and onnx (made with tensorflow 2.21.0, keras
3.15.1, tf2onnx 1.17.0, onnx 1.23.2).
"""

import sys
from pathlib import Path

import keras
import numpy
import onnx

PATH = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "convnet.onnx")
# The exporter leaves out biases that are all zero, and tensors that are not in the file are not trained.
BIAS = keras.initializers.RandomNormal(stddev=0.01)


def main():
    keras.utils.set_random_seed(0)
    model = keras.Sequential([
        keras.Input((1, 8, 8), name="x"),  # as in examples/digits; Keras wants channels last
        keras.layers.Permute((2, 3, 1)),
        keras.layers.Conv2D(16, 3, padding="same", activation="relu", bias_initializer=BIAS, name="conv1"),
        keras.layers.Conv2D(32, 3, padding="same", activation="relu", bias_initializer=BIAS, name="conv2"),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(64, 3, padding="same", activation="silu", bias_initializer=BIAS, name="conv3"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(10, bias_initializer=BIAS, name="logits"),
    ], name="convnet")
    model(numpy.zeros((2, 1, 8, 8), "float32"))  # Keras exports what was called once
    model.export(str(PATH), format="onnx", verbose=False)
    onnx.checker.check_model(str(PATH), full_check=True)


if __name__ == "__main__":
    main()

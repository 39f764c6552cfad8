// Activation functions. A piecewise function is a comparison and a select, and
// the argument of the side not taken is clamped. So the derivative takes
// PyTorch's side, and contains no product of zero and infinity.

#include "Activations.h"
#include "../Support/OperatorTable.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

/// x <= 0 ? 0 : x. The derivative at 0 is 0; a NaN stays.
static Value convertRelu(NodeBuilder &b) {
  return activationByName(b, "relu", 0, 0, b.operand("X"));
}

/// x > 0 ? x : slope * x.
static Value leaky(NodeBuilder &b, Value x, Value slope) {
  return b.select(b.compare(CompareKind::Gt, x, 0), x, b.mul(slope, x));
}

static Value convertLeakyRelu(NodeBuilder &b) {
  Value x = b.operand("X");
  return leaky(b, x, b.fill(b.real("alpha"), x));
}

static Value convertPRelu(NodeBuilder &b) {
  Value x = b.operand("X");
  return leaky(b, x, b.broadcastTo(b.operand("slope"), shapeOf(x)));
}

/// No gradient flows at the bounds, as in PyTorch's clamp and hardtanh and
/// TensorFlow's relu6: a value at a bound is replaced like a value outside.
/// If min > max the result is max. An absent bound is the largest finite
/// number in version 6, which clips an infinity, and no bound later.
static Value convertClip(NodeBuilder &b) {
  Value x = b.operand("input"), low, high;
  if (b.since() < 11) {
    low = b.fill(b.real("min"), x);
    high = b.fill(b.real("max"), x);
  } else {
    auto scalar = [&](StringRef formal) {
      Value bound = b.operand(formal);
      return bound ? b.reshape(bound, {}) : bound;
    };
    low = scalar("min");
    high = scalar("max");
  }
  if (low)
    x = b.select(b.compare(CompareKind::Le, x, low), low, x);
  if (high)
    x = b.select(b.compare(CompareKind::Ge, x, high), high, x);
  return x;
}

/// x <= 0 ? scale * expm1(x / width) : x.
static Value elu(NodeBuilder &b, Value x, double scale, double width) {
  Value low = b.compare(CompareKind::Le, x, 0);
  Value clamped = b.select(low, x, b.fill(0, x));
  if (width != 1)
    clamped = b.div(clamped, b.fill(width, x));
  Value curve = b.unary<repro::Expm1Op>(clamped);
  if (scale != 1)
    curve = b.mul(b.fill(scale, x), curve);
  return b.select(low, curve, x);
}

static Value convertElu(NodeBuilder &b) {
  return elu(b, b.operand("X"), b.real("alpha"), 1);
}

static Value convertCelu(NodeBuilder &b) {
  return elu(b, b.operand("X"), b.real("alpha"), b.real("alpha"));
}

static Value convertSelu(NodeBuilder &b) {
  Value x = b.operand("X");
  return b.mul(b.fill(b.real("gamma"), x), elu(b, x, b.real("alpha"), 1));
}

/// slope * x + offset between 0 and 1; the derivative at both ends is 0.
static Value hardSigmoid(NodeBuilder &b, Value x, double slope, double offset) {
  Value line = b.add(b.mul(b.fill(slope, x), x), b.fill(offset, x));
  Value one = b.fill(1, x);
  Value upper = b.select(b.compare(CompareKind::Ge, line, one), one, line);
  return b.select(b.compare(CompareKind::Le, line, 0), b.fill(0, x), upper);
}

static Value convertHardSigmoid(NodeBuilder &b) {
  return hardSigmoid(b, b.operand("X"), b.real("alpha"), b.real("beta"));
}

static Value convertHardSwish(NodeBuilder &b) {
  Value x = b.operand("X");
  return b.mul(x, hardSigmoid(b, x, 1.0 / 6, 0.5));
}

static Value convertThresholdedRelu(NodeBuilder &b) {
  Value x = b.operand("X");
  return b.select(b.compare(CompareKind::Gt, x, b.real("alpha")), x,
                  b.fill(0, x));
}

/// x < -lambd ? x + bias : x > lambd ? x - bias : 0.
static Value convertShrink(NodeBuilder &b) {
  Value x = b.operand("input"), bias = b.fill(b.real("bias"), x);
  double edge = b.real("lambd");
  Value upper = b.select(b.compare(CompareKind::Gt, x, edge), b.sub(x, bias),
                         b.fill(0, x));
  return b.select(b.compare(CompareKind::Lt, x, -edge), b.add(x, bias), upper);
}

static Value convertSoftsign(NodeBuilder &b) {
  Value x = b.operand("input");
  return b.div(x, b.add(b.fill(1, x), b.unary<repro::AbsOp>(x)));
}

/// max(x, 0) + log1p(exp(-|x|)), which does not overflow.
static Value softplus(NodeBuilder &b, Value x) {
  Value away = b.unary<repro::NegOp>(b.unary<repro::AbsOp>(x));
  Value rest = b.unary<repro::Log1pOp>(b.unary<repro::ExpOp>(away));
  return b.add(b.binary<repro::MaxOp>(x, b.fill(0, x)), rest);
}

static Value convertSoftplus(NodeBuilder &b) {
  return softplus(b, b.operand("X"));
}

static Value convertMish(NodeBuilder &b) {
  Value x = b.operand("X");
  return b.mul(x, b.unary<repro::TanhOp>(softplus(b, x)));
}

static Value convertSigmoid(NodeBuilder &b) {
  return b.unary<repro::SigmoidOp>(b.operand("X"));
}

static Value convertTanh(NodeBuilder &b) {
  return b.unary<repro::TanhOp>(b.operand("input"));
}

static Value convertSwish(NodeBuilder &b) {
  Value x = b.operand("X");
  double alpha = b.real("alpha");
  Value scaled = alpha == 1 ? x : b.mul(b.fill(alpha, x), x);
  return b.mul(x, b.unary<repro::SigmoidOp>(scaled));
}

/// 0.5 x (1 + erf(x / sqrt 2)), or with `approximate` = "tanh"
/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
static Value convertGelu(NodeBuilder &b) {
  Value x = b.operand("X");
  Value half = b.mul(b.fill(0.5, x), x), bent;
  if (b.string("approximate") == "tanh") {
    Value cube = b.mul(b.mul(x, x), x);
    Value inner = b.add(x, b.mul(b.fill(0.044715, x), cube));
    bent = b.unary<repro::TanhOp>(b.mul(b.fill(0.79788456080286536, x), inner));
  } else {
    bent = b.unary<repro::ErfOp>(b.div(x, b.fill(1.4142135623730951, x)));
  }
  return b.mul(half, b.add(b.fill(1, x), bent));
}

std::optional<ActivationNumbers> onnx_to_repro::findActivation(StringRef name) {
  using Numbers = std::optional<ActivationNumbers>;
  return llvm::StringSwitch<Numbers>(name)
      .Cases({"relu", "tanh", "sigmoid", "softsign", "softplus"},
             ActivationNumbers{})
      .Case("leakyrelu", ActivationNumbers{0.01, {}})
      .Cases({"elu", "thresholdedrelu"}, ActivationNumbers{1, {}})
      .Case("hardsigmoid", ActivationNumbers{0.2, 0.5})
      .Case("affine", ActivationNumbers{1, 0})
      .Case("scaledtanh", ActivationNumbers{1, 1})
      .Default(std::nullopt);
}

Value onnx_to_repro::activationByName(NodeBuilder &b, StringRef name,
                                      double alpha, double beta, Value x) {
  if (name == "tanh")
    return b.unary<repro::TanhOp>(x);
  if (name == "sigmoid")
    return b.unary<repro::SigmoidOp>(x);
  if (name == "relu")
    return b.select(b.compare(CompareKind::Le, x, 0), b.fill(0, x), x);
  if (name == "softsign")
    return b.div(x, b.add(b.fill(1, x), b.unary<repro::AbsOp>(x)));
  if (name == "softplus")
    return softplus(b, x);
  if (name == "leakyrelu")
    return leaky(b, x, b.fill(alpha, x));
  if (name == "elu")
    return elu(b, x, alpha, 1);
  if (name == "thresholdedrelu")
    return b.select(b.compare(CompareKind::Gt, x, alpha), x, b.fill(0, x));
  if (name == "hardsigmoid")
    return hardSigmoid(b, x, alpha, beta);
  if (name == "affine")
    return b.add(b.mul(b.fill(alpha, x), x), b.fill(beta, x));
  Value bent = b.unary<repro::TanhOp>(b.mul(b.fill(beta, x), x));
  return b.mul(b.fill(alpha, x), bent); // scaledtanh
}

void onnx_to_repro::addActivations(OperatorTable &table) {
  table.add("Relu", {6, 13, 14}, convertRelu);
  table.add("LeakyRelu", {6, 16}, convertLeakyRelu);
  table.add("PRelu", {7, 9, 16}, convertPRelu);
  table.add("Clip", {6, 11, 12, 13}, convertClip);
  table.add("Elu", {6, 22}, convertElu);
  table.add("Celu", {12, 28}, convertCelu);
  table.add("Selu", {6, 22}, convertSelu);
  table.add("HardSigmoid", {6, 22}, convertHardSigmoid);
  table.add("HardSwish", {14, 22}, convertHardSwish);
  table.add("ThresholdedRelu", {10, 22}, convertThresholdedRelu);
  table.add("Shrink", {9}, convertShrink);
  table.add("Softsign", {1, 22}, convertSoftsign);
  table.add("Softplus", {1, 22}, convertSoftplus);
  table.add("Mish", {18, 22}, convertMish);
  table.add("Sigmoid", {6, 13}, convertSigmoid);
  table.add("Tanh", {6, 13}, convertTanh);
  table.add("Swish", {24}, convertSwish);
  table.add("Gelu", {20}, convertGelu);
}

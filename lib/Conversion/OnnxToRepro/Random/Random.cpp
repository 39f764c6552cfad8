// Random operators. Their bits are defined by this project: ONNX does not
// specify a generator, and other runtimes have other ones.

#include "../Support/OperatorTable.h"
#include "Draws.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// The type in which a distribution is computed.
static Type computedType(NodeBuilder &b) {
  return b.resultType().getElementType().isF64() ? b.builder.getF64Type()
                                                 : b.builder.getF32Type();
}

/// x * scale + shift with one rounding, in that type.
static Value placed(NodeBuilder &b, Value x, double scale, double shift) {
  if (!x)
    return nullptr;
  x = b.convert(x, computedType(b));
  return repro::FmaOp::create(b.builder, b.location, x.getType(), x,
                              b.fill(scale, x), b.fill(shift, x));
}

static Value convertUniform(NodeBuilder &b) {
  double low = b.real("low"), high = b.real("high");
  return placed(b, drawUniform(b, b.resultShape()), high - low, low);
}

static Value convertNormal(NodeBuilder &b) {
  return placed(b, drawNormal(b, b.resultShape()), b.real("scale"),
                b.real("mean"));
}

static Value convertBernoulli(NodeBuilder &b) { return drawWith(b, b.first()); }

/// Class numbers with the probabilities of a softmax, by the exponential race:
/// each class has a time E = -log(1 - u), divided by its weight, and the
/// shortest time wins. Computed as the largest x - log E, it needs neither the
/// sum of the weights nor an order. u has its finest resolution near 0, which
/// decides between rare classes.
static Value convertMultinomial(NodeBuilder &b) {
  Value x = b.first();
  int64_t batch = shapeOf(x)[0], classes = shapeOf(x)[1];
  int64_t samples = b.resultShape()[1];
  if (classes == 0)
    return b.refuse("there are no classes to draw from");
  Extents shape = {batch, samples, classes};
  Value bits = drawBits(b, shape);
  if (!bits)
    return nullptr;
  Value odd = b.binary<repro::OrOp>(bits, b.fill(1, bits));
  Value u = b.convert(odd, b.builder.getF32Type());
  u = b.mul(u, b.fill(0x1p-32, u));
  Value time =
      b.unary<repro::NegOp>(b.unary<repro::Log1pOp>(b.unary<repro::NegOp>(u)));
  Value score = b.sub(b.reshape(x, {batch, 1, classes}),
                      b.convert(b.unary<repro::LogOp>(time), elementOf(x)));
  Value winner =
      b.argWindows(repro::ArgKind::Max, /*last=*/false, score, shape, {2},
                   {b.iterator(0), b.iterator(1), b.iterator(2)});
  return b.convert(winner, b.resultType().getElementType());
}

/// Dropout is the identity unless training_mode is true. Then it keeps an
/// element with probability 1 - ratio, and divides it by that. The backward
/// pass computes the mask again from the same random bits, so the mask is not
/// stored.
static Values convertDropout(NodeBuilder &b) {
  double ratio = 0;
  if (b.since() >= 12 && b.raw("training_mode")) {
    std::optional<double> training = b.constantScalar(b.raw("training_mode"));
    if (!training)
      return {b.refuse("training_mode must be a constant")};
    std::optional<double> given = 0.5;
    if (*training != 0 && b.raw("ratio"))
      given = b.constantScalar(b.raw("ratio"));
    if (!given)
      return {b.refuse("ratio must be a constant")};
    if (!(*given >= 0 && *given <= 1))
      return {b.refuse("ratio is not in [0, 1]")};
    ratio = *training != 0 ? *given : 0;
  }
  Value keep = drawUnless(b, shapeOf(b.firstRaw()), ratio);
  if (!keep)
    return {};
  Value y = b.firstRaw();
  if (ratio > 0) {
    Value x = b.first();
    // If nothing is kept the factor is irrelevant, but must not be a NaN.
    Value factor = b.fill(ratio < 1 ? 1 / (1 - ratio) : 0, x);
    y = b.select(keep, b.mul(x, factor), b.fill(0, x));
  }
  Values results = {y};
  if (b.isWanted(1)) // a float before version 10
    results.push_back(b.convert(keep, b.resultType(1).getElementType()));
  return results;
}

void onnx_to_repro::addRandom(OperatorTable &table) {
  table.addMany("Dropout", {7, 10, 12, 13, 22}, convertDropout);
  table.add("RandomUniform", {1, 22}, convertUniform);
  table.add("RandomUniformLike", {1, 22}, convertUniform);
  table.add("RandomNormal", {1, 22}, convertNormal);
  table.add("RandomNormalLike", {1, 22}, convertNormal);
  table.add("Bernoulli", {15, 22}, convertBernoulli);
  table.add("Multinomial", {7, 22}, convertMultinomial);
}

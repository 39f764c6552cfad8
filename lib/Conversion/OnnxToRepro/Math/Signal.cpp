// Fourier transforms: products with small matrices of roots of unity, whose
// angles are exact fractions of a turn, so that no table depends on a C
// library.

#include "../Support/OperatorTable.h"

#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Native.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// One stage has at most this many points, unless a prime factor is larger.
/// Prime factors beyond the second bound would need matrices of many megabytes.
static constexpr int64_t kMostPoints = 64, kMostPrime = 512;

/// sin(2 pi numerator / (4 n)) for any numerator: folded into a quarter turn in
/// integers.
static double sinOfFraction(int64_t numerator, int64_t n) {
  int64_t m = numerator % (4 * n);
  if (m < 0)
    m += 4 * n;
  const bool isNegative = m >= 2 * n;
  if (isNegative)
    m -= 2 * n;
  if (m > n)
    m = 2 * n - m;
  const double turns = static_cast<double>(m) / static_cast<double>(4 * n);
  const double y = m == n ? 1.0 : functions::sinOfQuarter(Native(), turns);
  return isNegative ? -y : y;
}

/// The real and imaginary part of exp(sign 2 pi i j / n).
static std::pair<double, double> root(int64_t j, int64_t n, int sign) {
  return {sinOfFraction(4 * (j % n) + n, n),
          sign * sinOfFraction(4 * (j % n), n)};
}

static Value table(NodeBuilder &b, Type element, ArrayRef<int64_t> shape,
                   ArrayRef<double> values) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<Attribute> attributes;
  for (double value : values) {
    APFloat number(value);
    bool isInexact;
    number.convert(cast<FloatType>(element).getFloatSemantics(),
                   APFloat::rmNearestTiesToEven, &isInexact);
    attributes.push_back(FloatAttr::get(element, number));
  }
  return b.elements(DenseElementsAttr::get(type, attributes));
}

/// The number of points of the first stage of a transform of n points.
static int64_t stageOf(int64_t n) {
  for (int64_t factor = kMostPoints; factor > 1; --factor)
    if (n % factor == 0)
      return factor;
  for (int64_t prime = 2; prime * prime <= n; ++prime)
    if (n % prime == 0)
      return prime;
  return n;
}

/// x [batch, n, 2] times the matrix of the n-th roots along its middle
/// dimension: one sum over real and imaginary parts of all points. The result
/// is [batch, n, 2].
static Value smallTransform(NodeBuilder &b, Value x, int sign) {
  const int64_t batch = shapeOf(x)[0], n = shapeOf(x)[1];
  SmallVector<double> entries; // [j, part in, k, part out]
  for (int64_t j = 0; j < n; ++j)
    for (int part = 0; part < 2; ++part)
      for (int64_t k = 0; k < n; ++k) {
        auto [re, im] = root(j * k, n, sign);
        entries.push_back(part == 0 ? re : -im);
        entries.push_back(part == 0 ? im : re);
      }
  Value matrix = table(b, elementOf(x), {n, 2, n, 2}, entries);
  // Iterators: batch, k, part out | j, part in.
  auto at = [&](unsigned i) { return b.iterator(i); };
  return b.contract(x, matrix, {batch, n, 2, n, 2}, {3, 4},
                    {{at(0), at(3), at(4)}, {at(3), at(4), at(1), at(2)}});
}

/// x [batch, p, q, 2] times exp(sign 2 pi i k j / (p q)), k along p and j along
/// q.
static Value twiddle(NodeBuilder &b, Value x, int sign) {
  const int64_t p = shapeOf(x)[1], q = shapeOf(x)[2];
  SmallVector<double> entries; // [k, j, part in, part out]
  for (int64_t k = 0; k < p; ++k)
    for (int64_t j = 0; j < q; ++j) {
      auto [re, im] = root(k * j, p * q, sign);
      entries.append({re, im, -im, re});
    }
  Value factors = table(b, elementOf(x), {p, q, 2, 2}, entries);
  auto at = [&](unsigned i) { return b.iterator(i); };
  return b.contract(
      x, factors, {shapeOf(x)[0], p, q, 2, 2}, {4},
      {{at(0), at(1), at(2), at(4)}, {at(1), at(2), at(4), at(3)}});
}

/// The transform of x [batch, n, 2] along n (Cooley and Tukey: n = p q, point
/// j1 q + j2, frequency k1 + p k2). Null after `refuse`.
static Value transform(NodeBuilder &b, Value x, int sign) {
  const int64_t batch = shapeOf(x)[0], n = shapeOf(x)[1];
  if (!b.canTabulate({n, 4}))
    return nullptr;
  const int64_t p = stageOf(n), q = n / p;
  if (p > kMostPrime)
    return b.refuse("a transform of " + Twine(n) +
                    " points has the prime factor " + Twine(p) +
                    ", the largest supported is " + Twine(kMostPrime));
  if (q == 1)
    return smallTransform(b, x, sign);
  // [batch, j1, j2] -> [batch, j2, j1] -> transform j1 to k1 -> [batch, k1,
  // j2].
  Value y = b.transpose(b.reshape(x, {batch, p, q, 2}), {0, 2, 1, 3});
  y = smallTransform(b, b.reshape(y, {batch * q, p, 2}), sign);
  y = b.transpose(b.reshape(y, {batch, q, p, 2}), {0, 2, 1, 3});
  y = transform(b, b.reshape(twiddle(b, y, sign), {batch * p, q, 2}), sign);
  if (!y)
    return {};
  // [batch, k1, k2] -> frequency k1 + p k2.
  y = b.transpose(b.reshape(y, {batch, p, q, 2}), {0, 2, 1, 3});
  return b.reshape(y, {batch, n, 2});
}

/// x [batch, m, 1 or 2] as `n` complex points: truncated or padded with zeros.
static Value toPoints(NodeBuilder &b, Value x, int64_t n) {
  if (shapeOf(x)[2] == 1)
    x = b.concat({x, b.fill(0, x)}, 2);
  const int64_t batch = shapeOf(x)[0], m = shapeOf(x)[1];
  if (m > n)
    return b.sliceDim(x, 1, 0, n);
  return m == n ? x
                : b.concat({x, b.fill(0, elementOf(x), {batch, n - m, 2})}, 1);
}

/// The other half of a spectrum whose inverse is real: X[n - k] = conj X[k].
static Value mirror(NodeBuilder &b, Value x, int64_t n) {
  const int64_t have = std::min(shapeOf(x)[1], n / 2 + 1);
  x = b.sliceDim(x, 1, 0, have);
  if (n - have < 1)
    return x;
  Value rest = b.reverse(b.sliceDim(x, 1, 1, 1 + n - have), {1});
  Value re = b.sliceDim(rest, 2, 0, 1);
  Value im = b.unary<repro::NegOp>(b.sliceDim(rest, 2, 1, 2));
  return b.concat({x, b.concat({re, im}, 2)}, 1);
}

static Value convertDft(NodeBuilder &b) {
  Value x = b.first();
  const int64_t rank = rankOf(x);
  int64_t axis = 1;
  if (b.since() < 20) {
    axis = b.axis("axis", rank);
  } else if (Value operand = b.raw("axis")) {
    auto values = b.constantIntegers(operand);
    if (!values || values->size() != 1)
      return b.refuse("the axis must be known when compiling");
    axis = NodeBuilder::normalized(values->front(), rank);
  } else {
    axis = rank - 2;
  }
  if (rank < 2 || axis < 0 || axis >= rank - 1)
    return b.refuse("axis " + Twine(axis) +
                    " is not a dimension of the signal");
  if (shapeOf(x)[rank - 1] != 1 && shapeOf(x)[rank - 1] != 2)
    return b.refuse("the last dimension has extent " +
                    Twine(shapeOf(x)[rank - 1]) + ", expected 1 or 2");
  const bool isInverse = b.integer("inverse"), isHalf = b.integer("onesided");
  int64_t n = shapeOf(x)[axis];
  if (isInverse && isHalf)
    n = 2 * (n - 1);
  if (Value operand = b.raw("dft_length")) {
    auto values = b.constantIntegers(operand);
    if (!values || values->size() != 1)
      return b.refuse("dft_length must be known when compiling");
    n = values->front();
  }
  if (n < 1 || n > int64_t(1) << 24)
    return b.refuse("a transform of " + Twine(n) + " points is out of range");
  // Moves the axis next to the dimension of real and imaginary parts.
  Extents order = range(0, rank), back(rank);
  std::rotate(order.begin() + axis, order.begin() + axis + 1, order.end() - 1);
  for (auto [place, dim] : llvm::enumerate(order))
    back[dim] = static_cast<int64_t>(place);
  Value y = b.transpose(x, order);
  Extents shape(shapeOf(y));
  const int64_t batch = product(ArrayRef<int64_t>(shape).drop_back(2));
  y = b.reshape(y, {batch, shape[rank - 2], shape[rank - 1]});
  y = isInverse && isHalf ? mirror(b, toPoints(b, y, n / 2 + 1), n)
                          : toPoints(b, y, n);
  y = transform(b, y, isInverse ? 1 : -1);
  if (!y)
    return {};
  if (isInverse)
    y = b.div(y, b.fill(static_cast<double>(n), y));
  if (isHalf && !isInverse)
    y = b.sliceDim(y, 1, 0, n / 2 + 1);
  if (isHalf && isInverse)
    y = b.sliceDim(y, 2, 0, 1);
  shape[rank - 2] = shapeOf(y)[1];
  shape[rank - 1] = shapeOf(y)[2];
  return b.transpose(b.reshape(y, shape), back);
}

/// Frames of the signal, `step` apart: [batch, frames, length, parts].
static Value frames(NodeBuilder &b, Value signal, int64_t count, int64_t step,
                    int64_t length) {
  const int64_t batch = shapeOf(signal)[0], parts = shapeOf(signal)[2];
  auto type =
      RankedTensorType::get({batch, count, length, parts}, elementOf(signal));
  AffineMap map = AffineMap::get(
      4, 0,
      {b.iterator(0), b.iterator(1) * step + b.iterator(2), b.iterator(3)},
      b.builder.getContext());
  return repro::GatherOp::create(
      b.builder, b.location, type, signal, ValueRange(),
      b.builder.getAffineMapArrayAttr({map}), repro::IndexBound::Fault);
}

static Value convertStft(NodeBuilder &b) {
  Value signal = b.operand("signal"), window = b.operand("window");
  auto step = b.constantIntegers(b.raw("frame_step"));
  if (!step || step->size() != 1 || step->front() < 1)
    return b.refuse("frame_step must be known when compiling, and positive");
  int64_t length = window ? shapeOf(window)[0] : 0;
  if (Value operand = b.raw("frame_length")) {
    auto values = b.constantIntegers(operand);
    if (!values || values->size() != 1)
      return b.refuse("frame_length must be known when compiling");
    length = values->front();
  }
  if (rankOf(signal) == 2)
    signal = b.reshape(signal, {shapeOf(signal)[0], shapeOf(signal)[1], 1});
  const int64_t samples = shapeOf(signal)[1];
  if (length < 1 || length > samples ||
      (window && shapeOf(window)[0] != length))
    return b.refuse("frames of " + Twine(length) + " do not fit " +
                    Twine(samples) + " samples and the window");
  const int64_t count = (samples - length) / step->front() + 1;
  Value y = frames(b, signal, count, step->front(), length);
  if (window)
    y = b.mul(y, b.reshape(window, {1, 1, length, 1}));
  const int64_t batch = shapeOf(y)[0];
  y = transform(
      b,
      toPoints(b, b.reshape(y, {batch * count, length, shapeOf(y)[3]}), length),
      -1);
  if (!y)
    return {};
  if (b.integer("onesided"))
    y = b.sliceDim(y, 1, 0, length / 2 + 1);
  return b.reshape(y, {batch, count, shapeOf(y)[1], 2});
}

/// Triangles on the mel scale, 2595 log10(1 + f / 700), by this project's f64
/// functions: the edges must not depend on a C library.
static Value convertMelWeightMatrix(NodeBuilder &b) {
  constexpr const char *names[] = {"num_mel_bins", "dft_length", "sample_rate",
                                   "lower_edge_hertz", "upper_edge_hertz"};
  double numbers[5];
  for (auto [name, number] : llvm::zip_equal(names, numbers)) {
    auto value = b.constantScalar(b.raw(name));
    if (!value)
      return b.refuse(Twine(name) + " must be known when compiling");
    number = *value;
  }
  const auto [bins, points, rate, lower, upper] = numbers;
  RankedTensorType type = b.resultType();
  const auto count = static_cast<int64_t>(bins),
             spectrum = static_cast<int64_t>(points) / 2 + 1;
  if (count < 1 || count > 1 << 20 || spectrum < 1 || spectrum > 1 << 20 ||
      !(rate > 0) || !(lower >= 0) || !(upper >= lower))
    return b.refuse("the sizes or edges are out of range");
  Native a;
  constexpr double ln10 = 0x1.26bb1bbb55516p+1;
  auto mel = [&](double hertz) {
    return 2595 * (functions::logF64(a, 1 + hertz / 700) / ln10);
  };
  const double low = mel(lower), step = (mel(upper) - low) / (bins + 2);
  SmallVector<int64_t> edges;
  for (int64_t i = 0; i < count + 2; ++i) {
    const double hertz =
        700 * (functions::expF64(a, (low + static_cast<double>(i) * step) /
                                        2595 * ln10) -
               1);
    edges.push_back(static_cast<int64_t>((points + 1) * hertz / rate));
    if (edges.back() < 0 || edges.back() >= spectrum)
      return b.refuse("an edge lies beyond half the sample rate");
  }
  SmallVector<double> weights(static_cast<size_t>(spectrum * count), 0.0);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t from = edges[i], centre = edges[i + 1], to = edges[i + 2];
    auto at = [&](int64_t j) -> double & { return weights[j * count + i]; };
    if (centre == from)
      at(centre) = 1;
    else
      for (int64_t j = from; j <= centre; ++j)
        at(j) =
            static_cast<double>(j - from) / static_cast<double>(centre - from);
    for (int64_t j = centre; j < to; ++j)
      at(j) = static_cast<double>(to - j) / static_cast<double>(to - centre);
  }
  return b.convert(table(b, b.builder.getF32Type(), {spectrum, count}, weights),
                   type.getElementType());
}

void gensyn::onnx_to_repro::addSignal(OperatorTable &table) {
  table.add("DFT", {17, 20}, convertDft);
  table.add("STFT", {17}, convertStft);
  table.add("MelWeightMatrix", {17}, convertMelWeightMatrix);
}

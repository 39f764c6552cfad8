// Normalizations. Moments take two passes, the mean and then the squared
// distances from it, because the difference of E[x^2] and E[x]^2 cancels. The
// reciprocal of the standard deviation is computed once per row.

#include "../Support/OperatorTable.h"
#include "Windows.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

namespace {
struct Moments {
  Value mean;     // extents of 1 where reduced
  Value centered; // x - mean
  Value variance; // of the population
};
} // namespace

static Moments moments(NodeBuilder &b, Value x, ArrayRef<int64_t> dims) {
  Moments m;
  m.mean = b.mean(x, dims);
  m.centered = b.sub(x, m.mean);
  m.variance = b.mean(b.mul(m.centered, m.centered), dims);
  return m;
}

/// 1 / sqrt(variance + epsilon).
static Value inverseDeviation(NodeBuilder &b, Value variance, double epsilon) {
  Value root =
      b.unary<repro::SqrtOp>(b.add(variance, b.fill(epsilon, variance)));
  return b.div(b.fill(1, root), root);
}

/// Records `value` as the next value of `stored` if that is an initializer of
/// the model. Not inside a subgraph: a value there belongs to an iteration or a
/// branch.
static void assignStored(NodeBuilder &b, Value value, Value stored) {
  auto argument = dyn_cast<BlockArgument>(stored);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  if (!function || b.node->getParentOp() != function ||
      function.getName() != "main")
    return;
  const auto role = program::getRole(function, argument.getArgNumber());
  // A buffer, according to the exporter's metadata, counts as a constant unless
  // it is assigned.
  if (role == Role::Parameter || role == Role::Constant)
    train::AssignOp::create(b.builder, b.location,
                            b.convert(value, elementOf(stored)), stored);
}

/// The operand X. An operand of rank 1 is a batch with one channel, [N, 1].
static Value withChannels(NodeBuilder &b) {
  Value x = b.operand("X");
  return rankOf(x) == 1 ? b.reshape(x, {shapeOf(x)[0], 1}) : x;
}

/// Normalizes with the batch's own statistics, and updates the stored ones: old
/// momentum + new (1 - momentum).
static Values trainBatchNormalization(NodeBuilder &b, Value x, StringRef mean,
                                      StringRef variance) {
  const int64_t rank = rankOf(x);
  auto perChannel = [&](StringRef formal) {
    return b.along(b.operand(formal), 1, rank);
  };
  Extents dims = range(0, rank);
  dims.eraseAt(1);
  Moments m = moments(b, x, dims);
  Value factor = b.mul(perChannel("scale"),
                       inverseDeviation(b, m.variance, b.real("epsilon")));
  Value y = b.add(b.mul(m.centered, factor), perChannel("B"));
  Values results = {b.reshape(y, b.resultShape())};
  const double momentum = b.real("momentum");
  for (auto [formal, now] :
       {std::pair(mean, m.mean), std::pair(variance, m.variance)}) {
    Value old = b.operand(formal);
    now = b.convert(b.reshape(now, shapeOf(old)), elementOf(old));
    results.push_back(b.add(b.mul(old, b.fill(momentum, old)),
                            b.mul(now, b.fill(1 - momentum, now))));
    assignStored(b, results.back(), b.raw(formal));
  }
  return results;
}

/// (x - mean) (scale / sqrt(var + epsilon)) + B with the stored statistics, a
/// factor and an offset for each channel.
static Values convertBatchNormalization(NodeBuilder &b) {
  bool isNew = b.since() >= 14;
  if (b.since() == 7 && !b.integer("spatial"))
    return {b.refuse("spatial = 0 is not supported")};
  Value x = withChannels(b);
  StringRef mean = isNew ? "input_mean" : "mean";
  StringRef variance = isNew ? "input_var" : "var";
  const int64_t channels = shapeOf(x)[1];
  for (StringRef formal : {StringRef("scale"), StringRef("B"), mean, variance})
    if (int64_t count = product(shapeOf(b.raw(formal))); count != channels)
      return {b.refuse("'" + formal + "' has " + countOf(count, "element") +
                       ", expected one for each of " +
                       countOf(channels, "channel"))};
  // Before version 14 the number of outputs selects the mode; the extra outputs
  // have no documented meaning.
  if (isNew ? b.integer("training_mode") != 0 : b.node->getNumResults() > 1)
    return trainBatchNormalization(b, x, mean, variance);
  for (unsigned i = 1; i < b.node->getNumResults(); ++i)
    if (b.isWanted(i))
      return {b.refuse("only the first output exists in inference mode")};
  auto perChannel = [&](StringRef formal) {
    return b.along(b.operand(formal), 1, rankOf(x));
  };
  Value factor =
      b.mul(perChannel("scale"),
            inverseDeviation(b, perChannel(variance), b.real("epsilon")));
  Value centered = b.sub(x, perChannel(mean));
  Value y = b.add(b.mul(centered, factor), perChannel("B"));
  return {b.reshape(y, b.resultShape())};
}

static Values convertLayerNormalization(NodeBuilder &b) {
  Value x = b.operand("X"), bias = b.operand("B");
  int64_t rank = rankOf(x);
  Moments m = moments(b, x, range(b.axis("axis", rank), rank));
  Value inverse = inverseDeviation(b, m.variance, b.real("epsilon"));
  Value y = b.mul(b.mul(m.centered, inverse), b.operand("Scale"));
  if (bias)
    y = b.add(y, bias);
  return {y, m.mean, inverse};
}

static Value convertRMSNormalization(NodeBuilder &b) {
  Value x = b.operand("X");
  int64_t rank = rankOf(x);
  Value square = b.mean(b.mul(x, x), range(b.axis("axis", rank), rank));
  Value inverse = inverseDeviation(b, square, b.real("epsilon"));
  return b.mul(b.mul(x, inverse), b.operand("scale"));
}

/// Normalizes groups of channels, each on its own within a sample. With
/// `perGroup`, scale and bias have one number for each group.
static Value normalizeGroups(NodeBuilder &b, Value x, int64_t groups,
                             Value scale, Value bias, bool perGroup) {
  ShapeView shape = shapeOf(x);
  if (groups < 1 || shape[1] % groups)
    return b.refuse("the number of groups does not divide the channels");
  Value rows =
      b.reshape(x, {shape[0], groups, product(shape.drop_front(1)) / groups});
  Moments m = moments(b, rows, {2});
  Value inverse = inverseDeviation(b, m.variance, b.real("epsilon"));
  Value normal = b.mul(m.centered, inverse);
  if (perGroup)
    return b.reshape(
        b.add(b.mul(normal, b.along(scale, 1, 3)), b.along(bias, 1, 3)), shape);
  normal = b.reshape(normal, shape);
  int64_t rank = shape.size();
  return b.add(b.mul(normal, b.along(scale, 1, rank)), b.along(bias, 1, rank));
}

static Value convertInstanceNormalization(NodeBuilder &b) {
  Value x = b.operand("input");
  return normalizeGroups(b, x, shapeOf(x)[1], b.operand("scale"),
                         b.operand("B"), /*perGroup=*/false);
}

/// Version 18 has a scale for each group, 21 for each channel.
static Value convertGroupNormalization(NodeBuilder &b) {
  return normalizeGroups(b, b.operand("X"), b.integer("num_groups"),
                         b.operand("scale"), b.operand("bias"),
                         /*perGroup=*/b.since() < 21);
}

/// (x - mean) / (deviation + 1e-9), as in the schema's function body.
static Value convertMeanVariance(NodeBuilder &b) {
  Value x = b.operand("X");
  Extents dims = b.integers("axes");
  if (!b.checkDimensions(dims, rankOf(x)))
    return nullptr;
  for (int64_t &dim : dims)
    dim = NodeBuilder::normalized(dim, rankOf(x));
  Moments m = moments(b, x, dims);
  Value deviation = b.unary<repro::SqrtOp>(m.variance);
  return b.div(m.centered, b.add(deviation, b.fill(1e-9, deviation)));
}

/// x over its 1- or 2-norm along an axis, 0 where the norm is 0.
static Value convertLpNormalization(NodeBuilder &b) {
  Value x = b.operand("input");
  int64_t dim = b.axis("axis", rankOf(x)), p = b.integer("p");
  if (p != 1 && p != 2)
    return b.refuse("p must be 1 or 2");
  Value powers = p == 1 ? b.unary<repro::AbsOp>(x) : b.mul(x, x);
  Value norm = b.sum(powers, {dim});
  Value isZero = b.compare(CompareKind::Eq, norm, 0);
  Value safe = b.select(isZero, b.fill(1, norm), norm);
  if (p == 2)
    safe = b.unary<repro::SqrtOp>(safe);
  return b.select(isZero, b.fill(0, elementOf(x)), b.div(x, safe));
}

/// x / (bias + alpha / size * sum of squares of `size` neighbouring
/// channels)^beta; of an even number of neighbours the extra one comes after.
static Value convertLrn(NodeBuilder &b) {
  Value x = b.operand("X");
  const int64_t size = b.integer("size");
  if (size < 1 || size > kMaxWindow)
    return b.refuse("size " + Twine(size) + " is out of range");
  Extents extents(shapeOf(x));
  const auto tap = static_cast<unsigned>(extents.size());
  extents.push_back(size);
  SmallVector<AffineExpr> map;
  for (unsigned dim = 0; dim < tap; ++dim)
    map.push_back(b.iterator(dim));
  map[1] = map[1] + b.iterator(tap) - (size - 1) / 2;
  Value squares = b.reduceWindows(repro::ReduceKind::Sum, b.mul(x, x), extents,
                                  {int64_t(tap)}, map);
  Value factor = b.fill(b.real("alpha") / static_cast<double>(size), x);
  Value base = b.add(b.fill(b.real("bias"), x), b.mul(factor, squares));
  return b.div(x, b.binary<repro::PowOp>(base, b.fill(b.real("beta"), x)));
}

void onnx_to_repro::addNormalization(OperatorTable &table) {
  table.addMany("BatchNormalization", {7, 9, 14, 15},
                convertBatchNormalization);
  table.addMany("LayerNormalization", {17}, convertLayerNormalization);
  table.add("RMSNormalization", {23}, convertRMSNormalization);
  table.add("InstanceNormalization", {6, 22}, convertInstanceNormalization);
  table.add("GroupNormalization", {18, 21}, convertGroupNormalization);
  table.add("MeanVarianceNormalization", {9, 13}, convertMeanVariance);
  table.add("LpNormalization", {1, 22}, convertLpNormalization);
  table.add("LRN", {1, 13}, convertLrn);
}

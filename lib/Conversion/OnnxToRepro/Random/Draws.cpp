// See Draws.h.

#include "Draws.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Numerics/Distributions.h"
#include "gensyn/Numerics/Native.h"
#include "gensyn/Numerics/Philox.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

static Type wordType(NodeBuilder &b) {
  return b.builder.getIntegerType(32, /*isSigned=*/false);
}

/// The function's argument with a role; adds one if there is none.
static Value programArgument(NodeBuilder &b, func::FuncOp function, Role role,
                             RankedTensorType type) {
  for (BlockArgument argument : function.getArguments())
    if (program::hasRole(function, argument.getArgNumber(), role))
      return argument;
  NamedAttrList attributes;
  attributes.set(program::kRoleAttr,
                 program::getRoleAttr(b.builder.getContext(), role));
  attributes.set(gensyn::onnx::names::name,
                 b.builder.getStringAttr("gensyn." + Twine(name(role))));
  const unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, type,
                                attributes.getDictionary(b.node.getContext()),
                                function.getLoc());
  return function.getArgument(number);
}

/// The number in the node's attribute `seed`.
static std::optional<double> seedOf(NodeBuilder &b) {
  if (!b.node.hasFormalAttribute("seed"))
    return std::nullopt;
  if (std::optional<float> seed = b.node.real("seed"))
    return *seed;
  if (std::optional<int64_t> seed = b.node.integer("seed"))
    return static_cast<double>(*seed);
  return std::nullopt;
}

/// The draw of a node within a step: the iteration of the loop around it, or 0.
/// Null after `refuse`.
static Value drawNumber(NodeBuilder &b) {
  Value iteration;
  for (Operation *parent = b.node->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp()) {
    auto node = dyn_cast<gensyn::onnx::NodeOp>(parent);
    if (node && node.opType() == "If")
      continue;
    if (iteration || !node || node.opType() != "Loop")
      return b.refuse("random numbers inside a Scan, or a loop in a loop, are "
                      "not supported");
    iteration = parent->getRegion(0).front().getArgument(0);
  }
  if (!iteration)
    return b.fill(0, wordType(b));
  return b.convert(b.reshape(iteration, {}), wordType(b));
}

Value onnx_to_repro::drawBits(NodeBuilder &b, ArrayRef<int64_t> shape) {
  Value number = drawNumber(b);
  if (!number)
    return nullptr;
  auto function = b.node->getParentOfType<func::FuncOp>();
  auto scalar = RankedTensorType::get({}, wordType(b));
  Value key = programArgument(b, function, Role::Key,
                              RankedTensorType::get({2}, wordType(b)));
  Value step = programArgument(b, function, Role::Step, scalar);
  IntegerAttr stream;
  if (std::optional<double> seed = seedOf(b))
    stream = b.builder.getI64IntegerAttr(random::seededStream(Native(), *seed));
  return repro::RandomBitsOp::create(b.builder, b.location,
                                     RankedTensorType::get(shape, wordType(b)),
                                     key, step, number, stream);
}

Value onnx_to_repro::drawUniform(NodeBuilder &b, ArrayRef<int64_t> shape) {
  Value bits = drawBits(b, shape);
  if (!bits)
    return nullptr;
  Value upper = b.binary<repro::ShrOp>(bits, b.fill(8, bits));
  Value whole = b.convert(upper, b.builder.getF32Type());
  return b.mul(whole, b.fill(0x1p-24, whole));
}

Value onnx_to_repro::drawNormal(NodeBuilder &b, ArrayRef<int64_t> shape) {
  // Element i has the words 2 i and 2 i + 1.
  Extents pairs(shape);
  pairs.push_back(2);
  Value bits = drawBits(b, pairs);
  if (!bits)
    return nullptr;
  auto word = [&](int64_t number) {
    return b.reshape(b.sliceDim(bits, rankOf(bits) - 1, number, number + 1),
                     shape);
  };
  Type f32 = b.builder.getF32Type();
  Value first = word(0), second = word(1);
  Value u = b.convert(b.binary<repro::OrOp>(first, b.fill(1, first)), f32);
  u = b.mul(u, b.fill(0x1p-32, u));
  Value log = b.unary<repro::LogOp>(u);
  Value radius = b.unary<repro::SqrtOp>(b.mul(log, b.fill(-2, log)));
  Value angle = b.convert(second, f32);
  // The f32 nearest to pi, times 2^-32.
  angle = b.mul(angle, b.fill(0x1.921fb6p-31, angle));
  return b.mul(radius, b.unary<repro::CosOp>(angle));
}

Value onnx_to_repro::drawUnless(NodeBuilder &b, ArrayRef<int64_t> shape,
                                double p) {
  uint64_t threshold = random::bernoulliThreshold(p);
  if (threshold == 0 || threshold >> 32 != 0) // all or none, for any bits
    return b.fill(threshold == 0, b.builder.getI1Type(), shape);
  Value bits = drawBits(b, shape);
  return bits ? b.compare(CompareKind::Ge, bits, double(threshold)) : nullptr;
}

Value onnx_to_repro::drawWith(NodeBuilder &b, Value p) {
  Value bits = drawBits(b, shapeOf(p));
  if (!bits)
    return nullptr;
  // The threshold may be 2^32, so it has 64 bits; a negative number or NaN
  // converts to 0.
  Type wide = b.builder.getIntegerType(64, /*isSigned=*/false);
  Value scaled = b.mul(p, b.fill(0x1p32, p));
  Value threshold = b.convert(b.round(repro::RoundKind::Even, scaled), wide);
  return b.compare(CompareKind::Lt, b.convert(bits, wide), threshold);
}

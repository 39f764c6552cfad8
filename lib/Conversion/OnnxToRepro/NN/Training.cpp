// Conversion of optimizers and derivatives that are nodes, in the domain
// ai.onnx.preview.training. Their formulas are those of its schemas, term by
// term from left to right. Numbers that depend only on attributes, the count of
// updates and the rate are computed in f64 and rounded to the tensor's type
// once (optimizernode_r1).

#include "../Support/OperatorTable.h"

#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Train/IR/Train.h"

#include <cmath>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

namespace {
/// The operands of an optimizer's node, one entry for each tensor that it
/// trains, and the arithmetic of its formulas.
class UpdateBuilder {
public:
  /// `sets` is the number of tensors per trained one: itself, its gradient and
  /// its states.
  UpdateBuilder(NodeBuilder &b, size_t sets);

  bool isValid() const { return b.refusal().empty(); }
  size_t count() const { return tensors.size() / sets; }
  /// Tensor `i` of set `set`: 0 for X, 1 for G, 2 and 3 for states.
  Value tensor(size_t set, size_t i) const {
    return tensors[set * count() + i];
  }

  /// The rate in f64, and whether any update was done before.
  Value rate, hasUpdates;
  /// The number of updates done before.
  Value updates;

  double number(StringRef name) const { return b.real(name); }
  Value times(double factor, Value x) { return b.mul(b.fill(factor, x), x); }
  Value f64(double value) { return b.fill(value, b.builder.getF64Type()); }
  /// A scalar of f64, rounded to the type of `like`.
  Value rounded(Value scalar, Value like) {
    return b.convert(scalar, elementOf(like));
  }
  /// norm_coefficient * X + G; only G if the coefficient is 0.
  Value regularized(size_t i) {
    double coefficient = number("norm_coefficient");
    Value g = tensor(1, i);
    return coefficient == 0 ? g : b.add(times(coefficient, tensor(0, i)), g);
  }
  /// base ** updates in f64 (optimizernode_r2): the product of base ** (2 **
  /// bit) over the set bits of the count, from the lowest to the highest. Each
  /// factor is the square of the previous one.
  Value power(double base);

private:
  Value scalar(StringRef formal);

  NodeBuilder &b;
  size_t sets;
  Values tensors;
};
} // namespace

UpdateBuilder::UpdateBuilder(NodeBuilder &b, size_t sets)
    : b(b), sets(sets), tensors(b.operands("inputs")) {
  rate = scalar("R");
  updates = scalar("T");
  if (tensors.empty() || tensors.size() % sets)
    b.refuse("has " + Twine(tensors.size()) + " tensors after R and T, " +
             Twine(sets) + " for each that is trained are wanted");
  if (!isValid())
    return;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].getType() != tensors[i % count()].getType())
      b.refuse("tensor " + Twine(i) + " after R and T has another type than " +
               Twine(i % count()) + ", which it belongs to");
  rate = b.convert(rate, b.builder.getF64Type());
  hasUpdates = b.compare(CompareKind::Gt, updates, 0.0);
}

/// An operand with one element, reshaped to rank 0.
Value UpdateBuilder::scalar(StringRef formal) {
  Value value = b.raw(formal);
  if (product(shapeOf(value)) != 1)
    return b.refuse("'" + formal + "' has more than one element");
  return b.reshape(value, {});
}

Value UpdateBuilder::power(double base) {
  Value result = f64(1.0);
  for (int bit = 0; bit < 63; ++bit) {
    if (base == 0) {
      // With a higher bit in any count of updates, the power is 0.
      Value isLarge = b.compare(CompareKind::Ge, updates, std::ldexp(1.0, bit));
      return b.select(isLarge, f64(0.0), result);
    }
    Value shifted = b.binary<repro::ShrOp>(updates, b.fill(bit, updates));
    Value low = b.binary<repro::AndOp>(shifted, b.fill(1, updates));
    result = b.select(b.compare(CompareKind::Eq, low, 1.0),
                      b.mul(result, f64(base)), result);
    base *= base;
  }
  return result;
}

static Values convertAdagrad(NodeBuilder &b) {
  UpdateBuilder u(b, 3);
  if (!u.isValid())
    return {};
  Value decayed = b.mul(b.convert(u.updates, b.builder.getF64Type()),
                        u.f64(u.number("decay_factor")));
  Value rate = b.div(u.rate, b.add(u.f64(1.0), decayed));
  Values results(2 * u.count());
  for (size_t i = 0; i < u.count(); ++i) {
    Value x = u.tensor(0, i), g = u.regularized(i);
    Value sum = b.add(u.tensor(2, i), b.mul(g, g));
    Value root = b.unary<repro::SqrtOp>(sum);
    root = b.add(root, b.fill(u.number("epsilon"), root));
    results[i] = b.sub(x, b.div(b.mul(u.rounded(rate, x), g), root));
    results[u.count() + i] = sum;
  }
  return results;
}

static Values convertAdam(NodeBuilder &b) {
  UpdateBuilder u(b, 4);
  if (!u.isValid())
    return {};
  double alpha = u.number("alpha"), beta = u.number("beta"),
         post = u.number("norm_coefficient_post");
  Value one = u.f64(1.0);
  Value root = b.unary<repro::SqrtOp>(b.sub(one, u.power(beta)));
  Value corrected = b.div(b.mul(u.rate, root), b.sub(one, u.power(alpha)));
  Value rate = b.select(u.hasUpdates, corrected, u.rate);
  Values results(3 * u.count());
  for (size_t i = 0; i < u.count(); ++i) {
    Value x = u.tensor(0, i), g = u.regularized(i);
    Value v = b.add(u.times(alpha, u.tensor(2, i)), u.times(1 - alpha, g));
    Value h =
        b.add(u.times(beta, u.tensor(3, i)), b.mul(u.times(1 - beta, g), g));
    Value divisor = b.unary<repro::SqrtOp>(h);
    divisor = b.add(divisor, b.fill(u.number("epsilon"), divisor));
    Value next = b.sub(x, b.div(b.mul(u.rounded(rate, x), v), divisor));
    results[i] = post == 0 ? next : u.times(1 - post, next);
    results[u.count() + i] = v;
    results[2 * u.count() + i] = h;
  }
  return results;
}

static Values convertMomentum(NodeBuilder &b) {
  StringRef mode = b.string("mode");
  if (mode != "standard" && mode != "nesterov")
    b.refuse("mode '" + mode + "' is neither 'standard' nor 'nesterov'");
  UpdateBuilder u(b, 3);
  if (!u.isValid())
    return {};
  double alpha = u.number("alpha");
  Value scale = b.select(u.hasUpdates, u.f64(u.number("beta")), u.f64(1.0));
  Values results(2 * u.count());
  for (size_t i = 0; i < u.count(); ++i) {
    Value x = u.tensor(0, i), g = u.regularized(i);
    Value v =
        b.add(u.times(alpha, u.tensor(2, i)), b.mul(u.rounded(scale, x), g));
    Value direction = mode == "nesterov" ? b.add(g, u.times(alpha, v)) : v;
    results[i] = b.sub(x, b.mul(u.rounded(u.rate, x), direction));
    results[u.count() + i] = v;
  }
  return results;
}

/// In the dialect the operands are the values that `xs`, `zs` and `y` name, in
/// this order (gradientnode_r1).
static Values convertGradient(NodeBuilder &b) {
  auto names = b.node.attributeAs<ArrayAttr>("xs");
  Values operands = b.raws("Inputs");
  if (!names || operands.size() <= names.size())
    return b.refuse("has fewer operands than names in 'xs' and 'y'"), Values();
  Value y = operands.back();
  auto isTrained = [](Value value) {
    return elementOf(value).isF32() || elementOf(value).isF64();
  };
  if (product(shapeOf(y)) != 1 || !isTrained(y))
    return b.refuse("'y' is " + gensyn::onnx::describeType(y.getType()) +
                    "; derivatives are taken of one float32 or float64 "
                    "number"),
           Values();
  Values wrt(ArrayRef(operands).take_front(names.size()));
  SmallVector<Type> types;
  for (auto [name, x] : llvm::zip(names.getAsRange<StringAttr>(), wrt)) {
    if (!isTrained(x))
      return b.refuse("'" + name.getValue() + "' of 'xs' is " +
                      gensyn::onnx::describeType(x.getType()) +
                      "; derivatives are with respect to float32 and float64"),
             Values();
    types.push_back(x.getType());
  }
  auto gradient = train::GradientOp::create(b.builder, b.location, types,
                                            b.reshape(y, {}), wrt);
  return Values(gradient.getGradients());
}

void onnx_to_repro::addTraining(OperatorTable &table) {
  const std::string domain = "ai.onnx.preview.training.";
  table.addMany(domain + "Adagrad", {1}, convertAdagrad);
  table.addMany(domain + "Adam", {1}, convertAdam);
  table.addMany(domain + "Gradient", {1}, convertGradient);
  table.addMany(domain + "Momentum", {1}, convertMomentum);
}

// Elementwise operators, with the scalar semantics of lib/Numerics. For floats
// only operations that are correctly rounded everywhere: + - * / sqrt and
// powers by them, comparisons and conversions.

#include "Evaluate.h"
#include "gensyn/Numerics/Scalar.h"

#include <cmath>

using namespace mlir;

namespace gensyn::onnx::evaluation {
namespace {
using scalar::Comparison;

std::optional<Comparison> comparisonOf(StringRef type) {
  return llvm::StringSwitch<std::optional<Comparison>>(type)
      .Case("Equal", Comparison::Eq)
      .Case("Less", Comparison::Lt)
      .Case("LessOrEqual", Comparison::Le)
      .Case("Greater", Comparison::Gt)
      .Case("GreaterOrEqual", Comparison::Ge)
      .Default(std::nullopt);
}

/// The operands broadcast to the shape of the result.
struct Operands {
  std::vector<Tensor> values;
  Shape shape;
};

std::optional<Operands> broadcastOperands(const Node &node) {
  auto shape = Node::shapeOf(node.op->getResult(0));
  if (!shape)
    return std::nullopt;
  Operands result{{}, *shape};
  for (unsigned i = 0; i < node.operands.size(); ++i) {
    Value value = node.in(i);
    Value full = value ? expand(*value, *shape) : Value();
    if (!full)
      return std::nullopt;
    result.values.push_back(*full);
  }
  return result;
}

/// ONNX's Mod of integers: the sign of the divisor, or of the dividend with
/// fmod=1.
template <scalar::Integer T> T modulo(T a, T b, bool fmod) {
  T rest = scalar::rem(a, b);
  return !fmod && rest != 0 && (rest < 0) != (b < 0) ? scalar::add(rest, b)
                                                     : rest;
}

/// Division by zero is left to the program, which reports it.
template <scalar::Number T>
std::optional<T> arithmetic(const Node &node, T a, T b) {
  StringRef type = node.type();
  if (type == "Add")
    return scalar::add(a, b);
  if (type == "Sub")
    return scalar::sub(a, b);
  if (type == "Mul")
    return scalar::mul(a, b);
  if (type == "Min")
    return scalar::min(a, b);
  if (type == "Max")
    return scalar::max(a, b);
  if (type == "Div" && (scalar::Float<T> || b != T(0)))
    return scalar::div(a, b);
  if constexpr (scalar::Integer<T>)
    if (type == "Mod" && b != 0)
      return modulo(a, b, node.op.integer("fmod").value_or(0) != 0);
  return std::nullopt;
}

Value binary(const Node &node) {
  std::optional<Operands> in = broadcastOperands(node);
  if (!in || in->values.size() != 2 ||
      in->values[0].elementType() != in->values[1].elementType())
    return {};
  const Tensor &a = in->values[0], &b = in->values[1];
  return dispatch(a.elementType(), [&](auto tag) -> Value {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T>) {
      Tensor out(a.elementType(), in->shape);
      T *result = out.as<T>();
      for (int64_t i = 0; i < a.numElements(); ++i) {
        std::optional<T> value = arithmetic(node, a.as<T>()[i], b.as<T>()[i]);
        if (!value)
          return {};
        result[i] = *value;
      }
      return out;
    }
    return {};
  });
}

/// Exponents that need no logarithm, by the operations to which OnnxToRepro
/// converts them.
template <scalar::Number T> std::optional<T> powerOf(T x, double exponent) {
  if (exponent == 0)
    return T(1);
  if constexpr (scalar::Float<T>) {
    if (exponent == -1)
      return scalar::div(T(1), x);
    if (exponent == 0.5)
      return scalar::sqrt(x);
  }
  const double most = scalar::Float<T> ? 3 : 64;
  if (exponent < 0 || exponent > most || exponent != std::floor(exponent))
    return std::nullopt;
  T power = x;
  for (int i = 1; i < int(exponent); ++i)
    power = scalar::mul(power, x);
  return power;
}

/// One exponent for all elements; others are left to the program.
Value pow(const Node &node) {
  Value x = node.in(0), y = node.in(1);
  auto shape = Node::shapeOf(node.op->getResult(0));
  if (!x || !y || !shape || y->numElements() != 1 ||
      countElements(*shape) != x->numElements())
    return {};
  const Tensor wide = scalar::convertTensor(*y, ElementType::F64);
  const double exponent = wide.as<double>()[0];
  Tensor out = x->reshaped(*shape);
  return dispatch(out.elementType(), [&](auto tag) -> Value {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T>) {
      for (T &element : out.template span<T>()) {
        std::optional<T> power = powerOf(element, exponent);
        if (!power)
          return {};
        element = *power;
      }
      return out;
    }
    return {};
  });
}

Value comparison(const Node &node) {
  std::optional<Operands> in = broadcastOperands(node);
  if (!in || in->values.size() != 2 ||
      in->values[0].elementType() != in->values[1].elementType())
    return {};
  const Tensor &a = in->values[0], &b = in->values[1];
  Tensor out(ElementType::I1, in->shape);
  bool *result = out.as<bool>();
  dispatch(a.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t i = 0; i < a.numElements(); ++i)
      result[i] = scalar::compare(a.as<T>()[i], b.as<T>()[i],
                                  *comparisonOf(node.type()));
  });
  return out;
}

Value logical(const Node &node) {
  std::optional<Operands> in = broadcastOperands(node);
  if (!in || llvm::any_of(in->values, [](const Tensor &t) {
        return t.elementType() != ElementType::I1;
      }))
    return {};
  Tensor out(ElementType::I1, in->shape);
  bool *result = out.as<bool>();
  auto at = [&](unsigned k, int64_t i) {
    return std::as_const(in->values[k]).as<bool>()[i];
  };
  for (int64_t i = 0; i < out.numElements(); ++i)
    result[i] = node.type() == "Not"   ? !at(0, i)
                : node.type() == "And" ? at(0, i) && at(1, i)
                : node.type() == "Or"  ? at(0, i) || at(1, i)
                                       : at(0, i) != at(1, i);
  return out;
}

Value unary(const Node &node) {
  Value in = node.in(0);
  if (!in)
    return {};
  return dispatch(in->elementType(), [&](auto tag) -> Value {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T>) {
      StringRef type = node.type();
      for (T &x : in->template span<T>()) {
        if (type == "Neg")
          x = scalar::neg(x);
        else if (type == "Abs")
          x = scalar::abs(x);
        else if constexpr (scalar::Float<T>) {
          if (type == "Sqrt")
            x = scalar::sqrt(x);
          else
            x = scalar::round(x, type == "Floor"  ? scalar::Rounding::Floor
                                 : type == "Ceil" ? scalar::Rounding::Ceil
                                                  : scalar::Rounding::Even);
        } else
          return {};
      }
      return in;
    }
    return {};
  });
}

/// True if a float lies in the range of an integer; true for all other types.
bool fitsInto(const Tensor &x, ElementType to) {
  if (!isFloat(x.elementType()) || isFloat(to) || to == ElementType::I1)
    return true;
  const Tensor wide = scalar::convertTensor(x, ElementType::F64);
  const Tensor back =
      scalar::convertTensor(scalar::convertTensor(wide, to), ElementType::F64);
  // Truncation moves a value by less than 1; clamping moves it further, except
  // near the ends of 64 bits.
  for (int64_t i = 0; i < wide.numElements(); ++i) {
    const double value = wide.as<double>()[i];
    if (!(std::fabs(value) < 9e18 &&
          std::fabs(value - back.as<double>()[i]) < 1))
      return false;
  }
  return true;
}

/// A float out of the range of an integer is left to the program.
Value castNode(const Node &node) {
  Value in = node.in(0);
  auto to = Node::elementOf(node.op->getResult(0));
  if (!in || !to || !fitsInto(*in, *to))
    return {};
  Narrowing how;
  // `saturate` only affects floats of 8 bits.
  if (node.op.hasFormalAttribute("saturate") && isFloat(*to) &&
      bitWidth(*to) == 8)
    how.saturate = node.op.integer("saturate") != 0;
  StringRef round = node.op.hasFormalAttribute("round_mode")
                        ? *node.op.string("round_mode")
                        : StringRef("up");
  how.power = round == "nearest" ? PowerRounding::Nearest
              : round == "down"  ? PowerRounding::Down
                                 : PowerRounding::Up;
  return scalar::convertTensor(*in, *to, how);
}

Value whereNode(const Node &node) {
  std::optional<Operands> in = broadcastOperands(node);
  if (!in || in->values.size() != 3 ||
      in->values[0].elementType() != ElementType::I1 ||
      in->values[1].elementType() != in->values[2].elementType())
    return {};
  const Tensor &condition = in->values[0], &x = in->values[1],
               &y = in->values[2];
  Tensor out(x.elementType(), in->shape);
  dispatch(x.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T *result = out.as<T>();
    for (int64_t i = 0; i < out.numElements(); ++i)
      result[i] = condition.as<bool>()[i] ? x.as<T>()[i] : y.as<T>()[i];
  });
  return out;
}

/// The product of a vector of integers: the number of elements of a shape.
Value reduceProd(const Node &node) {
  Value in = node.in(0);
  auto shape = Node::shapeOf(node.op->getResult(0));
  if (!in || !shape || in->rank() != 1 || countElements(*shape) != 1)
    return {};
  return dispatch(in->elementType(), [&](auto tag) -> Value {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Integer<T>) {
      T product = 1;
      for (T x : std::as_const(*in).template span<T>())
        product = scalar::mul(product, x);
      return Tensor::scalar<T>(product).reshaped(*shape);
    }
    return {};
  });
}
} // namespace

Value evaluateElementwise(const Node &node) {
  if (comparisonOf(node.type()))
    return comparison(node);
  return llvm::StringSwitch<Value (*)(const Node &)>(node.type())
      .Cases({"Add", "Sub", "Mul", "Div", "Mod", "Min", "Max"}, binary)
      .Case("Pow", pow)
      .Cases({"And", "Or", "Xor", "Not"}, logical)
      .Cases({"Neg", "Abs", "Sqrt", "Floor", "Ceil", "Round"}, unary)
      .Cases({"Cast", "CastLike"}, castNode)
      .Case("Where", whereNode)
      .Case("ReduceProd", reduceProd)
      .Default([](const Node &) { return Value(); })(node);
}
} // namespace gensyn::onnx::evaluation

// Reference semantics of elementwise ops: lib/Numerics on every element.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/Scalar.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
using Results = FailureOr<SmallVector<Tensor>>;

template <class To, class Function, class... From>
Tensor map(const std::vector<int64_t> &shape, Function &&function,
           const From *...in) {
  Tensor result(elementTypeOf<To>(), shape);
  To *out = result.as<To>();
  for (int64_t i = 0, n = result.numElements(); i < n; ++i)
    out[i] = function(in[i]...);
  return result;
}

/// Calls `function` on each element if the element type satisfies its
/// constraint; the verifier has rejected all other types.
template <class Function> Results unary(const Tensor &x, Function &&function) {
  Tensor result;
  dispatch(x.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_invocable_v<Function, T>)
      result = map<T>(x.shape(), function, x.as<T>());
  });
  return SmallVector<Tensor>{result};
}

template <class Function>
Results binary(const Tensor &a, const Tensor &b, Function &&function) {
  Tensor result;
  dispatch(a.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_invocable_v<Function, T, T>)
      result = map<T>(a.shape(), function, a.as<T>(), b.as<T>());
  });
  return SmallVector<Tensor>{result};
}
} // namespace

#define GENSYN_UNARY(Stem, name, Types, Cost)                                  \
  Results Stem##Op::evaluate(ArrayRef<Tensor> operands) {                      \
    return unary(operands[0], []<Types T>(T x) { return scalar::name(x); });   \
  }
#define GENSYN_BINARY(Stem, name, Types, Cost)                                 \
  Results Stem##Op::evaluate(ArrayRef<Tensor> operands) {                      \
    return binary(operands[0], operands[1],                                    \
                  []<Types T>(T a, T b) { return scalar::name(a, b); });       \
  }
#include "gensyn/Dialect/Repro/IR/Elementwise.def"

#define GENSYN_FUNCTION(Stem, name)                                            \
  Results Stem##Op::evaluate(ArrayRef<Tensor> operands) {                      \
    return unary(operands[0],                                                  \
                 []<scalar::Float T>(T x) { return scalar::name(x); });        \
  }
#include "gensyn/Numerics/Functions.def"

Results PowOp::evaluate(ArrayRef<Tensor> operands) {
  return binary(operands[0], operands[1],
                []<scalar::Float T>(T a, T b) { return scalar::pow(a, b); });
}

Results FmaOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result;
  dispatch(operands[0].elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Float<T>)
      result = map<T>(
          operands[0].shape(),
          [](T a, T b, T c) { return scalar::fma(a, b, c); },
          operands[0].as<T>(), operands[1].as<T>(), operands[2].as<T>());
  });
  return SmallVector<Tensor>{result};
}

Results RoundOp::evaluate(ArrayRef<Tensor> operands) {
  auto mode = static_cast<scalar::Rounding>(getKind());
  return unary(operands[0],
               [mode]<scalar::Float T>(T x) { return scalar::round(x, mode); });
}

Results CompareOp::evaluate(ArrayRef<Tensor> operands) {
  auto how = static_cast<scalar::Comparison>(getKind());
  Tensor result;
  dispatch(operands[0].elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = map<bool>(
        operands[0].shape(),
        [how](T a, T b) { return scalar::compare(a, b, how); },
        operands[0].as<T>(), operands[1].as<T>());
  });
  return SmallVector<Tensor>{result};
}

Results SelectOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result;
  dispatch(operands[1].elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = map<T>(
        operands[0].shape(), [](bool p, T a, T b) { return p ? a : b; },
        operands[0].as<bool>(), operands[1].as<T>(), operands[2].as<T>());
  });
  return SmallVector<Tensor>{result};
}

Results ConvertOp::evaluate(ArrayRef<Tensor> operands) {
  return SmallVector<Tensor>{scalar::convertTensor(
      operands[0], *getElementType(getType().getElementType()),
      getNarrowing(*this))};
}

Results BitcastOp::evaluate(ArrayRef<Tensor> operands) {
  return SmallVector<Tensor>{
      operands[0].bitcast(*getElementType(getType().getElementType()))};
}

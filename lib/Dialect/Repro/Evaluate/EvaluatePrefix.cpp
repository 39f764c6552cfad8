// Reference semantics of scan and sort.

#include "ReduceIdentity.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/Scalar.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {

/// scan_r1, along elements `stride` apart. Each block's prefixes start from the
/// identity; after the first block they are joined to the last result of the
/// block before.
template <class T>
void scanColumn(ReduceKind kind, int64_t block, const T *in, T *out, int64_t n,
                int64_t stride) {
  T prefix = reduceIdentity<T>(kind), carry = prefix;
  for (int64_t i = 0; i < n; ++i) {
    if (i % block == 0) {
      prefix = reduceIdentity<T>(kind);
      if (i > 0)
        carry = out[(i - 1) * stride];
    }
    prefix = combine(NativeArithmetic<T>(), kind, prefix, in[i * stride]);
    out[i * stride] = i < block
                          ? prefix
                          : combine(NativeArithmetic<T>(), kind, carry, prefix);
  }
}

/// Calls `body(offset, offset)` with the start of each column along `dim` in
/// two tensors whose other extents are the same.
template <class Body>
void forEachColumn(const std::vector<int64_t> &shape, int64_t dim,
                   int64_t otherExtent, Body &&body) {
  int64_t outer = 1, inner = 1;
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
    (d < dim ? outer : inner) *= d == dim ? 1 : shape[d];
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i)
      body(o * shape[dim] * inner + i, o * otherExtent * inner + i, inner);
}
} // namespace

FailureOr<SmallVector<Tensor>> ScanOp::evaluate(ArrayRef<Tensor> operands) {
  const Tensor &operand = operands[0];
  if (needsOrder() && !getOrder())
    return emitOpError("has no order, so its bits are not defined"), failure();
  const int64_t dim = getDim(), extent = operand.shape()[dim];
  int64_t block = std::max<int64_t>(extent, 1);
  if (getOrder() && !getOrder()->getOrder().isSequential())
    block = getOrder()->getOrder().blockSize();
  Tensor result(operand.elementType(), operand.shape());
  dispatch(operand.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T>) {
      const T *in = operand.as<T>();
      T *out = result.as<T>();
      forEachColumn(operand.shape(), dim, extent,
                    [&](int64_t at, int64_t, int64_t stride) {
                      scanColumn(getKind(), block, in + at, out + at, extent,
                                 stride);
                    });
    }
  });
  return SmallVector<Tensor>{result};
}

FailureOr<SmallVector<Tensor>> SortOp::evaluate(ArrayRef<Tensor> operands) {
  const Tensor &operand = operands[0];
  const int64_t dim = getDim(), extent = operand.shape()[dim];
  const auto count = static_cast<int64_t>(getCount());
  Tensor values(operand.elementType(), shapeOf(getValues()));
  Tensor positions(ElementType::I32, values.shape());
  int32_t *where = positions.as<int32_t>();
  const bool descending = getDirection() == SortDirection::Descending;
  std::vector<int32_t> order(static_cast<size_t>(extent));
  dispatch(operand.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T> || std::same_as<T, bool>) {
      const T *in = operand.as<T>();
      T *out = values.as<T>();
      forEachColumn(operand.shape(), dim, count,
                    [&](int64_t from, int64_t to, int64_t stride) {
                      std::iota(order.begin(), order.end(), 0);
                      // sort_r1: by the total order (g5); equal elements keep
                      // their order.
                      std::stable_sort(order.begin(), order.end(),
                                       [&](int32_t i, int32_t j) {
                                         T a = in[from + i * stride];
                                         T b = in[from + j * stride];
                                         return descending
                                                    ? scalar::totalLess(b, a)
                                                    : scalar::totalLess(a, b);
                                       });
                      for (int64_t k = 0; k < count; ++k) {
                        where[to + k * stride] = order[static_cast<size_t>(k)];
                        out[to + k * stride] =
                            in[from + order[static_cast<size_t>(k)] * stride];
                      }
                    });
    }
  });
  return SmallVector<Tensor>{values, positions};
}

// Conversions of tensors, in two steps through a type that holds all values of
// the source, so that n sources and m targets need n + m loops.

#include "gensyn/Numerics/Convert.h"

#include <algorithm>

namespace gensyn::scalar {

namespace {
/// f64 for floats; a 64-bit integer of the same signedness for integers.
template <class T>
using Common = std::conditional_t<
    IsNarrowFloat<T> || std::is_floating_point_v<T>, double,
    std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>>;

constexpr int64_t kChunk = 512;

template <class From>
void convertFrom(const Tensor &x, Tensor &result, Narrowing how) {
  const From *in = x.as<From>();
  Common<From> common[kChunk];
  dispatch(result.elementType(), [&](auto tag) {
    using To = typename decltype(tag)::type;
    To *out = result.as<To>();
    const int64_t n = x.numElements();
    for (int64_t begin = 0; begin < n; begin += kChunk) {
      const int64_t count = std::min(kChunk, n - begin);
      for (int64_t i = 0; i < count; ++i)
        common[i] = convert<Common<From>>(in[begin + i]);
      for (int64_t i = 0; i < count; ++i)
        out[begin + i] = convert<To>(common[i], how);
    }
  });
}
} // namespace

Tensor convertTensor(const Tensor &x, ElementType type, Narrowing how) {
  Tensor result(type, x.shape());
  dispatch(x.elementType(), [&](auto tag) {
    convertFrom<typename decltype(tag)::type>(x, result, how);
  });
  return result;
}

} // namespace gensyn::scalar

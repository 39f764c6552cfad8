// Products of extents; see Sizes.h.

#include "gensyn/Numerics/Sizes.h"

#include <algorithm>

namespace gensyn {

std::optional<int64_t> boundedProduct(std::span<const int64_t> extents,
                                      int64_t limit) {
  int64_t product = 1;
  for (int64_t extent : extents)
    if (extent < 0 ||
        __builtin_mul_overflow(product, std::max<int64_t>(extent, 1),
                               &product) ||
        product > limit)
      return std::nullopt;
  return product;
}

int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum)
             ? std::numeric_limits<int64_t>::max()
             : sum;
}

int64_t saturatingMultiply(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product)
             ? std::numeric_limits<int64_t>::max()
             : product;
}

} // namespace gensyn

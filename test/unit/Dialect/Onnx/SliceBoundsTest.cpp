// The elements of a slice, against a walk over all of them.

#include "gensyn/Dialect/Onnx/IR/SliceBounds.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace gensyn {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// From `start` by `step` until `end`, both within the dimension as ONNX says.
/// No sum of these fits less than 128 bits.
std::vector<int64_t> walk(int64_t start, int64_t end, int64_t step,
                          int64_t extent) {
  __int128 first = start < 0 ? __int128(start) + extent : start;
  __int128 last = end < 0 ? __int128(end) + extent : end;
  if (step > 0)
    first = std::max<__int128>(first, 0);
  else
    first = std::clamp<__int128>(first, 0, extent - 1);
  std::vector<int64_t> all;
  for (__int128 i = first; step > 0 ? i < last : i > last; i += step) {
    if (i < 0 || i >= extent)
      break;
    all.push_back(static_cast<int64_t>(i));
  }
  return all;
}

TEST(SliceBounds, AreThoseOfAWalk) {
  const std::vector<int64_t> places = {kLeast, -7, -5, -4, -3, -2, -1,   0,
                                       1,      2,  3,  4,  5,  7,  kMost};
  const std::vector<int64_t> steps = {kLeast, kLeast + 1, -6, -4,        -3,
                                      -2,     -1,         1,  2,         3,
                                      4,      5,          7,  kMost - 3, kMost};
  for (int64_t extent : {0, 1, 2, 4})
    for (int64_t start : places)
      for (int64_t end : places)
        for (int64_t step : steps) {
          const auto bounds = onnx::SliceBounds::of(start, end, step, extent);
          std::vector<int64_t> found;
          for (int64_t k = 0; k < bounds.count(); ++k)
            found.push_back(bounds.begin + k * bounds.step);
          EXPECT_EQ(found,
                    extent ? walk(start, end, step, extent) : decltype(found)())
              << start << ":" << end << ":" << step << " of " << extent;
        }
}

} // namespace
} // namespace gensyn

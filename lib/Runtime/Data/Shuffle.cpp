// Counter-based shuffling: it is stateless, so the order of any epoch can be
// computed without the previous ones, on any machine.

#include "gensyn/Runtime/Data/Shuffle.h"

#include "gensyn/Numerics/Native.h"
#include "gensyn/Numerics/Philox.h"

#include <cstddef>
#include <numeric>
#include <utility>

namespace gensyn::runtime {

std::vector<int64_t> permutation(int64_t count, uint64_t seed, uint64_t epoch) {
  std::vector<int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (uint64_t i = uint64_t(count); i-- > 1;) {
    random::PhiloxBlock<Native> counter = {
        uint32_t(i), uint32_t(i >> 32), uint32_t(epoch), uint32_t(epoch >> 32)};
    random::PhiloxKey<Native> key = {uint32_t(seed), uint32_t(seed >> 32)};
    auto words = random::philox(Native(), counter, key);
    uint64_t u = words[0] | uint64_t(words[1]) << 32;
    auto j = uint64_t(static_cast<unsigned __int128>(u) * (i + 1) >> 64);
    std::swap(order[i], order[j]);
  }
  return order;
}

} // namespace gensyn::runtime

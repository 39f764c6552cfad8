// Counter-based shuffling: no state to carry, so any epoch's order can be had
// without the ones before it, on any machine.

#include "gensyn/Runtime/Shuffle.h"

#include <cstddef>
#include <numeric>
#include <utility>

namespace gensyn::runtime {

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(0xD2511F53u) * counter[0];
    uint64_t second = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {uint32_t(second >> 32) ^ counter[1] ^ key[0], uint32_t(second),
               uint32_t(first >> 32) ^ counter[3] ^ key[1], uint32_t(first)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

std::vector<int64_t> permutation(int64_t count, uint64_t seed, uint64_t epoch) {
  std::vector<int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (uint64_t i = uint64_t(count); i-- > 1;) {
    auto words = philox4x32({uint32_t(i), uint32_t(i >> 32), uint32_t(epoch),
                             uint32_t(epoch >> 32)},
                            {uint32_t(seed), uint32_t(seed >> 32)});
    uint64_t u = words[0] | uint64_t(words[1]) << 32;
    auto j = uint64_t(static_cast<unsigned __int128>(u) * (i + 1) >> 64);
    std::swap(order[i], order[j]);
  }
  return order;
}

} // namespace gensyn::runtime

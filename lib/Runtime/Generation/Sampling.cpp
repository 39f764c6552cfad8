// Sampling from counter-based random integers and correctly rounded
// exponentials: it is stateless and calls no library function whose result
// differs between machines.

#include "gensyn/Runtime/Generation/Sampling.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Native.h"
#include "gensyn/Numerics/Philox.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace gensyn::runtime {

/// Returns a random number in [0, 1) for a position.
static double draw(uint64_t seed, uint64_t position) {
  random::PhiloxBlock<Native> counter = {uint32_t(position),
                                         uint32_t(position >> 32), 0, 0};
  random::PhiloxKey<Native> key = {uint32_t(seed), uint32_t(seed >> 32)};
  auto words = random::philox(Native(), counter, key);
  return double((words[0] | uint64_t(words[1]) << 32) >> 11) * 0x1p-53;
}

int64_t sampleToken(std::span<const float> logits,
                    const SamplingOptions &options, uint64_t position) {
  std::vector<int64_t> kept;
  for (size_t i = 0; i < logits.size(); ++i)
    if (!std::isnan(logits[i]))
      kept.push_back(int64_t(i));
  if (kept.empty())
    failBadInput("the model's logits are not numbers at position " +
                 std::to_string(position));
  auto larger = [&](int64_t a, int64_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  const int64_t best = *std::min_element(kept.begin(), kept.end(), larger);
  const auto temperature = static_cast<float>(options.temperature);
  if (temperature == 0 || std::isinf(logits[best]))
    return best;
  if (options.topK > 0 && options.topK < int64_t(kept.size())) {
    std::sort(kept.begin(), kept.end(), larger);
    kept.resize(size_t(options.topK));
    std::sort(kept.begin(), kept.end());
  }
  std::vector<double> sums;
  double sum = 0;
  for (int64_t i : kept) {
    const float difference = logits[i] - logits[best];
    sum += double(functions::exp(Native(), difference / temperature));
    sums.push_back(sum);
  }
  const double wanted = draw(options.seed, position) * sum;
  auto found = std::upper_bound(sums.begin(), sums.end(), wanted);
  // Rounding may raise u c to c itself.
  return found == sums.end() ? kept.back() : kept[size_t(found - sums.begin())];
}

} // namespace gensyn::runtime

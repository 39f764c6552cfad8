// Ranks that do not say what the first one says.
#ifndef GENSYN_LIB_RUNTIME_RANKS_DIFFERENTRANK_H
#define GENSYN_LIB_RUNTIME_RANKS_DIFFERENTRANK_H

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// Returns the first rank whose text, by rank, is not that of the first one.
inline std::optional<int>
findDifferentRank(const std::vector<std::string> &all) {
  const auto found =
      std::find_if(all.begin(), all.end(),
                   [&](const std::string &one) { return one != all.front(); });
  return found == all.end() ? std::nullopt
                            : std::optional(int(found - all.begin()));
}

} // namespace gensyn::runtime

#endif

// What ranks divide among themselves.
#ifndef GENSYN_RUNTIME_RANKS_SHARDING_H
#define GENSYN_RUNTIME_RANKS_SHARDING_H

#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace gensyn::runtime {

/// Each divides what the one before does too.
enum class Sharding : uint8_t {
  None,
  /// The state of the optimizer, averages, and the update.
  Optimizer,
  /// Gradients: a rank keeps what it has not sent yet.
  Gradients,
  /// Parameters: a rank gets them where it needs them.
  Parameters,
};

inline constexpr std::string_view kShardingNames[] = {
    "none", "optimizer", "gradients", "parameters"};

inline std::optional<Sharding> shardingFromName(std::string_view name) {
  for (uint8_t i = 0; i < std::size(kShardingNames); ++i)
    if (kShardingNames[i] == name)
      return Sharding(i);
  return std::nullopt;
}

} // namespace gensyn::runtime

#endif

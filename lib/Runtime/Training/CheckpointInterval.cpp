// See CheckpointInterval.h.

#include "gensyn/Runtime/Training/CheckpointInterval.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace gensyn::runtime {

std::optional<CheckpointInterval>
parseCheckpointInterval(const std::string &text) {
  using Unit = CheckpointInterval::Unit;
  constexpr std::pair<std::string_view, Unit> units[] = {
      {"", Unit::Steps},         {"step", Unit::Steps},
      {"steps", Unit::Steps},    {"epoch", Unit::Epochs},
      {"epochs", Unit::Epochs},  {"s", Unit::Seconds},
      {"second", Unit::Seconds}, {"seconds", Unit::Seconds}};
  CheckpointInterval interval;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, interval.count,
                                       std::chars_format::fixed);
  if (error != std::errc() || !(interval.count > 0) || !(interval.count < 1e15))
    return std::nullopt;
  for (const auto &[word, unit] : units) {
    if (std::string_view(rest, size_t(end - rest)) != word)
      continue;
    interval.unit = unit;
    if (unit == Unit::Seconds || interval.count == std::floor(interval.count))
      return interval;
  }
  return std::nullopt;
}

} // namespace gensyn::runtime

// Where the time of a rank goes.
#ifndef GENSYN_RUNTIME_RANKS_RANKTIMES_H
#define GENSYN_RUNTIME_RANKS_RANKTIMES_H

#include <chrono>
#include <cstdint>

namespace gensyn::runtime {

/// Seconds of a rank in the steps of a run so far.
struct RankTimes {
  int64_t microbatches = 0;
  /// Running microbatches, with the sums within the rank.
  double computing = 0;
  /// Adding what ranks computed, and waiting for it.
  double exchanging = 0;
  /// Computing what microbatches pass on, and the update.
  double updating = 0;
};

/// Adds the seconds of its life to a figure.
class TimedPart {
public:
  explicit TimedPart(double &seconds) : seconds(seconds) {}
  ~TimedPart() {
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
  }
  TimedPart(const TimedPart &) = delete;
  TimedPart &operator=(const TimedPart &) = delete;

private:
  using Clock = std::chrono::steady_clock;
  double &seconds;
  Clock::time_point start = Clock::now();
};

} // namespace gensyn::runtime

#endif

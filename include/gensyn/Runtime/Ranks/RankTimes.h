// Where the time of a rank goes.
#ifndef GENSYN_RUNTIME_RANKS_RANKTIMES_H
#define GENSYN_RUNTIME_RANKS_RANKTIMES_H

#include "gensyn/Runtime/Ranks/RankTrace.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

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
  /// Null unless there is to be a timeline.
  std::shared_ptr<RankTrace> trace;
};

/// Adds the seconds of its life to a figure, if there is one, and to the
/// timeline.
class TimedPart {
public:
  TimedPart(RankTimes &times, std::string name, double RankTimes::*seconds)
      : times(times), seconds(seconds), name(std::move(name)) {}
  ~TimedPart() {
    const Clock::time_point end = Clock::now();
    if (seconds)
      times.*seconds += std::chrono::duration<double>(end - start).count();
    if (times.trace)
      times.trace->add(std::move(name), start, end);
  }
  TimedPart(const TimedPart &) = delete;
  TimedPart &operator=(const TimedPart &) = delete;

private:
  using Clock = RankTrace::Clock;
  RankTimes &times;
  double RankTimes::*seconds;
  std::string name;
  Clock::time_point start = Clock::now();
};

} // namespace gensyn::runtime

#endif

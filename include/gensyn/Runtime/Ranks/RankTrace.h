// What ranks do when: a timeline of a run.
#ifndef GENSYN_RUNTIME_RANKS_RANKTRACE_H
#define GENSYN_RUNTIME_RANKS_RANKTRACE_H

#include "gensyn/Communication/Communicator.h"

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The spans of one rank. Thread-safe.
class RankTrace {
public:
  using Clock = std::chrono::steady_clock;

  /// Has the waiting of `ranks`, too. All ranks begin at the same time, which
  /// is zero: as exactly as a barrier ends.
  explicit RankTrace(communication::Communicator &ranks);
  ~RankTrace() { ranks.observeWaits(nullptr); }
  RankTrace(const RankTrace &) = delete;
  RankTrace &operator=(const RankTrace &) = delete;

  void add(std::string name, Clock::time_point begin, Clock::time_point end);

  /// Returns, on the first rank, the spans of all ranks as Perfetto reads them
  /// (JSON), each rank a process. All ranks call it.
  std::string gather();
  /// Spans of this rank that were left out, since there were too many.
  size_t dropped() const { return leftOut; }

private:
  struct Span {
    std::string name;
    Clock::time_point begin, end;
  };
  std::string print() const;

  communication::Communicator &ranks;
  Clock::time_point start;
  std::mutex mutex;
  std::vector<Span> spans;
  size_t leftOut = 0;
};

} // namespace gensyn::runtime

#endif

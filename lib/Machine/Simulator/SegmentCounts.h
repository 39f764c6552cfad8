// Simulates segments without values before they are asked for, on several
// threads.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_SEGMENTCOUNTS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_SEGMENTCOUNTS_H

#include "Accounts.h"
#include "Program.h"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace gensyn::machine {

/// Nothing is on its way at the end of a segment or of a repetition, so that
/// the next one is the same wherever it begins: each phase of each segment is
/// simulated from a time of 0 on, apart from the others.
class SegmentCounts {
public:
  /// Begins with the phases that have most packets. The arguments outlive it;
  /// the mapping is checked. No further phase is begun after so many events.
  SegmentCounts(const Subject &subject, const Resources &resources,
                std::span<const size_t> segments, uint64_t mostEvents);
  /// Waits for the phases that run.
  ~SegmentCounts();

  /// What a segment adds with all its repetitions, from a time of 0 on; null
  /// if it is not among those that were given, or was taken before. The thread
  /// that asks simulates what no other one has begun. Throws the Failure of the
  /// first phase that has one.
  std::unique_ptr<Accounts> take(size_t segment);

private:
  struct Part {
    size_t segment;
    Phase phase;
    uint64_t packets;
    bool isBegun = false, isDone = false, isTaken = false;
    std::unique_ptr<Accounts> accounts = nullptr;
    std::exception_ptr failure = nullptr;
  };

  /// The phases of a segment in their order.
  std::vector<Part *> partsOf(size_t segment);
  /// One that nobody has begun, of this segment if there have been too many
  /// events; null: there is none.
  Part *findNext(std::optional<size_t> segment);
  void simulate(Part &part, std::optional<Ways> &ways);
  std::unique_ptr<Accounts> runPart(const Part &part, Ways &ways) const;
  void work();

  const Subject &subject;
  const Resources &resources;
  const uint64_t mostEvents;
  /// The longest first.
  std::vector<Part> parts;
  /// Of the thread that asks.
  std::optional<Ways> ways;
  std::mutex mutex;
  std::condition_variable isChanged;
  uint64_t events = 0;
  bool stops = false;
  std::vector<std::thread> threads;
};

} // namespace gensyn::machine

#endif

// Spot checks of a run by whoever has its folder, its model and its data.
#ifndef GENSYN_PROOF_RUN_CHECKRUN_H
#define GENSYN_PROOF_RUN_CHECKRUN_H

#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Runtime/Replay/Replay.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gensyn::proof {

struct CheckOptions {
  /// With a run folder that has commitments.
  runtime::ReplaySide run;
  /// Segments to repeat, each from one commitment to the next; 0: all.
  int64_t segments = 0;
  /// Which ones follow from this and the last root. Whoever made the run must
  /// not know it before the run is complete.
  uint64_t seed = 0;
  /// Called before a segment is repeated, and after each of its steps, with
  /// what is done of all steps; may be null.
  std::function<void(int64_t done, int64_t all)> progress;
};

/// A part of the run between two commitments.
struct CheckedSegment {
  /// Steps begin + 1 to end.
  int64_t begin = 0, end = 0;
  /// The checkpoint that was begun with, not behind `begin`; 0: the beginning.
  int64_t from = 0;
  /// "the state after step 20 is another one"; empty if all is as committed to.
  std::string problem;
};

struct CheckResult {
  RunCommitments commitments;
  /// Of the run, and those that were repeated, ascending.
  int64_t segments = 0;
  std::vector<CheckedSegment> checked;

  bool isUpheld() const {
    for (const CheckedSegment &segment : checked)
      if (!segment.problem.empty())
        return false;
    return true;
  }
};

/// Repeats randomly chosen segments, and compares histories and states with the
/// commitments. Throws a Failure: bad input for a folder whose commitments are
/// not a run's or that cannot be repeated.
CheckResult checkRun(const CheckOptions &options);

/// The probability that `checked` of `segments` segments, chosen at random,
/// have at least one of `wrong` wrong ones: 1 - C(segments - wrong, checked) /
/// C(segments, checked).
double catchProbability(int64_t segments, int64_t checked, int64_t wrong);

/// `count` different numbers below `all`, ascending: each is drawn from the
/// BLAKE3 digest of `seed` and a counter.
std::vector<int64_t> drawNumbers(const Digest &seed, int64_t all,
                                 int64_t count);

} // namespace gensyn::proof

#endif

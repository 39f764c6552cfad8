// Commitments to a training run: a chain of roots, of which the last one names
// the whole history.
#ifndef GENSYN_PROOF_RUN_COMMITMENTS_H
#define GENSYN_PROOF_RUN_COMMITMENTS_H

#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gensyn::proof {

/// The name of the file in a run folder.
inline constexpr const char *kCommitmentsFile = "commitments.jsonl";

using gensyn::digestTensor;
/// That of Encoding.h.
Digest digestTensor(const runtime::WitnessedTensor &tensor);

/// The root of the ListTree "state" of all tensors, in the order of their
/// names' bytes: an entry is text name | digest of the tensor.
Digest digestState(const runtime::WitnessedState &state);

/// All steps so far, from the digest of those before:
///
///   BLAKE3(text "gensyn step 1" | digest before | number of the step |
///          text program digest | numbers of its samples | the bits of the
///          loss as f64)
Digest digestStep(const Digest &before, const runtime::WitnessedStep &step);

/// The entry of a sample in the ListTree "samples": for each of its tensors, in
/// the order of their names' bytes, text name | digest of the tensor.
std::string encodeSample(const runtime::WitnessedState &sample);

/// The text of a run's facts: those of the runtime; the root of its constants,
/// as digestState(); and that of its samples, "" if they have no numbers or,
/// but for `commitsToSamples`, more than runtime::kMostSampleBytes.
/// The root is kept in `samplesRoot`, if that is not null, and taken from there
/// if it is not empty: the data of a process are read once.
std::string writeFacts(const runtime::WitnessedStart &start,
                       bool commitsToSamples = false,
                       std::string *samplesRoot = nullptr);
/// Whether facts, which may be anybody's, have a root of samples: then they are
/// written again with one.
bool hasSamplesRoot(const std::string &facts);

/// What precedes the first step; `facts` is the text in the file.
///
///   BLAKE3(text "gensyn run 1" | text facts)
Digest digestFacts(std::string_view facts);

/// A place in a run where its state is committed to.
struct RunPoint {
  /// The steps before it.
  int64_t step = 0;
  /// digestStep() of these; before the first step digestFacts().
  Digest history;
  Digest state;
  /// BLAKE3(text "gensyn point 1" | root of the point before, if there is one |
  ///        number of steps | history | state)
  Digest root;
  /// True if the run was stopped there. When it goes on, the next point
  /// replaces this one, so that the roots are those of a run without a stop.
  bool isStop = false;
};

/// Returns the root of a point; `before` is null for the first one.
Digest digestPoint(const Digest *before, const RunPoint &point);

struct RunCommitments {
  /// What a run is before it begins, as JSON: its program, data, recipe, seed.
  std::string facts;
  /// By step, ascending; the first one precedes the first step.
  std::vector<RunPoint> points;
};

/// Reads the file of a run folder. Throws a Failure (bad input) with the line
/// for anything that a run does not write, also for a root that does not follow
/// from what it names.
RunCommitments readCommitments(const std::filesystem::path &folder);

/// The steps that a run can be repeated from, ascending: its beginning, and
/// those of checkpoints in the folder that have a commitment.
std::vector<int64_t> findStarts(const std::filesystem::path &run,
                                const std::vector<RunPoint> &points);

} // namespace gensyn::proof

#endif

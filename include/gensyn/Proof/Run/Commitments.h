// Commitments to a training run: a chain of roots, of which the last one names
// the whole history.
#ifndef GENSYN_PROOF_RUN_COMMITMENTS_H
#define GENSYN_PROOF_RUN_COMMITMENTS_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gensyn::proof {

/// The name of the file in a run folder.
inline constexpr const char *kCommitmentsFile = "commitments.jsonl";

/// A tensor: its type's name, its shape, its bytes, and the digest of these.
///
///   BLAKE3(text "gensyn tensor 1" | text type | numbers shape |
///          number of bytes | digest of the bytes)
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

} // namespace gensyn::proof

#endif

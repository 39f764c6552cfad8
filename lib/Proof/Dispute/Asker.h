// Asks the parties, and keeps what they answer.
#ifndef GENSYN_LIB_PROOF_DISPUTE_ASKER_H
#define GENSYN_LIB_PROOF_DISPUTE_ASKER_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Proof/Dispute/Party.h"
#include "gensyn/Proof/Dispute/SignedAnswers.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"
#include "gensyn/Proof/Trees/Siblings.h"

#include <optional>
#include <string>
#include <vector>

namespace gensyn::proof {

enum class Side { First, Second };

/// Thrown when an answer is not one: this party loses.
struct Wrong {
  Side side;
  /// "its answer is malformed": what follows "the first".
  std::string reason;
};

/// The program that a question is about: that of the step, or of an iteration.
struct Place {
  int64_t step = 0;
  std::vector<dispute::Iteration> path;
};

class Asker {
public:
  Asker(Party &first, Party &second, uint64_t mostBytes)
      : first(first), second(second), mostBytes(mostBytes) {}

  /// From here on the answers of a side have to be signed by the verifier's
  /// key.
  void requireSignatures(Side side, const Verifier &verifier) {
    checks[size_t(side)].emplace(verifier);
  }

  // Each throws Wrong if the answer is another one, or none.
  dispute::RunAnswer run(Side side);
  dispute::StepsAnswer steps(Side side, const std::vector<int64_t> &steps);
  dispute::StepAnswer step(Side side, int64_t step);
  dispute::NodesAnswer nodes(Side side, const Place &place, dispute::Tree tree,
                             const LeafRange &range);
  dispute::EntriesAnswer entries(Side side, const Place &place,
                                 dispute::Tree tree,
                                 const std::vector<uint64_t> &numbers);
  dispute::TensorAnswer tensor(Side side, const Place &place, uint64_t value);
  dispute::PartsAnswer parts(Side side, const Place &place, uint64_t value,
                             const LeafRange &range);
  dispute::ChunkAnswer chunk(Side side, const Place &place, uint64_t value,
                             uint64_t chunk);
  dispute::SampleAnswer sample(Side side, int64_t step, uint64_t value,
                               uint64_t element);
  dispute::ProgramAnswer program(Side side, const Place &place);
  /// Of some iterations of the op that computes a value, or of one with its
  /// tensors.
  dispute::IterationsAnswer iterations(Side side, const Place &place,
                                       uint64_t value,
                                       const std::vector<uint64_t> &iterations,
                                       bool withTensors);
  /// The op and the digests of its operands; and then the parts of them, which
  /// have so many bytes.
  dispute::EvidenceAnswer evidence(Side side, const Place &place,
                                   uint64_t value, uint64_t element,
                                   std::optional<uint64_t> dataBytes);

private:
  dispute::Answer ask(Side side, const dispute::Question &question,
                      dispute::Answer::KindCase kind, const std::string &what,
                      uint64_t moreBytes = 0);

  Party &first, &second;
  uint64_t mostBytes;
  uint64_t answered[2] = {0, 0};
  std::optional<AnswerCheck> checks[2];
};

/// Of 32 bytes; throws Wrong.
Digest readDigest(Side side, const std::string &bytes);
/// Of a multiple of 32 bytes; throws Wrong.
std::vector<Digest> readDigests(Side side, const std::string &bytes);

} // namespace gensyn::proof

#endif

// What a party of a dispute knows of its run.
#ifndef GENSYN_PROOF_DISPUTE_RUNSOURCE_H
#define GENSYN_PROOF_DISPUTE_RUNSOURCE_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gensyn::proof {

/// What is claimed after a step: digestStep() and digestState().
struct StepClaim {
  Digest history = {}, state = {};
  bool operator==(const StepClaim &) const = default;
};

/// A step: what it begins with, what it computes, what it leaves. All members
/// throw a Failure.
class StepSource {
public:
  virtual ~StepSource() = default;

  /// What its record has: the program, the samples, the loss.
  struct Record {
    std::string programDigest;
    std::vector<int64_t> samples;
    double loss = 0;
  };
  virtual Record record() = 0;
  virtual runtime::WitnessedState before() = 0;
  virtual runtime::WitnessedState after() = 0;
  /// Tensors that no step changes.
  virtual runtime::WitnessedState constants() = 0;
  /// See WitnessedStart.
  virtual runtime::SampleVisitor samples() = 0;
  /// The digests of the values of its program, in the order of their numbers.
  virtual std::vector<runtime::WitnessedTensor> values() = 0;
  virtual Tensor value(uint64_t number) = 0;
  /// The entries of its program; with `described`, the texts of these.
  virtual plan::EntriesResponse
  listEntries(const std::vector<uint64_t> &described) = 0;
  /// What an element of an op's result is computed from: a request without
  /// tiles.
  virtual plan::EvaluateResponse
  locate(const plan::EvaluateRequest &request) = 0;
};

class RunSource {
public:
  virtual ~RunSource() = default;

  virtual RunCommitments commitments() = 0;
  /// What is claimed after these steps, ascending.
  virtual std::vector<StepClaim> claims(const std::vector<int64_t> &steps) = 0;
  virtual std::shared_ptr<StepSource> open(int64_t step) = 0;
};

} // namespace gensyn::proof

#endif

// What a party of a dispute knows of its run.
#ifndef GENSYN_PROOF_DISPUTE_RUNSOURCE_H
#define GENSYN_PROOF_DISPUTE_RUNSOURCE_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Proof/Sign/Signature.h"
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

/// The carried values (Iterations.h) after each iteration of an op, and before
/// the first one.
using CarriedValues = std::vector<std::vector<runtime::WitnessedTensor>>;

/// A program that was run: that of a step, or that of one iteration of an op of
/// another one. All members throw a Failure.
class ProgramSource {
public:
  virtual ~ProgramSource() = default;

  /// The digests of its values, in the order of their numbers.
  virtual std::vector<runtime::WitnessedTensor> values() = 0;
  virtual Tensor value(uint64_t number) = 0;
  /// Its entries; with `described`, the texts of these.
  virtual plan::EntriesResponse
  listEntries(const std::vector<uint64_t> &described) = 0;
  /// What an element of an op's result is computed from: a request without
  /// tiles.
  virtual plan::EvaluateResponse
  locate(const plan::EvaluateRequest &request) = 0;
  /// Repeats the iterations of the op that computes a value. Bad input if it
  /// has none.
  virtual CarriedValues iterate(uint64_t value) = 0;
  /// One of them, from 1.
  virtual std::shared_ptr<ProgramSource> enter(uint64_t value,
                                               uint64_t iteration) = 0;
};

/// A step: what it begins with, what it computes, what it leaves.
class StepSource : public ProgramSource {
public:
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
};

class RunSource {
public:
  virtual ~RunSource() = default;

  virtual RunCommitments commitments() = 0;
  /// Of its roots.
  virtual std::vector<RunSignature> signatures() { return {}; }
  /// What is claimed after these steps, ascending.
  virtual std::vector<StepClaim> claims(const std::vector<int64_t> &steps) = 0;
  virtual std::shared_ptr<StepSource> open(int64_t step) = 0;
};

} // namespace gensyn::proof

#endif

// Where the batches of a run come from.
#ifndef GENSYN_LIB_RUNTIME_BATCHSOURCE_H
#define GENSYN_LIB_RUNTIME_BATCHSOURCE_H

#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gensyn::runtime {

/// Samples of one step, and the program that runs it.
struct Batch {
  std::shared_ptr<Session> session;
  /// Graph inputs and target, by name.
  TensorMap tensors;
  int64_t samples = 0;
  /// Their numbers in a data set, valid until the next seek; empty if they have
  /// none.
  std::span<const int64_t> indices;
};

/// What is known of batches before they are read.
struct BatchFacts {
  /// The name of the data in messages.
  std::string name;
  /// See DataSet::identity; empty if data have none.
  std::string identity;
  /// Samples and steps of an epoch; 0 if that is not known.
  int64_t samples = 0;
  int64_t steps = 0;
  /// Samples of a full batch.
  int64_t batchSize = 0;
  /// Tokens of a window; 0 if samples are not windows.
  int64_t tokensPerSample = 0;
  /// The program for smaller batches at the end of an epoch; empty if there is
  /// none.
  std::string lastBatchDigest;
  /// The root of its entries.
  std::string lastBatchRoot;
};

/// Batches, epoch by epoch. All members throw a Failure.
class BatchSource {
public:
  virtual ~BatchSource() = default;

  /// Moves to a step of an epoch: next() returns the batch that `step` others
  /// of the epoch precede. Epochs are numbered from 1.
  virtual void seek(int64_t epoch, int64_t step) = 0;
  /// Returns the next batch of the epoch; nothing at its end.
  virtual std::optional<Batch> next() = 0;
  /// Returns the program of a full batch, after the first seek.
  virtual const Session &program() const = 0;
  virtual BatchFacts facts() const = 0;
  /// See WitnessedStart. Must not outlive the source.
  virtual SampleVisitor sampleVisitor() const { return nullptr; }
  /// Of all samples; 0 without a visitor.
  virtual uint64_t sampleBytes() const { return 0; }
};

} // namespace gensyn::runtime

#endif

// Batches of a stream, with the programs that run them.
#ifndef GENSYN_LIB_RUNTIME_STREAMBATCHES_H
#define GENSYN_LIB_RUNTIME_STREAMBATCHES_H

#include "BatchSource.h"
#include "ProgramPool.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Runtime/Data/BatchStream.h"

#include <string>

namespace gensyn::communication {
class Communicator;
} // namespace gensyn::communication

namespace gensyn::runtime {

/// What a batch must fulfil.
struct BatchRules {
  /// Begins messages.
  std::string where;
  /// The most samples; 0: any number.
  int64_t mostSamples = 0;
  /// The target and the number of its classes; 0: not checked.
  std::string target;
  int64_t classes = 0;
  std::optional<int64_t> ignored;
  /// The ranks that read the same batches; null: this process alone.
  communication::Communicator *ranks = nullptr;
};

/// Throws a Failure (bad input) that names a rank which has another batch than
/// the first one; null: none any more. All ranks call it at the same time.
void requireSameBatch(const TensorMap *tensors, const BatchRules &rules);

/// Finds the program for the tensors of a batch, and checks them. Throws a
/// Failure (bad input). A rank has all of the batch, and runs its part of it.
Batch makeBatch(TensorMap tensors, const BatchRules &rules, ProgramPool &pool);

/// The epochs of a stream.
class StreamBatches final : public BatchSource {
public:
  StreamBatches(BatchStream &stream, BatchRules rules, ProgramPool &pool)
      : stream(stream), rules(std::move(rules)), pool(pool) {}

  void seek(int64_t epoch, int64_t step) override;
  std::optional<Batch> next() override;
  const Session &program() const override { return *pool.newest(); }
  BatchFacts facts() const override;

private:
  std::optional<Batch> read();

  BatchStream &stream;
  BatchRules rules;
  ProgramPool &pool;
  std::optional<Batch> pending;
  /// True after the last batch of the epoch.
  bool ended = false;
  int64_t batchSize = 0;
  /// The batch that next() would return.
  int64_t epoch = 0, position = 0;
};

} // namespace gensyn::runtime

#endif

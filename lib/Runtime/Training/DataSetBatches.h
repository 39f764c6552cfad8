// Batches of a data set.
#ifndef GENSYN_LIB_RUNTIME_DATASETBATCHES_H
#define GENSYN_LIB_RUNTIME_DATASETBATCHES_H

#include "BatchSource.h"
#include "ProgramPool.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Runtime/Data/DataSet.h"

#include <functional>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The steps of an epoch over a data set, in the order of the recipe: full
/// batches, and steps for the samples that are left over.
class DataSetBatches final : public BatchSource {
public:
  /// Compiles the programs and checks the data against them. `model` names the
  /// model in messages.
  DataSetBatches(DataSet &data, const Recipe &recipe, ProgramPool &pool,
                 const std::string &model);

  void seek(int64_t epoch, int64_t step) override;
  std::optional<Batch> next() override;
  const Session &program() const override { return *full; }
  BatchFacts facts() const override;
  SampleVisitor sampleVisitor() const override;
  uint64_t sampleBytes() const override;
  /// The most samples of a microbatch.
  int64_t microbatch() const { return part; }

private:
  void addRest(ProgramPool &pool, int64_t samples, const std::string &model);

  const DataSet &data;
  const Recipe &recipe;
  std::shared_ptr<Session> full;
  /// Programs for the samples that an epoch leaves over, in order.
  std::vector<std::shared_ptr<Session>> rests;
  int64_t batch = 0, part = 0;
  /// The order of the epoch's samples; empty before the first seek.
  std::vector<int64_t> order;
  int64_t epoch = 0;
  int64_t step = 0;
};

/// All samples of a data set in order, for an evaluation. If the model's batch
/// size is fixed, samples that do not fill a batch are skipped, and `warn` is
/// told.
class DataSetEvaluation final : public BatchSource {
public:
  DataSetEvaluation(DataSet &data, int64_t batchSize, ProgramPool &pool,
                    const std::function<void(const std::string &)> &warn);

  void seek(int64_t epoch, int64_t step) override;
  std::optional<Batch> next() override;
  const Session &program() const override { return *full; }
  /// The samples are those that are evaluated.
  BatchFacts facts() const override;
  SampleVisitor sampleVisitor() const override;
  uint64_t sampleBytes() const override;

private:
  const DataSet &data;
  std::shared_ptr<Session> full, rest;
  int64_t evaluated = 0;
  std::vector<int64_t> indices;
  int64_t done = 0;
};

} // namespace gensyn::runtime

#endif

// See DataSetBatches.h.

#include "DataSetBatches.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/Shuffle.h"

#include <algorithm>
#include <numeric>

namespace gensyn::runtime {

DataSetBatches::DataSetBatches(DataSet &data, const Recipe &recipe,
                               ProgramPool &pool, const std::string &model)
    : data(data), recipe(recipe) {
  if (recipe.shuffle)
    data.expectRandomOrder();
  int64_t wanted = std::min(recipe.stepSamples(), data.samples());
  if (wanted > recipe.batchSize) // only full microbatches
    wanted -= wanted % recipe.batchSize;
  full = pool.find(wanted, data.given());
  data.check(full->signature());
  batch = full->batchSize();
  const std::string samples = countOf(data.samples(), "sample");
  if (batch <= 0)
    failBadInput(model + ": no batch dimension to train over");
  const bool isWhole = wanted == recipe.stepSamples();
  if (wanted && batch != wanted)
    failBadInput(
        model + ": the batch is fixed at " +
            std::to_string(isWhole ? batch / recipe.accumulate : batch) + "; " +
            (isWhole ? "the recipe's batch_size is " +
                           std::to_string(recipe.batchSize)
                     : data.name() + " has " + samples),
        "export the model with a dynamic first dimension");
  if (batch > data.samples() ||
      (recipe.dropLast && recipe.stepSamples() > data.samples()))
    failBadInput(data.name() + ": " + samples + " do not fill a batch of " +
                 std::to_string(std::max(batch, recipe.stepSamples())));
  // The remaining samples make a step of full microbatches, and one of a
  // smaller microbatch.
  const int64_t left = recipe.dropLast ? 0 : data.samples() % batch;
  part = recipe.batchSize ? std::min(recipe.batchSize, batch)
                          : std::max<int64_t>(batch / recipe.accumulate, 1);
  for (int64_t remaining : {left - left % part, left % part})
    if (remaining)
      addRest(pool, remaining, model);
}

void DataSetBatches::addRest(ProgramPool &pool, int64_t samples,
                             const std::string &model) {
  rests.push_back(pool.find(samples, data.given()));
  if (rests.back()->batchSize() != samples)
    failBadInput(data.name() + ": " + std::to_string(data.samples()) +
                     " samples leave a batch of " + std::to_string(samples) +
                     ", and the model's batch is fixed at " +
                     std::to_string(batch),
                 "set \"drop_last\": true in the recipe, or export the model "
                 "with a dynamic first dimension");
}

BatchFacts DataSetBatches::facts() const {
  BatchFacts facts;
  facts.name = data.name();
  facts.identity = data.identity();
  facts.samples = data.samples();
  facts.steps = data.samples() / batch + int64_t(rests.size());
  facts.batchSize = batch;
  facts.tokensPerSample = data.tokensPerSample();
  for (const std::shared_ptr<Session> &rest : rests) {
    const char *before = facts.lastBatchDigest.empty() ? "" : " ";
    facts.lastBatchDigest += before + rest->executable().program_digest();
    facts.lastBatchRoot += before + rest->executable().program_root();
  }
  return facts;
}

static Tensor rowOf(const Tensor &tensor, int64_t row) {
  const std::vector<int64_t> shape(tensor.shape().begin() + 1,
                                   tensor.shape().end());
  const int64_t bytes = *countBytes(tensor.elementType(), shape);
  return Tensor::view(tensor.elementType(), shape, tensor.data() + row * bytes,
                      nullptr);
}

/// Visits samples as steps have them.
static void
visitSamples(const DataSet &data, Signature signature, uint64_t sampleBytes,
             const std::function<void(const WitnessedState &)> &visit) {
  // Some at a time, but not many large ones.
  constexpr uint64_t most = uint64_t(64) << 20;
  const uint64_t bytes =
      std::max<uint64_t>(sampleBytes / uint64_t(data.samples()), 1);
  const auto together = int64_t(std::clamp<uint64_t>(most / bytes, 1, 64));
  std::vector<int64_t> indices;
  for (int64_t begin = 0; begin < data.samples(); begin += together) {
    indices.resize(size_t(std::min(together, data.samples() - begin)));
    std::iota(indices.begin(), indices.end(), begin);
    for (Port &port : signature.inputs)
      if (port.role == Role::Input || port.role == Role::Target)
        port.shape[0] = int64_t(indices.size());
    // A value that no step may have is an error of the step that has it.
    const TensorMap tensors = data.batch(signature, indices, /*areRun=*/false);
    for (size_t i = 0; i < indices.size(); ++i) {
      WitnessedState sample;
      for (const auto &[name, tensor] : tensors)
        sample[name] = witnessTensor(rowOf(tensor, int64_t(i)));
      visit(sample);
    }
  }
}

/// Bytes of all samples, for which `program` is the one of a batch; nothing if
/// they have no numbers.
static std::optional<uint64_t> countSampleBytes(const DataSet &data,
                                                const Session &program) {
  int64_t bytes = 0;
  for (const Port &port : program.signature().inputs)
    if (port.role == Role::Input || port.role == Role::Target)
      if (port.shape.empty() ||
          __builtin_add_overflow(
              bytes, countBytes(port.type, port.shape).value_or(0), &bytes))
        return std::nullopt;
  // Below 2^53 or far above any limit, so exact enough.
  return uint64_t(std::min(double(bytes) / double(program.batchSize()) *
                               double(data.samples()),
                           0x1p62));
}

/// A visitor of all samples. It must not outlive data or program.
static SampleVisitor makeVisitor(const DataSet &data, const Session &program) {
  const std::optional<uint64_t> bytes = countSampleBytes(data, program);
  if (!bytes)
    return nullptr;
  const Signature &signature = program.signature();
  return [&, bytes](const std::function<void(const WitnessedState &)> &visit) {
    visitSamples(data, signature, *bytes, visit);
  };
}

SampleVisitor DataSetBatches::sampleVisitor() const {
  return makeVisitor(data, *full);
}

uint64_t DataSetBatches::sampleBytes() const {
  return countSampleBytes(data, *full).value_or(0);
}

SampleVisitor DataSetEvaluation::sampleVisitor() const {
  return makeVisitor(data, *full);
}

uint64_t DataSetEvaluation::sampleBytes() const {
  return countSampleBytes(data, *full).value_or(0);
}

void DataSetBatches::seek(int64_t toEpoch, int64_t toStep) {
  if (order.empty() || toEpoch != epoch) {
    if (recipe.shuffle) {
      order = permutation(data.samples(), recipe.seed, uint64_t(toEpoch));
    } else {
      order.resize(size_t(data.samples()));
      std::iota(order.begin(), order.end(), 0);
    }
  }
  epoch = toEpoch;
  step = toStep;
}

std::optional<Batch> DataSetBatches::next() {
  const int64_t count = data.samples() / batch;
  Batch result;
  int64_t begin = 0;
  if (step < count) {
    result.session = full;
    begin = step * batch;
  } else if (step - count < int64_t(rests.size())) {
    begin = count * batch;
    for (int64_t i = 0; i < step - count; ++i)
      begin += rests[size_t(i)]->batchSize();
    result.session = rests[size_t(step - count)];
  } else {
    return std::nullopt;
  }
  ++step;
  result.samples = result.session->batchSize();
  result.indices =
      std::span(order).subspan(size_t(begin), size_t(result.samples));
  const SampleShare share = result.session->share();
  const auto part = size_t(result.samples / share.of);
  result.tensors =
      data.batch(result.session->shareSignature(),
                 result.indices.subspan(size_t(share.first) * part,
                                        size_t(share.count) * part));
  return result;
}

DataSetEvaluation::DataSetEvaluation(
    DataSet &data, int64_t batchSize, ProgramPool &pool,
    const std::function<void(const std::string &)> &warn)
    : data(data) {
  const int64_t wanted = std::min(batchSize, data.samples());
  full = pool.find(wanted, data.given());
  data.check(full->signature());
  const int64_t batch = full->batchSize();
  if (batch <= 0)
    failBadInput("the model has no batch dimension to evaluate over");
  const int64_t left = data.samples() % batch;
  evaluated = data.samples() - left;
  if (left == 0)
    return;
  // If the model's batch size is fixed, the program has another batch size or
  // does not compile.
  if (batch == wanted) {
    try {
      rest = pool.find(left, data.given());
    } catch (const Failure &failure) {
      if (failure.code != ExitCode::BadInput)
        throw;
    }
  }
  if (rest && rest->batchSize() == left) {
    evaluated += left;
    return;
  }
  rest.reset();
  const std::string where = data.name() + ": ";
  if (evaluated == 0)
    failBadInput(where + std::to_string(data.samples()) +
                 " samples do not fill the model's fixed batch of " +
                 std::to_string(batch));
  warn(where + "the last " + std::to_string(left) +
       " samples are not evaluated: the model's batch is fixed at " +
       std::to_string(batch));
}

void DataSetEvaluation::seek(int64_t, int64_t step) {
  done = step * full->batchSize();
}

std::optional<Batch> DataSetEvaluation::next() {
  if (done >= evaluated)
    return std::nullopt;
  Batch result;
  result.session = done + full->batchSize() <= evaluated ? full : rest;
  result.samples = result.session->batchSize();
  indices.resize(size_t(result.samples));
  std::iota(indices.begin(), indices.end(), done);
  done += result.samples;
  result.indices = indices;
  result.tensors = data.batch(result.session->signature(), indices);
  return result;
}

BatchFacts DataSetEvaluation::facts() const {
  BatchFacts facts;
  facts.name = data.name();
  facts.samples = evaluated;
  facts.steps = (evaluated + full->batchSize() - 1) / full->batchSize();
  facts.batchSize = full->batchSize();
  facts.tokensPerSample = data.tokensPerSample();
  if (rest)
    facts.lastBatchDigest = rest->executable().program_digest();
  return facts;
}

} // namespace gensyn::runtime

// See StreamBatches.h.

#include "StreamBatches.h"

#include "../Ranks/DifferentRank.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Data/MemoryTensors.h"

#include <algorithm>
#include <utility>

namespace gensyn::runtime {

/// Throws a Failure for booleans that are neither 0 nor 1, and for targets that
/// are no classes.
static void checkElements(const std::string &name, const Tensor &tensor,
                          const BatchRules &rules) {
  const std::span<const std::byte> bytes = tensor.byteSpan();
  if (tensor.elementType() == ElementType::I1 &&
      std::any_of(bytes.begin(), bytes.end(),
                  [](std::byte byte) { return byte > std::byte{1}; }))
    failBadInput(rules.where + quote(name) +
                 " has a boolean that is neither 0 nor 1");
  if (rules.classes && name == rules.target)
    checkClassesIn(
        rules.where + "target " + quote(name), tensor.elementType(),
        {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()},
        rules.classes, rules.ignored);
}

void requireSameBatch(const TensorMap *tensors, const BatchRules &rules) {
  if (!rules.ranks)
    return;
  communication::Communicator &ranks = *rules.ranks;
  const std::vector<std::string> all =
      ranks.gather(tensors ? digestTensors(*tensors) : "");
  if (const std::optional<int> rank = findDifferentRank(all))
    failBadInput(
        rules.where + ranks.describe(*rank) +
            (all[size_t(*rank)].empty() ? " has no batch any more, and " +
                                              ranks.describe(0) + " has one"
             : all.front().empty()
                 ? " has a batch, and " + ranks.describe(0) + " has none"
                 : " has another batch than " + ranks.describe(0)),
        "ranks read the same batches in the same order, and each trains on "
        "its part: shuffle them with the same seed");
}

Batch makeBatch(TensorMap tensors, const BatchRules &rules, ProgramPool &pool) {
  const std::string &where = rules.where;
  requireSameBatch(&tensors, rules);
  if (tensors.empty())
    failBadInput(where + "the batch has no tensors");
  Batch batch;
  batch.samples = -1;
  const std::string *first = nullptr;
  for (const auto &[name, tensor] : tensors) {
    if (tensor.rank() == 0)
      failBadInput(where + quote(name) +
                   " is a scalar; samples lie along the first dimension");
    const int64_t samples = tensor.shape().front();
    if (first && samples != batch.samples)
      failBadInput(where + quote(*first) + " has " +
                   std::to_string(batch.samples) + " samples, " + quote(name) +
                   " has " + std::to_string(samples));
    batch.samples = samples;
    first = &name;
  }
  if (batch.samples == 0)
    failBadInput(where + "the batch has no samples");
  if (rules.mostSamples && batch.samples > rules.mostSamples)
    failBadInput(where + "the batch has " + std::to_string(batch.samples) +
                     " samples, and a step of the recipe " +
                     std::to_string(rules.mostSamples),
                 "a step has 'batch_size' times 'accumulate' samples");
  // Without the colon, as a file's name would be.
  MemoryTensors all(where.substr(0, where.find_last_not_of(": ") + 1));
  for (const auto &[name, tensor] : tensors)
    all.add(name, tensor);
  batch.session =
      pool.find(batch.samples, listTensors(all, /*isSamples=*/true));
  const int64_t wanted = batch.session->batchSize();
  if (wanted != batch.samples && wanted > 0)
    failBadInput(where + "the batch has " + std::to_string(batch.samples) +
                     " samples, and the model's batch is fixed at " +
                     std::to_string(wanted),
                 "export the model with a dynamic first dimension");
  checkTensors(all, batch.session->signature(), /*anyBatch=*/false);
  for (const auto &[name, tensor] : tensors)
    checkElements(name, tensor, rules);
  batch.tensors = std::move(tensors);
  return batch;
}

std::optional<Batch> StreamBatches::read() {
  std::optional<TensorMap> tensors = stream.next();
  BatchRules here = rules;
  here.where = stream.name() + ": batch " + std::to_string(position) +
               " of epoch " + std::to_string(epoch) + ": ";
  if (!tensors) {
    requireSameBatch(nullptr, here);
    return std::nullopt;
  }
  return makeBatch(std::move(*tensors), here, pool);
}

/// The first batch is read at once, since its program has the parameters.
void StreamBatches::seek(int64_t toEpoch, int64_t step) {
  if (pending && epoch == toEpoch && position == step)
    return;
  epoch = toEpoch;
  stream.begin(epoch);
  for (position = 0; position < step; ++position)
    if (!stream.skip())
      break;
  pending = read();
  ended = !pending;
  bool isEmpty = ended && position == 0;
  if (ended && !isEmpty && !pool.newest()) {
    // Only a batch before this place tells which program the run has.
    stream.begin(epoch);
    isEmpty = !read();
  }
  if (isEmpty)
    failBadInput(stream.name() + ": epoch " + std::to_string(epoch) +
                     " has no batches",
                 epoch > 1 ? "an iterator ends with its first epoch; a list or "
                             "a DataLoader has all of them"
                           : "");
  if (pending && batchSize == 0)
    batchSize = pending->samples;
}

std::optional<Batch> StreamBatches::next() {
  if (ended)
    return std::nullopt;
  std::optional<Batch> batch =
      pending ? std::exchange(pending, std::nullopt) : read();
  position += batch.has_value();
  ended = !batch;
  return batch;
}

BatchFacts StreamBatches::facts() const {
  BatchFacts facts;
  facts.name = stream.name();
  facts.batchSize = batchSize;
  facts.steps = stream.length();
  return facts;
}

} // namespace gensyn::runtime

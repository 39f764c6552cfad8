// Gathers rows of memory-mapped tensors.

#include "gensyn/Runtime/Data/DataSet.h"

#include "TokenWindows.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Runtime/Data/GivenTensors.h"
#include "gensyn/Runtime/Devices/Session.h"

#include <algorithm>
#include <cstring>

namespace gensyn::runtime {

/// Bytes of targets that are checked before the first step.
static constexpr size_t kLookedAt = size_t(256) << 20;

static std::string describe(const TensorEntry &entry) {
  return longName(entry.type) + describeShape(entry.shape);
}

/// Returns the number of samples of a shard.
static int64_t rowsOf(const TensorFile &file) {
  const std::string where = file.path().string() + ": ";
  const std::string *first = nullptr;
  int64_t rows = 0;
  for (const auto &[name, entry] : file.entries()) {
    if (entry.shape.empty())
      failBadInput(where + quote(name) +
                   " is a scalar; samples lie along the "
                   "first dimension");
    if (!first) {
      first = &name;
      rows = entry.shape[0];
    } else if (entry.shape[0] != rows) {
      failBadInput(where + quote(*first) + " has " + std::to_string(rows) +
                   " samples, " + quote(name) + " has " +
                   std::to_string(entry.shape[0]));
    }
  }
  return rows;
}

/// Throws a Failure if a shard's tensors differ from those of the first shard.
static void checkAlike(const TensorFile &first, const TensorFile &file) {
  const std::string where = file.path().string() + ": ";
  for (const auto &[name, wanted] : first.entries()) {
    const TensorEntry *entry = file.find(name);
    if (!entry)
      failBadInput(where + "no " + quote(name) + ", which " +
                   first.path().string() + " has");
    if (entry->type != wanted.type ||
        !std::equal(entry->shape.begin() + 1, entry->shape.end(),
                    wanted.shape.begin() + 1, wanted.shape.end()))
      failBadInput(where + quote(name) + " is " + describe(*entry) + ", in " +
                   first.path().string() + " " + describe(wanted));
  }
  for (const auto &[name, entry] : file.entries())
    if (!first.find(name))
      failBadInput(where + quote(name) + " is not in " + first.path().string());
}

DataSet::DataSet(const DataSource &from)
    : source(from), shards(openShards(from)) {
  countSamples();
}

DataSet::DataSet(const std::string &name, std::vector<TensorFile> files,
                 int64_t sequenceLength)
    : source(std::filesystem::path(name)), shards(std::move(files)) {
  source.sequenceLength = sequenceLength;
  countSamples();
}

void DataSet::countSamples() {
  for (const TensorFile &shard : shards) {
    const int64_t rows = source.sequenceLength
                             ? countWindows(shard, source.sequenceLength)
                             : rowsOf(shard);
    if (!source.sequenceLength)
      checkAlike(shards.front(), shard);
    starts.push_back(count);
    if (__builtin_add_overflow(count, rows, &count))
      failBadInput(shard.path().string() + ": there are too many samples");
  }
  if (count == 0 && source.sequenceLength)
    failBadInput(name() + ": there is no window of " +
                     std::to_string(source.sequenceLength) + " tokens",
                 "a window takes one token more, which is the last target");
  if (count == 0)
    failBadInput(name() + ": there are no samples");
}

GivenTensors DataSet::given() const {
  GivenTensors given;
  if (!source.sequenceLength)
    given = listTensors(shards.front(), /*isSamples=*/true);
  given.name = name();
  given.sequenceLength = source.sequenceLength;
  return given;
}

DataSet::Row DataSet::find(int64_t sample) const {
  // The last shard that begins at or before the sample; empty shards with the
  // same start come before it.
  const auto next = std::upper_bound(starts.begin(), starts.end(), sample);
  const auto shard = size_t(next - starts.begin() - 1);
  return {shard, sample - starts[shard]};
}

/// True if the file looks like a stream of tokens, which needs
/// --sequence-length.
static bool isStream(const TensorFile &file) {
  if (file.entries().size() != 1)
    return false;
  const TensorEntry &entry = file.entries().begin()->second;
  return entry.shape.size() == 1 && isInteger(entry.type);
}

void DataSet::check(const Signature &signature) const {
  if (source.sequenceLength) {
    planWindows(signature, source.sequenceLength, name() + ": ");
    return;
  }
  try {
    checkTensors(shards.front(), signature, /*anyBatch=*/true);
  } catch (Failure &failure) {
    if (failure.note.empty() && isStream(shards.front()))
      failure.note = "--sequence-length N cuts a stream of tokens into windows";
    throw;
  }
}

void DataSet::limitClasses(const std::string &target, int64_t classes,
                           std::optional<int64_t> ignored) {
  limit = {target, classes, ignored};
  size_t looked = 0;
  for (const TensorFile &shard : shards)
    for (const auto &[name, entry] : shard.entries()) {
      if (!source.sequenceLength && name != target)
        continue;
      const size_t width = size_t(byteWidth(entry.type));
      const size_t bytes =
          std::min(entry.size, kLookedAt - looked) / width * width;
      checkClassesIn(shard.path().string() + ": " +
                         (source.sequenceLength ? "tokens " : "target ") +
                         quote(name),
                     entry.type, {entry.data, bytes}, classes, ignored);
      looked += bytes;
    }
}

void DataSet::expectRandomOrder() {
  isRandom = true;
  for (const TensorFile &shard : shards)
    for (const auto &[name, entry] : shard.entries())
      expectRandomAccess(entry.data, entry.size);
}

/// Returns the bytes of a row of one of the shard's tensors.
static std::span<const uint8_t> rowOf(const TensorEntry &entry, int64_t index) {
  const size_t bytes = entry.size / size_t(entry.shape[0]);
  return {entry.data + size_t(index) * bytes, bytes};
}

Tensor DataSet::gather(const Port &port, std::span<const int64_t> indices,
                       bool areRun) const {
  std::vector<std::span<const uint8_t>> rows;
  for (int64_t index : indices) {
    const Row row = find(index);
    rows.push_back(rowOf(*shards[row.shard].find(port.name), row.index));
    // Prefetches all rows before the first one is read.
    if (isRandom)
      prefetchMapped(rows.back().data(), rows.back().size());
  }
  Tensor result(port.type, port.shape);
  std::byte *next = result.data();
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::span<const uint8_t> bytes = rows[i];
    auto where = [&] {
      return shards[find(indices[i]).shard].path().string() + ": ";
    };
    if (areRun && port.type == ElementType::I1 &&
        std::any_of(bytes.begin(), bytes.end(),
                    [](uint8_t byte) { return byte > 1; }))
      failBadInput(where() + quote(port.name) +
                   " has a boolean that is neither 0 nor 1");
    if (areRun && limit && port.name == limit->target && isInteger(port.type))
      checkClassesIn(where() + "target " + quote(port.name) + " of sample " +
                         std::to_string(indices[i]),
                     port.type, bytes, limit->classes, limit->ignored);
    if (!bytes.empty())
      std::memcpy(next, bytes.data(), bytes.size());
    next += bytes.size();
  }
  return result;
}

Tensor DataSet::gatherWindows(const Port &port, WindowPart part,
                              std::span<const int64_t> indices,
                              bool areRun) const {
  Tensor result(port.type, port.shape);
  for (size_t i = 0; i < indices.size(); ++i) {
    const Row row = find(indices[i]);
    const TensorFile &file = shards[row.shard];
    const std::string where = file.path().string() + ": window " +
                              std::to_string(row.index) + " of the tokens";
    const TensorEntry window = cutWindow(file.entries().begin()->second,
                                         row.index, source.sequenceLength);
    if (isRandom)
      prefetchMapped(window.data, window.size);
    if (areRun && limit)
      checkClassesIn(where, window.type, {window.data, window.size},
                     limit->classes, limit->ignored);
    fillWindow(part, window, result, int64_t(i), where);
  }
  return result;
}

TensorMap DataSet::batch(const Signature &signature,
                         std::span<const int64_t> indices, bool areRun) const {
  std::vector<std::optional<WindowPart>> parts;
  if (source.sequenceLength)
    parts = planWindows(signature, source.sequenceLength, name() + ": ");
  TensorMap result;
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    const Port &port = signature.inputs[i];
    if (port.role != Role::Input && port.role != Role::Target)
      continue;
    if (port.shape.empty() || port.shape[0] != int64_t(indices.size()))
      throw Failure(ExitCode::Bug, quote(port.name) + " does not hold " +
                                       std::to_string(indices.size()) +
                                       " samples");
    result.emplace(port.name, parts.empty() ? gather(port, indices, areRun)
                                            : gatherWindows(port, *parts[i],
                                                            indices, areRun));
  }
  return result;
}

} // namespace gensyn::runtime

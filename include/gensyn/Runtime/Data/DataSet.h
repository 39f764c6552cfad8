// Samples in mapped files, grouped into batches.
#ifndef GENSYN_RUNTIME_DATA_DATASET_H
#define GENSYN_RUNTIME_DATA_DATASET_H

#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Data/GivenTensors.h"
#include "gensyn/Runtime/Devices/Program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gensyn::runtime {

enum class WindowPart;

/// A data set: a tensor for each graph input and the target, with samples along
/// the first dimension; or streams of tokens, whose windows give both. Samples
/// are numbered across all shards. Files are memory-mapped and only the samples
/// of a batch are read.
class DataSet {
public:
  /// Throws a Failure if a file is malformed, if there are no samples, if
  /// tensors have different numbers of samples, or if shards have different
  /// names, types or shapes.
  explicit DataSet(const DataSource &source);
  /// A data set of opened shards, of which there is one at least; `name` stands
  /// for a file in messages. With a length other than 0 they are streams of
  /// tokens.
  DataSet(const std::string &name, std::vector<TensorFile> shards,
          int64_t sequenceLength);

  int64_t samples() const { return count; }
  /// Tokens in a window; 0 if samples are not windows.
  int64_t tokensPerSample() const { return source.sequenceLength; }
  /// The name of the data in messages.
  std::string name() const { return source.string(); }
  const std::vector<TensorFile> &files() const { return shards; }

  /// Returns the names and shapes that decide dimensions which a model leaves
  /// dynamic.
  GivenTensors given() const;

  /// Returns the hex BLAKE3 digest of names, types, shapes and the bytes at 64
  /// places of each tensor, which is cheap to compute. A different identity
  /// means different data; paths of files are not part of it.
  std::string identity() const;

  /// Checks that the data match the program's inputs and target, except for the
  /// batch size. Throws a Failure whose message begins with a file's name.
  void check(const Signature &signature) const;

  /// From now on batch() throws a Failure for an element of an integer target,
  /// or a token, that is neither in [0, classes) nor `ignored`. Up to 256 MiB
  /// of targets are checked immediately.
  void limitClasses(const std::string &target, int64_t classes,
                    std::optional<int64_t> ignored);

  /// Announces that samples will be read in random order rather than
  /// sequentially.
  void expectRandomOrder();

  /// Returns the given samples as inputs of a program. The signature must have
  /// passed check(), and the indices must be less than samples(). Throws a
  /// Failure for an invalid boolean and for values that limitClasses forbids,
  /// unless they are only looked at, and not run.
  TensorMap batch(const Signature &signature, std::span<const int64_t> indices,
                  bool areRun = true) const;

private:
  void countSamples();
  struct Row {
    size_t shard;
    int64_t index;
  };
  /// Returns the shard and row of a sample.
  Row find(int64_t sample) const;
  Tensor gather(const Port &port, std::span<const int64_t> indices,
                bool areRun) const;
  Tensor gatherWindows(const Port &port, WindowPart part,
                       std::span<const int64_t> indices, bool areRun) const;

  struct ClassLimit {
    std::string target;
    int64_t classes;
    std::optional<int64_t> ignored;
  };

  DataSource source;
  std::vector<TensorFile> shards;
  /// Number of samples before each shard; the last element is the total.
  std::vector<int64_t> starts;
  int64_t count = 0;
  std::optional<ClassLimit> limit;
  bool isRandom = false;
};

} // namespace gensyn::runtime

#endif

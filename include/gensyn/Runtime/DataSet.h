// Samples in mapped files, cut into batches.
#ifndef GENSYN_RUNTIME_DATASET_H
#define GENSYN_RUNTIME_DATASET_H

#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/DataSource.h"
#include "gensyn/Runtime/Program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gensyn::runtime {

enum class WindowPart;

/// A tensor per graph input and the target, samples along the first dimension;
/// or windows of streams of tokens, which are both. Samples are numbered
/// through all shards. Files stay on the disk: only what a batch needs is read.
class DataSet {
public:
  /// Throws a Failure where a file is malformed, where there are no samples,
  /// where tensors disagree about the number of samples, and where shards
  /// disagree about names, types or shapes.
  explicit DataSet(const DataSource &source);

  int64_t samples() const { return count; }
  /// Of a window; 0 where samples are no windows.
  int64_t tokensPerSample() const { return source.sequenceLength; }
  /// The name of the data in messages.
  std::string name() const { return source.string(); }
  const std::vector<TensorFile> &files() const { return shards; }

  /// What of the data decides about dimensions that a model leaves open.
  plan::GivenTensors given() const;

  /// Hex BLAKE3 of what is cheap to know of the data: names, types and shapes,
  /// and bytes at 64 places of each tensor. Data of another identity are other
  /// data; the path of a file is no part of it.
  std::string identity() const;

  /// Refuses data that do not fit the program's inputs and target, but for the
  /// first extent. Throws a Failure whose message begins with a file's name.
  void check(const Signature &signature) const;

  /// From now on every element of an integer target is in [0, classes) or
  /// `ignored`, and so is every token; anything else is a Failure of batch().
  /// Up to 256 MiB of targets are looked at at once.
  void limitClasses(const std::string &target, int64_t classes,
                    std::optional<int64_t> ignored);

  /// Samples will be taken in any order rather than one after the other.
  void expectRandomOrder();

  /// The stated samples as inputs of a program; the signature must have passed
  /// check(), and the indices be within samples(). Throws a Failure for a
  /// boolean that is none, and for what limitClasses forbids.
  TensorMap batch(const Signature &signature,
                  std::span<const int64_t> indices) const;

private:
  struct Row {
    size_t shard;
    int64_t index;
  };
  /// The place of a sample.
  Row find(int64_t sample) const;
  Tensor gather(const Port &port, std::span<const int64_t> indices) const;
  Tensor gatherWindows(const Port &port, WindowPart part,
                       std::span<const int64_t> indices) const;

  struct ClassLimit {
    std::string target;
    int64_t classes;
    std::optional<int64_t> ignored;
  };

  DataSource source;
  std::vector<TensorFile> shards;
  /// Samples before each shard, and the number of all at the end.
  std::vector<int64_t> starts;
  int64_t count = 0;
  std::optional<ClassLimit> limit;
  bool isRandom = false;
};

} // namespace gensyn::runtime

#endif

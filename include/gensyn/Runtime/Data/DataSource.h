// Data source as specified by a user.
#ifndef GENSYN_RUNTIME_DATA_DATASOURCE_H
#define GENSYN_RUNTIME_DATA_DATASOURCE_H

#include "gensyn/Executable/Formats/TensorFile.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// Files of samples, and how they are divided into samples.
struct DataSource {
  DataSource() = default;
  /// One file or folder whose rows are the samples.
  DataSource(const std::filesystem::path &path) : parts{path.string()} {}

  /// Each part is a file, a folder of shards, or `name=file.npy`.
  std::vector<std::string> parts;
  /// Number of tokens of a sample, which is a window of a stream; 0: samples
  /// lie along the first dimension.
  int64_t sequenceLength = 0;

  bool empty() const { return parts.empty(); }
  /// Returns its name in messages: the only part, or "a.npy and 2 more".
  std::string string() const;
};

/// Opens the shards of a source in the order in which samples are numbered:
/// files in the order of the parts, files of a folder in the order of their
/// names' bytes. A folder's files are those that end in .safetensors, .npz and
/// .npy and do not begin with a dot. An .npy file has one tensor only, so all
/// of them together are one shard, unless they are streams of tokens. Throws a
/// Failure: I/O, bad input, usage, or unsupported.
std::vector<TensorFile> openShards(const DataSource &source);

} // namespace gensyn::runtime

#endif

// Samples in a safetensors file, cut into batches.
#ifndef GENSYN_RUNTIME_DATASET_H
#define GENSYN_RUNTIME_DATASET_H

#include "gensyn/Runtime/Program.h"
#include "gensyn/Runtime/SafeTensors.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace gensyn::runtime {

/// A tensor per graph input and the target, samples along the first dimension.
class DataSet {
public:
  /// Throws a Failure where the file is malformed, is empty, or has tensors
  /// that disagree about the number of samples.
  explicit DataSet(const std::filesystem::path &path);

  int64_t samples() const { return count; }
  const SafeTensors &file() const { return tensors; }

  /// Hex BLAKE3 of what is cheap to know of the data: names, types and shapes,
  /// and bytes at 64 places of each tensor. Data of another identity are other
  /// data; the path of a file is no part of it.
  std::string identity() const;

  /// The stated samples as inputs of a program; the signature must have passed
  /// checkTensors with this file, and the indices be within samples().
  TensorMap batch(const Signature &signature,
                  std::span<const int64_t> indices) const;

private:
  SafeTensors tensors;
  int64_t count = 0;
};

} // namespace gensyn::runtime

#endif

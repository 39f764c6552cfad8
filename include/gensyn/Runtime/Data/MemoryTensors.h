// Tensors of a host program in place of a file of tensors.
#ifndef GENSYN_RUNTIME_DATA_MEMORYTENSORS_H
#define GENSYN_RUNTIME_DATA_MEMORYTENSORS_H

#include "gensyn/Executable/Formats/TensorFile.h"

#include <memory>
#include <string>
#include <utility>

namespace gensyn::runtime {

/// Tensors by name; their bytes are shared with those that were added.
class MemoryTensors final : public TensorFile {
public:
  /// `name` stands for a path in messages.
  explicit MemoryTensors(const std::string &name) : TensorFile(name) {}

  using TensorFile::add;
  /// Adds a tensor under a name that is not there yet.
  void add(const std::string &name, Tensor tensor) {
    auto owned = std::make_shared<const Tensor>(std::move(tensor));
    tensors.emplace(
        name, TensorEntry{owned->elementType(), owned->shape(),
                          reinterpret_cast<const uint8_t *>(owned->data()),
                          static_cast<size_t>(owned->byteSize())});
    owners.push_back(std::move(owned));
  }
};

} // namespace gensyn::runtime

#endif

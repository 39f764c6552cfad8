// The inputs and outputs of a model, as its file states them.
#ifndef GENSYN_RUNTIME_MODELS_MODELTENSOR_H
#define GENSYN_RUNTIME_MODELS_MODELTENSOR_H

#include "gensyn/Numerics/ElementType.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// An input or output of a model, as its file states it.
struct ModelTensor {
  struct Dimension {
    int64_t size = 0;
    /// True if the size is open, and its name then; empty if it has none.
    bool isOpen = false;
    std::string name;
  };
  std::string name;
  ElementType type = ElementType::F32;
  std::vector<Dimension> shape;

  /// "[batch,3]"
  std::string describeShape() const;
};

/// The inputs and outputs of a model, in its order.
struct ModelTensors {
  std::vector<ModelTensor> inputs, outputs;
};

/// Reads them from the facts about a model (Model::facts). Dimensions in `dims`
/// have the sizes given there. Throws a Failure that begins with `model`.
ModelTensors readModelTensors(const std::string &facts,
                              const std::map<std::string, int64_t> &dims,
                              const std::string &model);

} // namespace gensyn::runtime

#endif

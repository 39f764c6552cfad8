// Descriptions of the tensors that a program will receive. The compiler uses
// them to resolve dimensions that a model leaves dynamic.
#ifndef GENSYN_RUNTIME_DATA_GIVENTENSORS_H
#define GENSYN_RUNTIME_DATA_GIVENTENSORS_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/PlanMessages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// Tensors of a file, of which some are the inputs of a program; see the
/// message plan.GivenTensors.
struct GivenTensors {
  struct Tensor {
    std::string name;
    /// For samples, with a leading -1: the size of the batch.
    std::vector<int64_t> shape;
  };
  /// The name of the file in messages.
  std::string name;
  std::vector<Tensor> tensors;
  /// Tokens of a window; 0: samples are tensors. Tensors are not listed then.
  int64_t sequenceLength = 0;
  /// The default size of the second dimension of two-dimensional inputs; 0:
  /// none.
  int64_t defaultLength = 0;
};

/// Returns the names and shapes of a file's tensors. With `isSamples` the first
/// extent is left to the batch size.
GivenTensors listTensors(const TensorFile &file, bool isSamples);

/// Returns the first extent that all tensors share; 0 if they do not, or leave
/// it to the batch size.
int64_t commonBatch(const GivenTensors &given);

/// Fills the message of a request.
void describe(const GivenTensors &given, plan::GivenTensors &message);

} // namespace gensyn::runtime

#endif

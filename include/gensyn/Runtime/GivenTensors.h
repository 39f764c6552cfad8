// Descriptions of the tensors that a program will receive. The compiler uses
// them to resolve dimensions that a model leaves dynamic.
#ifndef GENSYN_RUNTIME_GIVENTENSORS_H
#define GENSYN_RUNTIME_GIVENTENSORS_H

#include "gensyn/Executable/TensorFile.h"
#include "gensyn/Executable/plan.pb.h"

#include <cstdint>
#include <string>

namespace gensyn::runtime {

/// Returns the names and shapes of a file's tensors. With `isSamples` the first
/// extent is left to the batch size.
plan::GivenTensors listTensors(const TensorFile &file, bool isSamples);

/// Returns the first extent that all tensors share; 0 if they do not, or leave
/// it to the batch size.
int64_t commonBatch(const plan::GivenTensors &given);

} // namespace gensyn::runtime

#endif

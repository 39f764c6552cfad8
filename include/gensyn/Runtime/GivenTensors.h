// The tensors that a program will be given, for the compiler: a model leaves
// dimensions open that tensors decide.
#ifndef GENSYN_RUNTIME_GIVENTENSORS_H
#define GENSYN_RUNTIME_GIVENTENSORS_H

#include "gensyn/Executable/TensorFile.h"
#include "gensyn/Executable/plan.pb.h"

#include <cstdint>
#include <string>

namespace gensyn::runtime {

/// Names and shapes of a file's tensors. With `isSamples` the first extent is
/// left to the batch.
plan::GivenTensors listTensors(const TensorFile &file, bool isSamples);

/// The first extent that all tensors share; 0 where they do not, or leave it to
/// the batch.
int64_t commonBatch(const plan::GivenTensors &given);

} // namespace gensyn::runtime

#endif

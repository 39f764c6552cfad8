// Converts nodes from training mode to inference mode.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_INFERENCEFORM_H
#define GENSYN_LIB_TRANSLATION_ONNX_INFERENCEFORM_H

#include "onnx/onnx_pb.h"

namespace gensyn {

/// Puts BatchNormalization and Dropout nodes in training mode into inference
/// mode, in every graph and function of the model: normalization uses the
/// stored statistics, and nothing is dropped. Returns their number. A node is
/// left alone if its mode depends on data or its running statistics are used.
unsigned useInferenceForm(::onnx::ModelProto &model);

} // namespace gensyn

#endif

// Nodes that train, as they are for inference.
#pragma once

#include "onnx/onnx_pb.h"

namespace gensyn {

/// Puts BatchNormalization and Dropout nodes that are in training mode into
/// inference mode, in every graph and function of the model: statistics are
/// those that are stored, and nothing is dropped. Returns how many. A node
/// stays that has its mode from data, and one whose running statistics are
/// read.
unsigned useInferenceForm(::onnx::ModelProto &model);

} // namespace gensyn

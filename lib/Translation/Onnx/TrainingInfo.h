// A model's training_info, checked.
#pragma once

#include "gensyn/Translation/Onnx/Import.h"
#include "onnx/onnx_pb.h"

#include <map>
#include <set>

namespace gensyn {
/// Initializers by the names of the values that they are given.
using Bindings = std::map<std::string, std::vector<std::string>>;

/// One entry of training_info as models of their own, whose graphs are sorted.
struct TrainingInfo {
  /// The main graph followed by the algorithm: one training step.
  ::onnx::ModelProto algorithm;
  /// The number of its nodes that are the main graph's.
  int mainNodes = 0;
  /// The number of its outputs that are the main graph's.
  int mainOutputs = 0;
  /// Inputs and initializers that the algorithm adds.
  std::set<std::string> added;
  /// Initializers that a step or the initialization changes.
  std::set<std::string> variables;
  Bindings updates;
  ::onnx::ModelProto initialization;
  Bindings initializations;
};

/// Reads the one entry that `model`, whose own graph is checked and sorted, has
/// in training_info. Failure with an error that names the field where a name is
/// not what onnx.proto demands, or where there are several entries.
mlir::LogicalResult readTrainingInfo(const ::onnx::ModelProto &model,
                                     mlir::MLIRContext *context,
                                     bool keepUnknown, TrainingInfo &info,
                                     ImportError &error);
} // namespace gensyn

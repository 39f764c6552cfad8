// A model's training_info, checked.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_TRAININGINFO_H
#define GENSYN_LIB_TRANSLATION_ONNX_TRAININGINFO_H

#include "gensyn/Translation/Onnx/Import.h"
#include "onnx/onnx_pb.h"

#include <map>
#include <set>

namespace gensyn {
/// Maps values to the initializers to which they are assigned.
using Bindings = std::map<std::string, std::vector<std::string>>;

/// One entry of training_info as separate models, whose graphs are sorted.
struct TrainingInfo {
  /// The main graph followed by the algorithm: one training step.
  ::onnx::ModelProto algorithm;
  /// The number of the main graph's nodes in it.
  int mainNodes = 0;
  /// The number of the main graph's outputs in it.
  int mainOutputs = 0;
  /// Inputs and initializers that the algorithm adds.
  std::set<std::string> added;
  /// Initializers that a step or the initialization changes.
  std::set<std::string> variables;
  Bindings updates;
  ::onnx::ModelProto initialization;
  Bindings initializations;
};

/// Reads the only entry of `model`'s training_info; the model's own graph is
/// checked and sorted. Fails, with an error that names the field, if a name
/// violates onnx.proto or if there are several entries.
mlir::LogicalResult readTrainingInfo(const ::onnx::ModelProto &model,
                                     mlir::MLIRContext *context,
                                     bool keepUnknown, TrainingInfo &info,
                                     ImportError &error);
} // namespace gensyn

#endif

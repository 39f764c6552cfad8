// Restores parameters of the exported module that the exporter merged, folded
// or dropped.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_RESTOREPARAMETERS_H
#define GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_RESTOREPARAMETERS_H

#include "../ModelFolder.h"
#include "ParameterTable.h"

#include "onnx/onnx_pb.h"

namespace gensyn {

/// Gives merged parameters initializers of their own again, with the module's
/// names, and makes each group of tied parameters one initializer. The graph
/// computes the same values. Only changes that the exporter's metadata proves
/// are made; the table records the form of every parameter, and which are
/// missing.
///
/// PyTorch's newer exporter (dynamo=True) records the module's parameters and,
/// for each node, its call and the call's parameters. The older one writes no
/// metadata, but keeps an Identity for each initializer that it merged, and
/// names nodes by their modules; tensors that it computed have no name of the
/// module. For other files the table has suspicions only.
///
/// Reads external data in `folder` where values have to be compared. The graph
/// has passed the checks of checkModel; its nodes may be unsorted afterwards.
ParameterTable restoreParameters(::onnx::ModelProto &model,
                                 ModelFolder &folder);

/// Uses the names in a file without metadata: the last part of
/// restoreParameters, for graphs of the older exporter.
ParameterTable restoreByNames(::onnx::GraphProto &graph, ModelFolder &folder);

/// Looks for initializers that seem to be merged, in a file without any
/// evidence.
ParameterTable suspectMerged(const ::onnx::GraphProto &graph);

} // namespace gensyn

#endif

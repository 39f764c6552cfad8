// The parameters of the exported module, where the exporter merged, folded or
// dropped them.
#pragma once

#include "../ModelFolder.h"
#include "ParameterTable.h"

#include "onnx/onnx_pb.h"

namespace gensyn {

/// Gives parameters that the exporter merged initializers of their own again,
/// with the module's names, and makes of tied ones a single initializer. The
/// graph computes what it did. Changed is what the exporter's notes prove; the
/// table says how every parameter is stored then, and which are not.
///
/// PyTorch's newer exporter (dynamo=True) notes the module's parameters and,
/// for each node, which call it is of and which parameters that had. The older
/// one notes nothing, but keeps an Identity for each initializer that it
/// merged, and names nodes by their modules; what it computed has no name of
/// the module. Of other files the table has suspicions only.
///
/// Reads external data in `folder` where values have to be compared. The graph
/// has passed the checks of checkModel; its nodes may be out of order
/// afterwards.
ParameterTable restoreParameters(::onnx::ModelProto &model,
                                 ModelFolder &folder);

/// What a file without notes tells by names: the last part of
/// restoreParameters, for graphs of the older exporter.
ParameterTable restoreByNames(::onnx::GraphProto &graph, ModelFolder &folder);

/// Looks for initializers that seem to be merged, in a file that tells nothing.
ParameterTable suspectMerged(const ::onnx::GraphProto &graph);

} // namespace gensyn

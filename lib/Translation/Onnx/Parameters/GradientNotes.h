// Derivatives that follow from the calls of the exported module.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_GRADIENTNOTES_H
#define GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_GRADIENTNOTES_H

#include "ModuleNotes.h"
#include "onnx/onnx_pb.h"

namespace gensyn {

/// Gives nodes the attributes `onnx::names::paddingRow`, `isBounded` and
/// `stopsGradient` if the calls that they compute, as PyTorch's newer exporter
/// records them, have such derivatives. ONNX's operators cannot express them.
/// Returns a phrase for each derivative of the module that the file cannot
/// have: a detach that was removed, rows of an embedding whose gradients are
/// divided by their counts.
std::vector<std::string> noteGradients(::onnx::GraphProto &graph,
                                       const ModuleNotes &notes);

} // namespace gensyn

#endif

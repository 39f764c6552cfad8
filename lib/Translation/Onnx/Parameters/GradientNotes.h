// Derivatives, as far as the calls of the exported module tell.
#pragma once

#include "ModuleNotes.h"

namespace gensyn {

/// Gives nodes the attributes `onnx::names::paddingRow`, `isBounded` and
/// `stopsGradient` where the calls that they compute, as PyTorch's newer
/// exporter notes them, have such derivatives: the operators of ONNX have none.
/// Returns where the module's derivatives are others than those that the file
/// can have, a phrase each: a detach that was removed, rows of an embedding
/// whose gradients are divided by their counts.
std::vector<std::string> noteGradients(::onnx::GraphProto &graph,
                                       const ModuleNotes &notes);

} // namespace gensyn

// What exporters note of initializers beside their values.
#pragma once

#include "onnx/onnx_pb.h"

#include <set>
#include <string>

namespace gensyn {

/// Float initializers of a graph that are no parameters of the module that was
/// exported.
struct ExporterNotes {
  /// Statistics and other stored tensors.
  std::set<std::string> buffers;
  /// Numbers of formulas, and what the exporter computed of such.
  std::set<std::string> constants;
};

/// Reads the metadata that torch.onnx.export with dynamo=True writes for the
/// values of a graph: `pkg.torch.export.graph_signature.InputSpec.kind` is
/// PARAMETER or BUFFER, and `pkg.onnxscript.optimizer.folded_from` lists what a
/// tensor was computed of. A tensor of one source is that source in another
/// layout, and trained, and so is one of several if a name among them is that
/// of a parameter (the gates of an LSTM in ONNX's order); else one of several
/// is a constant, and so is a single number of which nothing is noted. Empty
/// for a graph in which no value is noted to be a PARAMETER: then every float
/// initializer may be one.
ExporterNotes readExporterNotes(const ::onnx::GraphProto &graph);

} // namespace gensyn

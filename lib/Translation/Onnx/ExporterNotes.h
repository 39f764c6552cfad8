// Exporters' notes about initializers.
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
/// tensor was computed of. Where no kind is noted, a constant is what was
/// computed of values that are made of nothing (arange, full, zeros, ...), and
/// a single number, unless a name among its sources is that of a parameter (the
/// gates of an LSTM in ONNX's order). Empty for a graph in which no value is
/// noted to be a PARAMETER: then every float initializer may be one.
ExporterNotes readExporterNotes(const ::onnx::GraphProto &graph);

} // namespace gensyn

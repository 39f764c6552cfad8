// Exporters' metadata about initializers.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_EXPORTERNOTES_H
#define GENSYN_LIB_TRANSLATION_ONNX_EXPORTERNOTES_H

#include "onnx/onnx_pb.h"

#include <set>
#include <string>

namespace gensyn {

/// Float initializers of a graph that are not parameters of the exported
/// module.
struct ExporterNotes {
  /// Statistics and other stored tensors.
  std::set<std::string> buffers;
  /// Numbers of formulas, and tensors that the exporter computed from such
  /// numbers.
  std::set<std::string> constants;
};

/// Reads the metadata that torch.onnx.export with dynamo=True writes for the
/// values of a graph: `pkg.torch.export.graph_signature.InputSpec.kind` is
/// PARAMETER or BUFFER, and `pkg.onnxscript.optimizer.folded_from` lists the
/// sources of a computed tensor. A tensor without a recorded kind is a constant
/// if it was computed from values without inputs (arange, full, zeros, ...), or
/// if it is a single number. The exception is a tensor with a source that has
/// the name of a parameter (the gates of an LSTM in ONNX's order). Empty for a
/// graph in which no value is recorded as a PARAMETER: then any float
/// initializer may be one.
ExporterNotes readExporterNotes(const ::onnx::GraphProto &graph);

} // namespace gensyn

#endif

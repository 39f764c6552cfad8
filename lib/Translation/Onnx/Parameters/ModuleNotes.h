// The metadata that PyTorch's newer exporter writes about the module.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_MODULENOTES_H
#define GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_MODULENOTES_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gensyn {

/// A stored tensor of the module, from the signature of torch.export's graph.
struct ModuleTensor {
  /// The name in the module's state dictionary: "layers.0.weight".
  std::string target;
  bool isParameter = false;
};

/// The metadata of a tensor in the file.
struct TensorNote {
  /// "PARAMETER", "BUFFER", ...; empty if the tensor is not one of the
  /// module's.
  std::string kind;
  /// The names of the tensors and values from which the exporter computed it.
  std::vector<std::string> foldedFrom;
};

/// A call in torch.export's graph, which one or more nodes compute.
struct ModuleCall {
  /// The values in one argument: names of placeholders and of calls.
  struct Argument {
    /// Empty for a positional argument.
    std::string key;
    std::vector<std::string> values;
    /// The text of the argument: "%x", "-1", "True", "[1, 2]".
    std::string text;
  };
  /// The name of its result: "layer_norm_1".
  std::string value;
  /// Without namespace and overload: "layer_norm".
  std::string op;
  std::vector<Argument> arguments;
  /// The number of readers of its result: calls, and the module's outputs; 0 if
  /// that is not recorded.
  unsigned users = 0;
  /// The path of the innermost module whose code makes the call; empty for the
  /// outermost one, and if nothing is recorded.
  std::string scope;
};

struct ModuleNotes {
  /// By the name of the placeholder: "p_layers_0_weight". Empty where the graph
  /// has no signature.
  std::map<std::string, ModuleTensor> placeholders;
  /// The other inputs of the module's graph, by their names there: user inputs
  /// and constants.
  std::set<std::string> inputs;
  /// By the name of the initializer.
  std::map<std::string, TensorNote> tensors;
};

/// Reads the metadata of a graph:
/// `pkg.torch.export.ExportedProgram.graph_signature` of the graph,
/// `pkg.torch.export.graph_signature.InputSpec.kind` and
/// `pkg.onnxscript.optimizer.folded_from` of its values. Entries that do not
/// parse are left out.
ModuleNotes readModuleNotes(const ::onnx::GraphProto &graph);

/// Reads `pkg.torch.onnx.fx_node` and `pkg.torch.onnx.name_scopes` of a node;
/// false if they are missing or have another form.
bool readModuleCall(const ::onnx::NodeProto &node, ModuleCall &call);

/// The operator by which torch.export names a call's result, and the call's
/// number: "unsqueeze" and 12 of "unsqueeze_12", "unsqueeze" and 0 of
/// "unsqueeze".
std::pair<llvm::StringRef, uint64_t> splitNumber(llvm::StringRef value);

/// The operator alone.
llvm::StringRef rootOf(llvm::StringRef value);

/// Reads the scope and the operator alone, from `pkg.torch.onnx.name_scopes`
/// and `pkg.torch.onnx.class_hierarchy`; false where there is no scope.
bool readModuleScope(const ::onnx::NodeProto &node, ModuleCall &call);

} // namespace gensyn

#endif

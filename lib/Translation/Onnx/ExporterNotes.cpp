// Reads exporters' metadata. Without it parameters, buffers and folded
// constants look alike in a file.

#include "ExporterNotes.h"

#include "Parameters/InitializerEdits.h"
#include "Parameters/ModuleNotes.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <map>

using llvm::StringRef;

namespace gensyn {

namespace {
/// The sources of a computed tensor.
struct Sources {
  int count = 0;
  /// True if one of the sources is a parameter, judged by its name
  /// (l.weight_ih_l0, l.parametrizations.weight.original0,
  /// m.position_embeddings), because the metadata of folded tensors is gone.
  bool hasParameter = false;
  /// True if one of the sources is stored in a part of the module and is not a
  /// value of its graph.
  bool hasStored = false;
  /// True if one of the sources has no inputs: positions, masks, tables.
  bool hasGenerated = false;
};
} // namespace

/// True if a value of a torch.export graph is computed from sizes alone:
/// arange_2, full, ones_like.
static bool isGenerated(StringRef name) {
  name = name.rtrim("0123456789").rtrim('_');
  name.consume_back("_like");
  return llvm::is_contained({"arange", "full", "ones", "zeros", "eye",
                             "linspace", "scalar_tensor", "tril_indices",
                             "triu_indices", "_tensor_constant"},
                            name);
}

static Sources readSources(const std::vector<std::string> &names) {
  Sources sources;
  for (StringRef name : names) {
    StringRef last = name.contains('.') ? name.rsplit('.').second : name;
    ++sources.count;
    sources.hasParameter |= name.contains("weight") || name.contains("bias") ||
                            last.contains("embed");
    sources.hasStored |= name.contains('.');
    sources.hasGenerated |= isGenerated(name);
  }
  return sources;
}

/// True if a tensor without a recorded kind is a constant of a formula, or was
/// computed from such constants. In doubt the tensor is trained: a user notices
/// that a constant is trained, but not that a parameter is frozen.
static bool isConstant(const ::onnx::TensorProto &tensor,
                       const std::vector<std::string> &foldedFrom) {
  const Sources sources = readSources(foldedFrom);
  if (sources.hasParameter || (sources.count == 1 && sources.hasStored))
    return false;
  return isScalarTensor(tensor) || sources.hasGenerated ||
         isGenerated(tensor.name());
}

ExporterNotes readExporterNotes(const ::onnx::GraphProto &graph) {
  std::map<std::string, TensorNote> notes = readModuleNotes(graph).tensors;
  bool notesParameters = false;
  for (const auto &[name, note] : notes)
    notesParameters |= note.kind == "PARAMETER";
  ExporterNotes result;
  if (!notesParameters)
    return result;
  for (const auto &tensor : graph.initializer()) {
    const TensorNote &note = notes[tensor.name()];
    if (!isFloatTensor(tensor) || note.kind == "PARAMETER")
      continue;
    if (!note.kind.empty())
      result.buffers.insert(tensor.name());
    else if (isConstant(tensor, note.foldedFrom))
      result.constants.insert(tensor.name());
  }
  return result;
}

} // namespace gensyn

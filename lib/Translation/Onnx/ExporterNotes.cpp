// Parameters, buffers and folded constants look alike in a file.

#include "ExporterNotes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <map>

using llvm::StringRef;

namespace gensyn {
namespace {
struct Note {
  std::string kind, foldedFrom;
};
} // namespace

static constexpr StringRef kindKey =
    "pkg.torch.export.graph_signature.InputSpec.kind";
static constexpr StringRef foldedKey = "pkg.onnxscript.optimizer.folded_from";

template <class Proto>
static void readNote(const Proto &proto, std::map<std::string, Note> &notes) {
  for (const auto &entry : proto.metadata_props()) {
    if (entry.key() == kindKey)
      notes[proto.name()].kind = entry.value();
    else if (entry.key() == foldedKey)
      notes[proto.name()].foldedFrom = entry.value();
  }
}

static bool isFloat(const ::onnx::TensorProto &tensor) {
  switch (tensor.data_type()) {
  case ::onnx::TensorProto::FLOAT:
  case ::onnx::TensorProto::DOUBLE:
  case ::onnx::TensorProto::FLOAT16:
  case ::onnx::TensorProto::BFLOAT16:
    return true;
  default:
    return false;
  }
}

static bool isOneNumber(const ::onnx::TensorProto &tensor) {
  for (int64_t extent : tensor.dims())
    if (extent != 1)
      return false;
  return true;
}

namespace {
/// What a tensor was computed of.
struct Sources {
  int count = 0;
  /// Whether one is a parameter, as far as names say (l.weight_ih_l0,
  /// l.parametrizations.weight.original0, m.position_embeddings): the notes of
  /// what was folded are gone.
  bool hasParameter = false;
  /// Whether one is stored in a part of the module and no value of its graph.
  bool hasStored = false;
  /// Whether one was made of nothing: positions, masks, tables.
  bool hasGenerated = false;
};
} // namespace

/// Whether a value of a graph of torch.export is made of nothing but sizes:
/// arange_2, full, ones_like.
static bool isGenerated(StringRef name) {
  name = name.rtrim("0123456789").rtrim('_');
  name.consume_back("_like");
  return llvm::is_contained({"arange", "full", "ones", "zeros", "eye",
                             "linspace", "scalar_tensor", "tril_indices",
                             "triu_indices", "_tensor_constant"},
                            name);
}

/// Reads a list as Python writes it: ['a', 'b'].
static Sources readSources(StringRef list) {
  Sources sources;
  while (!list.empty()) {
    auto [text, rest] = list.split(',');
    StringRef name = text.trim(" []'\"");
    StringRef last = name.contains('.') ? name.rsplit('.').second : name;
    ++sources.count;
    sources.hasParameter |= name.contains("weight") || name.contains("bias") ||
                            last.contains("embed");
    sources.hasStored |= name.contains('.');
    sources.hasGenerated |= isGenerated(name);
    list = rest;
  }
  return sources;
}

/// Whether a tensor of which no kind is noted is a number of a formula, or was
/// computed of such. Where nothing says so it is trained: a constant that is
/// trained shows, a parameter that is not does not.
static bool isConstant(const ::onnx::TensorProto &tensor,
                       const std::string &foldedFrom) {
  const Sources sources = readSources(foldedFrom);
  if (sources.hasParameter || (sources.count == 1 && sources.hasStored))
    return false;
  return isOneNumber(tensor) || sources.hasGenerated ||
         isGenerated(tensor.name());
}

ExporterNotes readExporterNotes(const ::onnx::GraphProto &graph) {
  std::map<std::string, Note> notes;
  for (const auto &value : graph.value_info())
    readNote(value, notes);
  for (const auto &value : graph.input())
    readNote(value, notes);
  for (const auto &tensor : graph.initializer())
    readNote(tensor, notes);
  bool notesParameters = false;
  for (const auto &[name, note] : notes)
    notesParameters |= note.kind == "PARAMETER";
  ExporterNotes result;
  if (!notesParameters)
    return result;
  for (const auto &tensor : graph.initializer()) {
    const Note &note = notes[tensor.name()];
    if (!isFloat(tensor) || note.kind == "PARAMETER")
      continue;
    if (!note.kind.empty())
      result.buffers.insert(tensor.name());
    else if (isConstant(tensor, note.foldedFrom))
      result.constants.insert(tensor.name());
  }
  return result;
}

} // namespace gensyn

// Parameters, buffers and folded constants look alike in a file.

#include "ExporterNotes.h"

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

/// Whether one of the names in a list of Python's is that of a parameter, as
/// far as names say: l.weight_ih_l0, l.parametrizations.weight.original0,
/// m.position_embeddings. The notes of what was folded are gone.
static bool hasParameter(StringRef list) {
  while (!list.empty()) {
    auto [name, rest] = list.split(',');
    StringRef last = name.contains('.') ? name.rsplit('.').second : name;
    if (name.contains("weight") || name.contains("bias") ||
        last.contains("embed"))
      return true;
    list = rest;
  }
  return false;
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
    // The list is Python's: ['a', 'b'].
    const bool hasSources = !note.foldedFrom.empty();
    const bool hasSeveral = StringRef(note.foldedFrom).contains(',') &&
                            !hasParameter(note.foldedFrom);
    if (!note.kind.empty())
      result.buffers.insert(tensor.name());
    else if (hasSources ? hasSeveral : isOneNumber(tensor))
      result.constants.insert(tensor.name());
  }
  return result;
}

} // namespace gensyn

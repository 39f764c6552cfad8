// Parses Python text in metadata; see ModuleNotes.h.

#include "ModuleNotes.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

namespace gensyn {

static constexpr StringRef kSignature =
    "pkg.torch.export.ExportedProgram.graph_signature";
static constexpr StringRef kKind =
    "pkg.torch.export.graph_signature.InputSpec.kind";
static constexpr StringRef kFolded = "pkg.onnxscript.optimizer.folded_from";
static constexpr StringRef kCall = "pkg.torch.onnx.fx_node";
static constexpr StringRef kScopes = "pkg.torch.onnx.name_scopes";
static constexpr StringRef kClasses = "pkg.torch.onnx.class_hierarchy";

template <class Proto>
static StringRef find(const Proto &proto, StringRef key) {
  for (const auto &entry : proto.metadata_props())
    if (entry.key() == key)
      return entry.value();
  return "";
}

/// A Python list: ['a', 'b'].
static std::vector<std::string> readList(StringRef list) {
  std::vector<std::string> names;
  list = list.trim(" []");
  while (!list.empty()) {
    auto [text, rest] = list.split(',');
    names.push_back(text.trim(" '\"").str());
    list = rest;
  }
  return names;
}

/// Reads the lines p_weight: PARAMETER target='weight' before the outputs.
static void readSignature(StringRef text, ModuleNotes &notes) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.starts_with("# outputs"))
      return;
    auto [name, rest] = line.split(": ");
    auto [kind, target] = rest.split(" target=");
    const bool isParameter = kind == "PARAMETER";
    if (!isParameter && kind != "BUFFER")
      notes.inputs.insert(name.str());
    else if (!target.empty() &&
             (target.front() == '\'' || target.front() == '"'))
      notes.placeholders[name.str()] = {
          target.drop_front().split(target.front()).first.str(), isParameter};
  }
}

template <class Proto>
static void readTensor(const Proto &proto,
                       std::map<std::string, TensorNote> &tensors) {
  const StringRef kind = find(proto, kKind), folded = find(proto, kFolded);
  if (!kind.empty())
    tensors[proto.name()].kind = kind.str();
  if (!folded.empty())
    tensors[proto.name()].foldedFrom = readList(folded);
}

ModuleNotes readModuleNotes(const ::onnx::GraphProto &graph) {
  ModuleNotes notes;
  readSignature(find(graph, kSignature), notes);
  for (const auto &value : graph.value_info())
    readTensor(value, notes.tensors);
  for (const auto &value : graph.input())
    readTensor(value, notes.tensors);
  for (const auto &tensor : graph.initializer())
    readTensor(tensor, notes.tensors);
  return notes;
}

/// The text up to the closing bracket of an open one; all of it if none closes.
static StringRef takeBracket(StringRef text) {
  int depth = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("([{").contains(text[i]))
      ++depth;
    else if (StringRef(")]}").contains(text[i]) && --depth == 0)
      return text.take_front(i);
  }
  return text;
}

/// Splits at commas outside of brackets; `visit` gets each part.
template <class Visit> static void splitArguments(StringRef text, Visit visit) {
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      if (StringRef part = text.slice(begin, i).trim(); !part.empty())
        visit(part);
      begin = i + 1;
    } else if (StringRef("([{").contains(text[i])) {
      ++depth;
    } else if (StringRef(")]}").contains(text[i])) {
      --depth;
    }
  }
}

/// The names after percent signs.
static std::vector<std::string> readValues(StringRef text) {
  std::vector<std::string> values;
  while (true) {
    text = text.split('%').second;
    StringRef name =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (name.empty())
      return values;
    values.push_back(name.str());
  }
}

/// The operator of a target: layer_norm for
/// "torch.ops.aten.layer_norm.default", getitem for "operator.getitem".
static StringRef operatorOf(StringRef target) {
  if (target.consume_front("torch.ops."))
    return target.split('.').second.split('.').first;
  return target.contains('.') ? target.rsplit('.').second : target;
}

bool readModuleCall(const ::onnx::NodeProto &node, ModuleCall &call) {
  StringRef text = find(node, kCall);
  if (!text.consume_front("%"))
    return false;
  auto [value, rest] = text.split(" : ");
  auto [head, arguments] = rest.split("](args = (");
  if (arguments.empty())
    return false;
  call = ModuleCall();
  call.value = value.str();
  call.op = operatorOf(head.split("[target=").second).str();
  if (head.consume_front("[num_users="))
    head.consumeInteger(10, call.users);
  StringRef positional = takeBracket(arguments);
  splitArguments(positional, [&](StringRef part) {
    call.arguments.push_back({"", readValues(part), part.str()});
  });
  StringRef keys = arguments.drop_front(positional.size());
  keys = keys.split("kwargs = {").second;
  splitArguments(takeBracket(keys), [&](StringRef part) {
    auto [key, given] = part.split(": ");
    call.arguments.push_back({key.str(), readValues(given), given.str()});
  });
  ModuleCall scope;
  if (readModuleScope(node, scope))
    call.scope = scope.scope;
  return true;
}

std::pair<StringRef, uint64_t> splitNumber(StringRef value) {
  auto [root, digits] = value.rsplit('_');
  uint64_t number = 0;
  if (digits.empty() || digits.getAsInteger(10, number))
    return {value, 0};
  return {root, number};
}

StringRef rootOf(StringRef value) { return splitNumber(value).first; }

bool readModuleScope(const ::onnx::NodeProto &node, ModuleCall &call) {
  std::vector<std::string> scopes = readList(find(node, kScopes));
  std::vector<std::string> classes = readList(find(node, kClasses));
  if (scopes.size() < 2)
    return false;
  // The last scope is the call's own; the one before it is the module's.
  call = ModuleCall();
  call.value = scopes.back();
  call.scope = scopes[scopes.size() - 2];
  if (!classes.empty())
    call.op = operatorOf("torch.ops." + classes.back()).str();
  return true;
}

} // namespace gensyn

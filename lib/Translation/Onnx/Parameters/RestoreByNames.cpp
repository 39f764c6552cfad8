// Infers parameters from names, for files whose exporter writes no metadata;
// see RestoreParameters.h.

#include "RestoreParameters.h"

#include "InitializerEdits.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using llvm::StringRef;
using ::onnx::NodeProto;
using ::onnx::TensorProto;

namespace gensyn {
namespace {
using Form = ParameterForm;

struct Reader {
  NodeProto *node;
  int operand;
};

class ByNames {
public:
  ByNames(::onnx::GraphProto &graph, ModelFolder &folder)
      : graph(graph), edits(graph, folder) {}
  ParameterTable run();

private:
  void readNodes();
  void takeIdentities();
  std::string withoutCallNumbers(StringRef module, bool &isSure) const;
  std::string moduleOfNode(const NodeProto &node) const;
  std::set<std::string> placesThatRead(const std::string &value,
                                       bool &isSure) const;
  void describe(const TensorProto &tensor);
  void findTies();
  void findTwins();
  void findPadding();
  void findUnknownKinds();
  void findSharedFills();

  ::onnx::GraphProto &graph;
  InitializerEdits edits;
  ParameterTable table;
  std::map<std::string, std::vector<Reader>> readers;
  /// The operators in each module.
  std::map<std::string, std::set<std::string>> operators;
  /// Initializers that may or may not be tied.
  std::set<std::string> isOpen;
  /// Modules in the names of tensors, and in those of nodes.
  std::set<std::string> named, scopes;
};
} // namespace

/// True if a name is a number that the exporter chose and not a name of the
/// module.
static bool isAnonymous(StringRef name) {
  return name.starts_with("onnx::") || name.starts_with("/") ||
         llvm::all_of(name, llvm::isDigit);
}

/// Returns "layers.0.fc" for a node "/layers/layers.0/fc/MatMul". A part that
/// repeats the path before it, as parts of lists do, replaces that path.
static std::string moduleOf(StringRef node) {
  std::string path;
  if (!node.consume_front("/") || !node.contains('/'))
    return path;
  StringRef rest = node.rsplit('/').first;
  while (!rest.empty()) {
    auto [part, next] = rest.split('/');
    StringRef last = StringRef(path).contains('.')
                         ? StringRef(path).rsplit('.').second
                         : StringRef(path);
    if (!last.empty() && part.starts_with((last + ".").str()))
      path.resize(path.size() - last.size());
    else if (!path.empty())
      path += '.';
    path += part;
    rest = next;
  }
  return path;
}

/// Adds a module and the modules that contain it.
static void addPrefixes(StringRef module, std::set<std::string> &prefixes) {
  while (!module.empty() && prefixes.insert(module.str()).second)
    module = module.contains('.') ? module.rsplit('.').first : StringRef();
}

/// The name without the number that the second, third, ... call of a module
/// adds to it. Clears `isSure` if the name may be that of another module.
std::string ByNames::withoutCallNumbers(StringRef module, bool &isSure) const {
  std::string result;
  while (!module.empty()) {
    auto [part, rest] = module.split('.');
    StringRef bare = part.rtrim("0123456789");
    const std::string head = result.empty() ? "" : result + ".";
    result = head + part.str();
    if (bare.size() < part.size() && bare.consume_back("_") && !bare.empty() &&
        !named.count(result)) {
      const std::string other = head + bare.str();
      if (named.count(other))
        result = other;
      else if (scopes.count(other))
        isSure = false;
    }
    module = rest;
  }
  return result;
}

std::string ByNames::moduleOfNode(const NodeProto &node) const {
  bool ignored = true;
  return withoutCallNumbers(moduleOf(node.name()), ignored);
}

void ByNames::readNodes() {
  readers.clear();
  operators.clear();
  for (const TensorProto &tensor : graph.initializer())
    if (StringRef name = tensor.name();
        !isAnonymous(name) && name.contains('.'))
      addPrefixes(name.rsplit('.').first, named);
  forEachGraphNode(graph, [&](NodeProto &node) {
    const std::string module = moduleOf(node.name());
    addPrefixes(module, scopes);
    operators[module].insert(node.op_type());
    if (node.op_type() == "Identity" && node.output_size() == 1)
      if (StringRef name = node.output(0);
          !isAnonymous(name) && name.contains('.'))
        addPrefixes(name.rsplit('.').first, named);
    for (int i = 0; i < node.input_size(); ++i)
      readers[node.input(i)].push_back({&node, i});
  });
}

/// The operands of nodes that read a value, the same for all calls of a module.
/// Clears `isSure` if the names of modules are ambiguous.
std::set<std::string> ByNames::placesThatRead(const std::string &value,
                                              bool &isSure) const {
  std::set<std::string> found;
  if (auto known = readers.find(value); known != readers.end())
    for (const Reader &reader : known->second) {
      const StringRef name = reader.node->name();
      if (reader.node->op_type() != "Identity")
        found.insert(withoutCallNumbers(moduleOf(name), isSure) + "/" +
                     name.rsplit('/').second.str() + ":" +
                     std::to_string(reader.operand));
    }
  return found;
}

/// The exporter replaces an initializer that equals another one by an Identity
/// of that one, under its own name. If the initializer has no name of the
/// module, it is a tensor of the nodes that read it, and is tied to one that
/// the same nodes read in another call of their module.
void ByNames::takeIdentities() {
  std::set<const NodeProto *> done;
  /// For an initializer: the operands that read it or a copy, and their names.
  struct Copies {
    bool isSure = true;
    std::map<std::set<std::string>, std::string> names;
  };
  std::map<std::string, Copies> copiesOf;
  for (NodeProto &node : *graph.mutable_node()) {
    StringRef name = node.name();
    if (node.op_type() != "Identity" || node.input_size() != 1 ||
        node.output_size() != 1 || !name.consume_front("Identity_") ||
        !llvm::all_of(name, llvm::isDigit))
      continue;
    const TensorProto *tensor = edits.find(node.input(0));
    const std::string value = node.output(0);
    if (!tensor || !isFloatTensor(*tensor) || edits.find(value))
      continue;
    if (isAnonymous(value)) {
      auto [known, isNew] = copiesOf.try_emplace(tensor->name());
      Copies &copies = known->second;
      if (isNew)
        copies.names[placesThatRead(tensor->name(), copies.isSure)] =
            tensor->name();
      bool isSure = copies.isSure;
      const auto [copy, isOwn] =
          copies.names.try_emplace(placesThatRead(value, isSure), value);
      const bool isUnclear = isOwn && !isSure;
      if (isUnclear && isOpen.insert(tensor->name()).second)
        table.parameters.push_back(
            {tensor->name(), {{tensor->name()}, {value}}, Form::Computed});
      if (isUnclear)
        copy->second = tensor->name();
      if (copy->second != value) {
        for (const Reader &reader : readers[value])
          reader.node->set_input(reader.operand, copy->second);
        done.insert(&node);
        continue;
      }
    }
    edits.copy(*tensor, value, "");
    done.insert(&node);
  }
  // Nodes that stay keep their addresses.
  std::set<std::string> outputs;
  for (const NodeProto *node : done)
    outputs.insert(node->output(0));
  auto &nodes = *graph.mutable_node();
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(),
                             [&](const NodeProto &node) {
                               return node.op_type() == "Identity" &&
                                      node.output_size() == 1 &&
                                      outputs.count(node.output(0));
                             }),
              nodes.end());
}

/// The parameters of a cell that an operand of its node joins.
static std::vector<std::vector<std::string>>
recurrentNames(const NodeProto &node, const std::string &module, int operand) {
  StringRef number = StringRef(node.name()).rsplit('/').second;
  number = number.split('_').second;
  const std::string layer = number.empty() ? "0" : number.str();
  bool isBoth = false;
  for (const auto &attribute : node.attribute())
    isBoth |=
        attribute.name() == "direction" && attribute.s() == "bidirectional";
  std::vector<std::vector<std::string>> names;
  for (const char *end : {"", "_reverse"}) {
    if (*end && !isBoth)
      break;
    auto add = [&](const char *leaf) {
      names.push_back({module + "." + leaf + layer + end});
    };
    if (operand == 1)
      add("weight_ih_l");
    else if (operand == 2)
      add("weight_hh_l");
    else
      add("bias_ih_l"), add("bias_hh_l");
  }
  return names;
}

/// Describes the contents of an initializer without a name of the module, as
/// far as the operator and the module of its reader determine them.
void ByNames::describe(const TensorProto &tensor) {
  auto found = readers.find(tensor.name());
  if (found == readers.end() || isOpen.count(tensor.name()))
    return;
  const auto [node, operand] = found->second.front();
  const StringRef type = node->op_type();
  const std::string module = moduleOfNode(*node);
  const std::set<std::string> &others = operators[moduleOf(node->name())];
  const std::string weight = module + ".weight", bias = module + ".bias";
  auto add = [&](Form form, std::vector<std::vector<std::string>> names) {
    table.parameters.push_back({tensor.name(), std::move(names), form});
  };
  const bool isLinear = llvm::all_of(others, [](const std::string &other) {
    return other == "MatMul" || other == "Add" || other == "Transpose";
  });
  const bool isSameModule =
      llvm::all_of(found->second, [&](const Reader &reader) {
        return moduleOfNode(*reader.node) == module;
      });
  auto addComputed = [&] { add(Form::Computed, {{tensor.name()}}); };
  if (module.empty() || !isSameModule)
    addComputed();
  else if (type == "MatMul" && operand == 1 && tensor.dims_size() == 2 &&
           isLinear)
    add(Form::Transposed, {{weight}});
  else if (type == "PRelu" && operand == 1)
    add(Form::Reshaped, {{weight}});
  else if ((type == "Mul" || type == "Add") && tensor.dims_size() > 0 &&
           others.count("InstanceNormalization"))
    add(Form::Reshaped, {{type == "Mul" ? weight : bias}});
  else if ((type == "LSTM" || type == "GRU" || type == "RNN") && operand >= 1 &&
           operand <= 3)
    add(Form::Rearranged, recurrentNames(*node, module, operand));
  else if (type == "Conv" || type == "ConvTranspose")
    add(Form::Computed, {{operand == 1 ? weight : bias}});
  else
    addComputed();
}

/// Ties a weight that is also stored transposed to itself; two initializers
/// would be trained as two parameters.
void ByNames::findTies() {
  std::map<std::string, std::string> matrices; // by their elements' digest
  auto digest = [](const std::optional<std::string> &bytes) {
    return bytes ? blake3(*bytes) : "";
  };
  for (const TensorProto &tensor : graph.initializer())
    if (isFloatTensor(tensor) && tensor.dims_size() == 2 &&
        !isAnonymous(tensor.name()))
      matrices.try_emplace(digest(edits.bytes(tensor)), tensor.name());
  for (ModuleParameter &row : table.parameters) {
    const TensorProto *tensor = edits.find(row.initializer);
    if (row.form != Form::Transposed || edits.isFilled(*tensor).value_or(true))
      continue;
    auto other = matrices.find(digest(edits.transposedBytes(*tensor)));
    if (other == matrices.end())
      continue;
    row.form = Form::Computed;
    row.names.push_back({other->second});
  }
}

/// Finds several initializers that hold one parameter, which would be trained
/// as several, and a parameter beside an initializer that contains it.
void ByNames::findTwins() {
  std::map<std::string, std::vector<ModuleParameter *>> holders;
  for (ModuleParameter &row : table.parameters)
    for (const std::vector<std::string> &names : row.names)
      if (!names.empty())
        holders[names.front()].push_back(&row);
  for (auto &[name, rows] : holders)
    if (rows.size() > 1 ||
        (edits.find(name) && rows.front()->initializer != name))
      for (ModuleParameter *row : rows)
        row->form = Form::Computed;
}

/// In a newly initialized embedding only the row of padding is all zeros.
void ByNames::findPadding() {
  std::set<std::string> seen;
  for (const ModuleParameter &row : table.parameters)
    seen.insert(row.initializer);
  for (const auto &[name, list] : readers) {
    const TensorProto *tensor = edits.find(name);
    const bool isTable = llvm::any_of(list, [](const Reader &reader) {
      return reader.node->op_type() == "Gather" && reader.operand == 0;
    });
    if (isTable && tensor && isFloatTensor(*tensor) &&
        tensor->dims_size() == 2 && !seen.count(name) &&
        edits.hasZeroRow(*tensor).value_or(false))
      table.parameters.push_back({name, {{name}}, Form::Padded});
  }
}

/// Names of the module identify weights and biases, but not other parameters.
void ByNames::findUnknownKinds() {
  for (const TensorProto &tensor : graph.initializer()) {
    StringRef leaf = StringRef(tensor.name()).rsplit('.').second;
    if (leaf.empty())
      leaf = tensor.name();
    const bool isUnclear = isFloatTensor(tensor) &&
                           !isAnonymous(tensor.name()) &&
                           !isScalarTensor(tensor) &&
                           !leaf.contains("weight") && !leaf.contains("bias");
    if (isUnclear &&
        llvm::any_of(readers[tensor.name()], [](const Reader &reader) {
          return !isStatistic(*reader.node, reader.operand);
        }))
      table.unknownKinds.push_back(tensor.name());
  }
}

/// Finds merged initializers without an Identity: fills of ones or zeros that
/// several modules read.
void ByNames::findSharedFills() {
  if (llvm::any_of(graph.node(), [](const NodeProto &node) {
        return StringRef(node.name()).starts_with("Identity_");
      }))
    return;
  for (const TensorProto &tensor : graph.initializer()) {
    if (!isFloatTensor(tensor) || tensor.dims_size() > 1 ||
        isAnonymous(tensor.name()))
      continue;
    StringRef leaf = StringRef(tensor.name()).rsplit('.').second;
    // A single reader with another name is in a container that is never called,
    // or reads a tied tensor.
    if (readers[tensor.name()].size() < 2)
      continue;
    std::vector<std::vector<std::string>> names = {{tensor.name()}};
    for (const Reader &reader : readers[tensor.name()]) {
      std::string module = moduleOfNode(*reader.node);
      std::string name = module + "." + leaf.str();
      if (!module.empty() && !leaf.empty() && name != tensor.name() &&
          !llvm::is_contained(names, std::vector{name}))
        names.push_back({name});
    }
    if (names.size() > 1 && edits.isFilled(tensor).value_or(false))
      table.parameters.push_back({tensor.name(), names, Form::Computed});
  }
}

ParameterTable ByNames::run() {
  readNodes();
  findSharedFills();
  takeIdentities();
  readNodes();
  std::vector<const TensorProto *> anonymous;
  for (const TensorProto &tensor : graph.initializer())
    if (isFloatTensor(tensor) && isAnonymous(tensor.name()))
      anonymous.push_back(&tensor);
  for (const TensorProto *tensor : anonymous)
    describe(*tensor);
  findTies();
  findTwins();
  findPadding();
  findUnknownKinds();
  return std::move(table);
}

ParameterTable restoreByNames(::onnx::GraphProto &graph, ModelFolder &folder) {
  return ByNames(graph, folder).run();
}

/// True if an operand is a scale, a shift or a slope, which each layer has for
/// itself.
static bool isOfLayer(const NodeProto &node, int operand) {
  const StringRef type = node.op_type();
  if (type == "PRelu")
    return operand == 1;
  if (type == "Conv" || type == "ConvTranspose" || type == "Gemm")
    return operand == 2;
  return (operand == 1 || operand == 2) &&
         llvm::is_contained({"LayerNormalization", "BatchNormalization",
                             "InstanceNormalization", "GroupNormalization",
                             "RMSNormalization"},
                            type);
}

ParameterTable suspectMerged(const ::onnx::GraphProto &graph) {
  ParameterTable table;
  std::map<std::string, std::vector<std::string>> layers;
  std::set<std::string> trained, statistics;
  for (const NodeProto &node : graph.node())
    for (int i = 0; i < node.input_size(); ++i) {
      const bool isSeen = isStatistic(node, i);
      if (!isSeen && !isOfLayer(node, i))
        continue;
      layers[node.input(i)].push_back(node.name());
      (isSeen ? statistics : trained).insert(node.input(i));
    }
  for (const TensorProto &tensor : graph.initializer()) {
    auto found = layers.find(tensor.name());
    if (found == layers.end() || found->second.size() < 2 ||
        !trained.count(tensor.name()) || !isFloatTensor(tensor) ||
        tensor.dims_size() > 1)
      continue;
    table.suspicions.push_back(
        "initializer '" + tensor.name() + "' is " +
        (statistics.count(tensor.name()) ? "a statistic and " : "") +
        "a scale or a shift of " + std::to_string(found->second.size()) +
        " layers, '" + found->second.front() +
        "' and others, and trained as one tensor: an "
        "exporter may have merged equal ones");
  }
  return table;
}

} // namespace gensyn

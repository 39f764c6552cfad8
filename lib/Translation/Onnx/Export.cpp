// Exports the onnx dialect as an ONNX model. Names come from attributes of the
// function (names with meaning) and from locations (hints, made unique).

#include "gensyn/Translation/Onnx/Export.h"
#include "ModelFolder.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/GraphBuilder.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

#include <set>

using namespace mlir;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {
namespace {

class Exporter {
public:
  Exporter(::onnx::ModelProto &model, ModelFolder &folder, ImportError &error)
      : model(model), folder(folder), error(error) {}
  LogicalResult run(ModuleOp module);

private:
  LogicalResult exportTraining(ModuleOp module);
  LogicalResult exportAlgorithm(func::FuncOp main, func::FuncOp function,
                                ::onnx::TrainingInfoProto &training);
  LogicalResult nameLikeMain(func::FuncOp main, func::FuncOp function);
  LogicalResult exportInitialization(func::FuncOp function,
                                     ::onnx::TrainingInfoProto &training);
  void exportModule(ModuleOp module);
  LogicalResult exportArguments(func::FuncOp function,
                                ::onnx::GraphProto &graph);
  LogicalResult exportWeight(BlockArgument argument, Attribute data,
                             ::onnx::TensorProto &out);
  /// Exports the ops of a block. For `@train_algorithm` (`onlyMarked`), exports
  /// only the ops that the algorithm adds, and its results.
  LogicalResult exportBlock(Block &block, ::onnx::GraphProto &graph,
                            bool onlyMarked = false);
  void exportGradient(Operation *op, ::onnx::NodeProto &node);
  LogicalResult exportNode(Operation *op, ::onnx::GraphProto &graph);
  LogicalResult startNode(Operation *op, ::onnx::NodeProto &node);
  LogicalResult exportAttributes(Operation *op, ::onnx::NodeProto &node);
  void exportInfo(Operation *op, ::onnx::NodeProto &node);
  void exportResults(Operation *op, ::onnx::NodeProto &node,
                     ::onnx::GraphProto &graph);
  void describe(Value value, ::onnx::ValueInfoProto &info);
  std::string nameOf(Value value, StringRef hint);

  ::onnx::ModelProto &model;
  ModelFolder &folder;
  ImportError &error;
  std::map<std::string, int> opsets;
  llvm::DenseMap<Value, std::string> names;
  std::set<std::string> used, usedNodes; // names of values, of nodes
};

std::string fresh(StringRef hint, std::set<std::string> &used) {
  std::string name = hint.empty() ? "v" : hint.str();
  for (int i = 1; !used.insert(name).second; ++i)
    name = (hint.empty() ? "v" : hint.str()) + "_" + std::to_string(i);
  return name;
}

std::string Exporter::nameOf(Value value, StringRef hint) {
  std::string &name = names[value];
  if (name.empty())
    name = fresh(hint, used);
  return name;
}

void Exporter::describe(Value value, ::onnx::ValueInfoProto &info) {
  info.set_name(names[value]);
  ::onnx::TypeProto type;
  if (onnx::exportType(value.getType(), type))
    *info.mutable_type() = type;
}

LogicalResult Exporter::exportAttributes(Operation *op,
                                         ::onnx::NodeProto &node) {
  const ::onnx::OpSchema *schema = onnx::NodeOp::schemaOf(op);
  if (!schema)
    return success();
  for (NamedAttribute attribute : op->getAttrs())
    if (onnx::isGradient(op))
      continue; // these name values, which may differ now
    else if (auto it = schema->attributes().find(attribute.getName().str());
             it != schema->attributes().end())
      onnx::exportAttribute(attribute.getName(), attribute.getValue(),
                            it->second.type, *node.add_attribute());
  for (auto [name, region] :
       llvm::zip(onnx::graphAttributes(*schema), op->getRegions())) {
    if (region.empty())
      continue;
    auto *attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::GRAPH);
    attribute->mutable_g()->set_name(name);
    for (BlockArgument argument : region.getArguments()) {
      auto loc = dyn_cast<NameLoc>(argument.getLoc());
      nameOf(argument, loc ? loc.getName().getValue() : "arg");
      describe(argument, *attribute->mutable_g()->add_input());
    }
    if (failed(exportBlock(region.front(), *attribute->mutable_g())))
      return failure();
  }
  return success();
}

/// Sets operator, domain and name.
LogicalResult Exporter::startNode(Operation *op, ::onnx::NodeProto &node) {
  if (const ::onnx::OpSchema *schema = onnx::NodeOp::schemaOf(op)) {
    // The file has one version per domain, so an op of another version would
    // silently change its meaning. (Expanded function bodies can contain such
    // ops.)
    auto it = opsets.find(schema->domain());
    int version = it == opsets.end() ? 0 : it->second;
    auto *inFile = ::onnx::OpSchemaRegistry::Schema(schema->Name(), version,
                                                    schema->domain());
    if (inFile != schema)
      return op->emitOpError() << "is not what opset " << version
                               << " means by '" << schema->Name() << "'";
    node.set_op_type(schema->Name());
    node.set_domain(schema->domain());
  } else if (auto custom = dyn_cast<onnx::CustomOp>(op)) {
    node.set_op_type(custom.getOpType().str());
    node.set_domain(custom.getDomain().str());
  } else {
    return op->emitOpError() << "has no ONNX form";
  }
  return success();
}

/// Sets the node's name, documentation and metadata from its location.
void Exporter::exportInfo(Operation *op, ::onnx::NodeProto &node) {
  if (auto loc = dyn_cast<NameLoc>(op->getLoc()))
    node.set_name(fresh(loc.getName(), usedNodes));
  DictionaryAttr info = onnx::infoOf(op->getLoc());
  if (auto doc = info ? info.getAs<StringAttr>("doc") : StringAttr())
    node.set_doc_string(doc.str());
  for (NamedAttribute entry : info &&info.getAs<DictionaryAttr>("metadata")
                                  ? info.getAs<DictionaryAttr>("metadata")
                                  : DictionaryAttr::get(op->getContext())) {
    auto *property = node.add_metadata_props();
    property->set_key(entry.getName().str());
    property->set_value(cast<StringAttr>(entry.getValue()).str());
  }
}

void Exporter::exportResults(Operation *op, ::onnx::NodeProto &node,
                             ::onnx::GraphProto &graph) {
  DictionaryAttr info = onnx::infoOf(op->getLoc());
  auto hints = info ? info.getAs<ArrayAttr>("outputs") : ArrayAttr();
  for (OpResult result : op->getResults()) {
    if (isa<NoneType>(result.getType())) {
      node.add_output("");
      continue;
    }
    unsigned i = result.getResultNumber();
    auto hint = hints && i < hints.size() ? dyn_cast<StringAttr>(hints[i])
                                          : StringAttr();
    node.add_output(nameOf(result, hint ? hint.getValue() : ""));
    // Not in subgraphs: other tools infer types of bodies from the outer values
    // and reject a declared type that is equally valid.
    if (!isa<onnx::UnknownType>(result.getType()) &&
        isa<func::FuncOp>(op->getParentOp()))
      describe(result, *graph.add_value_info());
  }
}

/// In the dialect, the operands of Gradient are the values that its attributes
/// name.
void Exporter::exportGradient(Operation *op, ::onnx::NodeProto &node) {
  auto add = [&](const char *name, ValueRange values) {
    if (values.empty())
      return;
    auto *attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::STRINGS);
    for (Value value : values)
      attribute->add_strings(names[value]);
  };
  auto xs = op->getAttrOfType<ArrayAttr>("xs");
  size_t count = xs ? std::min<size_t>(xs.size(), op->getNumOperands() - 1) : 0;
  OperandRange inputs = op->getOperands().drop_back();
  for (Value input : inputs)
    node.add_input(names[input]);
  add("xs", inputs.take_front(count));
  auto *y = node.add_attribute();
  y->set_name("y");
  y->set_type(::onnx::AttributeProto::STRING);
  y->set_s(names[op->getOperands().back()]);
  add("zs", inputs.drop_front(count));
}

LogicalResult Exporter::exportNode(Operation *op, ::onnx::GraphProto &graph) {
  if (isa<onnx::NoneOp>(op))
    return success();
  if (op->hasAttr(onnx::names::variable)) {
    names[op->getResult(0)] = names[op->getOperand(0)];
    return success();
  }
  if (auto constant = dyn_cast<onnx::ConstantOp>(op)) {
    // Not a Constant node: before opset 9 those hold floats only.
    auto loc = dyn_cast<NameLoc>(op->getLoc());
    auto *tensor = graph.add_initializer();
    onnx::exportTensor(constant.getValue(), *tensor);
    tensor->set_name(nameOf(constant.getResult(),
                            loc ? loc.getName().getValue() : "constant"));
    return success();
  }
  auto *node = graph.add_node();
  if (failed(startNode(op, *node)))
    return failure();
  if (onnx::isGradient(op))
    exportGradient(op, *node);
  else
    for (Value operand : op->getOperands())
      node->add_input(isa<NoneType>(operand.getType()) ? "" : names[operand]);
  if (failed(exportAttributes(op, *node)))
    return failure();
  exportInfo(op, *node);
  exportResults(op, *node, graph);
  return success();
}

LogicalResult Exporter::exportBlock(Block &block, ::onnx::GraphProto &graph,
                                    bool onlyMarked) {
  for (Operation &op : block.without_terminator())
    if ((!onlyMarked || op.hasAttr(program::kAlgorithmAttr)) &&
        failed(exportNode(&op, graph)))
      return failure();
  for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
    Value value = operand.get();
    if (onlyMarked && !cast<func::FuncOp>(block.getParentOp())
                           .getResultAttr(operand.getOperandNumber(),
                                          program::kAlgorithmAttr))
      continue;
    auto *output = graph.add_output();
    std::string wanted = names[value];
    if (auto function = dyn_cast<func::FuncOp>(block.getParentOp()))
      if (auto name = function.getResultAttrOfType<StringAttr>(
              operand.getOperandNumber(), onnx::names::name))
        wanted = name.str();
    describe(value, *output);
    output->set_name(wanted);
    // A value that already has another name, or that belongs to an outer graph,
    // needs a node that copies it to this name.
    if (wanted != names[value] || value.getParentBlock() != &block) {
      if (wanted == names[value])
        wanted = fresh(wanted, used);
      output->set_name(wanted);
      auto *identity = graph.add_node();
      identity->set_op_type("Identity");
      identity->add_input(names[value]);
      identity->add_output(wanted);
    }
  }
  return success();
}

LogicalResult Exporter::exportWeight(BlockArgument argument, Attribute data,
                                     ::onnx::TensorProto &out) {
  auto type = cast<RankedTensorType>(argument.getType());
  if (auto elements = dyn_cast<ElementsAttr>(data)) {
    onnx::exportTensor(elements, out);
  } else if (isa<onnx::SymbolicAttr>(data)) {
    error = {Kind::Unsupported,
             "'" + names[argument] +
                 "': its values are symbolic, so that a file cannot have them"};
    return failure();
  } else {
    auto external = cast<onnx::ExternalAttr>(data);
    auto bytes = folder.read(external.getFile(), external.getOffset(),
                             external.getLength(), error);
    if (failed(bytes))
      return failure();
    if (blake3(*bytes) != external.getHash()) {
      error = {Kind::BadModel, "'" + names[argument] + "': its bytes in '" +
                                   external.getFile().str() + "' have changed"};
      return failure();
    }
    out.set_data_type(onnx::onnxElementOf(type.getElementType()));
    for (int64_t size : type.getShape())
      out.add_dims(size);
    out.set_raw_data(std::move(*bytes));
  }
  out.set_name(names[argument]);
  return success();
}

/// Names with meaning come first, so that hints cannot take them.
LogicalResult Exporter::exportArguments(func::FuncOp function,
                                        ::onnx::GraphProto &graph) {
  for (BlockArgument argument : function.getArguments()) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      onnx::names::name);
    nameOf(argument, name ? name.getValue() : "arg");
  }
  for (OpOperand &operand : function.front().getTerminator()->getOpOperands()) {
    auto name = function.getResultAttrOfType<StringAttr>(
        operand.getOperandNumber(), onnx::names::name);
    if (name && names[operand.get()].empty() && used.insert(name.str()).second)
      names[operand.get()] = name.str();
  }
  for (BlockArgument argument : function.getArguments()) {
    if (function.getName() == onnx::names::algorithmFunction &&
        !function.getArgAttr(argument.getArgNumber(), program::kAlgorithmAttr))
      continue; // belongs to the main graph
    Attribute data =
        function.getArgAttr(argument.getArgNumber(), onnx::names::data);
    if (!data)
      describe(argument, *graph.add_input());
    else if (failed(exportWeight(argument, data, *graph.add_initializer())))
      return failure();
  }
  return success();
}

void Exporter::exportModule(ModuleOp module) {
  auto text = [&](StringRef key) {
    auto value = module->getAttrOfType<StringAttr>(("onnx." + key).str());
    return value ? value.str() : std::string();
  };
  auto number = [&](StringRef key) {
    auto value = module->getAttrOfType<IntegerAttr>(("onnx." + key).str());
    return value ? value.getInt() : 0;
  };
  // From IR version 4 on, weights need not be listed as inputs too.
  model.set_ir_version(std::max<int64_t>(4, number("ir_version")));
  if (int64_t version = number("model_version"))
    model.set_model_version(version);
  auto copy = [&](StringRef key, auto set) {
    if (std::string value = text(key); !value.empty())
      set(value);
  };
  copy("producer_name", [&](auto &v) { model.set_producer_name(v); });
  copy("producer_version", [&](auto &v) { model.set_producer_version(v); });
  copy("domain", [&](auto &v) { model.set_domain(v); });
  copy("doc_string", [&](auto &v) { model.set_doc_string(v); });
  std::string graphName = text("graph_name");
  model.mutable_graph()->set_name(graphName.empty() ? "main" : graphName);
  if (auto imports = module->getAttrOfType<DictionaryAttr>(onnx::names::opsets))
    for (NamedAttribute opset : imports) {
      auto *import = model.add_opset_import();
      import->set_domain(opset.getName() == "ai.onnx" ? ""
                                                      : opset.getName().str());
      import->set_version(cast<IntegerAttr>(opset.getValue()).getInt());
      opsets[import->domain()] = import->version();
    }
  if (auto metadata = module->getAttrOfType<DictionaryAttr>("onnx.metadata"))
    for (NamedAttribute entry : metadata)
      if (auto value = dyn_cast<StringAttr>(entry.getValue())) {
        auto *property = model.add_metadata_props();
        property->set_key(entry.getName().str());
        property->set_value(value.str());
      }
}

LogicalResult Exporter::run(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isExternal() || !function.getBody().hasOneBlock())
    return module.emitError() << "has no function 'main' of one block";
  exportModule(module);
  if (opsets.empty())
    return module.emitError() << "does not say its operator sets in '"
                              << onnx::names::opsets << "'";
  if (failed(exportArguments(function, *model.mutable_graph())) ||
      failed(exportBlock(function.front(), *model.mutable_graph())))
    return failure();
  return exportTraining(module);
}

/// Values of the main graph have the same names in the algorithm, since its
/// function begins with the ops of `@main`. An initializer that a step replaces
/// is an argument in one function and a constant in the other.
LogicalResult Exporter::nameLikeMain(func::FuncOp main, func::FuncOp function) {
  std::map<std::string, std::string> initializers;
  auto hint = [](onnx::ConstantOp constant) {
    auto loc = dyn_cast<NameLoc>(constant.getLoc());
    return loc ? loc.getName().str() : std::string();
  };
  for (BlockArgument argument : main.getArguments())
    initializers[names[argument]] = names[argument];
  for (auto constant : main.front().getOps<onnx::ConstantOp>())
    initializers[hint(constant)] = names[constant.getResult()];
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto name =
        function.getArgAttrOfType<StringAttr>(number, onnx::names::name);
    if (function.getArgAttr(number, program::kAlgorithmAttr))
      continue;
    auto known = initializers.find(name ? name.str() : "");
    if (known == initializers.end())
      return function.emitError()
             << "argument #" << number << " is none of @main";
    names[argument] = known->second;
  }
  auto isPlain = [](Operation &op) {
    return !isa<onnx::NoneOp, onnx::ConstantOp>(op) &&
           !op.hasAttr(program::kAlgorithmAttr) &&
           !op.hasAttr(onnx::names::variable) &&
           !op.hasTrait<OpTrait::IsTerminator>();
  };
  auto theirs = main.front().begin(), end = main.front().end();
  for (Operation &op : function.front()) {
    if (auto constant = dyn_cast<onnx::ConstantOp>(op);
        constant && !op.hasAttr(program::kAlgorithmAttr))
      names[constant.getResult()] = initializers[hint(constant)];
    else if (op.hasAttr(onnx::names::variable))
      names[op.getResult(0)] = names[op.getOperand(0)];
    if (!isPlain(op))
      continue;
    while (theirs != end && !isPlain(*theirs))
      ++theirs;
    if (theirs == end || theirs->getName() != op.getName() ||
        theirs->getNumResults() != op.getNumResults())
      return op.emitOpError() << "has no counterpart in @main";
    for (auto [result, like] : llvm::zip(op.getResults(), theirs->getResults()))
      names[result] = names[like];
    ++theirs;
  }
  return success();
}

void exportUpdates(
    func::FuncOp function,
    google::protobuf::RepeatedPtrField<::onnx::StringStringEntryProto> &out,
    const ::onnx::GraphProto &graph, const ::onnx::GraphProto &main) {
  // The results are the main graph's, then this function's.
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto keys =
        function.getResultAttrOfType<ArrayAttr>(i, program::kUpdatesAttr);
    if (!keys)
      continue;
    const int own = int(i) - main.output_size();
    const std::string &value =
        own < 0 ? main.output(int(i)).name() : graph.output(own).name();
    for (auto key : keys.getAsRange<StringAttr>()) {
      auto *entry = out.Add();
      entry->set_key(key.str());
      entry->set_value(value);
    }
  }
}

LogicalResult Exporter::exportAlgorithm(func::FuncOp main,
                                        func::FuncOp function,
                                        ::onnx::TrainingInfoProto &training) {
  ::onnx::GraphProto &graph = *training.mutable_algorithm();
  graph.set_name("algorithm");
  if (failed(nameLikeMain(main, function)) ||
      failed(exportArguments(function, graph)) ||
      failed(exportBlock(function.front(), graph, /*onlyMarked=*/true)))
    return failure();
  exportUpdates(function, *training.mutable_update_binding(), graph,
                model.graph());
  return success();
}

LogicalResult
Exporter::exportInitialization(func::FuncOp function,
                               ::onnx::TrainingInfoProto &training) {
  ::onnx::GraphProto &graph = *training.mutable_initialization();
  graph.set_name("initialization");
  if (failed(exportArguments(function, graph)) ||
      failed(exportBlock(function.front(), graph)))
    return failure();
  exportUpdates(function, *training.mutable_initialization_binding(), graph,
                ::onnx::GraphProto());
  return success();
}

LogicalResult Exporter::exportTraining(ModuleOp module) {
  auto algorithm =
      module.lookupSymbol<func::FuncOp>(onnx::names::algorithmFunction);
  auto initialization =
      module.lookupSymbol<func::FuncOp>(onnx::names::initializationFunction);
  if (!algorithm && !initialization)
    return success();
  for (func::FuncOp function : {algorithm, initialization})
    if (function &&
        (function.isExternal() || !function.getBody().hasOneBlock()))
      return function.emitError() << "is not a function of one block";
  ::onnx::TrainingInfoProto &training = *model.add_training_info();
  // training_info exists from IR version 7 on.
  model.set_ir_version(std::max<int64_t>(7, model.ir_version()));
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (algorithm && failed(exportAlgorithm(main, algorithm, training)))
    return failure();
  // The names of the initialization are local to its graph.
  used.clear();
  return initialization ? exportInitialization(initialization, training)
                        : success();
}
} // namespace

LogicalResult exportOnnx(ModuleOp module, const ExportOptions &options,
                         raw_ostream &os, ImportError &error) {
  error = ImportError();
  auto path = module->getAttrOfType<StringAttr>(onnx::names::path);
  ModelFolder folder(!options.folder.empty()
                         ? options.folder
                         : folderOf(path ? path.getValue() : ""));
  ::onnx::ModelProto model;
  DiagnosticCapture capture(module.getContext());
  std::string bytes;
  if (failed(Exporter(model, folder, error).run(module)) ||
      !model.SerializeToString(&bytes)) {
    if (error.kind == Kind::None)
      error = {Kind::Unsupported,
               capture.message("the model is larger than 2 GiB")};
    error.message = oneLine(error.message);
    return failure();
  }
  os << bytes;
  return success();
}
} // namespace gensyn

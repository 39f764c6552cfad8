// Imports an ONNX file into the onnx dialect: reads, checks and builds.

#include "gensyn/Translation/Onnx/Import.h"
#include "CheckModel.h"
#include "Parameters/RestoreParameters.h"
#include "ReadModel.h"
#include "TrainingInfo.h"
#include "UpgradeOpset.h"
#include "Weights.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/GraphBuilder.h"
#include "gensyn/Dialect/Onnx/IR/LibraryError.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "gensyn/Translation/Onnx/FilesRead.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {
namespace {

DictionaryAttr modelAttributes(MLIRContext *context,
                               const ::onnx::ModelProto &model,
                               StringRef path) {
  Builder b(context);
  NamedAttrList list, imports, metadata;
  auto text = [&](StringRef key, const std::string &value) {
    if (!value.empty())
      list.set(("onnx." + key).str(), b.getStringAttr(value));
  };
  list.set("onnx.ir_version", b.getI64IntegerAttr(model.ir_version()));
  for (const auto &opset : model.opset_import())
    imports.set(opset.domain().empty() ? "ai.onnx" : opset.domain(),
                b.getI64IntegerAttr(opset.version()));
  list.set(onnx::names::opsets, imports.getDictionary(context));
  text("producer_name", model.producer_name());
  text("producer_version", model.producer_version());
  text("domain", model.domain());
  text("doc_string", model.doc_string());
  text("graph_name", model.graph().name());
  if (model.model_version())
    list.set("onnx.model_version", b.getI64IntegerAttr(model.model_version()));
  for (const auto &entry : model.metadata_props())
    if (!entry.key().empty())
      metadata.set(entry.key(), b.getStringAttr(entry.value()));
  if (!metadata.empty())
    list.set("onnx.metadata", metadata.getDictionary(context));
  if (int entries = model.training_info_size()) {
    list.set(onnx::names::trainingInfo, b.getI64IntegerAttr(entries));
    if (model.training_info(0).initialization_binding_size())
      list.set(onnx::names::initializes, b.getUnitAttr());
  }
  list.set(onnx::names::path, b.getStringAttr(path));
  return list.getDictionary(context);
}

/// Builds functions from checked messages.
class ModuleBuilder {
public:
  ModuleBuilder(MLIRContext *context, const ImportOptions &options,
                const ParameterTable &parameters, ModelFolder &folder,
                ImportError &error)
      : context(context), b(context), options(options), parameters(parameters),
        folder(folder), error(error) {}

  OwningOpRef<ModuleOp> start(const ::onnx::ModelProto &model, StringRef path);
  /// Builds a function from the model's graph. Initializers among `variables`
  /// are arguments, and `states` among them are not weights. Nodes from index
  /// `firstMarked` on are marked as the algorithm's. Null after an error.
  func::FuncOp addGraph(StringRef name, ::onnx::ModelProto &model,
                        const std::set<std::string> &variables = {},
                        const std::set<std::string> &states = {},
                        int firstMarked = -1);
  LogicalResult addTraining(TrainingInfo &info);

private:
  void addUpdates(func::FuncOp function, const Bindings &bindings);

  MLIRContext *context;
  OpBuilder b;
  const ImportOptions &options;
  const ParameterTable &parameters;
  ModelFolder &folder;
  ImportError &error;
  Block *body = nullptr;
};

OwningOpRef<ModuleOp> ModuleBuilder::start(const ::onnx::ModelProto &model,
                                           StringRef path) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  (*module)->setAttrs(modelAttributes(context, model, path));
  if (ArrayAttr rows = parameters.parametersAttribute(context))
    (*module)->setAttr(program::kModuleParametersAttr, rows);
  if (ArrayAttr texts = parameters.suspicionsAttribute(context))
    (*module)->setAttr(program::kSuspicionsAttr, texts);
  if (ArrayAttr names = parameters.unknownKindsAttribute(context))
    (*module)->setAttr(program::kUnknownKindsAttr, names);
  if (ArrayAttr texts = parameters.lostGradientsAttribute(context))
    (*module)->setAttr(program::kLostGradientsAttr, texts);
  body = module->getBody();
  return module;
}

func::FuncOp ModuleBuilder::addGraph(StringRef name, ::onnx::ModelProto &model,
                                     const std::set<std::string> &variables,
                                     const std::set<std::string> &states,
                                     int firstMarked) {
  b.setInsertionPointToEnd(body);
  auto function = func::FuncOp::create(b, b.getUnknownLoc(), name,
                                       b.getFunctionType({}, {}));
  Block &block = *function.addEntryBlock();
  b.setInsertionPointToStart(&block);

  Weights weights(b, block, folder, options.symbolicSeed, error);
  weights.setVariables(variables, states);
  onnx::GraphBuilder graph(b);
  graph.markFrom(firstMarked);
  graph.setOpsets(model.opset_import());
  graph.setFunctions(model.functions());
  graph.keepUnknown(options.keepUnknownOperators);
  graph.setTensors(
      [&](Location location, ::onnx::TensorProto &tensor, bool isNode) {
        return weights.make(location, tensor, isNode);
      });
  weights.findSettings(model.graph(), parameters);
  llvm::StringSet<> initializers;
  for (const auto &tensor : model.graph().initializer())
    initializers.insert(tensor.name());
  for (const auto &input : model.graph().input())
    if (!initializers.contains(
            input.name())) // IR < 4 lists weights as inputs too
      graph.define(input.name(),
                   weights.addArgument(onnx::importType(context, input.type()),
                                       input.name(), Role::Input, {}));
  auto outputs = graph.addGraph(*model.mutable_graph());
  if (failed(outputs))
    return {};
  func::ReturnOp::create(b, b.getUnknownLoc(), *outputs);
  function.setFunctionType(b.getFunctionType(block.getArgumentTypes(),
                                             ValueRange(*outputs).getTypes()));
  if (name == "main" && !weights.floatConstants().empty()) {
    SmallVector<StringRef> names(weights.floatConstants().begin(),
                                 weights.floatConstants().end());
    function->getParentOp()->setAttr(program::kConstantsAttr,
                                     b.getStrArrayAttr(names));
  }
  // Sets all attributes at once: adding one at a time would copy the list each
  // time.
  function.setAllArgAttrs(weights.argumentAttributes());
  SmallVector<DictionaryAttr> results;
  for (const auto &output : model.graph().output())
    results.push_back(b.getDictionaryAttr(
        b.getNamedAttr(onnx::names::name, b.getStringAttr(output.name()))));
  function.setAllResultAttrs(results);
  return function;
}

void ModuleBuilder::addUpdates(func::FuncOp function,
                               const Bindings &bindings) {
  std::set<std::string> done;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto name = function.getResultAttrOfType<StringAttr>(i, onnx::names::name);
    auto bound = bindings.find(name.str());
    if (bound == bindings.end() || !done.insert(name.str()).second)
      continue;
    SmallVector<StringRef> keys(bound->second.begin(), bound->second.end());
    function.setResultAttr(i, program::kUpdatesAttr, b.getStrArrayAttr(keys));
  }
}

LogicalResult ModuleBuilder::addTraining(TrainingInfo &info) {
  func::FuncOp algorithm =
      addGraph(onnx::names::algorithmFunction, info.algorithm, info.variables,
               info.added, info.mainNodes);
  if (!algorithm)
    return failure();
  addUpdates(algorithm, info.updates);
  for (unsigned i = 0; i < algorithm.getNumArguments(); ++i)
    if (info.added.count(
            algorithm.getArgAttrOfType<StringAttr>(i, onnx::names::name).str()))
      algorithm.setArgAttr(i, program::kAlgorithmAttr, b.getUnitAttr());
  for (auto constant : algorithm.front().getOps<onnx::ConstantOp>())
    if (auto name = dyn_cast<NameLoc>(constant.getLoc());
        name && info.added.count(name.getName().str()))
      constant->setAttr(program::kAlgorithmAttr, b.getUnitAttr());
  for (unsigned i = info.mainOutputs; i < algorithm.getNumResults(); ++i)
    algorithm.setResultAttr(i, program::kAlgorithmAttr, b.getUnitAttr());
  if (!info.initialization.graph().output_size())
    return success();
  func::FuncOp initialization =
      addGraph(onnx::names::initializationFunction, info.initialization);
  if (!initialization)
    return failure();
  addUpdates(initialization, info.initializations);
  return success();
}

/// The steps of an import; `error` has no file name yet.
OwningOpRef<ModuleOp> import(StringRef bytes, StringRef path,
                             const ImportOptions &options, MLIRContext *context,
                             ImportError &error) {
  ::onnx::ModelProto model;
  std::string text;
  if (failed(readModel(bytes, llvm::sys::path::filename(path), model, text))) {
    error = {Kind::BadModel, text};
    return {};
  }
  // Checked before any work that grows with these numbers.
  if (model.graph().node_size() > onnx::kMostNodes) {
    error = {Kind::TooLarge,
             "the model has " + std::to_string(model.graph().node_size()) +
                 " nodes, at most " + std::to_string(onnx::kMostNodes)};
    return {};
  }
  if (failed(validateUtf8(model, error)) ||
      failed(checkModel(model, context, options.keepUnknownOperators, error)) ||
      failed(sortNodes(*model.mutable_graph(), error)))
    return {};
  ModelFolder folder(folderOf(path));
  ParameterTable parameters;
  if (options.restoresParameters && !model.training_info_size()) {
    parameters = restoreParameters(model, folder);
    // Nodes derived from an initializer are behind its readers.
    if (failed(sortNodes(*model.mutable_graph(), error)))
      return {};
  }
  TrainingInfo training;
  const bool trains = options.trainingInfo && model.training_info_size();
  if (trains &&
      failed(readTrainingInfo(model, context, options.keepUnknownOperators,
                              training, error)))
    return {};
  if (options.isKnown)
    for (::onnx::ModelProto *graph :
         {&model, &training.algorithm, &training.initialization})
      if ((trains || graph == &model) &&
          failed(upgradeOpset(*graph, folder, options.isKnown, error)))
        return {};
  DiagnosticCapture capture(context);
  auto fail = [&](Kind kind) {
    if (error.kind == Kind::None)
      error = {capture.isTooLarge() ? Kind::TooLarge : kind,
               capture.message("cannot be imported")};
    return OwningOpRef<ModuleOp>();
  };
  ModuleBuilder builder(context, options, parameters, folder, error);
  OwningOpRef<ModuleOp> module = builder.start(model, path);
  if (!builder.addGraph("main", model) ||
      (trains && failed(builder.addTraining(training))) ||
      failed(verify(*module)))
    return fail(Kind::BadModel);
  if (failed(onnx::bindDimensions(*module, options.dims)))
    return fail(Kind::Usage);
  if (options.checkShapes) {
    OwningOpRef<ModuleOp> copy = module->clone();
    if (failed(onnx::inferShapes(*copy)) || failed(verify(*copy)))
      return fail(Kind::BadModel);
  }
  return module;
}
} // namespace

OwningOpRef<ModuleOp> importOnnxFile(StringRef path,
                                     const ImportOptions &options,
                                     MLIRContext *context, ImportError &error) {
  error = ImportError();
  context->loadDialect<func::FuncDialect, onnx::OnnxDialect>();
  OwningOpRef<ModuleOp> module;
  auto buffer = openFileRead(path);
  if (!buffer)
    error = {Kind::Io, "cannot be opened: " + buffer.getError().message()};
  else
    try {
      module = import((*buffer)->getBuffer(), path, options, context, error);
    } catch (const std::exception &e) {
      error = {Kind::BadModel,
               "cannot be imported: " + onnx::describeLibraryError(e)};
    }
  if (!module)
    error.message = oneLine(path.str() + ": " + error.message);
  return module;
}
} // namespace gensyn

// Writes a recipe as training_info: the loss as nodes, Gradient, and an
// optimizer of ai.onnx.preview.training.

#include "TrainingAlgorithm.h"
#include "AlgorithmBuilder.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Dialect/Train/IR/Registry.h"
#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/onnx_pb.h"

using namespace mlir;
using ::onnx::TensorProto;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {
namespace {

/// The ONNX operator of an optimizer, or the hyper-parameters of an optimizer
/// without one.
struct Optimizer {
  std::string op;
  std::vector<std::pair<std::string, double>> numbers;
  std::string mode;
  /// The name of its state, and its initial value.
  std::string state;
  double stateStart = 0;
  std::optional<AdamNumbers> adam;
  std::optional<RmsNumbers> rms;
};

class TrainingWriter {
public:
  TrainingWriter(::onnx::ModelProto &model, StringRef path,
                 MLIRContext *context, ImportError &error)
      : model(model), path(path), context(context), error(error),
        location(UnknownLoc::get(context)) {}

  LogicalResult run(StringRef recipe);

private:
  LogicalResult checkOptions();
  LogicalResult inferTypes();
  LogicalResult findPrediction(train::RecipeObject &loss);
  LogicalResult findStatistics();
  LogicalResult findParameters();
  std::optional<Optimizer> findOptimizer();
  std::set<std::string> findSources();
  void addGradient(AlgorithmBuilder &b, const std::string &loss);
  std::vector<AlgorithmChange> addOperator(AlgorithmBuilder &b,
                                           const Optimizer &optimizer);
  void addStatistics(AlgorithmBuilder &b,
                     std::vector<AlgorithmChange> &changes);
  void bind(AlgorithmBuilder &b, const AlgorithmChange &change);
  LogicalResult fail(Kind kind, const Twine &message) {
    if (error.kind == Kind::None)
      error = {kind, message.str()};
    return failure();
  }
  LogicalResult refuse(const Twine &what) {
    return fail(Kind::Unsupported, "recipe: " + what +
                                       " cannot be expressed by the operators "
                                       "of " +
                                       trainingDomain);
  }

  ::onnx::ModelProto &model;
  StringRef path;
  MLIRContext *context;
  ImportError &error;
  Location location;
  train::TrainingOptions options;
  double lr = 0;
  OwningOpRef<ModuleOp> module;
  func::FuncOp main;
  Prediction prediction;
  ::onnx::TrainingInfoProto training;
  /// Running statistics, and their next values.
  std::map<std::string, std::string> statistics;
  std::vector<const TensorProto *> parameters;
  std::vector<std::string> gradients;
};

/// Infers the types of the graph's outputs; those in the file are hints.
LogicalResult TrainingWriter::inferTypes() {
  ImportOptions importing;
  importing.trainingInfo = false;
  importing.checkShapes = false;
  module = importOnnxFile(path, importing, context, error);
  if (!module || failed(onnx::inferShapes(*module)))
    return failure();
  main = module->lookupSymbol<func::FuncOp>("main");
  return success();
}

LogicalResult TrainingWriter::checkOptions() {
  const RecipeObjects &objects = options.recipe.objects;
  if (objects.schedule &&
      *objects.schedule != nlohmann::json{{"kind", "constant"}})
    return refuse("a 'schedule' other than constant");
  if (objects.clip)
    return refuse("'clip'");
  if (objects.ema)
    return refuse("'ema'");
  if (objects.precision)
    return refuse("'precision'");
  if (options.recipe.trainsBatchNorm)
    return refuse("'batch_norm'");
  if (options.recipe.accumulate != 1)
    return refuse("'accumulate'");
  return success();
}

LogicalResult TrainingWriter::findPrediction(train::RecipeObject &loss) {
  const train::LossKind *kind = train::findLossKind(loss);
  if (!kind)
    return failure();
  std::string wanted = loss.text(kind->outputKey, "");
  const auto &outputs = model.graph().output();
  for (int i = 0; i < outputs.size(); ++i)
    if (wanted.empty() ? outputs.size() == 1 : outputs[i].name() == wanted) {
      prediction.name = outputs[i].name();
      onnx::exportType(main.getResultTypes()[i], prediction.type);
    }
  if (prediction.name.empty())
    return loss.error() << (wanted.empty()
                                ? Twine("'") + kind->outputKey +
                                      "' has to name one of the outputs"
                                : "no graph output is called '" +
                                      Twine(wanted) + "'");
  int element = prediction.type.tensor_type().elem_type();
  if (element != TensorProto::FLOAT && element != TensorProto::DOUBLE)
    return loss.error() << "the output is " << onnx::elementName(element)
                        << ", no loss is taken of that";
  return success();
}

void addReads(const ::onnx::NodeProto &node, std::vector<std::string> &names) {
  names.insert(names.end(), node.input().begin(), node.input().end());
  for (const auto &attribute : node.attribute())
    if (attribute.has_g()) {
      for (const auto &inner : attribute.g().node())
        addReads(inner, names);
      for (const auto &output : attribute.g().output())
        names.push_back(output.name());
    }
}

/// Names on which the prediction depends.
std::set<std::string> TrainingWriter::findSources() {
  std::map<std::string, const ::onnx::NodeProto *> writers;
  for (const auto &node : model.graph().node())
    for (const std::string &output : node.output())
      writers[output] = &node;
  std::set<std::string> sources;
  std::vector<std::string> pending = {prediction.name};
  while (!pending.empty()) {
    std::string name = pending.back();
    pending.pop_back();
    if (!sources.insert(name).second)
      continue;
    if (auto writer = writers.find(name); writer != writers.end())
      addReads(*writer->second, pending);
  }
  return sources;
}

/// Operands and results of batch normalizations in training mode.
LogicalResult TrainingWriter::findStatistics() {
  for (const auto &node : model.graph().node()) {
    bool trains = false;
    for (const auto &attribute : node.attribute())
      trains |= attribute.name() == "training_mode" && attribute.i() != 0;
    if (node.op_type() != "BatchNormalization" || !trains ||
        node.input_size() < 5)
      continue;
    if (node.output_size() < 3 || node.output(1).empty() ||
        node.output(2).empty())
      return fail(Kind::Unsupported,
                  "node '" + node.name() +
                      "' (BatchNormalization): trains, and has no results for "
                      "its running statistics");
    statistics[node.input(3)] = node.output(1);
    statistics[node.input(4)] = node.output(2);
  }
  return success();
}

/// The tensors that the recipe trains: float initializers that are not frozen
/// and on which the loss depends.
LogicalResult TrainingWriter::findParameters() {
  std::set<std::string> sources = findSources();
  std::map<std::string, const TensorProto *> initializers;
  for (const auto &tensor : model.graph().initializer())
    initializers[tensor.name()] = &tensor;
  if (failed(findStatistics()))
    return failure();
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto name = main.getArgAttrOfType<StringAttr>(i, onnx::names::name);
    if (!program::hasRole(main, i, Role::Parameter) ||
        statistics.count(name.str()) || options.freezes(name.getValue()))
      continue;
    auto initializer = initializers.find(name.str());
    if (initializer == initializers.end())
      return fail(Kind::Unsupported,
                  "initializer '" + name.str() +
                      "' belongs to a subgraph, which training_info cannot "
                      "update; it may be frozen");
    if (!sources.count(name.str()))
      continue;
    int element = initializer->second->data_type();
    if (element != TensorProto::FLOAT && element != TensorProto::DOUBLE)
      return fail(Kind::Unsupported,
                  "parameter '" + name.str() + "' is " +
                      onnx::elementName(element) +
                      ", which is not trained; it may be frozen");
    parameters.push_back(initializer->second);
  }
  if (parameters.empty())
    return fail(Kind::BadModel, "the loss depends on no initializer that is "
                                "trained");
  return success();
}

double valueOf(FloatAttr number) { return number.getValueAsDouble(); }

template <class Rule> Optimizer adamOf(Rule rule, double lr) {
  Optimizer optimizer;
  optimizer.adam =
      AdamNumbers{lr, valueOf(rule.getBeta1()), valueOf(rule.getBeta2()),
                  valueOf(rule.getEps())};
  optimizer.adam->amsgrad = rule.getAmsgrad().getValue();
  optimizer.adam->tensorflowEps = rule.getTensorflowEps();
  return optimizer;
}

std::optional<Optimizer> TrainingWriter::findOptimizer() {
  const nlohmann::json &written = options.recipe.objects.optimizer;
  train::RecipeObject object("recipe: optimizer", written, location);
  if (written.contains("groups"))
    return (void)refuse("'groups' of the optimizer"), std::nullopt;
  auto choice = train::readOptimizer(object);
  if (failed(choice))
    return std::nullopt;
  lr = choice->lr;
  std::string kind = object.text("kind", "");
  if (auto sgd = dyn_cast<train::SgdAttr>(choice->rule)) {
    const double momentum = valueOf(sgd.getMomentum());
    // Without momentum dampening has no effect.
    const double kept = momentum == 0 ? 1 : 1 - valueOf(sgd.getDampening());
    return Optimizer{"Momentum",
                     {{"alpha", momentum},
                      {"beta", kept},
                      {"norm_coefficient", valueOf(sgd.getWeightDecay())}},
                     sgd.getNesterov().getValue() ? "nesterov" : "standard",
                     "momentum_buffer",
                     0,
                     std::nullopt,
                     std::nullopt};
  }
  if (auto adagrad = dyn_cast<train::AdagradAttr>(choice->rule)) {
    if (adagrad.getTensorflowEps())
      return (void)refuse("'tensorflow_eps' of Adagrad"), std::nullopt;
    return Optimizer{"Adagrad",
                     {{"decay_factor", valueOf(adagrad.getLrDecay())},
                      {"epsilon", valueOf(adagrad.getEps())},
                      {"norm_coefficient", valueOf(adagrad.getWeightDecay())}},
                     "",
                     "sum",
                     valueOf(adagrad.getInitialAccumulatorValue()),
                     std::nullopt,
                     std::nullopt};
  }
  if (auto rms = dyn_cast<train::RmsPropAttr>(choice->rule)) {
    Optimizer optimizer;
    optimizer.rms =
        RmsNumbers{lr, valueOf(rms.getAlpha()), valueOf(rms.getEps()),
                   valueOf(rms.getMomentum()), valueOf(rms.getWeightDecay())};
    optimizer.rms->centered = rms.getCentered().getValue();
    optimizer.rms->tensorflowEps = rms.getTensorflowEps();
    return optimizer;
  }
  if (auto adam = dyn_cast<train::AdamAttr>(choice->rule)) {
    Optimizer optimizer = adamOf(adam, lr);
    optimizer.adam->penalty = valueOf(adam.getWeightDecay());
    return optimizer;
  }
  if (auto adamW = dyn_cast<train::AdamWAttr>(choice->rule)) {
    Optimizer optimizer = adamOf(adamW, lr);
    optimizer.adam->kept = 1 - lr * valueOf(adamW.getWeightDecay());
    return optimizer;
  }
  return (void)refuse("the optimizer '" + kind + "'"), std::nullopt;
}

void addStrings(::onnx::NodeProto &node, const char *name,
                const std::vector<std::string> &values) {
  auto *attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::STRINGS);
  for (const std::string &value : values)
    attribute->add_strings(value);
}

void addString(::onnx::NodeProto &node, const char *name,
               const std::string &value) {
  auto *attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::STRING);
  attribute->set_s(value);
}

/// Adds the derivatives by the parameters; the graph's inputs and the target
/// are constants.
void TrainingWriter::addGradient(AlgorithmBuilder &b, const std::string &loss) {
  ::onnx::NodeProto &node = b.addNode("Gradient", trainingDomain);
  std::vector<std::string> xs, zs;
  std::set<std::string> initializers;
  for (const auto &tensor : model.graph().initializer())
    initializers.insert(tensor.name());
  for (const TensorProto *parameter : parameters) {
    xs.push_back(parameter->name());
    gradients.push_back(b.fresh(parameter->name() + ".gradient"));
    node.add_output(gradients.back());
  }
  for (const auto *inputs : {&model.graph().input(), &b.graph.input()})
    for (const auto &input : *inputs)
      if (!initializers.count(input.name()))
        zs.push_back(input.name());
  node.set_name(b.fresh("gradient"));
  for (const auto *names : {&xs, &zs})
    for (const std::string &name : *names)
      node.add_input(name);
  addStrings(node, "xs", xs);
  addString(node, "y", loss);
  if (!zs.empty())
    addStrings(node, "zs", zs);
}

/// Adds one node for all parameters, and the count of updates.
std::vector<AlgorithmChange>
TrainingWriter::addOperator(AlgorithmBuilder &b, const Optimizer &optimizer) {
  std::string rate = b.fill("optimizer.lr", TensorProto::DOUBLE, {}, lr);
  std::string count = b.fill("optimizer.step", TensorProto::INT64, {}, 0);
  std::string one = b.fill("optimizer.one", TensorProto::INT64, {}, 1);
  std::vector<AlgorithmChange> changes = {
      {count,
       b.node("Add", {count, one}, count + ".next"),
       TensorProto::INT64,
       {}}};
  ::onnx::NodeProto &node = b.addNode(optimizer.op, trainingDomain);
  node.set_name(b.fresh("optimizer"));
  node.add_input(rate);
  node.add_input(count);
  auto change = [&](const TensorProto &like, const std::string &name) {
    node.add_output(b.fresh(name + ".next"));
    changes.push_back({name,
                       node.output(node.output_size() - 1),
                       like.data_type(),
                       {like.dims().begin(), like.dims().end()}});
  };
  for (const TensorProto *parameter : parameters) {
    node.add_input(parameter->name());
    change(*parameter, parameter->name());
  }
  for (const std::string &gradient : gradients)
    node.add_input(gradient);
  for (const TensorProto *parameter : parameters) {
    ArrayRef<int64_t> shape(parameter->dims().data(), parameter->dims_size());
    std::string state =
        b.fill(parameter->name() + "." + optimizer.state,
               parameter->data_type(), shape, optimizer.stateStart);
    node.add_input(state);
    change(*parameter, state);
  }
  for (const auto &[name, value] : optimizer.numbers) {
    auto *attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::FLOAT);
    attribute->set_f(static_cast<float>(value));
  }
  if (!optimizer.mode.empty())
    addString(node, "mode", optimizer.mode);
  return changes;
}

/// Copies values of the main graph to names of the algorithm's outputs.
void TrainingWriter::addStatistics(AlgorithmBuilder &b,
                                   std::vector<AlgorithmChange> &changes) {
  for (const auto &tensor : model.graph().initializer()) {
    auto statistic = statistics.find(tensor.name());
    if (statistic == statistics.end())
      continue;
    changes.push_back(
        {tensor.name(),
         b.node("Identity", {statistic->second}, tensor.name() + ".next"),
         tensor.data_type(),
         {tensor.dims().begin(), tensor.dims().end()}});
  }
}

void TrainingWriter::bind(AlgorithmBuilder &b, const AlgorithmChange &change) {
  ::onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(change.element);
  auto *dims = type.mutable_tensor_type()->mutable_shape();
  for (int64_t size : change.shape)
    dims->add_dim()->set_dim_value(size);
  b.output(change.value, &type);
  auto &binding = *training.add_update_binding();
  binding.set_key(change.initializer);
  binding.set_value(change.value);
}

LogicalResult TrainingWriter::run(StringRef recipe) {
  auto parsed =
      train::parseTrainingOptions(name(ProgramKind::Train), recipe, location);
  if (failed(parsed))
    return failure();
  options = std::move(*parsed);
  train::RecipeObject loss("recipe: loss", options.recipe.objects.loss,
                           location);
  if (failed(checkOptions()) || failed(inferTypes()) ||
      failed(findPrediction(loss)) || failed(findParameters()))
    return failure();
  std::optional<Optimizer> optimizer = findOptimizer();
  if (!optimizer)
    return failure();
  int opset = 0;
  bool hasTraining = false;
  for (auto &import : *model.mutable_opset_import()) {
    if (import.domain().empty() || import.domain() == "ai.onnx")
      opset = int(import.version());
    hasTraining |= import.domain() == trainingDomain;
  }
  if (opset < 7)
    return fail(Kind::Unsupported, "operator set " + Twine(opset) +
                                       " has no broadcasting that the step "
                                       "could be written in");
  training.mutable_algorithm()->set_name("training");
  AlgorithmBuilder b(model.graph(), *training.mutable_algorithm(), opset);
  const std::string &kind = options.recipe.loss.kind;
  std::string name = buildLoss(b, loss, kind, prediction);
  if (name.empty() || failed(loss.finish()))
    return failure();
  ::onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(
      prediction.type.tensor_type().elem_type());
  type.mutable_tensor_type()->mutable_shape();
  b.output(name, kind == "graph_output" ? nullptr : &type);
  addGradient(b, name);
  std::vector<AlgorithmChange> changes =
      optimizer->adam  ? buildAdam(b, *optimizer->adam, parameters, gradients)
      : optimizer->rms ? buildRmsProp(b, *optimizer->rms, parameters, gradients)
                       : addOperator(b, *optimizer);
  addStatistics(b, changes);
  for (const AlgorithmChange &change : changes)
    bind(b, change);
  if (!hasTraining) {
    auto *import = model.add_opset_import();
    import->set_domain(trainingDomain);
    import->set_version(1);
  }
  // training_info exists from this IR version on.
  model.set_ir_version(std::max<int64_t>(model.ir_version(), 7));
  model.clear_training_info();
  model.add_training_info()->Swap(&training);
  return success();
}
} // namespace

LogicalResult addTrainingInfo(::onnx::ModelProto &model, StringRef path,
                              StringRef recipe, MLIRContext *context,
                              ImportError &error) {
  DiagnosticCapture capture(context);
  if (succeeded(TrainingWriter(model, path, context, error).run(recipe)))
    return success();
  if (error.kind == Kind::None)
    error = {Kind::BadModel, capture.message("cannot be trained")};
  if (!StringRef(error.message).starts_with("recipe") &&
      !StringRef(error.message).starts_with(path))
    error.message = path.str() + ": " + error.message;
  return failure();
}
} // namespace gensyn

// "info": describes a model as JSON; see CompilerApi.h for the keys.

#include "Compiler.h"
#include "DescribeLayers.h"
#include "MemoryBudget.h"
#include "Report.h"
#include "StepPhases.h"
#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Codegen/Gpu/Compile.h"
#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/Transforms/BatchStatistics.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/Transforms/ReportKernels.h"
#include "gensyn/Dialect/Repro/Transforms/ReportOrders.h"
#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/ScheduleName.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/Stages.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "gensyn/Translation/Onnx/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
namespace json = llvm::json;

namespace gensyn {

static json::Object describeTensor(StringRef name, Type type) {
  json::Object tensor{
      {"name", name.str()}}; // a copy: the caller's may be a temporary
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return tensor;
  std::string element;
  llvm::raw_string_ostream(element) << ranked.getElementType();
  tensor["type"] = element;
  auto names = dyn_cast_or_null<ArrayAttr>(ranked.getEncoding());
  json::Array shape;
  for (int64_t dim = 0; dim < ranked.getRank(); ++dim) {
    auto symbol = names ? dyn_cast<StringAttr>(names[dim]) : StringAttr();
    if (!ranked.isDynamicDim(dim))
      shape.push_back(ranked.getDimSize(dim));
    else
      shape.push_back(symbol && !symbol.empty() ? symbol.getValue().str()
                                                : "?");
  }
  tensor["shape"] = std::move(shape);
  return tensor;
}

static std::string nameOf(func::FuncOp main, unsigned index, bool isResult) {
  auto name = isResult
                  ? main.getResultAttrOfType<StringAttr>(index, "onnx.name")
                  : main.getArgAttrOfType<StringAttr>(index, "onnx.name");
  return name ? name.getValue().str() : "";
}

static std::string nodeName(Operation *op) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name ? name.getName().str() : "";
}

/// Operators by count, and the nodes that have neither conversion nor body.
static void describeNodes(func::FuncOp main, json::Object &out) {
  std::map<std::string, int64_t> operators;
  json::Array unsupported;
  main.walk([&](Operation *op) {
    const ::onnx::OpSchema *schema = onnx::NodeOp::schemaOf(op);
    if (!schema) {
      if (auto custom = dyn_cast<onnx::CustomOp>(op))
        unsupported.push_back(
            json::Object{{"node", nodeName(op)},
                         {"operator", custom.getOpType().str()},
                         {"reason", "no schema of domain '" +
                                        custom.getDomain().str() + "'"}});
      return;
    }
    ++operators[schema->Name()];
    bool isKnown =
        isConvertible(schema->domain(), schema->Name(), schema->SinceVersion());
    bool isExpanded =
        schema->HasFunction() || schema->HasContextDependentFunction();
    // These disappear before the conversion: they are folded or simplified.
    // Remaining sequences are refused by the conversion, with a reason of its
    // own.
    static const char *const folded[] = {
        "Constant",        "Identity",          "CastLike",
        "SplitToSequence", "SequenceEmpty",     "SequenceConstruct",
        "SequenceInsert",  "SequenceErase",     "SequenceAt",
        "SequenceLength",  "ConcatFromSequence"};
    if (!isKnown && !isExpanded && !llvm::is_contained(folded, schema->Name()))
      unsupported.push_back(
          json::Object{{"node", nodeName(op)},
                       {"operator", schema->Name()},
                       {"reason", "no conversion of version " +
                                      std::to_string(schema->SinceVersion())}});
  });
  json::Object counts;
  for (auto &[name, count] : operators)
    counts[name] = count;
  out["operators"] = std::move(counts);
  out["unsupported"] = std::move(unsupported);
}

/// Splits "node 'n' (Gather): indices must be constants" into node, operator,
/// reason; a converted node has no operator.
static json::Object describeRefusal(StringRef message) {
  json::Object refusal{{"reason", message.str()}};
  StringRef rest = message;
  if (!rest.consume_front("node '"))
    return refusal;
  auto [node, afterNode] = rest.split("'");
  if (afterNode.consume_front(": "))
    return json::Object{{"node", node.str()}, {"reason", afterNode.str()}};
  auto [op, reason] = afterNode.split("): ");
  if (reason.empty() || !op.consume_front(" ("))
    return refusal;
  return json::Object{
      {"node", node.str()}, {"operator", op.str()}, {"reason", reason.str()}};
}

static json::Array describeOrders(ModuleOp module) {
  json::Array orders;
  for (const repro::OrderedReduction &one : repro::getOrderedReductions(module))
    orders.push_back(repro::toJson(one));
  return orders;
}

/// The schedules of a kernel's launches on a target.
using LaunchSchedules = std::vector<std::string>;

/// The instruction set or the GPU generation of a target; neither of a device
/// without a name.
struct NamedTarget {
  const cpu::Target *cpu = nullptr;
  const machine::Gpu *gpu = nullptr;

  explicit NamedTarget(StringRef target) {
    auto [device, name] = target.split(':');
    if (device == "cpu")
      cpu = machine::findCpu(name);
    else if (device == "ptx")
      gpu = machine::findGpu(name);
  }
};

/// The launches of a kernel; one without a schedule of a device without a name.
static codegen::KernelLaunches describeLaunches(repro::KernelOp kernel,
                                                const NamedTarget &target) {
  if (target.cpu)
    return cpu::describeLaunches(kernel, *target.cpu);
  if (target.gpu)
    return gpu::describeLaunches(kernel, gpu::getTarget(*target.gpu));
  codegen::KernelLaunches launches;
  launches.launches.emplace_back();
  return launches;
}

/// Those of the module's kernels, in the order of getKernelStats(); empty for a
/// device without a name.
static std::vector<LaunchSchedules> nameSchedules(ModuleOp module,
                                                  const NamedTarget &target) {
  std::vector<LaunchSchedules> names;
  if (!target.cpu && !target.gpu)
    return names;
  module.walk([&](repro::KernelOp kernel) {
    LaunchSchedules &own = names.emplace_back();
    for (const plan::Launch &launch : describeLaunches(kernel, target).launches)
      own.push_back(launch.schedule());
  });
  return names;
}

/// Adds each kernel's schedule, and to the sum the estimated share of the time
/// that the baseline takes. It computes element after element; the others are
/// bound by arithmetic or memory. The rates are those of one CPU core, in
/// operations and bytes a nanosecond; only their ratios matter.
static void addSchedules(ArrayRef<repro::KernelStats> kernels,
                         ArrayRef<LaunchSchedules> schedules, json::Array &rows,
                         json::Object &sum) {
  if (schedules.empty())
    return;
  constexpr double arithmetic = 100, memory = 20, baselineRate = 2;
  double all = 0, baseline = 0;
  for (auto [kernel, names, row] : llvm::zip_equal(kernels, schedules, rows)) {
    (*row.getAsObject())["schedule"] = names.empty() ? "" : names.front();
    const auto flops = double(kernel.flops), elements = double(kernel.elements);
    if (llvm::is_contained(names, kBaselineSchedule)) {
      // It may have the epilogue alone.
      const double time =
          (llvm::all_equal(names) ? flops + elements : elements) / baselineRate;
      baseline += time;
      all += time;
      if (llvm::all_equal(names))
        continue;
    }
    all += std::max(flops / arithmetic,
                    double(kernel.bytesRead + kernel.bytesWritten) / memory);
  }
  sum["baseline_share"] = all > 0 ? baseline / all : 0;
}

/// Computes values again as compiling does for the request's memory budget and
/// the recipe's `remat`. Returns the kernels that do, with the names of those
/// that compute the same values first; nothing, with `error` filled, if the
/// budget is too small.
static std::optional<llvm::StringMap<std::string>>
recompute(ModuleOp module, const plan::InfoRequest &request, StringRef kind,
          const Recipe &recipe, plan::Error &error) {
  llvm::StringSet<> before;
  module.walk([&](repro::KernelOp kernel) { before.insert(kernel.getSym()); });
  plan::CompileRequest limits;
  limits.set_model_path(request.model_path());
  limits.set_kind(kind.str());
  limits.set_memory_budget(request.memory_budget());
  if (request.has_prepared_memory())
    limits.set_prepared_memory(request.prepared_memory());
  plan::Memory ignored;
  const NamedTarget target(request.kernels());
  Report report(module.getContext());
  if (!applyMemoryBudget(
          module.lookupSymbol<func::FuncOp>("main"), limits, recipe,
          [&](repro::KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
            return describeLaunches(kernel, target);
          },
          report, ignored, error))
    return std::nullopt;
  llvm::StringMap<std::string> origins;
  module.walk([&](repro::KernelOp kernel) {
    // A copy's name is that of its origin, "_" and a number.
    StringRef origin = kernel.getSym().rsplit('_').first;
    if (!before.contains(kernel.getSym()) && before.contains(origin))
      origins[kernel.getSym()] = origin.str();
  });
  return origins;
}

/// The kernels of a frozen program on the request's target.
static LogicalResult describeKernels(ModuleOp module,
                                     const plan::InfoRequest &request,
                                     StringRef kind, const Recipe &recipe,
                                     json::Object &out, plan::Error &error) {
  const StringRef target = request.kernels();
  auto count = [&](StringRef which, auto &&take) -> LogicalResult {
    OwningOpRef<ModuleOp> copy = module.clone();
    PassManager pipeline(module.getContext());
    buildKernelStage(pipeline, which);
    if (failed(pipeline.run(*copy)))
      return failure();
    take(repro::getKernelStats(*copy), *copy);
    return success();
  };
  json::Object totals;
  json::Array kernels;
  if (failed(count("", [&](ArrayRef<repro::KernelStats> formed, ModuleOp) {
        totals["formed"] = repro::sumUp(formed);
      })))
    return failure();
  auto takeFused = [&](ArrayRef<repro::KernelStats>, ModuleOp made) {
    const auto origins = recompute(made, request, kind, recipe, error);
    if (!origins)
      return;
    const auto fused = repro::getKernelStats(made);
    json::Object sum = repro::sumUp(fused);
    for (const repro::KernelStats &kernel : fused)
      kernels.push_back(repro::toJson(kernel));
    for (json::Value &row : kernels)
      if (auto found =
              origins->find(row.getAsObject()->getString("name").value_or(""));
          found != origins->end())
        (*row.getAsObject())["recomputes"] = found->second;
    addSchedules(fused, nameSchedules(made, NamedTarget(target)), kernels, sum);
    totals["fused"] = std::move(sum);
  };
  if (failed(count(target.split(':').first, takeFused)))
    return failure();
  out["kernels"] = std::move(kernels);
  out["kernel_totals"] = std::move(totals);
  return success();
}

/// Sizes for the input dimensions that are still symbolic, from which the
/// others follow: the recipe's batch_size for a first dimension, else 2.
static onnx::Dimensions assumeDimensions(ModuleOp module,
                                         const Recipe &recipe) {
  const int64_t batch = recipe.batchSize ? recipe.batchSize : 2;
  onnx::Dimensions dims;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto tensor = dyn_cast<RankedTensorType>(main.getArgument(i).getType()))
      for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
        if (tensor.isDynamicDim(dim))
          dims.try_emplace(
              onnx::dimensionKey(tensor, nameOf(main, i, false), dim),
              dim == 0 ? batch : 2);
  return dims;
}

/// The layers, with the cost of each in one forward pass (`forward`), and in
/// the program of a recipe if there is one.
static void describeLayers(ArrayRef<Layer> layers,
                           const llvm::StringMap<int64_t> &forward,
                           const llvm::StringMap<int64_t> *program,
                           json::Object &out) {
  json::Array rows;
  llvm::StringSet<> seen;
  for (const Layer &layer : layers) {
    json::Object row{{"node", layer.node}, {"operator", layer.operation}};
    if (auto ranked = dyn_cast_or_null<RankedTensorType>(layer.result)) {
      json::Object tensor = describeTensor("", ranked);
      row["type"] = tensor["type"];
      row["shape"] = tensor["shape"];
    }
    row["parameters"] = layer.parameters;
    row["parameter_names"] = json::Array(layer.parameterNames);
    row["scope"] = layer.scope;
    json::Array reads;
    for (size_t read : layer.reads)
      reads.push_back(static_cast<int64_t>(read));
    row["reads"] = std::move(reads);
    // Nodes of the same name share one entry, since ops record only the name.
    const bool isFirst = seen.insert(layer.node).second;
    row["flops"] = isFirst ? forward.lookup(layer.node) : 0;
    if (program)
      row["program_flops"] = isFirst ? program->lookup(layer.node) : 0;
    rows.push_back(std::move(row));
  }
  out["layers"] = std::move(rows);
  auto sumUp = [](const llvm::StringMap<int64_t> &flops) {
    int64_t sum = 0;
    for (const auto &entry : flops)
      sum += entry.second;
    return sum;
  };
  out["flops"] = sumUp(forward);
  if (program)
    out["program_flops"] = sumUp(*program);
}

/// The parameters that the program of a recipe trains.
static json::Object describeTrained(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  int64_t parameters = 0, tensors = 0;
  for (BlockArgument argument : main.getArguments()) {
    if (!program::hasRole(main, argument.getArgNumber(), Role::Parameter))
      continue;
    parameters += cast<RankedTensorType>(argument.getType()).getNumElements();
    ++tensors;
  }
  return json::Object{{"parameters", parameters}, {"tensors", tensors}};
}

/// Compiles a copy as far as the recipe allows: an operator's form may be
/// refused even if its name and version are supported. If the model's shapes do
/// not match the assumed sizes, nothing is learned.
static void tryStages(ModuleOp module, const plan::InfoRequest &request,
                      json::Object &out, plan::Error &error) {
  OwningOpRef<ModuleOp> copy = module.clone();
  MLIRContext *context = module.getContext();
  const std::optional<Recipe> recipe =
      readRecipe(request.recipe_json(), request.recipe_name(),
                 request.model_path(), *context, error);
  if (!recipe)
    return;
  auto run = [&](function_ref<void(OpPassManager &)> build) {
    PassManager pipeline(context);
    build(pipeline);
    return succeeded(pipeline.run(*copy));
  };
  {
    Report ignored(context);
    onnx::Dimensions dims = assumeDimensions(*copy, *recipe);
    if (!dims.empty()) {
      json::Object assumed;
      for (const auto &[name, size] : dims)
        assumed[name] = size;
      out["assumed_dims"] = std::move(assumed);
    }
    if (failed(onnx::bindDimensions(*copy, dims)) || !run(buildShapeStage))
      return;
  }
  const std::vector<Layer> layers = getLayers(*copy);
  Report report(context, request.recipe_name());
  TrainStageOptions options;
  // Without a loss, training_info defines a step; the query is about the graph.
  const ProgramKind kind = recipe->usesTrainingInfo ? ProgramKind::Infer
                           : recipe->optimizer      ? ProgramKind::Train
                                                    : ProgramKind::Grad;
  options.kind = std::string(name(kind));
  options.recipe = request.recipe_json().empty() ? "{}" : request.recipe_json();
  if (trainsBatchNorm(kind, *recipe) && !run([](OpPassManager &p) {
        p.addPass(onnx::createOnnxUseBatchStatisticsPass());
      })) {
    report.fill(request.model_path(), ExitCode::BadInput, error);
    return;
  }
  if (!run([](OpPassManager &p) { buildConversionStage(p); })) {
    json::Array refusals;
    for (const std::string &message : report.getMessages())
      refusals.push_back(describeRefusal(message));
    out["unsupported"] = std::move(refusals);
    return;
  }
  llvm::StringMap<int64_t> forward;
  {
    // Without unused entries.
    OwningOpRef<ModuleOp> clean = copy->clone();
    PassManager pipeline(context);
    pipeline.addPass(createCanonicalizerPass());
    if (succeeded(pipeline.run(*clean)))
      forward = countFlops(*clean);
  }
  describeLayers(layers, forward, nullptr, out);
  if (request.recipe_json().empty() && !request.orders() &&
      request.kernels().empty() && request.tensor_ranks() <= 1)
    return;
  FreezeStageOptions freeze;
  freeze.accuracy = chooseAccuracy(request.accuracy(), *recipe);
  freeze.integerSums = request.integer_sums();
  if (!run([&](OpPassManager &p) { buildStepStage(p, options); }))
    report.fill(request.model_path(), ExitCode::BadInput, error);
  else if (!run(buildDerivativeStage) ||
           !run([&](OpPassManager &p) { buildFreezeStage(p, freeze); }))
    report.fill(request.model_path(), ExitCode::Unsupported, error);
  if (error.exit_code() != 0)
    return;
  if (!request.recipe_json().empty()) {
    if (kind != ProgramKind::Infer)
      out["trained"] = describeTrained(*copy);
    const llvm::StringMap<int64_t> program = countFlops(*copy);
    describeLayers(layers, forward, &program, out);
  }
  if (auto digest = (*copy)->getAttrOfType<StringAttr>(repro::kDigestAttr))
    out["program_digest"] = digest.getValue();
  if (request.orders())
    out["orders"] = describeOrders(*copy);
  if (request.tensor_ranks() > 1) {
    if (kind != ProgramKind::Train || recipe->accumulate < 2) {
      fail(error, ExitCode::Usage,
           request.recipe_name() +
               ": 'accumulate' is less than 2, and ranks of --parallel need a "
               "step of several microbatches",
           "a step of \"accumulate\": 2 or more is another program than one "
           "without");
      return;
    }
    OwningOpRef<ModuleOp> divided = copy->clone();
    auto division =
        describeDivision(*divided, recipe->accumulate, readPipeline(request),
                         request.tensor_ranks());
    if (failed(division)) {
      report.fill(request.model_path(), ExitCode::Unsupported, error);
      return;
    }
    out["division"] = std::move(*division);
  }
  if (!request.kernels().empty() &&
      failed(
          describeKernels(*copy, request, options.kind, *recipe, out, error)))
    report.fill(request.model_path(), ExitCode::Unsupported, error);
}

plan::InfoResponse describeModel(const plan::InfoRequest &request) {
  plan::InfoResponse response;
  auto context = createContext();
  Report report(context.get());
  ImportOptions options;
  options.dims.insert(request.dims().begin(), request.dims().end());
  options.keepUnknownOperators = true;
  options.trainingInfo = false;
  if (request.has_symbolic_seed())
    options.symbolicSeed = request.symbolic_seed();
  ImportError why;
  OwningOpRef<ModuleOp> module =
      importOnnxFile(request.model_path(), options, context.get(), why);
  if (!module) {
    response.mutable_error()->set_exit_code(static_cast<int>(why.exitCode()));
    response.mutable_error()->set_message(why.message);
    return response;
  }
  auto main = module->lookupSymbol<func::FuncOp>("main");
  json::Object out{{"model", request.model_path()}};
  if (auto version = (*module)->getAttrOfType<IntegerAttr>("onnx.ir_version"))
    out["ir_version"] = version.getInt();
  if (auto producer = (*module)->getAttrOfType<StringAttr>("onnx.producer"))
    out["producer"] = producer.getValue().str();
  json::Object opsets;
  if (auto imported = (*module)->getAttrOfType<DictionaryAttr>("onnx.opsets"))
    for (NamedAttribute opset : imported)
      opsets[opset.getName().getValue()] =
          cast<IntegerAttr>(opset.getValue()).getInt();
  out["opsets"] = std::move(opsets);

  json::Array inputs, parameters, constants, outputs;
  int64_t count = 0;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    const std::optional<Role> role = program::getRole(main, i);
    Type type = main.getArgument(i).getType();
    json::Object tensor = describeTensor(nameOf(main, i, false), type);
    if (role == Role::Input) {
      inputs.push_back(std::move(tensor));
      continue;
    }
    if (role == Role::Constant && isa<FloatType>(getElementTypeOrSelf(type))) {
      constants.push_back(nameOf(main, i, false));
      continue;
    }
    parameters.push_back(std::move(tensor));
    if (auto ranked = dyn_cast<RankedTensorType>(type))
      if (role == Role::Parameter && ranked.hasStaticShape())
        count += ranked.getNumElements();
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    outputs.push_back(
        describeTensor(nameOf(main, i, true), main.getResultTypes()[i]));
  out["inputs"] = std::move(inputs);
  out["outputs"] = std::move(outputs);
  if (auto names = (*module)->getAttrOfType<ArrayAttr>(program::kConstantsAttr))
    for (StringRef name : names.getAsValueRange<StringAttr>())
      constants.push_back(name.str());
  out["parameters"] = std::move(parameters);
  out["constants"] = std::move(constants);
  out["parameter_count"] = count;
  describeNodes(main, out);
  if (const unsigned count = onnx::countInferenceNormalizations(*module))
    out["inference_normalizations"] = count;
  if (auto texts =
          (*module)->getAttrOfType<ArrayAttr>(program::kSuspicionsAttr)) {
    json::Array suspicions;
    for (StringRef text : texts.getAsValueRange<StringAttr>())
      suspicions.push_back(oneLine(text));
    out["suspicions"] = std::move(suspicions);
  }
  if (auto names =
          (*module)->getAttrOfType<ArrayAttr>(program::kUnknownKindsAttr)) {
    json::Array unknown;
    for (StringRef name : names.getAsValueRange<StringAttr>())
      unknown.push_back(oneLine(name));
    out["unknown_kinds"] = std::move(unknown);
  }
  if (auto entries =
          (*module)->getAttrOfType<IntegerAttr>(onnx::names::trainingInfo))
    out["training_info"] = json::Object{
        {"entries", entries.getInt()},
        {"initialization", (*module)->hasAttr(onnx::names::initializes)}};
  if (out["unsupported"].getAsArray()->empty())
    tryStages(*module, request, out, *response.mutable_error());
  llvm::raw_string_ostream(*response.mutable_json())
      << json::Value(std::move(out));
  return response;
}

} // namespace gensyn

// Simulates alternatives to the mapping of a small program, for
// mapping_quality.py: which parts, cores and tiles each kernel has is given.
//
//   gensyn-mapping-alternatives MACHINE PROGRAM.mlir [FIRST COUNT]
//
// Reads a function of kernels, or one to make kernels of, and takes COUNT
// kernels from number FIRST on alone, if given. Prints a JSON object with the
// kernels and their own mapping. Then reads a JSON object a line,
// {"kernels": [{"parts": [], "tiles": [], "order": [], "in_place": [],
// "cores": []}, ...]}, and prints one: "picoseconds", or "error".

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/MappedProgram.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/Stages.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace mlir;
using namespace gensyn;
using repro::KernelOp;

namespace {

/// The last error, instead of its text on stderr.
class ErrorKeeper {
public:
  explicit ErrorKeeper(MLIRContext *context)
      : handler(context, [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            text = diagnostic.str();
          return success();
        }) {}
  std::string take() { return std::exchange(text, {}); }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

std::string readFile(const char *name) {
  std::ifstream file(name);
  std::stringstream text;
  text << file.rdbuf();
  if (!file)
    throw Failure(ExitCode::InputOutput, std::string("cannot read ") + name);
  return text.str();
}

SmallVector<KernelOp> listKernels(ModuleOp module) {
  SmallVector<KernelOp> kernels;
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    main.walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  return kernels;
}

/// A program of some kernels of another one: what they read is its inputs, all
/// that they write its outputs.
OwningOpRef<ModuleOp> takeKernels(ModuleOp from, size_t first, size_t count) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(from.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto main = func::FuncOp::create(builder, from.getLoc(), "main",
                                   builder.getFunctionType({}, {}));
  Block *block = main.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  IRMapping values;
  SmallVector<Value> results;
  const SmallVector<KernelOp> kernels = listKernels(from);
  for (KernelOp kernel :
       ArrayRef(kernels).drop_front(first).take_front(count)) {
    for (Value input : kernel.getInputs())
      if (!values.contains(input))
        values.map(input, block->addArgument(input.getType(), input.getLoc()));
    Operation *made = builder.clone(*kernel, values);
    llvm::append_range(results, made->getResults());
  }
  func::ReturnOp::create(builder, from.getLoc(), results);
  main.setType(builder.getFunctionType(block->getArgumentTypes(),
                                       ValueRange(results).getTypes()));
  return module;
}

class Alternatives {
public:
  Alternatives(MLIRContext &context, const std::string &machineText,
               OwningOpRef<ModuleOp> source)
      : context(context), machineText(machineText), source(std::move(source)),
        own(&context), given(&context), errors(&context) {
    PassManager sums(&context);
    mapping::TaskSplitSumsPassOptions options;
    options.machine = machineText;
    sums.addNestedPass<func::FuncOp>(mapping::createTaskSplitSumsPass(options));
    require(sums.run(*this->source));
    mapping::MappingChoices choices;
    choices.cutsSums = false;
    mapping::addMappingPasses(own, machineText, choices);
    // The passes after those that set the attributes that are given.
    given.addPass(mapping::createTaskSchedulePass({machineText}));
    given.addPass(mapping::createTaskMulticastPass({machineText}));
    given.addPass(mapping::createTaskPlanPass({machineText}));
    given.addPass(mapping::createTaskPrefetchPass({machineText}));
    given.addPass(mapping::createTaskPlacePass({machineText}));
    given.addPass(mapping::createTaskRoutePass({machineText}));
    given.addPass(mapping::createTaskReduceWaitsPass());
    given.enableVerifier(false);
    own.enableVerifier(false);
    auto loaded = mapping::loadMachine(machineText, this->source->getLoc());
    require(loaded);
    machine = std::make_unique<machine::Description>(std::move(*loaded));
  }

  /// The kernels, and the mapping that the passes choose.
  OrderedJson describe() {
    OwningOpRef<ModuleOp> module = source->clone();
    require(own.run(*module));
    OrderedJson kernels = OrderedJson::array();
    for (KernelOp kernel : listKernels(*module)) {
      OrderedJson free = OrderedJson::array();
      for (const repro::Split &split : kernel.getSplits())
        free.push_back(split.kind == repro::Split::Kind::Free);
      OwningOpRef<KernelOp> bare = kernel.clone();
      for (StringRef name :
           {task::kKindsAttr, task::kCoresAttr, task::kPartsAttr})
        bare.get()->removeAttr(name);
      const SmallVector<uint32_t> cores = mapping::findCores(*bare, *machine);
      kernels.push_back(
          {{"name", kernel.getSym().str()},
           {"extents", list(repro::getSplitExtents(kernel))},
           {"free", free},
           {"arguments", kernel.getInputs().size() + kernel.getNumResults()},
           {"cores", list(cores)},
           {"own",
            {{"parts", numbers<DenseI64ArrayAttr>(kernel, task::kPartsAttr)},
             {"tiles", numbers<DenseI64ArrayAttr>(kernel, task::kTilesAttr)},
             {"order", numbers<DenseI64ArrayAttr>(kernel, task::kOrderAttr)},
             {"in_place",
              numbers<DenseBoolArrayAttr>(kernel, task::kInPlaceAttr)},
             {"cores",
              numbers<DenseI32ArrayAttr>(kernel, task::kCoresAttr)}}}});
    }
    OrderedJson made = simulate(*module, /*detailed=*/true);
    made["kernels"] = kernels;
    OrderedJson kinds = OrderedJson::array();
    for (const machine::Core &core : machine->cores)
      kinds.push_back(core.kind);
    made["kinds"] = kinds;
    return made;
  }

  OrderedJson run(const nlohmann::json &request) {
    OwningOpRef<ModuleOp> module = source->clone();
    Builder builder(&context);
    for (auto [kernel, choice] :
         llvm::zip_equal(listKernels(*module), request.at("kernels"))) {
      auto sizes = [&](const char *name) {
        return builder.getDenseI64ArrayAttr(
            choice.at(name).get<std::vector<int64_t>>());
      };
      kernel->setAttr(task::kPartsAttr, sizes("parts"));
      kernel->setAttr(task::kTilesAttr, sizes("tiles"));
      kernel->setAttr(task::kOrderAttr, sizes("order"));
      SmallVector<bool> inPlace;
      for (bool flag : choice.at("in_place"))
        inPlace.push_back(flag);
      kernel->setAttr(task::kInPlaceAttr,
                      builder.getDenseBoolArrayAttr(inPlace));
      kernel->setAttr(task::kCoresAttr,
                      builder.getDenseI32ArrayAttr(
                          choice.at("cores").get<std::vector<int32_t>>()));
    }
    if (failed(given.run(*module)))
      return {{"error", errors.take()}};
    return simulate(*module, request.value("detailed", false));
  }

private:
  void require(LogicalResult result) {
    if (failed(result))
      throw Failure(ExitCode::Unsupported, errors.take());
  }

  template <class Range> static OrderedJson list(const Range &range) {
    OrderedJson made = OrderedJson::array();
    for (auto value : range)
      made.push_back(value);
    return made;
  }
  template <class Attr>
  static OrderedJson numbers(KernelOp kernel, StringRef name) {
    return list(kernel->getAttrOfType<Attr>(name).asArrayRef());
  }

  OrderedJson simulate(ModuleOp module, bool detailed) {
    plan::Plan plan;
    mapping::Mapping mapping;
    if (failed(mapping::buildPlan(module.lookupSymbol<func::FuncOp>("main"),
                                  plan)) ||
        failed(mapping::exportMapping(module, *machine, plan, {}, mapping)))
      return {{"error", errors.take()}};
    try {
      const machine::MappedProgram program(plan, mapping, *machine);
      std::map<uint32_t, int> segmentOf;
      for (int i = 0; i < mapping.segments_size(); ++i)
        for (uint32_t launch : mapping.segments(i).launches())
          segmentOf[launch] = i;
      // Of each segment, core and task; of repetitions the first one.
      std::map<std::tuple<int, uint32_t, uint32_t>, machine::TraceEvent> events;
      const machine::Statistics found =
          machine::simulateRun(program, [&](const machine::TraceEvent &event) {
            if (auto found = segmentOf.find(event.launch);
                detailed && found != segmentOf.end())
              events.try_emplace({found->second, event.core, event.number},
                                 event);
          });
      OrderedJson made = {{"picoseconds", found.time}};
      if (detailed) {
        OrderedJson peaks = OrderedJson::array();
        for (const machine::CoreStatistics &core : found.cores)
          peaks.push_back(core.memoryPeak);
        made["peaks"] = peaks;
        made["segments"] = listTasks(mapping, events);
      }
      return made;
    } catch (const Failure &failure) {
      return {{"error", failure.what()}};
    }
  }

  template <class Events>
  OrderedJson listTasks(const mapping::Mapping &mapping, Events &events) const {
    OrderedJson segments = OrderedJson::array();
    int number = 0;
    for (const mapping::Segment &segment : mapping.segments()) {
      OrderedJson cores = OrderedJson::array();
      for (const mapping::Core &core : segment.cores()) {
        OrderedJson tasks = OrderedJson::array();
        for (int i = 0; i < core.tasks_size(); ++i) {
          auto found = events.find({number, core.core(), uint32_t(i)});
          if (found != events.end()) // not of a segment that prepares
            tasks.push_back(describeTask(mapping, core.core(), core.tasks(i),
                                         found->second));
        }
        cores.push_back({{"core", core.core()}, {"tasks", tasks}});
      }
      segments.push_back(cores);
      ++number;
    }
    return segments;
  }

  OrderedJson describeTask(const mapping::Mapping &mapping, uint32_t core,
                           const mapping::Task &task,
                           const machine::TraceEvent &event) const {
    OrderedJson made = {
        {"launch", task.launch()}, {"begin", event.begin}, {"end", event.end}};
    auto add = [&](const char *key, uint64_t address, uint64_t bytes) {
      made[key].push_back({address, bytes});
    };
    if (task.has_compute()) {
      const mapping::Body &body = mapping.bodies(int(task.compute().body()));
      made["kind"] = "compute";
      made["alone"] = event.end - event.begin;
      for (int i = 0; i < task.compute().arguments_size(); ++i)
        if (const auto &place = task.compute().arguments(i);
            place.memory_case() == mapping::Location::kLocal)
          add(i < int(body.operands()) ? "reads" : "writes", place.local(),
              body.arguments(i));
      return made;
    }
    const mapping::Copy &copy = task.copy();
    uint64_t rows = 1;
    for (const mapping::Copy::Dimension &dimension : copy.dimensions())
      rows *= dimension.count();
    const bool isFetch =
        copy.from().memory_case() == mapping::Location::kBuffer;
    const mapping::Location &shared = isFetch ? copy.from() : copy.to();
    const uint32_t memory = mapping.memory_of_buffer(int(shared.buffer()));
    made["kind"] = isFetch ? "fetch" : "store";
    made["alone"] = machine::estimateCopy(*machine, core, memory,
                                          copy.row_bytes(), rows, 1);
    made["memory"] = memory;
    made["bandwidth"] = machine->memories[memory].bandwidth.value;
    made["moved"] =
        machine::burstBytes(machine->memories[memory], copy.row_bytes(), rows);
    made["buffer"] = shared.buffer();
    made["offset"] = shared.offset();
    made["row_bytes"] = copy.row_bytes();
    made["rows"] = OrderedJson::array();
    for (const mapping::Copy::Dimension &dimension : copy.dimensions())
      made["rows"].push_back({dimension.count(), isFetch
                                                     ? dimension.from_stride()
                                                     : dimension.to_stride()});
    // Of the cores that a multicast writes to, its own may be any.
    auto addPlace = [&](const mapping::Location &place) {
      if (place.memory_case() == mapping::Location::kLocal)
        add(isFetch ? "writes" : "reads", place.local(),
            rows * copy.row_bytes());
      else
        made["others"].push_back(
            {place.core(), place.offset(), rows * copy.row_bytes()});
    };
    addPlace(isFetch ? copy.to() : copy.from());
    llvm::for_each(copy.others(), addPlace);
    return made;
  }

  MLIRContext &context;
  const std::string machineText;
  OwningOpRef<ModuleOp> source;
  PassManager own, given;
  ErrorKeeper errors;
  std::unique_ptr<machine::Description> machine;
};

OwningOpRef<ModuleOp> readProgram(MLIRContext &context, const char *file) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    throw Failure(ExitCode::BadInput, std::string(file) + " is not read");
  if (listKernels(*module).empty()) {
    PassManager passes(&context);
    passes.addPass(repro::createFreezePass());
    buildKernelStage(passes, "machine");
    if (failed(passes.run(*module)))
      throw Failure(ExitCode::BadInput, std::string(file) + " has no kernels");
  }
  return module;
}

} // namespace

int main(int count, char **words) {
  if (count != 3 && count != 5) {
    std::cerr << "usage: gensyn-mapping-alternatives MACHINE PROGRAM.mlir "
                 "[FIRST COUNT]\n";
    return 2;
  }
  registerAllPasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  try {
    OwningOpRef<ModuleOp> module = readProgram(context, words[2]);
    if (count == 5)
      module = takeKernels(*module, std::stoul(words[3]), std::stoul(words[4]));
    Alternatives alternatives(context, readFile(words[1]), std::move(module));
    std::cout << alternatives.describe().dump() << std::endl;
    for (std::string line; std::getline(std::cin, line);)
      std::cout << alternatives.run(nlohmann::json::parse(line)).dump()
                << std::endl;
  } catch (const std::exception &failure) {
    std::cerr << "gensyn-mapping-alternatives: " << failure.what() << "\n";
    return 3;
  }
  return 0;
}

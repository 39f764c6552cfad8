// "map": one program mapped to several machines, or without some decisions.

#include "Compiler.h"
#include "CrashReproducer.h"
#include "MachineTarget.h"
#include "Report.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/EstimateMapping.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/Stages.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/thread.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <vector>

#include <google/protobuf/arena.h>

using namespace mlir;

namespace gensyn {

namespace {

/// Which decisions a variant leaves out.
struct Choices {
  bool fuses = true;
  mapping::MappingChoices mapping;
};

/// Maps variants of a frozen program, whose kernels are formed once.
class VariantMapper {
public:
  VariantMapper(ModuleOp frozen, const plan::CompileRequest &request)
      : frozen(frozen), request(request) {}

  void map(const plan::MapVariant &variant, plan::MappedVariant &result) {
    Choices choices;
    if (!readChoices(variant, choices, *result.mutable_error()))
      return;
    Report report(frozen.getContext());
    try {
      if (!map(variant, choices, result))
        report.fill(request.model_path(), ExitCode::Unsupported,
                    *result.mutable_error());
    } catch (const Failure &failure) {
      fail(*result.mutable_error(), failure.code, failure.what(), failure.note);
    }
  }

private:
  static bool readChoices(const plan::MapVariant &variant, Choices &choices,
                          plan::Error &error) {
    const std::pair<StringRef, bool *> known[] = {
        {"fusion", &choices.fuses},
        {"cuts of sums", &choices.mapping.cutsSums},
        {"multicasts", &choices.mapping.multicasts},
        {"prefetch", &choices.mapping.prefetches},
        {"double buffering", &choices.mapping.fitsTwice},
        {"choice of tiles", &choices.mapping.choosesTiles}};
    for (const std::string &word : variant.without()) {
      const auto *found = llvm::find_if(
          known, [&](const auto &pair) { return pair.first == word; });
      if (found == std::end(known))
        return fail(error, ExitCode::Unsupported,
                    "no decision is called '" + word + "'");
      *found->second = false;
    }
    return true;
  }

  /// The program's kernels; null after an error.
  OwningOpRef<ModuleOp> formKernels(const machine::Description &machine,
                                    bool fuses) {
    OwningOpRef<ModuleOp> &known =
        formed[{fuses, machine::listTypesOfProductsAlone(machine)}];
    if (!known) {
      OwningOpRef<ModuleOp> module = frozen.clone();
      PassManager pipeline(frozen.getContext());
      buildKernelStage(pipeline, machine, fuses);
      if (failed(pipeline.run(*module)))
        return nullptr;
      known = std::move(module);
    }
    return known->clone();
  }

  bool map(const plan::MapVariant &variant, const Choices &choices,
           plan::MappedVariant &result) {
    FailureOr<machine::Description> machine =
        mapping::loadMachine(variant.machine(), frozen.getLoc());
    if (failed(machine))
      return false;
    OwningOpRef<ModuleOp> module = formKernels(*machine, choices.fuses);
    if (!module)
      return false;
    mapping::MappingChoices made = choices.mapping;
    made.weights = mapping::parseWeightPlace(request.weights());
    // Verified where a mapping is made; here it would take a third of the time.
    if (failed(mapping::mapProgram(
            *module, variant.machine(), *machine, made,
            [](PassManager &pipeline) { pipeline.enableVerifier(false); })))
      return false;
    plan::Plan plan;
    // Its millions of parts are freed at once.
    google::protobuf::Arena arena;
    auto &mapping =
        *google::protobuf::Arena::CreateMessage<mapping::Mapping>(&arena);
    if (failed(mapping::buildPlan(module->lookupSymbol<func::FuncOp>("main"),
                                  plan)) ||
        failed(mapping::exportMapping(*module, *machine, plan, {}, mapping)))
      return false;
    setDigest(mapping);
    describe(machine::estimateMapping(*machine, plan, mapping), mapping,
             result);
    return true;
  }

  static void describe(const machine::Statistics &statistics,
                       const mapping::Mapping &mapping,
                       plan::MappedVariant &result) {
    result.set_digest(mapping.digest());
    uint64_t tasks = 0, bytes = 0, peak = 0;
    for (const mapping::Segment &segment : mapping.segments())
      for (const mapping::Core &core : segment.cores())
        tasks += static_cast<uint64_t>(core.tasks_size());
    for (const machine::LaunchStatistics &launch : statistics.launches)
      bytes += launch.bytesRead + launch.bytesWritten;
    for (const machine::CoreStatistics &core : statistics.cores)
      peak = std::max(peak, core.memoryPeak);
    result.set_tasks(tasks);
    result.set_bytes(bytes);
    result.set_core_memory_peak(peak);
    result.set_picoseconds(statistics.time);
    result.set_femtojoules(statistics.energy.total());
  }

  ModuleOp frozen;
  const plan::CompileRequest &request;
  /// By whether kernels are fused, and by the types that stay apart.
  std::map<std::pair<bool, std::vector<std::string>>, OwningOpRef<ModuleOp>>
      formed;
};

} // namespace

/// Maps those variants of a request that no other thread has taken. Returns
/// false, with `error` filled, if the program cannot be frozen.
static bool mapSome(const plan::MapRequest &request, std::atomic<int> &next,
                    plan::MapResponse &response, plan::Error &error) {
  const plan::CompileRequest &program = request.program();
  auto context = createContext();
  const std::optional<Recipe> recipe =
      readRecipe(program.recipe_json(), program.recipe_name(),
                 program.model_path(), *context, error);
  if (!recipe)
    return false;
  OwningOpRef<ModuleOp> module = freezeModel(program, *recipe, *context, error);
  if (!module)
    return false;
  VariantMapper mapper(*module, program);
  for (int i = next++; i < request.variants_size(); i = next++)
    mapper.map(request.variants(i), *response.mutable_variants(i));
  return true;
}

plan::MapResponse mapVariants(const plan::MapRequest &request) {
  plan::MapResponse response;
  for (int i = 0; i < request.variants_size(); ++i)
    response.add_variants();
  const unsigned processors = request.program().threads()
                                  ? request.program().threads()
                                  : llvm::thread::hardware_concurrency();
  // Each has a context and a copy of the program: nothing is shared, so results
  // depend on no other thread, and all fail to read a program in the same way.
  constexpr int mostThreads = 8;
  const int threads =
      std::clamp(static_cast<int>(processors), 1,
                 std::clamp(request.variants_size(), 1, mostThreads));
  std::atomic<int> next = 0;
  // Passes and parsers recurse with the nesting of models.
  constexpr unsigned stackBytes = 256u << 20;
  std::vector<llvm::thread> others;
  for (int i = 1; i < threads; ++i)
    others.emplace_back(std::optional<unsigned>(stackBytes), [&] {
      plan::Error ignored;
      (void)mapSome(request, next, response, ignored);
    });
  if (!mapSome(request, next, response, *response.mutable_error()))
    next = request.variants_size();
  for (llvm::thread &other : others)
    other.join();
  return response;
}

} // namespace gensyn

// Compiles the kernels of a function, each once, several at a time.

#include "gensyn/Codegen/Cpu/Compile.h"

#include "KernelCache.h"
#include "KernelCode.h"
#include "gensyn/Codegen/Emit/Models.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/MapVector.h"

#include <atomic>
#include <thread>

using namespace mlir;

namespace gensyn::cpu {

FailureOr<SmallVector<std::string>>
emitFunctions(repro::KernelOp kernel, StringRef name, const Target &target,
              const Schedules &schedules, ModuleOp module) {
  ScheduleChoice choice = chooseSchedule(schedules, kernel, target);
  if (failed(emitKernelFunctions(kernel, name, choice, target, module)))
    return failure();
  SmallVector<std::string> names;
  for (unsigned launch = 0; launch < choice.plan.launches.size(); ++launch)
    names.push_back(getFunctionName(name, choice.plan, launch));
  return names;
}

static codegen::KernelLaunches toLaunches(const KernelPlan &plan) {
  codegen::KernelLaunches result;
  result.workspaces = plan.workspaces;
  for (const LaunchPlan &made : plan.launches) {
    plan::Launch &launch = result.launches.emplace_back();
    launch.set_tiles(made.tiles);
    launch.set_scratch_bytes(static_cast<uint64_t>(made.scratchBytes));
  }
  return result;
}

codegen::KernelLaunches describeLaunches(repro::KernelOp kernel,
                                         const Target &target) {
  return toLaunches(chooseSchedule(getSchedules(), kernel, target).plan);
}

static std::string kernelFolder(const CompileOptions &options) {
  return options.cacheFolder.empty() ? "" : options.cacheFolder + "/kernels";
}

namespace {

/// One kernel to compile, and what came of it.
struct Job {
  std::string text, name;
  Location location; // of the first op that needs it
  std::string object, error;
};

class Worker {
public:
  Worker(const CompileOptions &options, const Schedules &schedules)
      : options(options), schedules(schedules), cache(kernelFolder(options)) {}

  void run(Job &job) {
    const std::string key =
        KernelCache::keyOf(job.text + "\n" + job.name, options.target->name);
    if (std::optional<std::string> object = cache.load(key)) {
      job.object = std::move(*object);
      return;
    }
    MLIRContext &context = getContext();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          job.error.empty())
        job.error = diagnostic.str();
      return success();
    });
    FailureOr<std::string> object = compileText(job, context);
    if (failed(object)) {
      if (job.error.empty())
        job.error = "code generation failed";
      return;
    }
    job.error.clear();
    job.object = std::move(*object);
    cache.store(key, job.object);
  }

private:
  MLIRContext &getContext() {
    if (!owned) {
      DialectRegistry registry;
      emit::registerElementModels(registry);
      registry.insert<func::FuncDialect, linalg::LinalgDialect,
                      LLVM::LLVMDialect, cf::ControlFlowDialect,
                      affine::AffineDialect, ub::UBDialect>();
      owned = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
      owned->loadAllAvailableDialects();
    }
    return *owned;
  }

  FailureOr<std::string> compileText(const Job &job, MLIRContext &context) {
    auto source = parseSourceString<ModuleOp>(job.text, &context);
    if (!source)
      return failure();
    repro::KernelOp kernel;
    source->walk([&](repro::KernelOp op) { kernel = op; });
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    FailureOr<SmallVector<std::string>> names =
        emitFunctions(kernel, job.name, *options.target, schedules, *module);
    if (failed(names) || failed(lowerToLlvm(*module, *options.target, *names)))
      return failure();
    return emitObject(*module, *options.target);
  }

  const CompileOptions &options;
  const Schedules &schedules;
  KernelCache cache;
  std::unique_ptr<MLIRContext> owned;
};

void runAll(std::vector<Job> &jobs, const CompileOptions &options,
            const Schedules &schedules) {
  unsigned count =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  count = std::clamp<unsigned>(count, 1, std::max<size_t>(jobs.size(), 1));
  std::atomic<size_t> next = 0;
  auto work = [&] {
    Worker worker(options, schedules);
    for (size_t number; (number = next++) < jobs.size();)
      worker.run(jobs[number]);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < count; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  KernelCache(kernelFolder(options)).trim(/*most=*/8192);
}

} // namespace

FailureOr<std::string> compile(func::FuncOp function,
                               const CompileOptions &options,
                               plan::Plan &plan) {
  const Schedules &schedules =
      options.schedules ? *options.schedules : getSchedules();
  std::vector<Job> jobs;
  llvm::StringMap<size_t> known;
  auto launchesOf =
      [&](repro::KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
    std::string text = codegen::printKernel(kernel);
    auto [found, isNew] = known.try_emplace(text, jobs.size());
    if (isNew)
      jobs.push_back(
          {text, codegen::nameKernel(kernel, text), kernel.getLoc(), {}, {}});
    const std::string &name = jobs[found->second].name;
    ScheduleChoice choice = chooseSchedule(schedules, kernel, *options.target);
    codegen::KernelLaunches result = toLaunches(choice.plan);
    for (unsigned i = 0; i < choice.plan.launches.size(); ++i)
      result.launches[i].set_kernel(getFunctionName(name, choice.plan, i));
    return result;
  };
  if (failed(codegen::buildPlan(function, launchesOf, plan)))
    return failure();
  runAll(jobs, options, schedules);
  std::vector<std::string> objects;
  for (Job &job : jobs) {
    if (!job.error.empty())
      return emitError(job.location, job.error);
    objects.push_back(std::move(job.object));
  }
  std::string error;
  FailureOr<std::string> library = linkObjects(objects, error);
  if (failed(library))
    return function.emitError("linking kernels: ") << error;
  return library;
}

} // namespace gensyn::cpu

// Compiles each distinct kernel of a function once, several in parallel.

#include "gensyn/Codegen/Cpu/Compile.h"

#include "KernelCache.h"
#include "KernelCode.h"
#include "ObjectCheck.h"
#include "gensyn/Codegen/Emit/Models.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Codegen/Schedule/Launches.h"
#include "gensyn/Executable/KernelAccess.h"
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
  for (const LaunchPlan &launch : choice.plan.launches)
    names.push_back(codegen::nameFunction(name, launch.suffix));
  return names;
}

static codegen::KernelLaunches toLaunches(StringRef kernel,
                                          const ScheduleChoice &choice) {
  auto result = codegen::toLaunches<CpuMachine>(
      kernel, choice, [](const LaunchPlan &made) {
        plan::Launch launch;
        launch.set_tiles(made.tiles);
        launch.set_scratch_bytes(static_cast<uint64_t>(made.scratchBytes));
        launch.set_prepares(!made.prepared.empty());
        return launch;
      });
  for (const LaunchPlan &launch : choice.plan.launches) {
    result.prepared.append(launch.prepared);
    result.unread.append(launch.unread);
  }
  return result;
}

codegen::KernelLaunches describeLaunches(repro::KernelOp kernel,
                                         const Target &target) {
  return toLaunches("", chooseSchedule(getSchedules(), kernel, target));
}

static std::string kernelFolder(const CompileOptions &options) {
  return options.cacheFolder.empty() ? "" : options.cacheFolder + "/kernels";
}

/// Returns the buffer accesses of a launch of a kernel, other than tiles and
/// scratch.
static std::vector<KernelAccess::Buffer>
findAccesses(repro::KernelOp kernel, const KernelPlan &plan,
             const LaunchPlan &launch) {
  std::vector<KernelAccess::Buffer> buffers;
  for (Type type : codegen::getBufferTypes(kernel)) {
    auto memref = cast<MemRefType>(type);
    buffers.push_back({uint64_t(memref.getNumElements()) *
                           llvm::divideCeil(memref.getElementTypeBitWidth(), 8),
                       buffers.size() >= kernel.getInputs().size()});
  }
  for (auto [operand, number] : plan.findInPlace(kernel))
    for (size_t argument :
         {size_t(operand), kernel.getInputs().size() + number})
      buffers[argument].isInPlace = true;
  for (int64_t bytes : plan.workspaces)
    buffers.push_back({uint64_t(bytes), /*isWritten=*/true});
  // Launches of a run only read what was prepared.
  const size_t first = buffers.size() - plan.workspaces.size();
  if (launch.prepared.empty())
    for (const LaunchPlan &other : plan.launches) {
      for (unsigned workspace : other.prepared)
        buffers[first + workspace].isWritten = false;
      for (unsigned operand : other.unread)
        buffers[operand].bytes = 0;
    }
  return buffers;
}

/// Adds a constant for each function that declares its accesses.
static void addAccesses(repro::KernelOp kernel, ArrayRef<std::string> names,
                        const KernelPlan &plan, ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  KernelAccess access;
  for (auto [name, launch] : llvm::zip_equal(names, plan.launches)) {
    access.buffers = findAccesses(kernel, plan, launch);
    access.tiles = launch.tiles;
    access.scratchBytes = uint64_t(launch.scratchBytes);
    const std::string bytes = access.encode();
    LLVM::GlobalOp::create(
        builder, kernel.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI8Type(), unsigned(bytes.size())),
        /*isConstant=*/true, LLVM::Linkage::External,
        name + KernelAccess::suffix, builder.getStringAttr(bytes),
        /*alignment=*/8);
  }
}

namespace {

/// A kernel to compile, and the result.
struct Job {
  std::string text, name;
  Location location; // of the first op that needs it
  std::string object, error;
  bool isCached = false; // the object came from the cache
};

class Worker {
public:
  Worker(const CompileOptions &options, const Schedules &schedules)
      : options(options), schedules(schedules), cache(kernelFolder(options)) {}

  void run(Job &job) {
    const std::string key =
        KernelCache::keyOf(job.text + "\n" + job.name, options.target->name);
    if (std::optional<std::string> object = cache.load(key);
        object && !job.isCached &&
        isKernelObject(*object, job.name, *options.target)) {
      job.object = std::move(*object);
      job.isCached = true;
      return;
    }
    job.isCached = false;
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
    if (failed(names) ||
        failed(lowerToLlvm(*module, *options.target, *names, options.watch)))
      return failure();
    addAccesses(kernel, *names,
                chooseSchedule(schedules, kernel, *options.target).plan,
                *module);
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
}

/// Recompiles the kernels that came from the cache, and replaces their entries.
bool renewCached(std::vector<Job> &jobs, const CompileOptions &options,
                 const Schedules &schedules) {
  std::vector<size_t> cached;
  for (auto [number, job] : llvm::enumerate(jobs))
    if (job.isCached)
      cached.push_back(number);
  Worker worker(options, schedules);
  for (size_t number : cached)
    worker.run(jobs[number]);
  return !cached.empty();
}

FailureOr<std::string> link(std::vector<Job> &jobs, const Target &target,
                            std::string &error) {
  std::vector<std::string> objects;
  for (const Job &job : jobs)
    objects.push_back(job.object);
  return target.isBare ? joinObjects(objects, error)
                       : linkObjects(objects, error);
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
    return toLaunches(name, chooseSchedule(schedules, kernel, *options.target));
  };
  codegen::PlanOptions planOptions = options.plan;
  planOptions.describe = [&](repro::KernelOp kernel) {
    return toLaunches("", chooseSchedule(schedules, kernel, *options.target));
  };
  if (failed(codegen::buildPlan(function, launchesOf, plan, planOptions)))
    return failure();
  KernelCache cache(kernelFolder(options));
  if (!cache.getProblem().empty() && options.warn)
    options.warn(cache.getProblem());
  runAll(jobs, options, schedules);
  if (!llvm::all_of(jobs, [](const Job &job) { return job.isCached; }))
    cache.trim(kCacheBytes);
  for (Job &job : jobs)
    if (!job.error.empty())
      return emitError(job.location, job.error);
  std::string error;
  FailureOr<std::string> library = link(jobs, *options.target, error);
  // An entry may have the right digest and still not link.
  if (failed(library) && renewCached(jobs, options, schedules)) {
    for (Job &job : jobs)
      if (!job.error.empty())
        return emitError(job.location, job.error);
    library = link(jobs, *options.target, error);
  }
  if (failed(library))
    return function.emitError("linking kernels: ") << error;
  return library;
}

} // namespace gensyn::cpu

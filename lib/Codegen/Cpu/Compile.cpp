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
#include <chrono>
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

static const Schedules &schedulesOf(const CompileOptions &options) {
  static const Schedules baseline = [] {
    Schedules only;
    only.push_back(createBaselineSchedule());
    return only;
  }();
  return options.schedules  ? *options.schedules
         : options.optimize ? getSchedules()
                            : baseline;
}

/// Code that is not optimized has no vectors: LLVM's quick selection of
/// instructions knows none, and their code is longer.
static Target targetOf(const CompileOptions &options) {
  Target target = *options.target;
  if (!options.optimize) {
    target.vectorBytes = 4;
    target.hasVectorLength = false;
  }
  return target;
}

/// Empty: no cache. Schedules that replace the registered ones are no part of
/// its keys.
static std::string kernelFolder(const CompileOptions &options) {
  return options.cacheFolder.empty() || options.schedules
             ? ""
             : options.cacheFolder + "/kernels";
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
      : options(options), schedules(schedules), target(targetOf(options)),
        cache(kernelFolder(options)) {}

  /// Takes a kernel from the cache, or compiles it. Returns false, and does
  /// neither, while another process compiles it.
  bool runUnlessClaimed(Job &job) {
    const std::string key = keyOf(job);
    if (load(key, job))
      return true;
    const std::optional<CacheClaim> claim = cache.claim(key);
    if (!claim)
      return false;
    // It may have been stored before the claim.
    if (!load(key, job))
      compile(key, job);
    return true;
  }

  /// Waits for the processes that compile these kernels, and compiles what is
  /// left if none is ready for so long that they may have been stopped.
  void runLast(ArrayRef<Job *> claimed) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point end = Clock::now() + kLongestWait;
    for (Job *job : claimed) {
      while (!runUnlessClaimed(*job)) {
        if (Clock::now() > end) {
          compile(keyOf(*job), *job);
          break;
        }
        std::this_thread::sleep_for(kPoll);
      }
      if (Clock::now() <= end)
        end = Clock::now() + kLongestWait;
    }
  }

  /// Compiles a kernel whatever is in the cache.
  void renew(Job &job) { compile(keyOf(job), job); }

  /// Compiles kernels as one object, which the first of them gets: of a small
  /// kernel's time most is that of a module. Each alone if that fails, for its
  /// own error.
  void runTogether(MutableArrayRef<Job> group) {
    std::string ignored;
    FailureOr<std::string> object = compileTexts(group, ignored);
    if (succeeded(object)) {
      group.front().object = std::move(*object);
      return;
    }
    for (Job &job : group)
      renew(job);
  }

private:
  static constexpr std::chrono::seconds kLongestWait{5};
  static constexpr std::chrono::milliseconds kPoll{5};

  std::string keyOf(const Job &job) const {
    return KernelCache::keyOf(job.text + "\n" + job.name, options.target->name,
                              options.optimize);
  }

  bool load(const std::string &key, Job &job) const {
    std::optional<std::string> object = cache.load(key);
    if (!object || !isKernelObject(*object, job.name, target))
      return false;
    job.object = std::move(*object);
    job.isCached = true;
    return true;
  }

  void compile(const std::string &key, Job &job) {
    job.isCached = false;
    std::string error;
    FailureOr<std::string> object = compileTexts(job, error);
    if (failed(object)) {
      job.error = error.empty() ? "code generation failed" : error;
      return;
    }
    job.error.clear();
    job.object = std::move(*object);
    cache.store(key, job.object);
  }

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
      lowering.emplace(owned.get(), target, options.watch);
    }
    return *owned;
  }

  /// One object with the functions of all kernels of `group`.
  FailureOr<std::string> compileTexts(ArrayRef<Job> group, std::string &error) {
    MLIRContext &context = getContext();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          error.empty())
        error = diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    SmallVector<std::string> names;
    SmallVector<OwningOpRef<ModuleOp>> sources;
    for (const Job &job : group) {
      sources.push_back(parseSourceString<ModuleOp>(job.text, &context));
      if (!sources.back())
        return failure();
      FailureOr<SmallVector<std::string>> own = emitFunctions(
          kernelOf(*sources.back()), job.name, target, schedules, *module);
      if (failed(own))
        return failure();
      llvm::append_range(names, *own);
    }
    if (failed(lowering->run(*module, names)))
      return failure();
    ArrayRef<std::string> left = names;
    for (OwningOpRef<ModuleOp> &source : sources) {
      repro::KernelOp kernel = kernelOf(*source);
      const KernelPlan plan = chooseSchedule(schedules, kernel, target).plan;
      addAccesses(kernel, left.take_front(plan.launches.size()), plan, *module);
      left = left.drop_front(plan.launches.size());
    }
    return emitObject(*module, target, options.optimize);
  }

  static repro::KernelOp kernelOf(ModuleOp source) {
    repro::KernelOp kernel;
    source.walk([&](repro::KernelOp op) { kernel = op; });
    return kernel;
  }

  const CompileOptions &options;
  const Schedules &schedules;
  const Target target;
  KernelCache cache;
  std::unique_ptr<MLIRContext> owned;
  std::optional<KernelLowering> lowering;
};

/// Kernels of one object, if they are compiled without optimizations.
constexpr size_t kTogether = 64;

void runAll(std::vector<Job> &jobs, const CompileOptions &options,
            const Schedules &schedules) {
  unsigned count =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  count = std::clamp<unsigned>(count, 1, std::max<size_t>(jobs.size(), 1));
  // Entries of the cache are those of one kernel.
  const size_t together =
      options.optimize || !kernelFolder(options).empty() ? 1 : kTogether;
  std::atomic<size_t> next = 0;
  // Processes that start together, such as runs of one model, need the same
  // kernels. Each leaves those to the others that they have begun, so that all
  // share the work.
  auto work = [&] {
    Worker worker(options, schedules);
    SmallVector<Job *> begunByOthers;
    for (size_t first; (first = next.fetch_add(together)) < jobs.size();)
      if (together > 1)
        worker.runTogether(
            MutableArrayRef(jobs).drop_front(first).take_front(together));
      else if (!worker.runUnlessClaimed(jobs[first]))
        begunByOthers.push_back(&jobs[first]);
    worker.runLast(begunByOthers);
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
    worker.renew(jobs[number]);
  return !cached.empty();
}

FailureOr<std::string> link(std::vector<Job> &jobs, const Target &target,
                            std::string &error) {
  std::vector<std::string> objects;
  for (const Job &job : jobs)
    if (!job.object.empty()) // of those that are compiled together
      objects.push_back(job.object);
  return target.isBare ? joinObjects(objects, error)
                       : linkObjects(objects, error);
}

} // namespace

FailureOr<std::string> compile(func::FuncOp function,
                               const CompileOptions &options,
                               plan::Plan &plan) {
  const Schedules &schedules = schedulesOf(options);
  const Target target = targetOf(options);
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
    return toLaunches(name, chooseSchedule(schedules, kernel, target));
  };
  codegen::PlanOptions planOptions = options.plan;
  planOptions.describe = [&](repro::KernelOp kernel) {
    return toLaunches("", chooseSchedule(schedules, kernel, target));
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
  FailureOr<std::string> library = link(jobs, target, error);
  // An entry may have the right digest and still not link.
  if (failed(library) && renewCached(jobs, options, schedules)) {
    for (Job &job : jobs)
      if (!job.error.empty())
        return emitError(job.location, job.error);
    library = link(jobs, target, error);
  }
  if (failed(library))
    return function.emitError("linking kernels: ") << error;
  return library;
}

} // namespace gensyn::cpu

// See Executable.h.

#include "Executable.h"

#include "CrashReproducer.h"
#include "FrozenModule.h"
#include "MachineTarget.h"
#include "MemoryBudget.h"
#include "Ports.h"
#include "Report.h"
#include "Warnings.h"
#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Codegen/Cpu/Passes.h"
#include "gensyn/Codegen/Gpu/Compile.h"
#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Codegen/Schedule/Alternatives.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/Transforms/ProgramEntries.h"
#include "gensyn/Numerics/Version.h"
#include "gensyn/Pipelines/Stages.h"
#include "gensyn/Proof/Trees/ListTree.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "gensyn/Translation/Ptx/Ptx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace gensyn {

/// Messages for faults at run time.
static void setFaults(func::FuncOp main, StringRef file, plan::Plan &plan) {
  codegen::setFaultSlots(main, file, plan);
  for (plan::FaultSlot &fault : *plan.mutable_faults()) {
    fault.set_operation(oneLine(fault.operation()));
    fault.set_message(oneLine(fault.message()));
  }
}

static bool compileForCpu(func::FuncOp main, StringRef name,
                          const plan::CompileRequest &request,
                          const Recipe &recipe, plan::Executable &executable,
                          const Report &report, plan::Error &error) {
  cpu::CompileOptions options;
  options.target = machine::findCpu(name);
  options.cacheFolder = request.cache_dir();
  options.threads = request.threads();
  options.plan = makePlanOptions(request);
  options.watch = makeReproducer(request.crash_reproducer());
  options.warn = [](const std::string &line) { noteWarning(oneLine(line)); };
  if (!options.target)
    return fail(error, ExitCode::Unsupported,
                "no instruction set is called '" + name + "'");
  plan::Memory memory;
  auto launchesOf =
      [&](repro::KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
    return cpu::describeLaunches(kernel, *options.target);
  };
  if (!applyMemoryBudget(main, request, recipe, launchesOf, report, memory,
                         error))
    return false;
  auto object = cpu::compile(main, options, *executable.mutable_plan());
  if (failed(object)) {
    report.fill(request.model_path(), ExitCode::Unsupported, error);
    return false;
  }
  executable.mutable_plan()->mutable_memory()->MergeFrom(memory);
  plan::Code &code = *executable.add_code();
  code.set_target(name.str());
  code.set_data(std::move(*object));
  return true;
}

namespace {
/// Sets the number of a context's threads while it lives; 0 means one per
/// processor.
class ContextThreads {
public:
  ContextThreads(MLIRContext *context, unsigned count)
      : context(context), pool(llvm::hardware_concurrency(count)) {
    if (count != 1 && !context->isMultithreadingEnabled()) {
      context->setThreadPool(pool);
      isSet = true;
    }
  }
  ~ContextThreads() {
    if (isSet)
      context->disableMultithreading();
  }
  ContextThreads(const ContextThreads &) = delete;
  ContextThreads &operator=(const ContextThreads &) = delete;

private:
  MLIRContext *context;
  llvm::DefaultThreadPool pool;
  bool isSet = false;
};
} // namespace

static bool compileForGpu(func::FuncOp main, StringRef name,
                          const plan::CompileRequest &request,
                          const Recipe &recipe, plan::Executable &executable,
                          const Report &report, plan::Error &error) {
  const machine::Gpu *gpu = machine::findGpu(name);
  if (!gpu)
    return fail(error, ExitCode::Unsupported,
                "no GPU generation is called '" + name + "'");
  const gpu::Target &target = gpu::getTarget(*gpu);
  plan::Memory memory;
  auto launchesOf =
      [&](repro::KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
    return gpu::describeLaunches(kernel, target);
  };
  if (!applyMemoryBudget(main, request, recipe, launchesOf, report, memory,
                         error))
    return false;
  auto watch = makeReproducer(request.crash_reproducer());
  ContextThreads threads(main.getContext(), watch ? 1 : request.threads());
  auto module =
      gpu::compile(main, target, *executable.mutable_plan(),
                   /*schedules=*/nullptr, watch, makePlanOptions(request));
  FailureOr<std::string> text = failure();
  if (succeeded(module))
    text = ptx::translateToPtx(**module, target);
  if (failed(text)) {
    report.fill(request.model_path(), ExitCode::Unsupported, error);
    return false;
  }
  executable.mutable_plan()->mutable_memory()->MergeFrom(memory);
  plan::Code &code = *executable.add_code();
  code.set_target(name.str());
  code.set_data(std::move(*text));
  return true;
}

bool describeExecutable(ModuleOp module, const plan::CompileRequest &request,
                        plan::Executable &executable, plan::Error &error) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (std::string problem = whyNotPorts(main); !problem.empty())
    return fail(error, ExitCode::BadInput, problem);
  executable.set_version(1);
  executable.set_kind(request.kind());
  executable.set_numerics_version(std::to_string(kNumericsVersion));
  executable.set_program_digest(
      module->getAttrOfType<StringAttr>(repro::kDigestAttr).getValue().str());
  FailureOr<repro::ProgramEntries> entries = repro::listProgramEntries(module);
  if (failed(entries))
    return fail(error, ExitCode::Bug, "the program has no list of entries");
  executable.set_program_root(
      toHex(proof::digestList("program", entries->list())));
  setPorts(main, llvm::sys::path::parent_path(request.model_path()),
           *executable.mutable_plan());
  return true;
}

/// Adds the pass that gives kernels the schedules of the request, if it has any
/// and its target is a CPU or a GPU.
static void addSchedules(OpPassManager &pipeline,
                         const plan::CompileRequest &request) {
  auto [device, name] = StringRef(request.target()).split(':');
  if (request.schedules().empty())
    return;
  if (device == "cpu") {
    cpu::ChooseCpuSchedulesPassOptions options;
    options.target = name.str();
    options.schedules = request.schedules();
    pipeline.addPass(cpu::createChooseCpuSchedulesPass(options));
  } else if (const machine::Gpu *gpu =
                 device == "ptx" ? machine::findGpu(std::string_view(name))
                                 : nullptr) {
    gpu::ChooseGpuSchedulesPassOptions options;
    options.sm = gpu->sm;
    options.schedules = request.schedules();
    pipeline.addPass(gpu::createChooseGpuSchedulesPass(options));
  }
}

/// Turns the pass's warning into one of the response.
static void noteUnusedSchedules(const Report &report,
                                const plan::CompileRequest &request) {
  for (const std::string &warning : report.getWarnings())
    noteWarning(oneLine(request.schedules_name() + ": " + warning));
}

static std::vector<codegen::ScheduledKernel>
listKernels(ModuleOp module, const plan::CompileRequest &request) {
  auto [device, name] = StringRef(request.target()).split(':');
  if (device == "cpu")
    if (const cpu::Target *target = machine::findCpu(std::string_view(name)))
      return codegen::listScheduledKernels(module, cpu::getSchedules(),
                                           *target);
  if (device == "ptx")
    if (const machine::Gpu *gpu = machine::findGpu(std::string_view(name)))
      return codegen::listScheduledKernels(module, gpu::getSchedules(),
                                           gpu::getTarget(*gpu));
  return {};
}

/// Lists the schedules that kernels without a `schedule` attribute may have.
static void listSchedules(ModuleOp module, const plan::CompileRequest &request,
                          plan::Executable &executable) {
  llvm::StringMap<int> known;
  for (const auto &[kernel, kernelName, alternatives] :
       listKernels(module, request)) {
    if (alternatives.empty())
      continue;
    repro::KernelOp op = kernel;
    auto [found, isNew] =
        known.try_emplace(kernelName, executable.schedules_size());
    if (isNew) {
      plan::KernelSchedules &made = *executable.add_schedules();
      made.set_name(kernelName);
      for (DictionaryAttr fields : alternatives)
        made.add_alternatives(codegen::printFields(fields));
    }
    executable.mutable_schedules(found->second)->add_kernels(op.getSym().str());
  }
}

static bool build(ModuleOp module, const plan::CompileRequest &request,
                  const Recipe &recipe, plan::Executable &executable,
                  plan::Error &error) {
  Report report(module.getContext());
  if (!describeExecutable(module, request, executable, error))
    return false;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  auto [device, name] = StringRef(request.target()).split(':');
  if (device == "reference") {
    executable.set_frozen_module(printFrozenModule(module));
  } else {
    PassManager pipeline(module.getContext());
    addReproducer(pipeline, request.crash_reproducer());
    // Kernels that gensyn-opt has formed already are kept.
    if (main.getOps<repro::KernelOp>().empty()) {
      if (device == "machine") {
        auto machine = mapping::loadMachine(request.machine(), module.getLoc());
        if (failed(machine)) {
          report.fill(request.model_path(), ExitCode::Unsupported, error);
          return false;
        }
        buildKernelStage(pipeline, *machine);
      } else {
        buildKernelStage(pipeline, device);
      }
    }
    addSchedules(pipeline, request);
    if (failed(pipeline.run(module))) {
      report.fill(request.model_path(), ExitCode::Unsupported, error);
      return false;
    }
    noteUnusedSchedules(report, request);
    if (request.lists_schedules())
      listSchedules(module, request, executable);
    bool done =
        device == "cpu" ? compileForCpu(main, name, request, recipe, executable,
                                        report, error)
        : device == "ptx" ? compileForGpu(main, name, request, recipe,
                                          executable, report, error)
        : device == "machine"
            ? compileForMachine(main, request, executable, report, error)
            : fail(error, ExitCode::Unsupported,
                   "no target is called '" + request.target() + "'");
    if (!done)
      return false;
  }
  // Older runtimes do not know prepared values.
  if (llvm::any_of(
          executable.plan().launches(),
          [](const plan::Launch &launch) { return launch.prepares(); }))
    executable.set_version(2);
  setPorts(main, llvm::sys::path::parent_path(request.model_path()),
           *executable.mutable_plan());
  setFaults(main, request.model_path(), *executable.mutable_plan());
  return true;
}

bool buildExecutable(ModuleOp module, const plan::CompileRequest &request,
                     const Recipe &recipe, plan::Executable &executable,
                     plan::Error &error) {
  const FrozenCopy frozen(module, request.crash_reproducer());
  if (build(module, request, recipe, executable, error))
    return true;
  frozen.write();
  return false;
}

} // namespace gensyn

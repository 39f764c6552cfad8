// See ModuleToPtx.h.

#include "ModuleToPtx.h"

#include "../Compiler.h"
#include "../CrashReproducer.h"
#include "../Executable.h"
#include "../Report.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Machine/Gpu.h"
#include "gensyn/Pipelines/Stages.h"
#include "gensyn/Translation/Ptx/Ptx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace gensyn {

bool moduleToPtx(ModuleOp module, const ModuleToPtxOptions &options,
                 plan::Executable &executable, plan::Error &error) {
  if (!checkReproducerFolder(options.crashReproducer, error))
    return false;
  if (!options.crashReproducer.empty())
    module.getContext()->disableMultithreading();
  // Code is generated outside of the pass manager, whose passes would declare
  // their dialects.
  module.getContext()->loadAllAvailableDialects();
  const std::string name = "sm_" + std::to_string(options.sm);
  const machine::Gpu *target = machine::findGpu(options.sm);
  if (!target)
    return fail(error, ExitCode::Unsupported,
                "no GPU generation is called '" + name + "'");
  if (!module.getOps<gpu::GPUModuleOp>().empty()) {
    FailureOr<std::string> text = ptx::translateToPtx(module, *target);
    if (failed(text))
      return false;
    executable.add_code()->set_data(std::move(*text));
    return true;
  }
  if (!module.lookupSymbol<func::FuncOp>("main"))
    return fail(error, ExitCode::BadInput,
                "the module has neither a gpu.module nor a function @main");
  if (!module->hasAttr(repro::kDigestAttr)) {
    PassManager pipeline(module.getContext());
    addReproducer(pipeline, options.crashReproducer);
    FreezeStageOptions freeze;
    freeze.accuracy = chooseAccuracy(options.accuracy, Recipe());
    buildFreezeStage(pipeline, freeze);
    if (failed(pipeline.run(module)))
      return false;
  }
  plan::CompileRequest request;
  request.set_model_path("module");
  request.set_prepared_memory(0);
  request.set_target("ptx:" + name);
  request.set_crash_reproducer(options.crashReproducer);
  request.set_schedules(options.schedules);
  request.set_schedules_name(options.schedulesName);
  return buildExecutable(module, request, Recipe(), executable, error);
}

} // namespace gensyn

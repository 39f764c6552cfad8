// See MemoryBudget.h.

#include "MemoryBudget.h"

using namespace mlir;

namespace gensyn {

codegen::PlanOptions makePlanOptions(const plan::CompileRequest &request) {
  codegen::PlanOptions options;
  if (request.has_prepared_memory())
    options.preparedBytes = request.prepared_memory();
  else if (request.memory_budget())
    options.preparedBytes = 0;
  return options;
}

bool applyMemoryBudget(
    func::FuncOp main, const plan::CompileRequest &request,
    const Recipe &recipe,
    function_ref<FailureOr<codegen::KernelLaunches>(repro::KernelOp)>
        launchesOf,
    const Report &report, plan::Memory &memory, plan::Error &error) {
  codegen::RematOptions options;
  if (request.memory_budget())
    options.budget = request.memory_budget();
  options.nodes = recipe.remat;
  options.plan = makePlanOptions(request);
  if (!options.isAsked())
    return true;
  auto done = codegen::rematerialize(main, launchesOf, options);
  if (failed(done)) {
    report.fill(request.model_path(), ExitCode::Unsupported, error);
    return false;
  }
  memory.set_arena_before(done->arenaBefore);
  memory.set_more_kernels(static_cast<uint32_t>(done->kernels));
  memory.set_flops_before(done->flopsBefore);
  memory.set_flops(done->flopsAfter);
  if (done->arenaAfter <= options.budget)
    return true;
  return fail(error, ExitCode::OutOfResources,
              request.model_path() + ": the values of one " + request.kind() +
                  " step take " + std::to_string(done->arenaAfter) +
                  " bytes even where they are computed again, " +
                  std::to_string(done->arenaAfter - options.budget) +
                  " more than the memory budget of " +
                  std::to_string(options.budget),
              "without a budget it is " + std::to_string(done->arenaBefore) +
                  " bytes; a smaller batch takes less");
}

} // namespace gensyn

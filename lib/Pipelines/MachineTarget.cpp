// See MachineTarget.h.

#include "MachineTarget.h"

#include "CrashReproducer.h"
#include "Warnings.h"
#include "gensyn/Codegen/BlockProgram/BlockProgram.h"
#include "gensyn/Codegen/CoreProgram/CoreProgram.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;

namespace gensyn {

/// Messages without maps have one serial form.
void setDigest(mapping::Mapping &mapping) {
  // Without the code, which is taken out, as a copy of the rest takes longer.
  std::vector<mapping::Body> code(static_cast<size_t>(mapping.bodies_size()));
  auto swapCode = [&] {
    for (auto [body, own] : llvm::zip_equal(*mapping.mutable_bodies(), code)) {
      body.mutable_calls()->Swap(own.mutable_calls());
      body.mutable_workspaces()->Swap(own.mutable_workspaces());
    }
  };
  mapping.clear_digest();
  swapCode();
  llvm::BLAKE3 hasher;
  hasher.update(mapping.SerializeAsString());
  swapCode();
  mapping.set_digest(llvm::toHex(hasher.final(), /*LowerCase=*/true));
}

static cpu::CompileOptions
makeHostOptions(const plan::CompileRequest &request) {
  cpu::CompileOptions options;
  options.target = machine::findCpu(request.host());
  options.cacheFolder = request.cache_dir();
  options.threads = request.threads();
  options.watch = makeReproducer(request.crash_reproducer());
  options.warn = [](const std::string &line) { noteWarning(oneLine(line)); };
  return options;
}

static bool addCorePrograms(ModuleOp module,
                            const machine::Description &machine,
                            const mapping::Mapping &mapping,
                            const plan::CompileRequest &request,
                            plan::Executable &executable) {
  const SmallVector<StringRef> objects(request.core_objects().begin(),
                                       request.core_objects().end());
  auto programs = coreprogram::linkCorePrograms(
      module, machine, mapping, makeHostOptions(request), objects);
  if (failed(programs))
    return false;
  for (coreprogram::CoreProgram &made : *programs) {
    plan::CoreProgram &program = *executable.add_core_programs();
    program.set_core(made.core);
    program.set_file(std::move(made.file));
    program.set_code(made.code);
    program.set_tables(made.tables);
    program.set_zeros(made.zeros);
    program.set_stack(made.stack);
  }
  return true;
}

static bool addBlockPrograms(ModuleOp module,
                             const machine::Description &machine,
                             const mapping::Mapping &mapping,
                             plan::Executable &executable) {
  auto programs = blockprogram::makeBlockPrograms(module, machine,
                                                  executable.plan(), mapping);
  if (failed(programs))
    return false;
  for (blockprogram::BlockProgram &made : *programs) {
    plan::BlockProgram &program = *executable.add_block_programs();
    program.set_core(made.core);
    program.set_file(std::move(made.file));
    program.set_is_block(made.isBlock);
    program.set_computations(made.computations);
    program.set_copies(made.copies);
    program.set_waits(made.waits);
    program.set_signals(made.signals);
  }
  return true;
}

bool compileForMachine(func::FuncOp &main, const plan::CompileRequest &request,
                       plan::Executable &executable, const Report &report,
                       plan::Error &error) {
  auto module = main->getParentOfType<ModuleOp>();
  const std::string name = main.getSymName().str();
  auto fails = [&] {
    report.fill(request.model_path(), ExitCode::Unsupported, error);
    return false;
  };
  // Command streams do not know repetitions.
  mapping::MappingChoices choices;
  choices.fetchesAhead = !request.block_programs();
  FailureOr<machine::Description> machine =
      mapping::loadMachine(request.machine(), module.getLoc());
  if (failed(machine))
    return fails();
  choices.weights = mapping::parseWeightPlace(request.weights());
  // Verified once, at the end: after each pass, it would take a third of the
  // time.
  if (failed(mapping::mapProgram(module, request.machine(), *machine, choices,
                                 [&](PassManager &pipeline) {
                                   addReproducer(pipeline,
                                                 request.crash_reproducer());
                                   pipeline.enableVerifier(false);
                                 })))
    return fails();
  main = module.lookupSymbol<func::FuncOp>(name);
  if (failed(verify(module)) ||
      failed(mapping::buildPlan(main, *executable.mutable_plan())))
    return fails();
  mapping::Mapping mapping;
  FailureOr<std::string> object = mapping::exportMapping(
      module, *machine, executable.plan(), makeHostOptions(request), mapping);
  if (failed(object) ||
      (request.core_programs() &&
       !addCorePrograms(module, *machine, mapping, request, executable)) ||
      (request.block_programs() &&
       !addBlockPrograms(module, *machine, mapping, executable)))
    return fails();
  setDigest(mapping);
  executable.set_mapping(mapping.SerializeAsString());
  if (!object->empty()) {
    plan::Code &code = *executable.add_code();
    code.set_target(request.host());
    code.set_data(std::move(*object));
  }
  return true;
}

} // namespace gensyn

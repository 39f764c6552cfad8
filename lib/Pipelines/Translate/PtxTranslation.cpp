// Translates ONNX or MLIR to PTX text, with the launch plan beside it.

#include "gensyn/Pipelines/PtxTranslation.h"

#include "../Compiler.h"
#include "../NumberOption.h"
#include "../PlanHeader.h"
#include "../PlanText.h"
#include "../Report.h"
#include "../Warnings.h"
#include "ModuleToPtx.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/ScheduleFile.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/InputFiles.h"
#include "gensyn/Machine/Gpu.h"
#include "gensyn/Numerics/ErrorBound.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Translation/Onnx/FilesRead.h"
#include "gensyn/Translation/Onnx/Register.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace gensyn {
namespace {

struct Options {
  llvm::cl::opt<int, false, NumberParser<int>> sm{
      "sm",
      llvm::cl::desc("GPU generation of the PTX: " + machine::describeGpus()),
      llvm::cl::init(machine::getDefaultGpu().sm)};
  llvm::cl::opt<std::string> kind{
      "kind",
      llvm::cl::desc("Program made of an ONNX model: infer, eval, grad, train"),
      llvm::cl::init(std::string(name(ProgramKind::Infer)))};
  llvm::cl::opt<std::string> recipe{
      "recipe", llvm::cl::desc("Recipe (JSON file) of eval, grad and train"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<int64_t, false, NumberParser<int64_t>> batchSize{
      "batch-size",
      llvm::cl::desc("Size of a symbolic first dimension of the inputs")};
  llvm::cl::opt<std::string> accuracy{
      "accuracy",
      llvm::cl::desc(
          "Orders of sums: fast, accurate, exact or sliced; default: what "
          "the recipe says, else fast")};
  llvm::cl::opt<std::string> schedules{
      "schedules",
      llvm::cl::desc("File of sizes of kernels (JSON) that replace the "
                     "compiler's own; they change no bit"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<std::string> crashReproducer{
      "crash-reproducer",
      llvm::cl::desc("Where a pass fails or crashes, write its module and "
                     "pipeline to this folder, for gensyn-opt "
                     "--run-reproducer"),
      llvm::cl::value_desc("folder")};
  llvm::cl::opt<std::string> plan{
      "plan", llvm::cl::desc("Write the launch plan (JSON) to this file"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<std::string> header{
      "header",
      llvm::cl::desc("Write the launch plan as a C header to this file; large "
                     "constants go to file.constants"),
      llvm::cl::value_desc("file")};
};

/// Reports an error: one line, and the exit code for main.
struct Errors {
  ExitCode &exitCode;
  raw_ostream &stream;

  LogicalResult report(const plan::Error &error) const {
    stream << "gensyn-translate: error: " << error.message() << "\n";
    if (!error.note().empty())
      stream << "note: " << error.note() << "\n";
    exitCode = static_cast<ExitCode>(error.exit_code());
    return failure();
  }
  LogicalResult report(ExitCode code, const Twine &message) const {
    plan::Error error;
    fail(error, code, message);
    return report(error);
  }
};

/// The file of a header's large constants.
std::string constantsOf(const std::string &header) {
  return header + ".constants";
}

/// Checks the command line on its own, including its outputs.
LogicalResult checkOptions(const Options &options, OutputFiles &outputs,
                           Errors errors) {
  const std::string &accuracy = options.accuracy;
  if (!accuracy.empty() && !accuracyFromName(accuracy))
    return errors.report(ExitCode::Usage,
                         "--accuracy " + accuracy +
                             ": fast, accurate, exact or sliced is wanted");
  const StringRef word = options.kind;
  const std::optional<ProgramKind> kind = programKindFromName(word);
  if (!kind || *kind == ProgramKind::Initialize)
    return errors.report(ExitCode::Usage,
                         "--kind " + word +
                             ": infer, eval, grad or train is wanted");
  for (const std::string &input :
       {options.recipe.getValue(), options.schedules.getValue()})
    if (!input.empty())
      noteInput(input);
  if (!options.plan.empty())
    outputs.claim(options.plan.getValue());
  if (!options.header.empty()) {
    outputs.claim(options.header.getValue());
    outputs.claim(constantsOf(options.header));
  }
  return success();
}

LogicalResult addHeader(const plan::Executable &executable,
                        const std::string &path, OutputFiles &outputs,
                        Errors errors) {
  std::string constants, why;
  std::optional<std::string> header =
      printHeader(executable, identifierOf(path), constants, why);
  if (!header)
    return errors.report(ExitCode::Unsupported,
                         path + ": " + why + "; --plan writes all of it");
  if (!constants.empty())
    outputs.add(constantsOf(path), std::move(constants));
  outputs.add(path, std::move(*header));
  return success();
}

/// Text, plan and header.
LogicalResult write(const plan::Executable &executable, const Options &options,
                    raw_ostream &output, OutputFiles &outputs, Errors errors) {
  for (const std::string &warning : takeWarnings())
    errors.stream << "gensyn-translate: warning: " << warning << "\n";
  if (!options.plan.empty())
    outputs.add(options.plan.getValue(), printPlan(executable));
  if (!options.header.empty() &&
      failed(addHeader(executable, options.header, outputs, errors)))
    return failure();
  output << executable.code(0).data();
  return success();
}

/// Reads the file of --schedules, if there is one.
LogicalResult readSchedules(const Options &options, std::string &text,
                            Errors errors) {
  if (options.schedules.empty())
    return success();
  try {
    text = readSchedulesText(options.schedules.getValue());
    return success();
  } catch (const Failure &failure) {
    return errors.report(failure.code, failure.what());
  }
}

/// Sets the batch size of a request without one to that of its recipe.
LogicalResult setBatchSize(plan::CompileRequest &request, Errors errors) {
  MLIRContext context;
  plan::Error error;
  const std::optional<Recipe> recipe =
      readRecipe(request.recipe_json(), request.recipe_name(),
                 request.model_path(), context, error);
  if (!recipe)
    return errors.report(error);
  if (request.batch_size() == 0)
    request.set_batch_size(programKindFromName(request.kind()) ==
                                   ProgramKind::Train
                               ? recipe->stepSamples()
                               : recipe->batchSize);
  return success();
}

LogicalResult fromOnnx(llvm::SourceMgr &sources, raw_ostream &output,
                       const Options &options, OutputFiles &outputs,
                       Errors errors) {
  if (failed(checkOptions(options, outputs, errors)))
    return failure();
  plan::CompileRequest request;
  request.set_model_path(sources.getMemoryBuffer(sources.getMainFileID())
                             ->getBufferIdentifier()
                             .str());
  request.set_kind(options.kind);
  request.set_target("ptx:sm_" + std::to_string(options.sm));
  request.set_batch_size(options.batchSize);
  if (options.batchSize)
    request.set_batch_origin("--batch-size");
  request.set_accuracy(options.accuracy);
  // A caller of the header runs all launches each time.
  request.set_prepared_memory(0);
  request.set_crash_reproducer(options.crashReproducer);
  request.set_schedules_name(options.schedules);
  if (failed(readSchedules(options, *request.mutable_schedules(), errors)))
    return failure();
  if (!options.recipe.empty()) {
    auto text = llvm::MemoryBuffer::getFile(options.recipe);
    if (!text)
      return errors.report(ExitCode::InputOutput,
                           options.recipe + ": " + text.getError().message());
    request.set_recipe_json((*text)->getBuffer().str());
    request.set_recipe_name(options.recipe);
    if (failed(setBatchSize(request, errors)))
      return failure();
  }
  for (const std::string &text : getDimensionTexts()) {
    onnx::Dimensions dims;
    if (!onnx::parseDimension(text, dims))
      return errors.report(ExitCode::Usage,
                           "--dim " + text + ": not name=size");
    for (auto &[name, size] : dims)
      (*request.mutable_dims())[name] = size;
  }
  plan::CompileResponse response = compileModel(request);
  if (response.error().exit_code() != 0)
    return errors.report(response.error());
  return write(response.executable(), options, output, outputs, errors);
}

LogicalResult fromMlir(ModuleOp module, raw_ostream &output,
                       const Options &options, OutputFiles &outputs,
                       Errors errors) {
  if (failed(checkOptions(options, outputs, errors)))
    return failure();
  plan::Executable executable;
  plan::Error error;
  ModuleToPtxOptions wanted;
  wanted.sm = options.sm;
  wanted.accuracy = options.accuracy;
  wanted.crashReproducer = options.crashReproducer;
  wanted.schedulesName = options.schedules;
  if (failed(readSchedules(options, wanted.schedules, errors)))
    return failure();
  if (!moduleToPtx(module, wanted, executable, error))
    return error.exit_code() == 0 ? failure() : errors.report(error);
  if (executable.has_plan())
    return write(executable, options, output, outputs, errors);
  output << executable.code(0).data(); // of a gpu.module, which has no plan
  return success();
}
} // namespace

void noteModelInputs() {
  for (const KnownFile &file : takeFilesRead())
    noteInput(file);
}

void registerPtxTranslations(OutputFiles &outputs, ExitCode &exitCode,
                             std::string &numberProblem, raw_ostream &stream) {
  Errors errors{exitCode, stream};
  // Options live as long as the process, as all of cl:: does.
  static Options options;
  options.sm.getParser().reportTo(numberProblem);
  options.batchSize.getParser().reportTo(numberProblem);
  static TranslateRegistration onnx(
      "onnx-to-ptx", "An ONNX model to PTX for one GPU generation",
      [errors, &outputs](const std::shared_ptr<llvm::SourceMgr> &sources,
                         raw_ostream &output, MLIRContext *) {
        return fromOnnx(*sources, output, options, outputs, errors);
      });
  static TranslateFromMLIRRegistration mlir(
      "mlir-to-ptx", "A module of repro ops, or one gpu.module, to PTX",
      [errors, &outputs](ModuleOp module, raw_ostream &output) {
        return fromMlir(module, output, options, outputs, errors);
      },
      registerAllDialects);
}

} // namespace gensyn

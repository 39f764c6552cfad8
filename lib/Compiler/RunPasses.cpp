// See RunPasses.h.

#include "RunPasses.h"

#include "../Pipelines/Report.h"
#include "../Pipelines/Translate/ModuleToPtx.h"
#include "gensyn/CheckBits/CheckBits.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/TextFacts.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "gensyn/Translation/Onnx/Import.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/SourceMgr.h"

#include <mutex>

using namespace mlir;

namespace gensyn {
namespace {

/// The errors and warnings of a context while it lives, one line each.
class Messages {
public:
  explicit Messages(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          take(diagnostic);
          return success();
        }) {}

  /// Fills `error` with the first error; otherwise with `otherwise`.
  void fill(ExitCode code, const Twine &otherwise, plan::Error &error) const {
    if (errors.empty())
      fail(error, code, otherwise);
    else
      fail(error, code, errors.front(), note);
  }
  void moveWarnings(plan::PassesResponse &response) {
    for (std::string &line : warnings)
      response.add_warnings(std::move(line));
  }
  const std::vector<std::string> &getErrors() const { return errors; }

private:
  void take(Diagnostic &diagnostic) {
    std::string text = describeDiagnostic(diagnostic);
    if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      text = (place.getFilename().getValue() + ":" + Twine(place.getLine()) +
              ":" + Twine(place.getColumn()) + ": " + text)
                 .str();
    text = oneLine(text);
    if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
      warnings.push_back(std::move(text));
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return;
    if (errors.empty() && !diagnostic.getNotes().empty())
      note = oneLine(diagnostic.getNotes().begin()->str());
    errors.push_back(std::move(text));
  }

  std::vector<std::string> errors, warnings;
  std::string note;
  ScopedDiagnosticHandler handler;
};

/// A request on its way; functions return false after an error.
class Run {
public:
  explicit Run(const plan::PassesRequest &request)
      : request(request), context(createContext()), messages(context.get()) {}

  plan::PassesResponse answer();

private:
  bool read();
  bool importModel();
  bool parse();
  bool runPipeline();
  void print();
  bool translate();

  const plan::PassesRequest &request;
  plan::PassesResponse response;
  std::unique_ptr<MLIRContext> context;
  Messages messages;
  OwningOpRef<ModuleOp> module;
};

} // namespace

/// Passes and pipelines are found by name; registered once in a process.
static void registerOnce() {
  static std::once_flag once;
  std::call_once(once, [] { registerAllPasses(); });
}

/// The first line of what MLIR's parser of pipelines says, without its name
/// and the position, which the text of the pipeline shows as well.
static StringRef firstProblem(StringRef text) {
  const StringRef line = text.trim().split('\n').first;
  const size_t word = line.find("error: ");
  return word == StringRef::npos ? line : line.drop_front(word + 7);
}

bool Run::importModel() {
  ImportOptions options;
  ImportError error;
  for (const auto &[name, size] : request.dims())
    options.dims.emplace(name, size);
  module = importOnnxFile(request.model_path(), options, context.get(), error);
  return module || fail(*response.mutable_error(), error.exitCode(),
                        oneLine(error.message));
}

bool Run::parse() {
  const std::string name =
      request.name().empty() ? "module" : oneLine(request.name());
  plan::Error &error = *response.mutable_error();
  if (std::string problem = whyNotRead(request.module()); !problem.empty())
    return fail(error, ExitCode::BadInput, name + ": " + oneLine(problem));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(request.module(), name),
      llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, context.get());
  if (!module)
    messages.fill(ExitCode::BadInput, name + ": is not a module", error);
  return bool(module);
}

bool Run::read() {
  return request.model_path().empty() ? parse() : importModel();
}

bool Run::runPipeline() {
  if (request.pipeline().empty())
    return true;
  registerOnce();
  plan::Error &error = *response.mutable_error();
  std::string problem;
  llvm::raw_string_ostream problems(problem);
  FailureOr<OpPassManager> parsed =
      parsePassPipeline(request.pipeline(), problems);
  if (failed(parsed))
    return fail(error, ExitCode::Usage,
                "pipeline '" + oneLine(request.pipeline()) +
                    "': " + oneLine(firstProblem(problem)));
  if (parsed->getOpAnchorName() != ModuleOp::getOperationName())
    return fail(error, ExitCode::Usage,
                "pipeline '" + oneLine(request.pipeline()) +
                    "': is not one of builtin.module");
  PassManager passes(context.get());
  static_cast<OpPassManager &>(passes) = *parsed;
  checkbits::CheckResult result;
  std::string smallest;
  llvm::raw_string_ostream smallestText(smallest);
  if (request.has_check_bits()) {
    const plan::PassesRequest::CheckBits &wanted = request.check_bits();
    checkbits::CheckOptions options;
    options.everything = wanted.everything();
    options.seed = wanted.seed();
    if (wanted.trials() > 0)
      options.trials = wanted.trials();
    if (wanted.work() > 0)
      options.work = wanted.work();
    checkbits::checkBits(passes, options, result, smallestText);
  }
  const bool ran = succeeded(passes.run(*module));
  response.set_compared(result.compared);
  if (result.found && !messages.getErrors().empty()) {
    response.set_finding(messages.getErrors().front());
    response.set_smallest(std::move(smallest));
    return false;
  }
  if (!ran)
    messages.fill(ExitCode::BadInput, "a pass failed without saying why",
                  error);
  return ran;
}

void Run::print() {
  const plan::PassesRequest::Print &wanted = request.print();
  OpPrintingFlags flags;
  if (wanted.debug_info())
    flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  if (wanted.generic())
    flags.printGenericOpForm();
  if (wanted.large_elements_limit() >= 0) {
    flags.elideLargeElementsAttrs(wanted.large_elements_limit());
    flags.elideLargeResourceString(wanted.large_elements_limit());
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, flags);
  response.set_text(std::move(text));
}

bool Run::translate() {
  OwningOpRef<ModuleOp> copy(module->clone());
  plan::Executable executable;
  ModuleToPtxOptions options;
  options.sm = request.sm();
  options.accuracy = request.accuracy();
  if (moduleToPtx(*copy, options, executable, *response.mutable_error())) {
    response.set_ptx(executable.code(0).data());
    return true;
  }
  if (response.error().exit_code() == 0)
    messages.fill(ExitCode::BadInput, "the module is not translated",
                  *response.mutable_error());
  return false;
}

plan::PassesResponse Run::answer() {
  const bool done = read() && runPipeline();
  messages.moveWarnings(response);
  if (!done)
    return std::move(response);
  if (request.has_print())
    print();
  if (auto digest = (*module)->getAttrOfType<StringAttr>(repro::kDigestAttr))
    response.set_digest(digest.str());
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecodeToFile(*module, stream))) {
    fail(*response.mutable_error(), ExitCode::Bug,
         "the module has no bytecode");
    return std::move(response);
  }
  response.set_module(std::move(bytes));
  if (request.sm() != 0)
    (void)translate();
  return std::move(response);
}

plan::PassesResponse runPasses(const plan::PassesRequest &request) {
  return Run(request).answer();
}

} // namespace gensyn

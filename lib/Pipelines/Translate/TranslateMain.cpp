// gensyn-translate, on MLIR's registry of translations.

#include "gensyn/Pipelines/TranslateMain.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/InputFiles.h"
#include "gensyn/Executable/Support/OutputFiles.h"
#include "gensyn/Pipelines/InterpretTranslation.h"
#include "gensyn/Pipelines/PtxTranslation.h"
#include "gensyn/Pipelines/StandardStreams.h"
#include "gensyn/Pipelines/TextFacts.h"
#include "gensyn/Translation/Onnx/Register.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace gensyn {
namespace {

/// The options of every translation; they live as long as the tool runs.
struct MainOptions {
  cl::opt<std::string> input{cl::Positional, cl::desc("<input file>"),
                             cl::init("-")};
  cl::opt<std::string> output{"o", cl::desc("Output file"),
                              cl::value_desc("file"), cl::init("-")};
  cl::opt<bool> allowUnregistered{
      "allow-unregistered-dialect",
      cl::desc("Read and write ops of dialects that are not registered")};
  cl::opt<std::string> splitMarker{
      "split-input-file", cl::ValueOptional,
      cl::callback([this](const std::string &text) {
        if (text.empty())
          splitMarker.setValue(kDefaultSplitMarker);
      }),
      cl::desc("Translate each part of the input by itself")};
  cl::list<const Translation *, bool, TranslationParser> translations{
      "", cl::desc("Translations")};

  /// True if the one translation reads MLIR text; others check their input
  /// themselves.
  bool readsText();
};

class Driver {
public:
  Driver(MainOptions &options, OutputFiles &outputs, ExitCode &exitCode,
         raw_ostream &errors)
      : options(options), outputs(outputs), exitCode(exitCode), errors(errors) {
  }

  LogicalResult run();

private:
  LogicalResult fail(ExitCode code, const Twine &message);
  LogicalResult translate(std::unique_ptr<llvm::MemoryBuffer> buffer,
                          raw_ostream &output);

  MainOptions &options;
  OutputFiles &outputs;
  ExitCode &exitCode; ///< set by what fails
  raw_ostream &errors;
};

} // namespace

bool MainOptions::readsText() {
  const auto &parser = translations.getParser();
  cl::OptionValue<const Translation *> chosen;
  chosen.setValue(translations[0]);
  for (unsigned i = 0; i != parser.getNumOptions(); ++i)
    if (parser.getOptionValue(i).compare(chosen)) // is it the same?
      return parser.getOption(i).starts_with("mlir-to-") ||
             parser.getOption(i) == "interpret";
  return true;
}

LogicalResult Driver::fail(ExitCode code, const Twine &message) {
  errors << "gensyn-translate: error: " << message << "\n";
  exitCode = code;
  return failure();
}

LogicalResult Driver::translate(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                raw_ostream &output) {
  if (options.readsText())
    if (std::string problem = whyNotRead(buffer->getBuffer()); !problem.empty())
      return fail(ExitCode::BadInput,
                  buffer->getBufferIdentifier() + ": " + problem);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  MLIRContext context;
  context.allowUnregisteredDialects(options.allowUnregistered);
  SourceMgrDiagnosticHandler handler(*sources, &context, errors);
  return (*options.translations[0])(sources, output, &context);
}

LogicalResult Driver::run() {
  if (options.translations.size() != 1)
    return fail(ExitCode::Usage, "one translation is wanted, " +
                                     Twine(options.translations.size()) +
                                     " are given");
  std::string problem;
  auto input = openInputFile(options.input, &problem);
  if (!input)
    return fail(ExitCode::InputOutput, problem);
  if (options.input != "-")
    noteInput(options.input.getValue());
  const bool toFile = options.output != "-";
  if (toFile)
    outputs.claim(options.output.getValue());
  // From here on a failure without a message means that the input is invalid.
  exitCode = ExitCode::BadInput;
  std::string text;
  llvm::raw_string_ostream output(text);
  if (failed(splitAndProcessBuffer(
          std::move(input),
          [&](std::unique_ptr<llvm::MemoryBuffer> buffer, raw_ostream &os) {
            return translate(std::move(buffer), os);
          },
          output, options.splitMarker)))
    return failure();
  noteModelInputs();
  if (toFile)
    outputs.add(options.output.getValue(), std::move(text));
  outputs.write();
  if (!toFile)
    writeToStdout(text); // NOLINT(bugprone-use-after-move): moved for a file
  outputs.commit();
  return success();
}

/// LLVM's back ends abort on IR that they do not support, such as a kernel of
/// -1 threads.
static void refuse(void *, const char *reason, bool) {
  PrintableStream(llvm::errs())
      << "gensyn-translate: error: the back end refuses the module: " << reason
      << "\n";
  std::_Exit(static_cast<int>(ExitCode::BadInput));
}

int runTranslateMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::ScopedFatalErrorHandler handler(refuse);
  InputGuard guard;
  PrintableStream errors(llvm::errs());
  ExitCode exitCode = ExitCode::Ok; // set by what fails
  std::string numberProblem;        // of an option
  OutputFiles outputs;
  registerOnnxTranslations(exitCode, errors);
  registerPtxTranslations(outputs, exitCode, numberProblem, errors);
  registerInterpretTranslation(exitCode, numberProblem);
  static MainOptions options;
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerTranslationCLOptions();
  std::string problem;
  llvm::raw_string_ostream problems(problem);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "gensyn: bit-reproducible machine learning\n",
          &problems)) {
    // The first line has the error, after the tool's name. It is empty if an
    // option has reported an invalid value itself.
    const StringRef line = StringRef(problem).split('\n').first;
    if (!numberProblem.empty())
      errors << "gensyn-translate: error: " << numberProblem << "\n";
    else if (!line.empty())
      errors << "gensyn-translate: error: " << line.split(": ").second << "\n";
    return static_cast<int>(ExitCode::Usage);
  }
  try {
    const bool isDone =
        succeeded(Driver(options, outputs, exitCode, errors).run());
    return static_cast<int>(isDone ? ExitCode::Ok : exitCode);
  } catch (const Failure &failure) {
    errors << "gensyn-translate: error: " << failure.what() << "\n";
    if (!failure.note.empty())
      errors << "note: " << failure.note << "\n";
    return static_cast<int>(failure.code);
  }
}

} // namespace gensyn

// gensyn-translate on MLIR's registry of translations.

#include "gensyn/Pipelines/TranslateMain.h"

#include "PrintableStream.h"
#include "gensyn/Pipelines/PtxTranslation.h"
#include "gensyn/Pipelines/TextFacts.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Files.h"
#include "gensyn/Runtime/InputFiles.h"
#include "gensyn/Runtime/Printable.h"
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

/// The options of every translation; they exist while the tool runs.
struct Options {
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
      "", cl::desc("Translations"), cl::Required};
};

class Driver {
public:
  Driver(Options &options, int &exitCode, raw_ostream &errors)
      : options(options), exitCode(exitCode), errors(errors) {}

  LogicalResult run();

private:
  LogicalResult translate(std::unique_ptr<llvm::MemoryBuffer> buffer,
                          raw_ostream &output);

  Options &options;
  int &exitCode; ///< set by what fails
  raw_ostream &errors;
};

} // namespace

LogicalResult Driver::translate(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                raw_ostream &output) {
  // A model is no text and has checks of its own.
  const StringRef text = buffer->getBuffer();
  if (runtime::printable(text, text.size(), "\t\n\r") == text)
    if (StringRef problem = lookAtText(text).problem; !problem.empty()) {
      errors << "gensyn-translate: error: " << buffer->getBufferIdentifier()
             << ": " << problem << "\n";
      exitCode = 3;
      return failure();
    }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  MLIRContext context;
  context.allowUnregisteredDialects(options.allowUnregistered);
  SourceMgrDiagnosticHandler handler(*sources, &context, errors);
  return (*options.translations[0])(sources, output, &context);
}

LogicalResult Driver::run() {
  if (options.translations.size() != 1) {
    errors << "gensyn-translate: error: one translation is wanted, "
           << options.translations.size() << " are given\n";
    return failure();
  }
  std::string problem;
  auto input = openInputFile(options.input, &problem);
  if (!input) {
    errors << "gensyn-translate: error: " << problem << "\n";
    return failure();
  }
  if (options.input != "-")
    runtime::noteInput(options.input.getValue());
  const bool toFile = options.output != "-";
  if (toFile)
    runtime::requireWritableFile(options.output.getValue());
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
  if (!toFile) {
    llvm::outs() << text;
    llvm::outs().flush();
    return success();
  }
  runtime::AtomicFile file(options.output.getValue());
  file.write(text);
  file.commit();
  return success();
}

/// LLVM's back ends end the process where IR says what they cannot do, such as
/// a kernel of -1 threads.
static void refuse(void *, const char *reason, bool) {
  PrintableStream(llvm::errs())
      << "gensyn-translate: error: the back end refuses the module: " << reason
      << "\n";
  std::_Exit(3);
}

int runTranslateMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::ScopedFatalErrorHandler handler(refuse);
  runtime::InputGuard guard;
  PrintableStream errors(llvm::errs());
  // Set by a translation that fails. It stays 5 where no translation was
  // reached: the input could not be opened.
  int exitCode = 5;
  registerOnnxTranslations(exitCode, errors);
  registerPtxTranslations(exitCode, errors);
  static Options options;
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerTranslationCLOptions();
  cl::ParseCommandLineOptions(argc, argv,
                              "gensyn: bit-reproducible machine learning\n");
  try {
    return succeeded(Driver(options, exitCode, errors).run()) ? 0 : exitCode;
  } catch (const runtime::Failure &failure) {
    errors << "gensyn-translate: error: " << failure.what() << "\n";
    if (!failure.note.empty())
      errors << "note: " << failure.note << "\n";
    return static_cast<int>(failure.code);
  }
}

} // namespace gensyn

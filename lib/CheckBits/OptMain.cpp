// mlir-opt's main, with the instrumentation added to what it runs.

#include "gensyn/CheckBits/OptMain.h"

#include "gensyn/CheckBits/CheckBits.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/TextFacts.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Files.h"
#include "gensyn/Runtime/Printable.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace gensyn::checkbits {

using runtime::printable;

namespace {
enum class Which { Off, Frozen, All };

/// The options of --check-bits; they exist while the tool runs.
struct Flags {
  cl::OptionCategory category{"Comparing bits before and after each pass"};
  cl::opt<Which> which{
      "check-bits",
      cl::ValueOptional,
      cl::cat(category),
      cl::init(Which::Off),
      cl::desc("Name the first pass that changes a bit, and cut out the "
               "smallest function on which it does"),
      cl::values(clEnumValN(Which::Frozen, "", ""),
                 clEnumValN(Which::Frozen, "frozen",
                            "passes on frozen modules (the default)"),
                 clEnumValN(Which::All, "all", "all passes"))};
  cl::opt<uint64_t> seed{"check-bits-seed", cl::cat(category), cl::init(1),
                         cl::desc("Seed of the inputs")};
  cl::opt<unsigned> trials{"check-bits-trials", cl::cat(category),
                           cl::init(CheckOptions().trials),
                           cl::desc("Inputs of each function; more find "
                                    "rarer differences")};
};
} // namespace

/// Whether another word of the command line leads to the file that is read: an
/// output, whatever option it belongs to.
static bool isGivenTwice(StringRef input, ArrayRef<char *> words) {
  int found = 0;
  for (StringRef word : words) {
    const StringRef value = word.contains('=') ? word.split('=').second : word;
    found += llvm::sys::fs::equivalent(word, input) ||
             llvm::sys::fs::equivalent(value, input);
  }
  return found > 1;
}

/// Why a file is not read; empty where it is. MLIR quotes lines of its input in
/// messages: what a terminal would act on is no part of a text. Byte code has a
/// magic number.
static StringRef whyNotRead(StringRef text) {
  if (isBytecode(llvm::MemoryBufferRef(text, "")))
    return "";
  if (runtime::printable(text, text.size(), "\t\n\r") != text)
    return "holds characters that are no text";
  return lookAtText(text).problem;
}

/// Messages of passes quote names, which may hold anything.
static void escapeDiagnostics(MLIRContext &context) {
  DiagnosticEngine &engine = context.getDiagEngine();
  engine.registerHandler([&engine](Diagnostic &diagnostic) {
    auto clean = [](const std::string &text) {
      return printable(text, text.size(), "\t\n");
    };
    bool isClean = diagnostic.str() == clean(diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      isClean &= note.str() == clean(note.str());
    if (isClean)
      return failure(); // for who prints it
    InFlightDiagnostic cleaned =
        engine.emit(diagnostic.getLocation(), diagnostic.getSeverity());
    cleaned << clean(diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      cleaned.attachNote(note.getLocation()) << clean(note.str());
    return success();
  });
}

/// The file appears whole or not at all.
static int writeWhole(const std::string &path, const std::string &text) {
  try {
    runtime::writeText(path, text);
  } catch (const runtime::Failure &failure) {
    llvm::errs() << "gensyn-opt: error: " << printable(failure.what()) << "\n";
    return 1;
  }
  return 0;
}

int runOptMain(int argc, char **argv) {
  FloatEnvironment environment; // folding is arithmetic
  Flags flags;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  llvm::InitLLVM init(argc, argv);
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "gensyn: bit-reproducible machine learning\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  if (isGivenTwice(input, ArrayRef(argv, argc).drop_front())) {
    llvm::errs() << "gensyn-opt: error: " << printable(input)
                 << ": is read, and would be replaced\n";
    return 2;
  }
  const MlirOptMainConfig parsed = config;
  CheckOptions options;
  options.seed = flags.seed;
  options.trials = flags.trials;
  options.everything = flags.which == Which::All;
  CheckResult result;
  config.setPassPipelineSetupFn([&](PassManager &passes) {
    escapeDiagnostics(*passes.getContext());
    if (failed(parsed.setupPassPipeline(passes)))
      return failure();
    if (flags.which != Which::Off)
      checkBits(passes, options, result, llvm::errs());
    return success();
  });
  std::string problem;
  auto file = openInputFile(input, &problem);
  if (StringRef reason = file ? whyNotRead(file->getBuffer()) : "";
      !reason.empty())
    problem = input + ": " + reason.str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!problem.empty()) {
    llvm::errs() << "gensyn-opt: error: " << printable(problem) << "\n";
    return 1;
  }
  raw_ostream &target =
      output == "-" ? static_cast<raw_ostream &>(llvm::outs()) : stream;
  if (failed(MlirOptMain(target, std::move(file), registry, config)))
    return 1;
  return output == "-" ? 0 : writeWhole(output, text);
}

} // namespace gensyn::checkbits

// mlir-opt's main, with the instrumentation added to its pass manager.

#include "gensyn/CheckBits/OptMain.h"

#include "gensyn/CheckBits/CheckBits.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/StandardStreams.h"
#include "gensyn/Pipelines/TextFacts.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace gensyn::checkbits {

namespace {
enum class Which { Off, Frozen, All };

/// The options of --check-bits; they live as long as the tool runs.
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
  cl::opt<uint64_t> work{
      "check-bits-work", cl::cat(category),
      cl::init(uint64_t(CheckOptions().work)),
      cl::desc("Elements and floating-point operations that may be computed in "
               "all; what would take more is not compared, with a warning; "
               "0: any number")};
};
} // namespace

/// True if another argument of the command line, whatever its option, refers to
/// the input file, so that it would be overwritten.
static bool isGivenTwice(StringRef input, ArrayRef<char *> words) {
  int found = 0;
  for (StringRef word : words) {
    const StringRef value = word.contains('=') ? word.split('=').second : word;
    found += llvm::sys::fs::equivalent(word, input) ||
             llvm::sys::fs::equivalent(value, input);
  }
  return found > 1;
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
    return static_cast<int>(ExitCode::Usage);
  }
  const MlirOptMainConfig parsed = config;
  CheckOptions options;
  options.seed = flags.seed;
  options.trials = flags.trials;
  options.work = int64_t(std::min<uint64_t>(flags.work, INT64_MAX));
  options.everything = flags.which == Which::All;
  CheckResult result;
  config.setPassPipelineSetupFn([&](PassManager &passes) {
    if (failed(parsed.setupPassPipeline(passes)))
      return failure();
    if (flags.which != Which::Off)
      checkBits(passes, options, result, llvm::errs());
    return success();
  });
  std::string problem;
  auto file = openInputFile(input, &problem);
  if (std::string reason = file ? whyNotRead(file->getBuffer()) : "";
      !reason.empty())
    problem = input + ": " + reason;
  if (!problem.empty()) {
    llvm::errs() << "gensyn-opt: error: " << printable(problem) << "\n";
    return 1;
  }
  try {
    std::string text;
    llvm::raw_string_ostream stream(text);
    LogicalResult ended = success();
    {
      PrintableErrors errors; // messages quote names, which may hold anything
      ended = MlirOptMain(stream, std::move(file), registry, config);
    }
    if (output == "-")
      writeToStdout(text);
    else if (succeeded(ended))
      writeText(output, text); // it appears whole or not at all
    return succeeded(ended) ? 0 : 1;
  } catch (const Failure &failure) {
    llvm::errs() << "gensyn-opt: error: " << printable(failure.what()) << "\n";
    return 1;
  }
}

} // namespace gensyn::checkbits

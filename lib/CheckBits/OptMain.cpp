// mlir-opt's main, with the instrumentation added to what it runs.

#include "gensyn/CheckBits/OptMain.h"

#include "gensyn/CheckBits/CheckBits.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Pipelines/Register.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace gensyn::checkbits {

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

int runOptMain(int argc, char **argv) {
  FloatEnvironment environment; // folding is arithmetic
  Flags flags;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  llvm::InitLLVM init(argc, argv);
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "gensyn: bit-reproducible machine learning\n", registry);
  if (flags.which == Which::Off)
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));

  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  const MlirOptMainConfig parsed = config;
  CheckOptions options;
  options.seed = flags.seed;
  options.trials = flags.trials;
  options.everything = flags.which == Which::All;
  CheckResult result;
  config.setPassPipelineSetupFn([&](PassManager &passes) {
    if (failed(parsed.setupPassPipeline(passes)))
      return failure();
    checkBits(passes, options, result, llvm::errs());
    return success();
  });
  std::string error;
  auto file = openInputFile(input, &error);
  auto target = file ? openOutputFile(output, &error) : nullptr;
  if (!target) {
    llvm::errs() << "error: " << error << "\n";
    return 1;
  }
  if (failed(MlirOptMain(target->os(), std::move(file), registry, config)))
    return 1;
  target->keep();
  return 0;
}

} // namespace gensyn::checkbits

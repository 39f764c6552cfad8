// The subcommands; each returns the process's exit code.
#ifndef GENSYN_TOOLS_GENSYN_RUN_COMMANDS_H
#define GENSYN_TOOLS_GENSYN_RUN_COMMANDS_H

#include "Options.h"

#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Models/Model.h"

#include <functional>
#include <string>
#include <vector>

namespace gensyn::communication {
class Communicator;
} // namespace gensyn::communication

namespace gensyn::machine {
struct Observer;
} // namespace gensyn::machine

namespace gensyn::run {

using namespace terminal;
using runtime::compilerTarget;
using runtime::kindOf;
using runtime::Model;

ExitCode runInfo(const Options &options);
/// infer and grad.
ExitCode runInfer(const Options &options);
/// `ranks` is null in a process alone.
ExitCode runTrain(const Options &options, communication::Communicator *ranks);
/// Starts `train` as several ranks.
ExitCode runLaunch(const Options &options);
ExitCode runEval(const Options &options);
ExitCode runGenerate(const Options &options);
ExitCode runCompile(const Options &options);
ExitCode runCompare(const Options &options);
ExitCode runExport(const Options &options);
ExitCode runBench(const Options &options);
/// A page about a model's program and training runs.
ExitCode runReport(const Options &options);
/// map --sweep.
ExitCode runSweep(const Options &options);
ExitCode runMap(const Options &options);
ExitCode runSimulate(const Options &options);
ExitCode runMachine(const Options &options);

/// infer and grad on a machine that `observer` is told about. At the end
/// `report` is called.
ExitCode inferWith(const Options &options, machine::Observer *observer,
                   const std::function<void(const plan::Executable &)> &report);

/// "digest infer, batch 8, cpu:x86-64-v3, 12 kernels".
std::string describeProgram(const plan::PackedProgram &program);
/// The first extent of a program's inputs; 0 if none has one.
int64_t batchSizeOf(const plan::Plan &plan);

/// "2 Conv, 1 Gemm, ...", the most frequent first.
std::string describeOperators(const nlohmann::json &info);
/// The table of layers in the response of `info`; nothing if it has none.
void printLayers(const nlohmann::json &info);

/// Prints the time of each kernel if --profile asks for it.
void reportProfile(const Options &options, runtime::Model &model);
/// Opens the source of --data or --eval-data and --sequence-length.
runtime::DataSource makeDataSource(const Options &options,
                                   const std::vector<std::string> &parts);
/// Prints what --memory and --launches ask of the programs of the model.
void reportPrograms(const Options &options, Model &model);
/// The memory of a step of the recipe, as a line; if the program cannot be
/// compiled, the reason why it is not known.
OrderedJson describeStepMemory(const Options &options, Model &model);

} // namespace gensyn::run

#endif

// The subcommands; each returns what the process exits with.
#ifndef GENSYN_TOOLS_GENSYN_RUN_COMMANDS_H
#define GENSYN_TOOLS_GENSYN_RUN_COMMANDS_H

#include "Options.h"

#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/DataSource.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Json.h"

#include <string>
#include <vector>

namespace gensyn::run {

runtime::ExitCode runInfo(const Options &options);
/// infer and grad.
runtime::ExitCode runOnce(const Options &options);
runtime::ExitCode runTrain(const Options &options);
runtime::ExitCode runEval(const Options &options);
runtime::ExitCode runGenerate(const Options &options);
runtime::ExitCode runCompile(const Options &options);
runtime::ExitCode runCompare(const Options &options);
runtime::ExitCode runExport(const Options &options);

/// "digest infer, batch 8, cpu:x86-64-v3, 12 kernels".
std::string describeProgram(const plan::PackedProgram &program);
/// What the compiler calls a target of the command line: "ptx:sm_90" for
/// "sm_90". Throws a Failure (usage) for a word that is not known.
std::string compilerTarget(const std::string &word);
/// The first extent of what a program is given; 0 where nothing has one.
int64_t batchSizeOf(const plan::Plan &plan);

/// The table of layers of what `info` says; nothing where it has none.
void printLayers(const nlohmann::json &info);

class Model;
/// The source that --data or --eval-data and --sequence-length name.
runtime::DataSource makeDataSource(const Options &options,
                                   const std::vector<std::string> &parts);
/// Prints what memory the programs of the model take.
void reportMemory(const Options &options, Model &model);
/// What memory a step of the recipe takes, in a line; why it is not known where
/// the program cannot be made.
runtime::OrderedJson describeStepMemory(const Options &options, Model &model);

} // namespace gensyn::run

#endif

// The parser of the command line.
#ifndef GENSYN_TOOLS_GENSYN_RUN_COMMANDLINE_H
#define GENSYN_TOOLS_GENSYN_RUN_COMMANDLINE_H

#include "Options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace gensyn::run {

/// Builds the parser and fills an Options.
class CommandLine {
public:
  CommandLine();
  Options parse(int argc, char **argv);

private:
  CLI::App *add(Command command, const char *name, const char *summary);
  void addModel(CLI::App *app);
  void addAccuracy(CLI::App *app);
  CLI::Option *addKinds(CLI::App *app, const char *help);
  void addCrashReproducer(CLI::App *app);
  void addMemoryBudget(CLI::App *app);
  void addCompilerLimits(CLI::App *app);
  CLI::Option *addData(CLI::App *app, const char *name,
                       std::vector<std::string> &parts, const char *help);
  void addSequenceLength(CLI::App *app);
  void addTrained(CLI::App *app);
  void addCommit(CLI::App *app);
  void addCompare();
  void addReplay(CLI::App *app);
  void addLaunch();
  void addEval();
  void addGenerate();
  void addBackend(CLI::App *app);
  void addCompiling(CLI::App *app);
  void addCompile();
  void addExport();
  void addBench();
  void addReportPage();
  void addBodies(CLI::App *app);
  CLI::Option *addWeights(CLI::App *app);
  void addReport(CLI::App *app);
  void addMap();
  void addSimulate();
  void addMachine();
  void addOutput(CLI::App *app);
  void checkWords(int argc, char **argv) const;
  int takeLaunched(int argc, char **argv);

  CLI::App app{"Runs, differentiates and trains ONNX models with the same bits "
               "on every machine.",
               "gensyn-run"};
  Options options;
  std::vector<std::string> dims;
  bool noCache = false;
};

} // namespace gensyn::run

#endif

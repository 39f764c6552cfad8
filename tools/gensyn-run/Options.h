// The command line of gensyn-run.
#ifndef GENSYN_TOOLS_GENSYN_RUN_OPTIONS_H
#define GENSYN_TOOLS_GENSYN_RUN_OPTIONS_H

#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Runtime/Models/ModelOptions.h"
#include "gensyn/Runtime/Ranks/ParallelRanks.h"
#include "gensyn/Runtime/Training/CheckpointInterval.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::run {

enum class Command {
  None,
  Info,
  Infer,
  Grad,
  Train,
  Launch,
  Eval,
  Generate,
  Compile,
  Compare,
  Export,
  Bench,
  Report,
  Map,
  Simulate,
  Machine,
};

/// The options of a command; those of the model are read by the library.
struct Options : runtime::ModelOptions {
  Command command = Command::None;
  std::filesystem::path inputs;
  std::filesystem::path outputs;
  /// infer, eval and generate: the commitment to write; empty: none.
  std::filesystem::path commit;
  /// Each a file, a folder of shards, or name=file.npy.
  std::vector<std::string> data;
  std::vector<std::string> evalData;
  /// infer, eval and export: a file or a run folder, in place of the model's
  /// own parameters.
  std::filesystem::path trained;
  /// Tokens of a window; 0: the data are samples, not streams.
  int64_t sequenceLength = 0;
  std::filesystem::path folder;
  std::filesystem::path first;
  std::filesystem::path second;
  bool kernels = false;
  bool memory = false;
  bool launches = false;
  int64_t steps = 0;
  /// generate: the prompt, as text or as a file of tokens, and the JSON list of
  /// strings of tokens.
  std::string prompt;
  std::filesystem::path promptTokens;
  std::filesystem::path vocabulary;
  /// generate: the number of tokens to append, and how to sample them.
  int64_t count = 100;
  double temperature = 0;
  int64_t topK = 0;
  /// infer: the key of the model's random numbers. generate: that of sampling.
  int64_t seed = 0;
  /// compile: the programs to compile, and their targets.
  std::vector<ProgramKind> kinds;
  std::vector<std::string> targets;
  std::vector<int64_t> batchSizes;
  std::filesystem::path package;
  std::string parameters = "embed";
  /// export: write training_info, and the size in bytes above which
  /// initializers go into a separate file.
  bool trainingInfo = false;
  /// True if nodes in training mode stay in it.
  bool trainingForm = false;
  int64_t inlineLimit = 0;
  /// True if ptxas compiles PTX to machine code, and its path; empty: in PATH.
  bool assemble = false;
  std::filesystem::path ptxas;
  /// bench: runs before those that are measured, and measured runs (of a
  /// round).
  int64_t warmup = 3;
  int64_t repeat = 20;
  /// bench: a former output of --json, and by how many percent a minimum may
  /// exceed the one there.
  std::filesystem::path baseline;
  double tolerance = 10;
  /// map, simulate and machine: the name of a machine, or its file.
  std::string machine;
  /// simulate: compute values; the file of the trace (empty: none), and the
  /// most events in it.
  bool values = false;
  std::filesystem::path trace;
  uint64_t traceEvents = 500'000;
  /// map and simulate: the file of the report, HTML or JSON; empty: none.
  /// report: the file to write, and folders of training runs.
  std::filesystem::path report;
  /// compare: the page to write; empty: none.
  std::filesystem::path html;
  /// compare: repeat the steps of runs, and compare ops. The second side has
  /// what is not empty here, else the same as the first one.
  bool replay = false;
  struct Second {
    std::filesystem::path model, recipe, trained, inputs;
    std::vector<std::string> data, evalData;
    std::string backend, instructionSet;
    int sm = 0;
  } secondSide;
  /// compare: the limit on values of ops that are kept at a time.
  uint64_t valuesMemory = uint64_t(1) << 30;
  std::vector<std::filesystem::path> runs;
  /// map: numbers of the machine file with the values that they take in turn.
  std::string sweep;
  /// machine: list the numbers of the file.
  bool numbers = false;
  /// map: the folder for programs of cores. simulate: the folder for what cores
  /// copy, and which ones (empty: all). Empty: none.
  std::filesystem::path elf, block, record;
  /// map: objects to link the programs with.
  std::vector<std::filesystem::path> elfObjects;
  std::vector<uint32_t> recordedCores;
  /// bench: run a round for each line of stdin.
  bool wait = false;
  bool overwrite = false;
  /// train: resume the run in the folder.
  bool resume = false;
  runtime::CheckpointInterval checkpointEvery;
  /// Commitments to the run: after each so many steps, 0: at checkpoints,
  /// nothing: none.
  std::optional<int64_t> commitEvery = 0;
  /// train: commit to each sample of data of any size.
  bool commitData = false;
  int64_t keep = 2;
  /// "stop" or "continue".
  std::string onNan = "stop";
  /// Seconds after which a rank that does not answer is lost.
  double rankTimeout = 60;
  /// Steps after which ranks compare their tensors; 0: never.
  int64_t checkEvery = 100;
  /// launch: the number of ranks, most of them on a machine (0: any number), a
  /// file of machines, the MPI (empty: any), and most restarts that have no new
  /// checkpoint.
  int ranks = 0, ranksPerNode = 0, minRanks = 1;
  std::filesystem::path hosts;
  std::string mpi;
  int64_t maxRestarts = 3;
  /// launch: the words of the command that ranks run, behind `--`.
  std::vector<std::string> launched;
  /// What ranks divide: "none", "optimizer", "gradients" or "parameters".
  std::string shard = "none";
  /// Groups of ranks that run microbatches (0: as many as there are), and what
  /// a group is.
  int64_t dataGroups = 0;
  runtime::ParallelRanks parallel;
  /// The arguments of the command line.
  std::vector<std::string> words;
  bool json = false;
  bool quiet = false;
};

/// Parses the command line. For help or version, prints it and leaves `command`
/// at None. Throws a Failure (usage), also for an unknown backend.
Options parseOptions(int argc, char **argv);

} // namespace gensyn::run

#endif

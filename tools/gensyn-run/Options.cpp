// The options that commands share, with their help and checks.

#include "../Terminal/Terminal.h"
#include "CommandLine.h"
#include "Commands.h"
#include "NumberChecks.h"
#include "OptionChecks.h"

#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Cpu.h"
#include "gensyn/Machine/Gpu.h"
#include "gensyn/Numerics/ErrorBound.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace gensyn::run {

static std::vector<int> listGpuNumbers() {
  std::vector<int> numbers;
  for (const machine::Gpu &gpu : machine::getGpus())
    numbers.push_back(gpu.sm);
  return numbers;
}

CLI::App *CommandLine::add(Command command, const char *name,
                           const char *summary) {
  CLI::App *sub = app.add_subcommand(name, summary);
  sub->callback([this, command] { options.command = command; });
  return sub;
}

void CommandLine::addModel(CLI::App *sub) {
  sub->add_option("model", options.model,
                  "The model: an ONNX file, or an executable from compile")
      ->required();
  sub->add_option("--dim", dims,
                  "Size of a symbolic dimension that no tensor determines: "
                  "name=value, or input[0]=value for a dimension of an "
                  "input; may be repeated")
      ->allow_extra_args(false);
  CLI::Option *symbolic = sub->add_flag(
      "--symbolic-weights", options.symbolicWeights,
      "Initializers whose external data is in an absent file get values that "
      "follow from their names, where values are needed");
  sub->add_option("--symbolic-seed", options.symbolicSeed,
                  "Seed of these values; default: 0")
      ->check(CLI::Validator(checkSeed, "UINT64"))
      ->needs(symbolic);
  addCompilerLimits(sub);
}

static CLI::Validator bytesValidator(bool mayBeZero = false) {
  return CLI::Validator(
      [mayBeZero](const std::string &text) {
        return readBytes(text) || (mayBeZero && text == "0")
                   ? ""
                   : "'" + text +
                         "' is not a number of bytes such as 65536, 64K or "
                         "200M";
      },
      "BYTES");
}

void CommandLine::addCompilerLimits(CLI::App *sub) {
  sub->add_option_function<std::string>(
         "--compiler-memory",
         [this](const std::string &text) {
           options.compilerMemory = readBytes(text);
         },
         "Memory limit of the compiler, which runs in a process of its own "
         "(8G); default: the machine's memory")
      ->check(bytesValidator());
  sub->add_option("--compiler-seconds", options.compilerSeconds,
                  "Time limit of the compiler for a program, in seconds; "
                  "default: 3600")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 30));
}

void CommandLine::addCrashReproducer(CLI::App *sub) {
  sub->add_option("--crash-reproducer", options.crashReproducer,
                  "Where a pass of the compiler fails or crashes, write its "
                  "module and pipeline to this folder, for gensyn-opt "
                  "--run-reproducer")
      ->type_name("FOLDER");
}

void CommandLine::addAccuracy(CLI::App *sub) {
  sub->add_option("--accuracy", options.accuracy,
                  "Accuracy of sums: fast (default), accurate (shorter "
                  "chains of roundings), exact (each sum rounded once, "
                  "many times slower) or sliced (contractions by sums of "
                  "bytes); each gives a program with its own digest")
      ->check(CLI::IsMember(std::vector<std::string>(accuracyNames().begin(),
                                                     accuracyNames().end())));
  sub->add_flag("--integer-sums", options.integerSums,
                "Sum products of dequantized integers as integers and scale "
                "the sums, as runtimes of quantized models do; gives a program "
                "with its own digest");
}

/// All kinds but Initialize, which accompanies Train.
CLI::Option *CommandLine::addKinds(CLI::App *sub, const char *help) {
  std::vector<std::string> known(programKindNames.begin(),
                                 programKindNames.end());
  std::erase(known, name(ProgramKind::Initialize));
  return sub
      ->add_option_function<std::vector<std::string>>(
          "--kind",
          [this](const std::vector<std::string> &words) {
            for (const std::string &word : words)
              options.kinds.push_back(*programKindFromName(word));
          },
          help)
      ->check(CLI::IsMember(known))
      ->delimiter(',');
}

void CommandLine::addMemoryBudget(CLI::App *sub) {
  sub->add_option_function<std::string>(
         "--memory-budget",
         [this](const std::string &text) {
           options.memoryBudget = readBytes(text).value_or(0);
         },
         "Limit on the memory for values of a step (200M; K, M and G are "
         "powers of 1024): cheap values are recomputed instead of kept, with "
         "the same bits")
      ->check(bytesValidator());
  sub->add_option_function<std::string>(
         "--prepared-memory",
         [this](const std::string &text) {
           options.preparedMemory = readBytes(text).value_or(0);
         },
         "Limit on the memory for values that are computed once per set of "
         "parameters and kept (200M; 0: none); default: a quarter more "
         "than the parameters, 0 with --memory-budget")
      ->check(bytesValidator(/*mayBeZero=*/true));
}

CLI::Option *CommandLine::addData(CLI::App *sub, const char *name,
                                  std::vector<std::string> &parts,
                                  const char *help) {
  return sub->add_option(name, parts, help)->allow_extra_args(false);
}

void CommandLine::addSequenceLength(CLI::App *sub) {
  sub->add_option("--sequence-length", options.sequenceLength,
                  "The data are streams of tokens: cut them into windows of "
                  "this many, whose targets are the next tokens")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40));
}

void CommandLine::addTrained(CLI::App *sub) {
  sub->add_option("--parameters", options.trained,
                  "Parameters in place of the model's own: a file of "
                  "tensors, or a run folder");
}

void CommandLine::addCommit(CLI::App *sub) {
  sub->add_option("--commit", options.commit,
                  "File to write a commitment to: digests of program, "
                  "parameters, inputs and results, which gensyn-verify checks")
      ->type_name("FILE");
}

void CommandLine::addBackend(CLI::App *sub) {
  addAccuracy(sub);
  addMemoryBudget(sub);
  addCrashReproducer(sub);
  sub->add_option("--backend", options.backend,
                  "reference, cpu (default), ptx-sim, cuda or machine:NAME");
  sub->add_option("--threads", options.threads,
                  "Threads to run on; default: one a processor")
      ->check(CLI::Range(1, 4096));
  sub->add_flag("--check-memory", options.checkMemory,
                "ptx-sim: also report data races and reads of uninitialized "
                "memory; many times slower");
  sub->add_option("--max-instructions", options.maxInstructions,
                  "ptx-sim: limit on instructions of all warps of a launch; "
                  "default: 536870912")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 60));
  sub->add_flag("--profile", options.profile,
                "cpu, cuda: print the time of each kernel at the end");
  sub->add_flag("--autotune", options.autotune,
                "cpu, cuda: time the sizes that the compiler has for each "
                "kernel, and use the fastest ones; the choice is kept in the "
                "file of --schedules, else in the cache, for later runs");
  addWeights(sub);
  sub->add_option("--instruction-set", options.instructionSet,
                  "cpu: native (default), " + machine::describeCpus());
  sub->add_option("--sm", options.sm,
                  "ptx-sim: " + machine::describeGpus() + " (default: " +
                      std::to_string(machine::getDefaultGpu().sm) +
                      "); cuda: the same, by default the best for the GPU")
      ->check(CLI::IsMember(listGpuNumbers()));
  sub->add_option(
         "--device", options.device,
         "cuda: number of the GPU, as in nvidia-smi; default: 0, and of "
         "several ranks of a machine one each")
      ->check(CLI::Range(0, 1023));
  sub->add_option_function<std::string>(
         "--device-memory",
         [this](const std::string &text) {
           options.deviceMemory = readBytes(text).value_or(0);
         },
         "cuda: memory of the GPU that the run may take (20G); default: all "
         "that is free. Where it is too little, the optimizer's state stays "
         "in the host's memory, with the same bits")
      ->check(bytesValidator());
  addCompiling(sub);
}

void CommandLine::addCompiling(CLI::App *sub) {
  sub->add_option("--schedules", options.schedules,
                  "File of sizes of kernels (JSON) that replace the "
                  "compiler's own; they change no bit")
      ->type_name("FILE");
  sub->add_option("--cache", options.cache,
                  "Folder for compiled kernels; default: gensyn in the user's "
                  "cache folder");
  sub->add_flag("--no-cache", noCache, "Do not cache compiled kernels");
}

void CommandLine::addOutput(CLI::App *sub) {
  sub->add_flag("--json", options.json, "One JSON object a line on stdout");
  sub->add_flag("--quiet", options.quiet,
                "Print nothing but errors (and what --json asks for)");
}

/// Finds unknown words before the library does: it would report missing options
/// first, and does not suggest similar words.
void CommandLine::checkWords(int argc, char **argv) const {
  auto fail = [](const char *noun, const std::string &word,
                 const std::vector<std::string> &known) {
    std::string near = nearest(word, known);
    throw Failure(
        ExitCode::Usage,
        std::string(noun) + " " + quote(word) + " is not known" +
            (near.empty() ? "" : "; the nearest known one is " + quote(near)),
        "gensyn-run --help lists what there is");
  };
  if (argc < 2 || argv[1][0] == '-')
    return;
  std::vector<std::string> names;
  const CLI::App *sub = nullptr;
  for (const CLI::App *each : app.get_subcommands(nullptr)) {
    names.push_back(each->get_name());
    if (each->get_name() == argv[1])
      sub = each;
  }
  if (!sub)
    fail("command", argv[1], names);
  names.clear();
  for (const CLI::Option *option : sub->get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  for (int i = 2; i < argc; ++i) {
    std::string word = argv[i];
    word = word.substr(0, word.find('='));
    if (word.size() > 2 && word.starts_with("--") &&
        std::find(names.begin(), names.end(), word) == names.end())
      fail("option", word, names);
  }
}

/// Returns the origin of the batch size, which --dim must not contradict.
static std::string batchOrigin(const Options &options) {
  if (options.command == Command::Generate)
    return "generate, which continues one text";
  if (options.batchSizes.empty())
    return "";
  return options.command == Command::Bench ? "--batch" : "--batch-size";
}

/// Sets what the command decides about its model.
static void completeOptions(Options &options) {
  const Command command = options.command;
  options.batchOrigin = batchOrigin(options);
  options.needsRecipe = command == Command::Train;
  options.hasOtherTargets = command == Command::Compile;
  // Other commands compute values on the machine that they compile for.
  if (command != Command::Map && command != Command::Compile &&
      command != Command::Simulate && command != Command::Info)
    options.bodies = true;
  if (command == Command::Report) {
    options.orders = true;
    options.kernelTarget = compilerTarget(
        options.targets.empty() ? "cpu" : options.targets.front());
  }
  if (options.kernels)
    options.kernelTarget =
        options.targets.empty()
            ? "ptx:sm_" + std::to_string(machine::getDefaultGpu().sm)
            : compilerTarget(options.targets.front());
  options.warn = printWarning;
  if (!options.quiet)
    options.note = printNote;
}

/// Keeps what is behind `--` of launch, and returns the number of words before
/// it.
int CommandLine::takeLaunched(int argc, char **argv) {
  if (argc < 2 || std::string_view(argv[1]) != "launch")
    return argc;
  char **const end = argv + argc;
  char **const mark = std::find(argv, end, std::string_view("--"));
  if (mark != end)
    options.launched.assign(mark + 1, end);
  else if (std::find(argv, end, std::string_view("train")) != end)
    throw Failure(ExitCode::Usage, "launch expects -- before 'train'",
                  "gensyn-run launch -n 4 -- train ...");
  return static_cast<int>(mark - argv);
}

Options CommandLine::parse(int argc, char **argv) {
  options.words.assign(argv, argv + argc);
  argc = takeLaunched(argc, argv);
  checkWords(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    // Help or version: the library knows which and prints it.
    app.exit(success);
    options.command = Command::None;
    return options;
  } catch (const CLI::ParseError &error) {
    std::string message = error.what();
    for (char &c : message)
      if (static_cast<unsigned char>(c) < 32)
        c = ' ';
    throw Failure(ExitCode::Usage, message,
                  "gensyn-run --help lists what there is");
  }
  for (const CLI::App *sub : app.get_subcommands())
    for (const CLI::Option *option : sub->get_options())
      for (const std::string &value : option->results())
        if (value.empty())
          throw Failure(ExitCode::Usage, option->get_name() + " is empty",
                        "gensyn-run --help lists what there is");
  for (const std::string &dim : dims)
    parseDimension(dim, options);
  if (noCache)
    options.cache.clear();
  else if (options.cache.empty())
    options.cache = runtime::defaultCache();
  runtime::checkBackend(options.backend);
  if (options.profile && options.backend != "cpu" && options.backend != "cuda")
    throw Failure(ExitCode::Usage, "--profile is for --backend cpu and cuda");
  if (options.autotune && options.backend != "cpu" && options.backend != "cuda")
    throw Failure(ExitCode::Usage, "--autotune is for --backend cpu and cuda");
  checkRecipe(options);
  checkPrompt(options);
  completeOptions(options);
  return options;
}

Options parseOptions(int argc, char **argv) {
  return CommandLine().parse(argc, argv);
}

} // namespace gensyn::run

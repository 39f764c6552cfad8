// All options, with their help and checks.

#include "Options.h"
#include "NumberChecks.h"
#include "OptionChecks.h"

#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Cpu.h"
#include "gensyn/Machine/Gpu.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace gensyn::run {

namespace {

std::vector<int> listGpuNumbers() {
  std::vector<int> numbers;
  for (const machine::Gpu &gpu : machine::getGpus())
    numbers.push_back(gpu.sm);
  return numbers;
}

/// Builds the parser and fills an Options.
class CommandLine {
public:
  CommandLine();
  Options parse(int argc, char **argv);

private:
  CLI::App *add(Command command, const char *name, const char *summary);
  void addModel(CLI::App *app);
  void addAccuracy(CLI::App *app);
  void addKinds(CLI::App *app, const char *help);
  void addCrashReproducer(CLI::App *app);
  void addMemoryBudget(CLI::App *app);
  void addCompilerLimits(CLI::App *app);
  CLI::Option *addData(CLI::App *app, const char *name,
                       std::vector<std::string> &parts, const char *help);
  void addSequenceLength(CLI::App *app);
  void addTrained(CLI::App *app);
  void addEval();
  void addGenerate();
  void addBackend(CLI::App *app);
  void addCompiling(CLI::App *app);
  void addCompile();
  void addExport();
  void addOutput(CLI::App *app);
  void checkWords(int argc, char **argv) const;

  CLI::App app{"Runs, differentiates and trains ONNX models with the same bits "
               "on every machine.",
               "gensyn-run"};
  Options options;
  std::vector<std::string> dims;
  bool noCache = false;
};

} // namespace

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
  addCompilerLimits(sub);
}

static CLI::Validator bytesValidator() {
  return CLI::Validator(
      [](const std::string &text) {
        return readBytes(text)
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
                  "chains of roundings) or exact (each sum rounded once, "
                  "many times slower); each gives a program with its own "
                  "digest")
      ->check(CLI::IsMember({"fast", "accurate", "exact"}));
}

/// All kinds but Initialize, which accompanies Train.
void CommandLine::addKinds(CLI::App *sub, const char *help) {
  std::vector<std::string> known(programKindNames.begin(),
                                 programKindNames.end());
  std::erase(known, name(ProgramKind::Initialize));
  sub->add_option_function<std::vector<std::string>>(
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

void CommandLine::addEval() {
  CLI::App *eval = add(Command::Eval, "eval",
                       "Compute the loss of a data set, and for classes the "
                       "accuracy and the perplexity");
  addModel(eval);
  eval->add_option("--recipe", options.recipe,
                   "The recipe (JSON); a compiled model has its own");
  addData(eval, "--data", options.data,
          "Samples: a safetensors, .npz or .npy file, a folder of such shards, "
          "or name=file.npy; may be repeated")
      ->required();
  addSequenceLength(eval);
  addTrained(eval);
  addBackend(eval);
  addOutput(eval);
}

void CommandLine::addGenerate() {
  CLI::App *generate = add(Command::Generate, "generate",
                           "Continue a text with a model that maps tokens to "
                           "logits");
  addModel(generate);
  CLI::Option *vocabulary =
      generate->add_option("--vocabulary", options.vocabulary,
                           "JSON list of the strings that tokens stand for");
  CLI::Option *prompt =
      generate
          ->add_option("--prompt", options.prompt, "The beginning of the text")
          ->needs(vocabulary);
  CLI::Option *tokens = generate->add_option(
      "--prompt-tokens", options.promptTokens,
      "The prompt as tokens: a file with one tensor of integers");
  prompt->excludes(tokens);
  generate
      ->add_option("--tokens", options.count, "Tokens to append; default: 100")
      ->check(CLI::Validator(checkCount, "POSITIVE"));
  generate
      ->add_option("--temperature", options.temperature,
                   "Divisor of the logits for sampling; 0 (default) takes "
                   "the largest")
      ->check(CLI::Validator(checkTemperature, "NONNEGATIVE"));
  generate
      ->add_option("--top-k", options.topK,
                   "Sample from this many of the "
                   "largest logits")
      ->check(CLI::Validator(checkCount, "POSITIVE"));
  generate->add_option("--seed", options.seed, "Seed for sampling; default: 0")
      ->check(CLI::Validator(checkSeed, "UINT64"));
  generate->add_option("--outputs", options.outputs,
                       "Safetensors file to write all tokens to");
  generate
      ->add_option("--sequence-length", options.sequenceLength,
                   "Tokens that the model sees at once, if its file has a "
                   "symbolic length; default: all of the text")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40));
  addTrained(generate);
  addBackend(generate);
  addOutput(generate);
}

void CommandLine::addBackend(CLI::App *sub) {
  addAccuracy(sub);
  addMemoryBudget(sub);
  addCrashReproducer(sub);
  sub->add_option("--backend", options.backend,
                  "reference, cpu (default), ptx-sim or cuda");
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
                "cpu: print the time of each kernel at the end");
  sub->add_option("--instruction-set", options.instructionSet,
                  "cpu: native (default), " + machine::describeCpus());
  sub->add_option("--sm", options.sm,
                  "ptx-sim: " + machine::describeGpus() + " (default: " +
                      std::to_string(machine::getDefaultGpu().sm) +
                      "); cuda: the same, by default the best for the GPU")
      ->check(CLI::IsMember(listGpuNumbers()));
  sub->add_option("--device", options.device,
                  "cuda: number of the GPU, as in nvidia-smi; default: 0")
      ->check(CLI::Range(0, 1023));
  addCompiling(sub);
}

void CommandLine::addCompiling(CLI::App *sub) {
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

CommandLine::CommandLine() {
  app.set_version_flag("--version", "gensyn-run " GENSYN_VERSION);
  app.require_subcommand(1);

  CLI::App *info = add(Command::Info, "info",
                       "Describe a model, and what of it is "
                       "unsupported");
  addModel(info);
  info->add_option("--recipe", options.recipe, "A recipe to check it against");
  info->add_flag("--orders", options.orders,
                 "Print the order of every sum and its error bound");
  info->add_flag("--kernels", options.kernels,
                 "Print the kernels with their costs and the reasons for "
                 "their boundaries; for the first --target, default: ptx");
  info->add_flag("--memory", options.memory,
                 "Print the memory of a run, with a breakdown");
  info->add_option("--target", options.targets,
                   "--memory: targets to compile for, as for compile; "
                   "default: cpu")
      ->delimiter(',');
  addKinds(info, "--memory: infer, grad, train or eval; default: the kinds "
                 "that the recipe allows");
  info->add_option("--batch-size", options.batchSizes,
                   "--memory: size of a symbolic first dimension")
      ->check(CLI::Validator(checkCount, "POSITIVE"))
      ->delimiter(',');
  addAccuracy(info);
  addMemoryBudget(info);
  addOutput(info);

  CLI::App *infer = add(Command::Infer, "infer", "Compute a model's outputs");
  CLI::App *grad =
      add(Command::Grad, "grad",
          "Compute the loss and the gradient of every trainable initializer "
          "and float input");
  for (CLI::App *sub : {infer, grad}) {
    addModel(sub);
    if (sub == grad)
      sub->add_option("--recipe", options.recipe,
                      "The recipe (JSON); a compiled model has its own");
    sub->add_option("--inputs", options.inputs,
                    "Safetensors file: a tensor per graph input (grad: and the "
                    "target)")
        ->required();
    sub->add_option("--outputs", options.outputs, "Safetensors file to write")
        ->required();
    if (sub == infer)
      sub->add_option("--seed", options.seed,
                      "Seed of the model's random numbers; default: 0")
          ->check(CLI::Validator(checkSeed, "UINT64"));
    if (sub == infer)
      addTrained(sub);
    addBackend(sub);
    addOutput(sub);
  }

  CLI::App *train = add(Command::Train, "train", "Train a model");
  addModel(train);
  train->add_option("--recipe", options.recipe,
                    "The recipe (JSON); a compiled model has its own");
  addData(train, "--data", options.data,
          "Samples: a safetensors, .npz or .npy file, a folder of such shards, "
          "or name=file.npy; may be repeated")
      ->required();
  addData(train, "--eval-data", options.evalData,
          "The same, to evaluate on after each epoch");
  addSequenceLength(train);
  train->add_option("-o,--output", options.folder, "The run folder")
      ->required();
  train
      ->add_option("--steps", options.steps,
                   "Stop when the run has this many steps in all")
      ->check(CLI::Validator(checkCount, "POSITIVE"));
  CLI::Option *overwrite = train->add_flag(
      "--overwrite", options.overwrite, "Replace an earlier run in the folder");
  train
      ->add_flag("--resume", options.resume,
                 "Resume the run in the folder from its newest good "
                 "checkpoint, or start it if there is none")
      ->excludes(overwrite);
  train
      ->add_option_function<std::string>(
          "--checkpoint-every",
          [this](const std::string &text) {
            options.checkpointEvery =
                runtime::parseCheckpointInterval(text).value_or(
                    options.checkpointEvery);
          },
          "Interval of checkpoints: 500 or 500steps, 2epochs, 60s; default: "
          "1epoch. One is always written at the end")
      ->check(CLI::Validator(
          [](const std::string &text) {
            return runtime::parseCheckpointInterval(text)
                       ? ""
                       : "'" + text +
                             "' is not an interval such as 500, 500steps, "
                             "2epochs or 60s";
          },
          "INTERVAL"));
  train
      ->add_option("--keep", options.keep,
                   "Checkpoints to keep, at least 2 (default)")
      ->check(CLI::Range(int64_t(2), int64_t(1) << 40));
  train
      ->add_option("--on-nan", options.onNan,
                   "When a loss or a parameter is NaN or infinite: stop "
                   "(default) and name the op that made it, or continue")
      ->check(CLI::IsMember({"stop", "continue"}));
  addTrained(train);
  addBackend(train);
  addOutput(train);

  addEval();
  addGenerate();
  addCompile();
  addExport();

  CLI::App *compare =
      add(Command::Compare, "compare",
          "Compare two files of tensors bit by bit, and print where they "
          "differ");
  compare->add_option("first", options.first, "Safetensors file or run folder")
      ->required();
  compare
      ->add_option("second", options.second, "Safetensors file or run folder")
      ->required();
  addOutput(compare);
}

void CommandLine::addExport() {
  CLI::App *sub =
      add(Command::Export, "export",
          "Write an ONNX model with trained parameters, and optionally its "
          "training");
  sub->add_option("model", options.model, "The model that was trained")
      ->required();
  addCompilerLimits(sub);
  sub->add_option("--parameters", options.trained,
                  "Safetensors file or run folder: a tensor for each "
                  "initializer to replace");
  sub->add_option("-o,--output", options.outputs, "The ONNX file to write")
      ->required();
  CLI::Option *recipe =
      sub->add_option("--recipe", options.recipe, "The recipe (JSON)");
  CLI::Option *info =
      sub->add_flag("--training-info", options.trainingInfo,
                    "Write the recipe's step as ONNX's training_info");
  info->needs(recipe);
  recipe->needs(info);
  sub->add_flag("--training-form", options.trainingForm,
                "Leave batch normalizations and dropouts in training mode. "
                "Otherwise they are put into inference mode, unless "
                "--training-info is given");
  sub->add_option("--inline-limit", options.inlineLimit,
                  "Size limit of the file in bytes; initializers of a larger "
                  "model go into a second file with the suffix .data. "
                  "Default: 2 GiB, the limit of an ONNX file")
      ->check(CLI::Validator(checkCount, "POSITIVE"));
  addOutput(sub);
}

void CommandLine::addCompile() {
  CLI::App *compile =
      add(Command::Compile, "compile",
          "Write programs of a model into one file that runs without the "
          "compiler. It contains machine code: run only files from people "
          "you trust");
  addModel(compile);
  compile->add_option("--recipe", options.recipe, "The recipe (JSON)");
  compile
      ->add_option("--target", options.targets,
                   "Targets: cpu (this processor), cpu:x86-64-v3, ..., "
                   "sm_90, ..., reference; several with commas")
      ->required()
      ->delimiter(',');
  addKinds(compile, "Programs: infer, grad, train, eval; default: infer, and "
                    "with a recipe the kinds that it allows");
  compile
      ->add_option("--batch-size", options.batchSizes,
                   "Size of a symbolic first dimension, several with commas; "
                   "default: the recipe's")
      ->check(CLI::Validator(checkCount, "POSITIVE"))
      ->delimiter(',');
  compile->add_option("-o,--output", options.package, "The file to write")
      ->required();
  compile
      ->add_option("--parameters", options.parameters,
                   "Embed parameters (embed, default), or write them to a "
                   "safetensors file beside it (reference)")
      ->check(CLI::IsMember({"embed", "reference"}));
  CLI::Option *assemble = compile->add_flag(
      "--assemble", options.assemble,
      "Add machine code for sm_90, ... by ptxas to the PTX, so that the "
      "driver need not compile it when the program is loaded");
  compile
      ->add_option("--ptxas", options.ptxas,
                   "The ptxas of --assemble; default: the one in PATH")
      ->needs(assemble);
  addAccuracy(compile);
  addMemoryBudget(compile);
  addCrashReproducer(compile);
  compile
      ->add_option("--threads", options.threads,
                   "Threads to compile on; default: one a processor")
      ->check(CLI::Range(1, 4096));
  addCompiling(compile);
  addOutput(compile);
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

Options CommandLine::parse(int argc, char **argv) {
  checkWords(argc, argv);
  options.words.assign(argv, argv + argc);
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
    options.cache = defaultCache();
  checkBackend(options.backend);
  if (options.profile && options.backend != "cpu")
    throw Failure(ExitCode::Usage, "--profile is for --backend cpu");
  checkRecipe(options);
  checkPrompt(options);
  return options;
}

Options parseOptions(int argc, char **argv) {
  return CommandLine().parse(argc, argv);
}

} // namespace gensyn::run

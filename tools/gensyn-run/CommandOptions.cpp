// The options of each command.

#include "CommandLine.h"
#include "NumberChecks.h"
#include "gensyn/Runtime/Ranks/Sharding.h"

#include <map>

namespace gensyn::run {

/// Reads "data=4,pipeline=2,interleave=2,tensor=2".
static void readParallel(const std::string &text, Options &options) {
  std::map<std::string, int64_t *> places = {
      {"data", &options.dataGroups},
      {"pipeline", &options.parallel.stages},
      {"interleave", &options.parallel.interleave},
      {"tensor", &options.parallel.tensors}};
  for (const std::string &word : CLI::detail::split(text, ',')) {
    const size_t equals = std::min(word.find('='), word.size() - 1);
    const auto place = places.find(word.substr(0, equals));
    const std::string value = word.substr(equals + 1);
    if (place == places.end() ||
        !checkNumber<int64_t>(value, 1, 1 << 20, "number").empty())
      throw CLI::ValidationError(
          "--parallel",
          "'" + text +
              "' is not of the form data=4,pipeline=2,interleave=2,tensor=2");
    *place->second = std::stoll(value);
    places.erase(place); // each once
  }
}

static void readCommit(const std::string &text, Options &options) {
  if (text == "none")
    options.commitEvery = std::nullopt;
  else if (text == "checkpoint" || text == "every")
    options.commitEvery = text == "every";
  else if (checkCount(text).empty())
    options.commitEvery = std::stoll(text);
  else
    throw CLI::ValidationError(
        "--commit", "'" + text +
                        "' is not checkpoint, every, none or a number of "
                        "steps");
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
  info->add_flag("--launches", options.launches,
                 "Print how many of a run's launches wait for each other, and "
                 "how many may run side by side");
  info->add_option_function<std::string>(
      "--parallel",
      [this](const std::string &text) { readParallel(text, options); },
      "Print how ranks would divide a step of the recipe, as for train: "
      "tensor=T, also with pipeline=S and interleave=V");
  info->add_option("--target", options.targets,
                   "--memory, --launches: targets to compile for, as for "
                   "compile; "
                   "default: cpu")
      ->delimiter(',');
  addKinds(info, "--memory, --launches: infer, grad, train or eval; default: "
                 "the kinds that the recipe allows");
  info->add_option("--batch-size", options.batchSizes,
                   "--memory, --launches: size of a symbolic first dimension")
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
    if (sub == infer) {
      addTrained(sub);
      addCommit(sub);
    }
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
      ->add_option_function<std::string>(
          "--commit",
          [this](const std::string &text) { readCommit(text, options); },
          "When to commit to the state of the run in commitments.jsonl: "
          "checkpoint (default), every step, every N steps, or none")
      ->type_name("WHEN");
  train->add_flag("--commit-data", options.commitData,
                  "Commit to each sample of data of more than 1 GiB, too: all "
                  "of them are read for that at the beginning");
  train
      ->add_option("--on-nan", options.onNan,
                   "When a loss or a parameter is NaN or infinite: stop "
                   "(default) and name the op that made it, or continue")
      ->check(CLI::IsMember({"stop", "continue"}));
  train
      ->add_option("--rank-timeout", options.rankTimeout,
                   "Seconds after which a rank that does not answer is given "
                   "up (default: 60)")
      ->check(CLI::Range(1.0, 1e6));
  train
      ->add_option("--check-every", options.checkEvery,
                   "Steps after which ranks compare parameters and state, so "
                   "that a machine that computes wrongly is named (default: "
                   "100; 0: never)")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 40));
  train
      ->add_option("--shard", options.shard,
                   "What ranks divide among themselves: none (default); "
                   "optimizer: its state; gradients: these too; parameters: "
                   "all of it")
      ->check(CLI::IsMember(
          std::vector<std::string>(std::begin(runtime::kShardingNames),
                                   std::end(runtime::kShardingNames))));
  train->add_option_function<std::string>(
      "--parallel",
      [this](const std::string &text) { readParallel(text, options); },
      "How ranks divide a step: data=D,pipeline=S,interleave=V,tensor=T for D "
      "groups that run other microbatches, each of S stages, each with V "
      "chunks of the model and of T ranks that share its tensors (default: "
      "data alone); info --parallel tells what they would divide");
  train->add_option("--trace", options.trace,
                    "Ranks: write what each of them does when as a timeline "
                    "for ui.perfetto.dev (JSON)");
  addTrained(train);
  addBackend(train);
  addOutput(train);

  addLaunch();
  addEval();
  addGenerate();
  addCompile();
  addExport();
  addBench();
  addReportPage();
  addMap();
  addSimulate();
  addMachine();

  addCompare();
}

void CommandLine::addLaunch() {
  CLI::App *launch =
      add(Command::Launch, "launch",
          "Start a training run as several ranks by mpirun, and go on with it "
          "when a rank is lost: launch -n 4 -- train ...");
  launch
      ->add_option("-n,--ranks", options.ranks,
                   "The number of ranks; at most the recipe's accumulate")
      ->required()
      ->check(CLI::Range(1, 1 << 20));
  launch
      ->add_option("--max-restarts", options.maxRestarts,
                   "Restarts without a new checkpoint since the last one, "
                   "after which the run is given up (default: 3; 0: none at "
                   "all)")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 40));
  launch
      ->add_option("--hosts", options.hosts,
                   "A file of machines, a line each: node1, or node1 4 for "
                   "four ranks; default: this machine, or those of the batch "
                   "system's job")
      ->type_name("FILE");
  launch
      ->add_option("--ranks-per-node", options.ranksPerNode,
                   "Most ranks on a machine")
      ->check(CLI::Range(1, 1 << 20));
  launch
      ->add_option("--min-ranks", options.minRanks,
                   "With --hosts: the fewest ranks with which the run goes on "
                   "when a machine stays lost (default: 1)")
      ->check(CLI::Range(1, 1 << 20));
  launch
      ->add_option("--mpi", options.mpi,
                   "The MPI whose mpirun starts them: openmpi or mpich; "
                   "default: the first that is found")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
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
  addCommit(eval);
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
  addCommit(generate);
  addBackend(generate);
  addOutput(generate);
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
                   "sm_90, ..., reference, machine:NAME; several with commas")
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
  addBodies(compile);
  addWeights(compile);
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

void CommandLine::addBench() {
  CLI::App *bench =
      add(Command::Bench, "bench",
          "Measure the time of a model's program, beside its memory");
  addModel(bench);
  bench->add_option("--recipe", options.recipe,
                    "The recipe (JSON); a compiled model has its own");
  addKinds(bench, "infer, grad, train or eval; default: infer, and with "
                  "--recipe train, or grad if that has no optimizer")
      ->expected(1);
  bench
      ->add_option("--batch", options.batchSizes,
                   "Size of a symbolic first dimension; default: the recipe's")
      ->check(CLI::Validator(checkCount, "POSITIVE"))
      ->expected(1);
  bench->add_option("--inputs", options.inputs,
                    "File with a tensor per graph input (and the target); "
                    "default: random numbers");
  bench
      ->add_option("--warmup", options.warmup,
                   "Runs before those that are measured; default: 3")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 40));
  bench->add_option("--repeat", options.repeat, "Runs to measure; default: 20")
      ->check(CLI::Validator(checkCount, "POSITIVE"));
  CLI::Option *baseline = bench->add_option(
      "--baseline", options.baseline,
      "Output of an earlier bench --json: print the difference, and exit with "
      "1 if the minimum is slower by more than --tolerance");
  bench
      ->add_option("--tolerance", options.tolerance,
                   "In percent of the baseline's minimum; default: 10")
      ->check(CLI::Validator(checkPercent, "PERCENT"))
      ->needs(baseline);
  bench->add_flag(
      "--wait", options.wait,
      "Run a round for each line of stdin, of the number of runs in "
      "it, else of --repeat, and answer with a line of JSON, so "
      "that another program can take turns");
  addTrained(bench);
  addBackend(bench);
  addOutput(bench);
}

void CommandLine::addReportPage() {
  CLI::App *report =
      add(Command::Report, "report",
          "Write a page with pictures of what the compiler made of a model: "
          "its graph, its memory, and training runs. The page is one file "
          "that needs nothing else");
  addModel(report);
  report->add_option("--recipe", options.recipe,
                     "The recipe (JSON), for its training step; default: "
                     "inference");
  report
      ->add_option("--run", options.runs,
                   "A run folder of train, to draw its curves; may be "
                   "repeated, to lay runs over each other")
      ->allow_extra_args(false);
  report
      ->add_option("--target", options.targets,
                   "The target to compile for, as for compile; default: cpu")
      ->expected(1);
  report->add_option("-o,--output", options.report, "The HTML file to write")
      ->required();
  CLI::Option *profile =
      report->add_flag("--profile", options.profile,
                       "Also run the program on this processor with random "
                       "inputs, to show its time");
  report
      ->add_option("--trace", options.trace,
                   "Also write the measured run as a trace for Perfetto")
      ->needs(profile);
  report
      ->add_option("--threads", options.threads,
                   "--profile: threads to run on; default: one a processor")
      ->check(CLI::Range(1, 4096));
  addAccuracy(report);
  addMemoryBudget(report);
  addCompiling(report);
  addOutput(report);
}

} // namespace gensyn::run

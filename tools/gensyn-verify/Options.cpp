// See Options.h.

#include "Options.h"

#include "gensyn/Executable/Support/Error.h"

#include <CLI/CLI.hpp>

namespace gensyn::verify {

namespace {

class CommandLine {
public:
  CommandLine();
  Options parse(int argc, char **argv);

private:
  CLI::App *add(Command command, const char *name, const char *summary);
  void addCheck();

  CLI::App app{"Checks that a training run is what it says.", "gensyn-verify"};
  Options options;
  bool noCache = false, all = false;
};

} // namespace

CLI::App *CommandLine::add(Command command, const char *name,
                           const char *summary) {
  CLI::App *sub = app.add_subcommand(name, summary);
  sub->callback([this, command] { options.command = command; });
  sub->add_option("run", options.run, "The run folder")->required();
  sub->add_flag("--json", options.json, "One JSON object a line on stdout");
  return sub;
}

CommandLine::CommandLine() {
  app.set_version_flag("--version", "gensyn-verify " GENSYN_VERSION);
  app.require_subcommand(1);
  add(Command::Show, "show", "Print what a run commits to");
  addCheck();
}

void CommandLine::addCheck() {
  CLI::App *check =
      add(Command::Check, "check",
          "Repeat randomly chosen segments of a run, each from one commitment "
          "to the next, and compare steps and states with the commitments");
  check->add_option("--data", options.data.parts, "What the run was trained on")
      ->allow_extra_args(false)
      ->required();
  check
      ->add_option("--eval-data", options.evalData.parts,
                   "What it was evaluated on, if its recipe watches that")
      ->allow_extra_args(false);
  check
      ->add_option("--sequence-length", options.data.sequenceLength,
                   "The data are streams of tokens, in windows of this many")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40));
  check->add_option("--model", options.model,
                    "The model; default: the one that program.json names");
  check->add_option(
      "--recipe", options.recipe,
      "The recipe (JSON); default: that of the newest checkpoint");
  check->add_option("--parameters", options.parameters,
                    "The parameters that the run began with; default: the "
                    "model's own");
  CLI::Option *segments = check
                              ->add_option("--segments", options.segments,
                                           "Segments to repeat; default: 5")
                              ->check(CLI::Range(int64_t(1), int64_t(1) << 40));
  check->add_flag("--all", all, "Repeat all of them")->excludes(segments);
  check->add_option("--seed", options.seed,
                    "Which segments: a number that whoever made the run did "
                    "not know; default: a random one, which is printed");
  check->add_option("--backend", options.backend,
                    "reference, cpu (default), ptx-sim, cuda or machine:NAME");
  check
      ->add_option("--threads", options.threads,
                   "Threads to run on; default: one a processor")
      ->check(CLI::Range(1, 4096));
  check->add_option("--instruction-set", options.instructionSet,
                    "cpu: native (default), or as gensyn-run has them");
  check->add_option("--sm", options.sm, "ptx-sim, cuda: the GPU's generation");
  check->add_option("--cache", options.cache,
                    "Folder for compiled kernels; default: gensyn in the "
                    "user's cache folder");
  check->add_flag("--no-cache", noCache, "Do not cache compiled kernels");
  check->add_flag("--quiet", options.quiet, "Print nothing but errors");
}

Options CommandLine::parse(int argc, char **argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    app.exit(success); // help or version
    options.command = Command::None;
    return options;
  } catch (const CLI::ParseError &error) {
    throw Failure(ExitCode::Usage, error.what(),
                  "gensyn-verify --help lists what there is");
  }
  if (noCache)
    options.cache.clear();
  else if (options.cache.empty())
    options.cache = runtime::defaultCache();
  if (all)
    options.segments = 0;
  options.evalData.sequenceLength = options.data.sequenceLength;
  runtime::checkBackend(options.backend);
  return options;
}

Options parseOptions(int argc, char **argv) {
  return CommandLine().parse(argc, argv);
}

} // namespace gensyn::verify

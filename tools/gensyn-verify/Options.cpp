// See Options.h.

#include "Options.h"

#include "gensyn/Executable/Support/Error.h"

#include <CLI/CLI.hpp>

namespace gensyn::verify {

namespace {

constexpr const char *kRunOrFile =
    "The run folder, or the file that gensyn-run infer, eval or generate wrote "
    "for --commit";

class CommandLine {
public:
  CommandLine();
  Options parse(int argc, char **argv);

private:
  CLI::App *add(Command command, const char *name, const char *summary);
  void addRun(CLI::App *sub, const char *help = "The run folder") {
    sub->add_option("run", options.run, help)->required();
  }
  CLI::Option *addRepeating(CLI::App *sub);
  void addLimit(CLI::App *sub);
  void addReferee(CLI::App *sub);
  void addTls(CLI::App *sub);
  void checkData() const;
  void addCheck();
  void addDispute();
  void addServe();
  void addSign();

  CLI::App app{"Checks that training runs and inferences are what they say.",
               "gensyn-verify"};
  Options options;
  bool noCache = false, all = false;
};

} // namespace

CLI::App *CommandLine::add(Command command, const char *name,
                           const char *summary) {
  CLI::App *sub = app.add_subcommand(name, summary);
  sub->callback([this, command] { options.command = command; });
  sub->add_flag("--json", options.json, "One JSON object a line on stdout");
  return sub;
}

CommandLine::CommandLine() {
  app.set_version_flag("--version", "gensyn-verify " GENSYN_VERSION);
  app.require_subcommand(1);
  addRun(
      add(Command::Show, "show", "Print what a run or an inference commits to"),
      kRunOrFile);
  addCheck();
  addDispute();
  addServe();
  addSign();
}

/// What steps are repeated with. Returns the option of the data.
CLI::Option *CommandLine::addRepeating(CLI::App *sub) {
  CLI::Option *data = sub->add_option("--data", options.data.parts,
                                      "What the run was trained on")
                          ->allow_extra_args(false);
  sub->add_option("--eval-data", options.evalData.parts,
                  "What it was evaluated on, if its recipe watches that")
      ->allow_extra_args(false);
  sub->add_option("--sequence-length", options.data.sequenceLength,
                  "The data are streams of tokens, in windows of this many")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40));
  sub->add_option("--model", options.model,
                  "The model; default: the one that program.json names");
  sub->add_option("--recipe", options.recipe,
                  "The recipe (JSON); default: that of the newest checkpoint");
  sub->add_option("--parameters", options.parameters,
                  "The parameters that the run began with; default: the "
                  "model's own");
  sub->add_option("--backend", options.backend,
                  "reference, cpu (default), ptx-sim, cuda or machine:NAME");
  sub->add_option("--threads", options.threads,
                  "Threads to run on; default: one a processor")
      ->check(CLI::Range(1, 4096));
  sub->add_option("--instruction-set", options.instructionSet,
                  "cpu: native (default), or as gensyn-run has them");
  sub->add_option("--sm", options.sm, "ptx-sim, cuda: the GPU's generation");
  sub->add_option("--cache", options.cache,
                  "Folder for compiled kernels; default: gensyn in the user's "
                  "cache folder");
  sub->add_flag("--no-cache", noCache, "Do not cache compiled kernels");
  sub->add_flag("--quiet", options.quiet, "Print nothing but errors");
  return data;
}

void CommandLine::addCheck() {
  CLI::App *check =
      add(Command::Check, "check",
          "Repeat randomly chosen segments of a run, each from one commitment "
          "to the next, and compare steps and states with the commitments; or "
          "repeat an inference and compare its results");
  addRun(check, kRunOrFile);
  addRepeating(check);
  check->add_option("--inputs", options.inputs,
                    "An inference of infer: the file of its inputs");
  check
      ->add_option("--dim", options.dims,
                   "An inference: name=value, as gensyn-run had it; may be "
                   "repeated")
      ->delimiter('=')
      ->allow_extra_args(false);
  check->add_option("--accuracy", options.accuracy,
                    "An inference: the accuracy of sums that gensyn-run had");
  check->add_flag("--integer-sums", options.integerSums,
                  "An inference: gensyn-run had this option");
  CLI::Option *segments = check
                              ->add_option("--segments", options.segments,
                                           "Segments to repeat; default: 5")
                              ->check(CLI::Range(int64_t(1), int64_t(1) << 40));
  check->add_flag("--all", all, "Repeat all of them")->excludes(segments);
  check
      ->add_option("--ops", options.ops,
                   "Compare elements of so many random ops of a step with "
                   "what the reference computes; default: 0")
      ->check(CLI::Range(uint64_t(0), uint64_t(1) << 32));
  check->add_option("--seed", options.seed,
                    "Which segments: a number that whoever made the run did "
                    "not know; default: a random one, which is printed");
  check->add_option("--signer", options.signer,
                    "The public key that must have signed the last root");
}

void CommandLine::addLimit(CLI::App *sub) {
  sub->add_option("--most-bytes", options.mostBytes,
                  "Bytes of all answers of a party, and of a tile; default: "
                  "268435456")
      ->check(CLI::Range(uint64_t(1) << 10, uint64_t(1) << 31));
}

/// By which both sides of a connection know each other.
void CommandLine::addTls(CLI::App *sub) {
  sub->add_option("--tls-certificate", options.wire.certificate,
                  "This side's certificate (PEM), for TLS");
  sub->add_option("--tls-key", options.wire.key,
                  "Its key, which nobody else may read");
  sub->add_option("--tls-authority", options.wire.authority,
                  "The authority that signed the other side's certificate");
}

/// What the parties committed to, and the limits of the referee.
void CommandLine::addReferee(CLI::App *sub) {
  sub->add_option("--first-root", options.firstRoot,
                  "The last root that the first party committed to");
  sub->add_option("--second-root", options.secondRoot, "That of the second");
  sub->add_option("--first-signer", options.firstSigner,
                  "The public key that must have signed the last root of the "
                  "first party, and its answers if it is asked at grpc://");
  sub->add_option("--second-signer", options.secondSigner,
                  "That of the second");
  addLimit(sub);
  sub->add_option("--most-seconds", options.compilerSeconds,
                  "Seconds for the computation of an element; default: 600")
      ->check(CLI::Range(1, 1 << 20));
}

void CommandLine::addServe() {
  CLI::App *serve = add(Command::Serve, "serve",
                        "Answer the questions of disputes about a run, until "
                        "SIGINT or SIGTERM");
  addRun(serve);
  serve->add_option("--listen", options.wire.address,
                    "ADDRESS:PORT; default: 127.0.0.1:0, which is any free "
                    "port. An address that is not loopback needs TLS");
  serve->add_option("--key", options.key,
                    "The private key that signs each answer");
  addTls(serve);
  addLimit(serve);
  addRepeating(serve)->required();
}

void CommandLine::addSign() {
  CLI::App *keygen =
      add(Command::Keygen, "keygen",
          "Make a key for signatures: NAME.key, which nobody else may read, "
          "and NAME.pub for everybody");
  keygen
      ->add_option("-o,--output", options.key,
                   "The private key's file; it is never overwritten")
      ->required();
  CLI::App *sign =
      add(Command::Sign, "sign",
          "Sign the last root of a run: adds a line to its signatures.jsonl");
  addRun(sign);
  sign->add_option("--key", options.key, "The private key (PEM)")->required();
}

void CommandLine::addDispute() {
  CLI::App *dispute =
      add(Command::Dispute, "dispute",
          "Find the first step, the first op and the first element in which "
          "two runs differ, and say by the meaning of the op who is wrong");
  dispute
      ->add_option("first", options.run,
                   "The run folder of one party, or grpc://HOST:PORT, where "
                   "it serves")
      ->required();
  dispute->add_option("second", options.second, "That of the other one")
      ->required();
  dispute
      ->add_option("--second-data", options.secondData.parts,
                   "What the second run was trained on; default: as --data")
      ->allow_extra_args(false);
  dispute->add_option("--second-model", options.secondModel,
                      "The model of the second run; default: as the first");
  dispute->add_option("--second-parameters", options.secondParameters,
                      "The parameters that the second run began with; "
                      "default: as the first");
  dispute->add_option("-o,--case", options.caseFile,
                      "Write all answers, from which `referee` decides");
  dispute
      ->add_option("--patience", options.patience,
                   "Seconds that a party at grpc:// has for an answer; "
                   "default: 600")
      ->check(CLI::Range(1, 1 << 25));
  addTls(dispute);
  addRepeating(dispute);
  addReferee(dispute);

  CLI::App *referee =
      add(Command::Referee, "referee",
          "Decide a dispute from the file that `dispute --case` wrote");
  referee->add_option("case", options.caseFile, "The case")->required();
  referee->add_flag("--quiet", options.quiet, "Print nothing but errors");
  addReferee(referee);

  CLI::App *report =
      add(Command::Report, "report",
          "Decide a dispute from such a file, and show it as an HTML page of "
          "one file");
  report->add_option("case", options.caseFile, "The case")->required();
  report->add_option("-o,--output", options.page, "The page")->required();
  report->add_flag("--quiet", options.quiet, "Print nothing but errors");
  addReferee(report);
}

bool isRemote(const std::filesystem::path &party) {
  return party.string().starts_with("grpc://");
}

/// Only a run that is repeated here needs its data.
void CommandLine::checkData() const {
  const bool isKnown = !options.data.empty();
  if (options.command == Command::Dispute &&
      ((!isRemote(options.run) && !isKnown) ||
       (!isRemote(options.second) && !isKnown && options.secondData.empty())))
    throw Failure(ExitCode::Usage, "--data is required",
                  "gensyn-verify --help lists what there is");
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
  options.evalData.sequenceLength = options.secondData.sequenceLength =
      options.data.sequenceLength;
  runtime::checkBackend(options.backend);
  options.wire.mostBytes = options.mostBytes;
  checkData();
  return options;
}

Options parseOptions(int argc, char **argv) {
  return CommandLine().parse(argc, argv);
}

} // namespace gensyn::verify

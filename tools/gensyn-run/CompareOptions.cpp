// The options of compare.

#include "CommandLine.h"
#include "NumberChecks.h"
#include "OptionChecks.h"

#include <algorithm>

namespace gensyn::run {

void CommandLine::addCompare() {
  CLI::App *compare =
      add(Command::Compare, "compare",
          "Compare two files of tensors bit by bit, and print where they "
          "differ. With --replay, repeat runs and find the first step and the "
          "first operation that differ");
  compare
      ->add_option("first", options.first,
                   "Safetensors file or run folder; with --replay also a model")
      ->required();
  compare->add_option("second", options.second,
                      "The same to compare with; with --replay by default the "
                      "first one, on another target");
  compare->add_option("--html", options.html,
                      "Also write a page with maps of the differences, the "
                      "elements that differ most, and for two run folders the "
                      "first step that differs: one file that needs nothing "
                      "else");
  addReplay(compare);
  addOutput(compare);
}

void CommandLine::addReplay(CLI::App *sub) {
  CLI::Option *replay = sub->add_flag(
      "--replay", options.replay,
      "Repeat the steps of run folders on this machine, to find the first step "
      "and the first operation whose values differ. Of a model, compare the "
      "values of one run on two targets");
  const std::vector<CLI::Option *> before = sub->get_options();
  auto &second = options.secondSide;
  const char *const same =
      "The same for the second side; default: that of the first";
  sub->add_option("--model", options.model,
                  "The model of the runs; default: the one that their "
                  "program.json names");
  sub->add_option("--second-model", second.model, same);
  sub->add_option("--recipe", options.recipe,
                  "The recipe (JSON); default: that of the newest checkpoint");
  sub->add_option("--second-recipe", second.recipe, same);
  addData(sub, "--data", options.data, "What the runs were trained on");
  addData(sub, "--second-data", second.data, same);
  addData(sub, "--eval-data", options.evalData,
          "What they were evaluated on, if their recipe watches that");
  addData(sub, "--second-eval-data", second.evalData, same);
  addSequenceLength(sub);
  sub->add_option("--inputs", options.inputs,
                  "Of a model without a recipe: a file with a tensor per "
                  "input; default: random numbers");
  sub->add_option("--second-inputs", second.inputs, same);
  addTrained(sub);
  sub->add_option("--second-parameters", second.trained, same);
  sub->add_option("--steps", options.steps, "Stop after this step")
      ->check(CLI::Validator(checkCount, "POSITIVE"));
  sub->add_option_function<std::string>(
         "--values-memory",
         [this](const std::string &text) {
           options.valuesMemory =
               readBytes(text).value_or(options.valuesMemory);
         },
         "Limit on values of operations that are kept at a time, of each side "
         "(512M); default: 1G")
      ->check(CLI::Validator(
          [](const std::string &text) {
            return readBytes(text) ? ""
                                   : "'" + text +
                                         "' is not a number of bytes such as "
                                         "65536, 64K or 200M";
          },
          "BYTES"));
  sub->add_option("--dim", dims,
                  "Size of a symbolic dimension that no tensor determines: "
                  "name=value; may be repeated")
      ->allow_extra_args(false);
  addCompilerLimits(sub);
  addBackend(sub);
  sub->add_option("--second-backend", second.backend, same);
  sub->add_option("--second-instruction-set", second.instructionSet, same);
  sub->add_option("--second-sm", second.sm, same);
  for (CLI::Option *option : sub->get_options())
    if (std::find(before.begin(), before.end(), option) == before.end())
      option->needs(replay);
}

} // namespace gensyn::run

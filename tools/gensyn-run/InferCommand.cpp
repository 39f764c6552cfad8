// infer and grad: run one program once.

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/InputFiles.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/GivenTensors.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Training/Evaluation.h"

#include <chrono>

namespace gensyn::run {

using namespace runtime;

static OrderedJson describeTensors(const TensorMap &tensors) {
  OrderedJson list = OrderedJson::array();
  for (const auto &[name, tensor] : tensors)
    list.push_back({{"name", name},
                    {"type", longName(tensor.elementType())},
                    {"shape", tensor.shape()}});
  return list;
}

ExitCode runInfer(const Options &options) {
  return inferWith(options, nullptr, {});
}

ExitCode
inferWith(const Options &options, machine::Observer *observer,
          const std::function<void(const plan::Executable &)> &report) {
  TensorFile file = openTensors(options.inputs);
  requireWritableFile(options.outputs);
  Model model(options, observer);
  ProgressBar progress(!options.quiet);
  progress.show("compiling");
  bool isGrad = options.command == Command::Grad;
  auto program =
      model.program({isGrad ? ProgramKind::Grad : ProgramKind::Infer,
                     /*batchSize=*/0, listTensors(file, /*isSamples=*/false)});
  checkTensors(file, program->signature(), /*anyBatch=*/false);
  StepInputs inputs;
  inputs.seed = uint64_t(options.seed);
  if (isGrad) {
    const Recipe &recipe = model.recipe();
    if (recipe.usesTrainingInfo)
      failBadInput(model.recipeName() + ": no 'loss'");
    inputs.seed = recipe.seed;
    if (int64_t classes = model.classes())
      checkClasses(file, recipe.loss.target, classes, recipe.loss.ignoreIndex);
  }
  ParameterStore store;
  Session session(std::move(program), store);
  if (!options.trained.empty())
    store.replace(openTensors(parametersIn(options.trained)));
  for (const Port &port : session.signature().inputs)
    if (port.role == Role::Input || port.role == Role::Target)
      inputs.tensors.emplace(port.name, file.tensor(port.name));
  // All inputs are open now, the model's external data too.
  requireNoInput(options.outputs);
  progress.show("running");
  auto start = std::chrono::steady_clock::now();
  session.run(inputs);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;

  TensorMap results;
  const std::vector<Port> &ports = session.signature().outputs;
  for (size_t j = 0; j < ports.size(); ++j)
    if (!results.emplace(ports[j].name, session.output(j)).second && isGrad)
      failBadInput(options.model.string() + ": the gradient of " +
                       quote(ports[j].name) + " has the name of the loss",
                   "rename it in the model");
  writeSafeTensors(options.outputs, results);
  progress.clear();

  const plan::Executable &executable = session.executable();
  if (options.json) {
    printRecord({{"command", isGrad ? "grad" : "infer"},
                 {"program_digest", executable.program_digest()},
                 {"numerics_version", executable.numerics_version()},
                 {"backend", options.backend},
                 {"target", model.target()},
                 {"outputs", options.outputs.string()},
                 {"tensors", describeTensors(results)},
                 {"tensors_digest", digestTensors(results)},
                 {"seconds", seconds.count()}});
  } else if (!options.quiet) {
    printLine("program  " + executable.program_digest());
    for (const auto &[name, tensor] : results) {
      std::string line = quote(name) + " " + longName(tensor.elementType()) +
                         describeShape(tensor.shape());
      if (isGrad && name == "loss")
        line += " = " + shortNumber(scalarValue(tensor), 9);
      printLine("wrote    " + line);
    }
    printLine("digest   " + digestTensors(results));
    printLine("in       " + options.outputs.string() + ", after " +
              describeSeconds(seconds.count()));
  }
  reportProfile(options, model);
  if (report)
    report(executable);
  return ExitCode::Ok;
}

} // namespace gensyn::run

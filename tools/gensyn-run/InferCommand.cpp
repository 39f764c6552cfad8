// infer and grad: run one program once.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "Commitment.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/InputFiles.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Models/InferenceRun.h"
#include "gensyn/Runtime/Models/Model.h"

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
  Commitment commitment(options);
  Model model(options, observer);
  ProgressBar progress(!options.quiet);
  progress.show("compiling");
  const bool isGrad = options.command == Command::Grad;
  InferenceRun inference(model, file,
                         {isGrad ? ProgramKind::Grad : ProgramKind::Infer,
                          options.trained, uint64_t(options.seed)});
  // All inputs are open now, the model's external data too.
  requireNoInput(options.outputs);
  commitment.requireNoInput();
  progress.show("running");
  auto start = std::chrono::steady_clock::now();
  inference.run();
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;

  const TensorMap results = inference.results();
  writeSafeTensors(options.outputs, results);
  if (commitment.witness())
    inference.tell(*commitment.witness(), options.threads);
  commitment.write();
  progress.clear();

  const plan::Executable &executable = inference.executable();
  if (options.json) {
    OrderedJson row = {{"command", isGrad ? "grad" : "infer"},
                       {"program_digest", executable.program_digest()},
                       {"numerics_version", executable.numerics_version()},
                       {"backend", options.backend},
                       {"target", model.target()},
                       {"outputs", options.outputs.string()},
                       {"tensors", describeTensors(results)},
                       {"tensors_digest", digestTensors(results)},
                       {"seconds", seconds.count()}};
    commitment.describe(row);
    printRecord(row);
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
    commitment.print("committed");
  }
  reportProfile(options, model);
  if (report)
    report(executable);
  return ExitCode::Ok;
}

} // namespace gensyn::run

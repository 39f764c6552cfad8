// simulate: runs a mapped program on the simulator of its machine.

#include "Commands.h"
#include "MappingReport.h"
#include "Model.h"
#include "Terminal.h"

#include <algorithm>

namespace gensyn::run {

/// The machine for which the package has programs.
static std::string machineOf(const Package &package, const Options &options) {
  std::vector<std::string> found;
  for (const std::string &target : package.targets())
    if (target.starts_with(machinePrefix))
      found.push_back(target.substr(machinePrefix.size()));
  if (found.empty())
    failUnsupported(options.model.string() +
                        ": no program of it is mapped to a machine",
                    "it has " + package.describePrograms());
  if (found.size() > 1)
    throw Failure(ExitCode::Usage,
                  options.model.string() + ": is mapped to " + listed(found),
                  "choose one by --machine");
  return found.front();
}

/// The kind of the package's programs for the machine.
static ProgramKind kindOf(const Package &package, const Options &options) {
  std::vector<std::string> found;
  for (const plan::PackedProgram &program : package.message().programs()) {
    const std::string &kind = program.executable().kind();
    if (program.target() == options.backend &&
        kind != name(ProgramKind::Initialize) &&
        std::find(found.begin(), found.end(), kind) == found.end())
      found.push_back(kind);
  }
  if (found.size() > 1)
    throw Failure(ExitCode::Usage,
                  options.model.string() + ": has programs of kind " +
                      listed(found),
                  "choose one by --kind");
  const auto kind = found.empty() ? std::optional(ProgramKind::Infer)
                                  : programKindFromName(found.front());
  return kind.value_or(ProgramKind::Infer);
}

/// The options as for a command with --backend.
static Options withBackend(const Options &options) {
  Options own = options;
  std::string machine = options.machine;
  if (machine.empty()) {
    if (!isPackage(options.model))
      throw Failure(ExitCode::Usage, "--machine is required for a model",
                    "gensyn-run machine lists what there is");
    machine = machineOf(Package(options.model), options);
  }
  own.backend = std::string(machinePrefix) + machine;
  return own;
}

ExitCode runSimulate(const Options &given) {
  const Options options = withBackend(given);
  Model model(options);
  ProgramKind kind = ProgramKind::Infer;
  if (!options.kinds.empty())
    kind = options.kinds.front();
  else if (model.package())
    kind = kindOf(*model.package(), options);
  else if (!model.recipeText().empty())
    kind = kindOf(model.recipe());
  ProgressBar progress(!options.quiet);
  progress.show("mapping");
  int64_t batch = options.batchSizes.empty() ? 0 : options.batchSizes.front();
  if (!batch && !options.recipe.empty())
    batch = kind == ProgramKind::Train ? model.recipe().stepSamples()
                                       : model.recipe().batchSize;
  const auto executable = model.executable({kind, batch, {}});
  progress.clear();
  if (!options.json && !options.quiet)
    printLine("program  " + executable->program_digest() + " " +
              executable->kind() + ", " + model.target());
  summarizeMapping(options, *executable);
  return ExitCode::Ok;
}

} // namespace gensyn::run

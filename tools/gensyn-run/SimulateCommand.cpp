// simulate: runs a mapped program on the simulator of its machine.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "CorePrograms.h"
#include "MappingReport.h"
#include "OptionChecks.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Machine/CoreRecord.h"
#include "gensyn/Machine/Report.h"
#include "gensyn/Machine/TraceFile.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

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

/// The kind of program that is simulated, and the options as for it.
static ProgramKind chooseKind(const Options &options, const Model &model) {
  if (!options.kinds.empty())
    return options.kinds.front();
  if (model.package())
    return kindOf(*model.package(), options);
  return model.recipeText().empty() ? ProgramKind::Infer
                                    : kindOf(model.recipe());
}

namespace {

class Simulation {
public:
  explicit Simulation(const Options &given)
      : options(withBackend(given)), trace(options.traceEvents),
        record(options.recordedCores) {
    checkOutputs(options);
    checkReport(options);
    if (!options.record.empty()) {
      requireEmptyFolder("--record", options.record);
      observer.tasks = &record;
    }
    if (!options.trace.empty()) {
      requireWritableFile(options.trace);
      observer.trace = [&](const machine::TraceEvent &event) {
        trace.add(event);
      };
    }
  }

  ExitCode run() { return options.values ? runValues() : runCounts(); }

private:
  ExitCode runCounts();
  ExitCode runValues();
  void writeRecord();
  void report(const plan::Executable &executable,
              const machine::MappedProgram &program);
  void writeTrace(const machine::MappedProgram &program);

  Options options;
  machine::TraceFile trace;
  machine::CoreRecord record;
  machine::Observer observer;
};

} // namespace

ExitCode Simulation::runCounts() {
  Model model(options);
  const ProgramKind kind = chooseKind(options, model);
  ProgressBar progress(!options.quiet);
  progress.show("mapping");
  int64_t batch = options.batchSizes.empty() ? 0 : options.batchSizes.front();
  if (!batch && !options.recipe.empty())
    batch = kind == ProgramKind::Train ? model.recipe().stepSamples()
                                       : model.recipe().batchSize;
  const auto executable = model.executable({kind, batch, {}});
  progress.show("simulating");
  const machine::MappedProgram program(*executable);
  observer.statistics = machine::simulateRun(program, observer.trace);
  progress.clear();
  if (!options.json && !options.quiet)
    printLine("program  " + executable->program_digest() + " " +
              executable->kind() + ", " + model.target());
  report(*executable, program);
  return ExitCode::Ok;
}

ExitCode Simulation::runValues() {
  const ProgramKind kind = [&] {
    // For its recipe and its programs.
    const Model model(options);
    return chooseKind(options, model);
  }();
  if (kind != ProgramKind::Infer && kind != ProgramKind::Grad)
    throw Failure(
        ExitCode::Usage,
        "--values is for --kind infer and grad, not " + std::string(name(kind)),
        "gensyn-run train and eval take --backend " + options.backend);
  options.command = kind == ProgramKind::Grad ? Command::Grad : Command::Infer;
  options.bodies = true;
  return inferWith(options, &observer, [&](const plan::Executable &executable) {
    report(executable, machine::MappedProgram(executable));
  });
}

void Simulation::writeRecord() {
  const size_t cores = record.write(options.record);
  if (options.json)
    printRecord({{"event", "record"},
                 {"output", options.record.string()},
                 {"cores", cores}});
  else if (!options.quiet)
    printLine("wrote    " + options.record.string() + ", " +
              counted(int64_t(cores), "core"));
}

void Simulation::report(const plan::Executable &executable,
                        const machine::MappedProgram &program) {
  printSummary(options, program, observer.statistics,
               machine::simulatePreparation(program));
  if (!options.json && !options.quiet)
    printLine("events   " +
              runtime::groupDigits(int64_t(observer.statistics.events)) +
              " a run, of which " +
              runtime::groupDigits(int64_t(observer.statistics.handledEvents)) +
              " were handled");
  const machine::RunReport report =
      machine::makeReport(program, observer.statistics);
  if (options.json) {
    OrderedJson record = machine::toJson(report);
    record["notes"] = machine::notesToJson(program);
    printRecord(record);
  } else if (!options.quiet) {
    printLines("\n" + machine::printReport(report));
    if (const std::string notes = machine::printNotes(program, report);
        !notes.empty())
      printLines("\n" + notes);
  }
  if (!options.record.empty())
    writeRecord();
  if (!options.trace.empty())
    writeTrace(program);
  const std::string model = isPackage(options.model)
                                ? Package(options.model).message().model()
                                : options.model.filename().string();
  // With values, loops run as often as they do.
  writeReport(options, model, executable, program,
              options.values ? nullptr : &observer.statistics);
}

void Simulation::writeTrace(const machine::MappedProgram &program) {
  trace.write(options.trace, program);
  if (options.json)
    printRecord({{"event", "trace"},
                 {"output", options.trace.string()},
                 {"tasks", trace.size()},
                 {"omitted_tasks", trace.getOmitted()}});
  else if (!options.quiet)
    printLine("wrote    " + options.trace.string() + ", " +
              counted(int64_t(trace.size()), "task") +
              (trace.getOmitted()
                   ? "; the last " +
                         counted(int64_t(trace.getOmitted()), "task") +
                         " left out, --trace-tasks takes more"
                   : ""));
}

ExitCode runSimulate(const Options &options) {
  return Simulation(options).run();
}

} // namespace gensyn::run

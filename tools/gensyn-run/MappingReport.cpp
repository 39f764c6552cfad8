// See MappingReport.h.

#include "MappingReport.h"

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Report.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

namespace gensyn::run {

using namespace machine;

static void printFacts(const MappingFacts &facts) {
  auto number = [](uint64_t value) {
    return runtime::groupDigits(int64_t(value));
  };
  printLine("mapping  " + facts.digest);
  printLine("cores    " + number(facts.cores) + " of " +
            number(facts.liveCores) + ", with " +
            counted(int64_t(facts.computes + facts.copies), "task") + ": " +
            number(facts.computes) + " compute, " + number(facts.copies) +
            " copy");
  for (const MappingFacts::Repeat &repeat : facts.repeats)
    printLine("repeats  " + counted(int64_t(repeat.launches), "kernel") + " " +
              number(repeat.times) + " times");
  if (!facts.repeats.empty())
    printLine("         " + counted(int64_t(facts.listed), "task") +
              " in the mapping");
  printLine("memory   at most " + printBytes(facts.memoryPeak) + " of " +
            printBytes(facts.memoryUsable) + " in a core, core " +
            number(facts.peakCore));
  for (const SharedUse &use : facts.shared)
    if (use.used)
      printLine("         " + printBytes(use.used) + " of " +
                printBytes(use.usable) + " in " + use.name);
  if (facts.weights)
    printLine("weights  " + printBytes(facts.weights->resident) +
              " resident in cores, " + printBytes(facts.weights->streamed) +
              " streamed in a run");
  if (facts.entries)
    printLine("routing  at most " + number(facts.entries) + " of " +
              number(facts.entriesOfRouter) + " entries in a chip, chip " +
              number(facts.entriesChip));
}

void printSummary(const Options &options, const MappedProgram &program,
                  const machine::Statistics &run,
                  const machine::Statistics &preparation) {
  const MappingFacts facts = describeMapping(program, run, preparation);
  const Interval energy = energyOf(program, run);
  std::optional<machine::Statistics> loading;
  if (facts.weights && facts.weights->resident)
    loading = simulateLoading(program);
  const std::vector<std::string> assumptions =
      listAssumptions(program.getPlan(), options.values);
  if (options.json) {
    OrderedJson shared = OrderedJson::array();
    for (const SharedUse &use : facts.shared)
      shared.push_back(
          {{"memory", use.name}, {"bytes", use.used}, {"usable", use.usable}});
    OrderedJson weights;
    if (facts.weights)
      weights = {
          {"resident", facts.weights->resident},
          {"streamed", facts.weights->streamed},
          {"loading_picoseconds", loading ? loading->time : 0},
          {"loading_femtojoules", loading ? loading->energy.total() : 0}};
    OrderedJson record({{"event", "mapping"},
                        {"machine", facts.machine},
                        {"mapping_digest", facts.digest},
                        {"cores", facts.cores},
                        {"machine_cores", facts.liveCores},
                        {"segments", facts.segments},
                        {"computations", facts.computes},
                        {"copies", facts.copies},
                        {"listed_tasks", facts.listed},
                        {"pieces", facts.bodies},
                        {"core_memory_peak", facts.memoryPeak},
                        {"core_memory_usable", facts.memoryUsable},
                        {"peak_core", facts.peakCore},
                        {"shared_memory", shared},
                        {"routing_entries", facts.entries},
                        {"routing_entries_of_router", facts.entriesOfRouter},
                        {"picoseconds", run.time},
                        {"preparation_picoseconds", preparation.time},
                        {"femtojoules", toJson(energy)},
                        {"events", run.events},
                        {"handled_events", run.handledEvents},
                        {"assumptions", assumptions}});
    if (facts.weights)
      record["weights"] = weights;
    printRecord(record);
    return;
  }
  if (options.quiet)
    return;
  printFacts(facts);
  printLine("time     " + printTime(run.time) + " a run" +
            (preparation.time ? ", and " + printTime(preparation.time) +
                                    " once per set of parameters"
                              : ""));
  printLine("energy   " + printEnergy(energy) + " a run");
  if (loading)
    printLine("loading  " + printTime(loading->time) + " and " +
              printEnergy(energyOf(program, *loading)) +
              " once, for the weights in cores");
  for (const std::string &line : assumptions)
    printLine("assumed  " + line);
}

void checkReport(const Options &options) {
  if (options.report.empty())
    return;
  const std::string kind = options.report.extension().string();
  if (kind != ".html" && kind != ".json")
    throw Failure(ExitCode::Usage, "--report " + options.report.string() +
                                       ": a name that ends in .html or .json "
                                       "is wanted");
  requireWritableFile(options.report);
}

void printReportFile(const Options &options, size_t bytes) {
  if (options.json)
    printRecord({{"event", "report"},
                 {"output", options.report.string()},
                 {"bytes", bytes}});
  else if (!options.quiet)
    printLine("wrote    " + options.report.string() + ", " +
              counted(int64_t(bytes), "byte"));
}

/// Maps the model again for a page, if that takes no longer than all the rest.
static void addDecisions(const Options &options, const MappedProgram &program,
                         PageContent &content) {
  constexpr int64_t mostTasks = 400'000;
  int64_t tasks = 0;
  for (const mapping::Segment &segment : program.getMapping().segments())
    for (const mapping::Core &core : segment.cores())
      tasks += core.tasks_size();
  if (tasks > mostTasks)
    content.withoutDecisions = "Not compared: the mapping lists " +
                               counted(tasks, "task") +
                               ", and the model is mapped again for up to " +
                               runtime::groupDigits(mostTasks) + ".";
  else
    content.decisions = compareDecisions(options, program.getMachine());
}

void writeReport(const Options &options, const std::string &model,
                 const plan::Executable &executable,
                 const MappedProgram &program, const machine::Statistics *run) {
  if (options.report.empty())
    return;
  PageContent content;
  content.model = model;
  content.program = executable.kind();
  if (const int64_t batch = batchSizeOf(executable.plan()))
    content.program += ", batch " + std::to_string(batch);
  content.programDigest = executable.program_digest();
  content.run = run;
  if (!isPackage(options.model))
    addDecisions(options, program, content);
  content.assumptions = listAssumptions(program.getPlan(), false);
  const std::string text =
      options.report.extension() == ".json"
          ? printJson(makePageJson(program, content)) + "\n"
          : makePage(program, content);
  writeText(options.report, text);
  printReportFile(options, text.size());
}

std::optional<machine::Statistics>
summarizeMapping(const Options &options, const plan::Executable &executable) {
  if (options.quiet && !options.json)
    return std::nullopt;
  const MappedProgram program(executable);
  const machine::Statistics run = simulateRun(program);
  printSummary(options, program, run, simulatePreparation(program));
  return run;
}

} // namespace gensyn::run

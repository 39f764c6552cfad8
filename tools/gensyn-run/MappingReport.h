// What mapped programs take of their machines.
#ifndef GENSYN_TOOLS_GENSYN_RUN_MAPPINGREPORT_H
#define GENSYN_TOOLS_GENSYN_RUN_MAPPINGREPORT_H

#include "Options.h"

#include "gensyn/Machine/MappedProgram.h"

#include "gensyn/Machine/ReportPage.h"

#include <optional>
#include <string_view>
#include <vector>

namespace gensyn::run {

using runtime::machinePrefix;

/// Prints what the mapping takes, and time and energy of a simulated run.
void printSummary(const Options &options, const machine::MappedProgram &program,
                  const machine::Statistics &run,
                  const machine::Statistics &preparation);

/// The same after simulating a run of the program, which is mapped. Returns its
/// statistics, if there was anything to print.
std::optional<machine::Statistics>
summarizeMapping(const Options &options, const plan::Executable &executable);

/// Throws a Failure (usage) unless --report is empty or names a kind of file
/// that there is, and one (I/O) if it cannot be written.
void checkReport(const Options &options);

/// Says that the file of --report was written.
void printReportFile(const Options &options, size_t bytes);

/// The model mapped as the options say, and without one decision each, for
/// PageContent.
std::vector<machine::Decision>
compareDecisions(const Options &options, const machine::Description &machine);

/// Writes the file of --report, if there is one. Where `options` name a model
/// and not a package, it is mapped again for the page, unless that would take
/// minutes. `run` is of a run in counts; null: it is simulated.
void writeReport(const Options &options, const std::string &model,
                 const plan::Executable &executable,
                 const machine::MappedProgram &program,
                 const machine::Statistics *run);

} // namespace gensyn::run

#endif

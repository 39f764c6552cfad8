// What mapped programs take of their machines.
#ifndef GENSYN_TOOLS_GENSYN_RUN_MAPPINGREPORT_H
#define GENSYN_TOOLS_GENSYN_RUN_MAPPINGREPORT_H

#include "Options.h"

#include "gensyn/Machine/MappedProgram.h"

#include <string_view>

namespace gensyn::run {

constexpr std::string_view machinePrefix = "machine:";

/// Prints what the mapping takes, and time and energy of a simulated run.
void printSummary(const Options &options, const machine::MappedProgram &program,
                  const machine::Statistics &run,
                  const machine::Statistics &preparation);

/// The same after simulating a run of the program, which is mapped.
void summarizeMapping(const Options &options,
                      const plan::Executable &executable);

} // namespace gensyn::run

#endif

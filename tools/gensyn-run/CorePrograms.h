// Programs of a machine's cores as files.
#ifndef GENSYN_TOOLS_GENSYN_RUN_COREPROGRAMS_H
#define GENSYN_TOOLS_GENSYN_RUN_COREPROGRAMS_H

#include "Options.h"

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"

#include <string>
#include <vector>

namespace gensyn::run {

/// Creates a folder for files that the command writes, or throws a Failure:
/// usage if it has files, I/O. `option` is named in messages.
void requireEmptyFolder(const char *option,
                        const std::filesystem::path &folder);

/// Adds to a request what --elf and --elf-object ask for. Throws a Failure:
/// I/O, bad input for what is no object.
void requestCorePrograms(const Options &options, plan::CompileRequest &request);

/// What the programs of cores take of their memories.
struct CorePrograms {
  std::vector<std::string> lines;
  OrderedJson record;
};

/// Writes the programs of an executable, which is mapped, to the folder of
/// --elf, and removes them from the executable.
CorePrograms writeCorePrograms(const Options &options,
                               plan::Executable &executable);

/// The same for command streams of blocks and the folder of --block.
CorePrograms writeBlockPrograms(const Options &options,
                                plan::Executable &executable);

void printCorePrograms(const Options &options, const CorePrograms &programs);

} // namespace gensyn::run

#endif

// The machine files that are part of the library.
#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_MACHINES_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_MACHINES_H

#include <span>
#include <string_view>

namespace gensyn::machine {

struct MachineFile {
  std::string_view name, text;
};

/// Sorted by name. Generated from share/machines by cmake/EmbedMachines.cmake.
std::span<const MachineFile> machineFiles();

} // namespace gensyn::machine

#endif

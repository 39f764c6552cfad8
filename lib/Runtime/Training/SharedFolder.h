// Finds out which ranks see a folder.
#ifndef GENSYN_LIB_RUNTIME_SHAREDFOLDER_H
#define GENSYN_LIB_RUNTIME_SHAREDFOLDER_H

#include "gensyn/Communication/Communicator.h"

#include <filesystem>
#include <vector>

namespace gensyn::runtime {

/// Returns, by rank, which ranks can write to a folder of the first one under
/// the name that they have for it: each looks there for a file with random text
/// that the first one makes and removes. Names of machines say nothing of it.
/// Empty if a rank has no folder, or the first one cannot make the file. All
/// ranks call it at the same time.
std::vector<bool> findSharers(communication::Communicator &ranks,
                              const std::filesystem::path &folder);

} // namespace gensyn::runtime

#endif

// Protects the files that a tool reads from being overwritten.
#ifndef GENSYN_EXECUTABLE_SUPPORT_INPUTFILES_H
#define GENSYN_EXECUTABLE_SUPPORT_INPUTFILES_H

#include "gensyn/Executable/Support/FileSet.h"

#include <filesystem>
#include <vector>

namespace gensyn {

/// While a guard exists, files opened for reading are recorded, and writing to
/// one of them is an error. A tool has a guard for its whole run. Without one
/// nothing is recorded, since a library user may overwrite what it has read.
/// Files are identified by device and inode, whatever path or link leads to
/// them.
class InputGuard {
public:
  InputGuard();
  ~InputGuard();
  InputGuard(const InputGuard &) = delete;
  InputGuard &operator=(const InputGuard &) = delete;
};

/// Records that the tool reads the file. Thread-safe.
void noteInput(const KnownFile &file);
/// Records the file that `path` leads to now.
void noteInput(const std::filesystem::path &path);

/// Returns the files recorded so far.
std::vector<KnownFile> listInputs();

/// Throws a Failure (usage) if `path` leads to a recorded file.
void requireNoInput(const std::filesystem::path &path);

/// The same for every file in the folder and its subfolders.
void requireNoInputIn(const std::filesystem::path &folder);

} // namespace gensyn

#endif

// Files that a tool reads, which it never writes over.
#ifndef GENSYN_EXECUTABLE_INPUTFILES_H
#define GENSYN_EXECUTABLE_INPUTFILES_H

#include "gensyn/Executable/FileSet.h"

#include <filesystem>
#include <vector>

namespace gensyn {

/// While one lives, files opened for reading are noted, and writing to one of
/// them is an error. A tool has one for the whole of its run; without one
/// nothing is noted, since a program that goes on may write what it has read.
/// A file is known by device and inode, whatever path or link leads to it.
class InputGuard {
public:
  InputGuard();
  ~InputGuard();
  InputGuard(const InputGuard &) = delete;
  InputGuard &operator=(const InputGuard &) = delete;
};

/// Notes that the tool reads the file. Thread-safe.
void noteInput(const KnownFile &file);
/// The same of what `path` leads to now.
void noteInput(const std::filesystem::path &path);

/// The files noted so far.
std::vector<KnownFile> listInputs();

/// Throws a Failure (usage) where `path` leads to a file that was noted.
void requireNoInput(const std::filesystem::path &path);

/// The same of every file in the folder and the folders below.
void requireNoInputIn(const std::filesystem::path &folder);

} // namespace gensyn

#endif

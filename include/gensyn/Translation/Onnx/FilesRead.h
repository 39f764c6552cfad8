// The files that models and their data are read from, which nothing replaces.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gensyn {
/// Notes that this thread reads a file.
void noteFileRead(llvm::StringRef path);

/// Whether `path` leads to a file that was noted, by device and inode.
bool isFileRead(llvm::StringRef path);

/// Absolute paths of the files that were noted since the last call.
std::vector<std::string> takeFilesRead();
} // namespace gensyn

// The files that models and their data are read from, which nothing replaces.
#pragma once

#include "gensyn/Machine/FileSet.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <vector>

namespace gensyn {
/// Notes that this thread reads a file.
void noteFileRead(KnownFile file);
/// The same of what `path` leads to now.
void noteFileRead(llvm::StringRef path);

/// A file's bytes, which are noted to be read.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openFileRead(llvm::StringRef path);
/// `length` bytes from `offset` of it.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openFileRead(llvm::StringRef path, uint64_t offset, uint64_t length);

/// True if `path` leads to a file that was noted.
bool isFileRead(llvm::StringRef path);

/// The files that were noted since the last call.
std::vector<KnownFile> takeFilesRead();
} // namespace gensyn

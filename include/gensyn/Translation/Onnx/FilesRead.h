// Records the files that models and their data are read from; outputs must not
// replace them.
#ifndef GENSYN_TRANSLATION_ONNX_FILESREAD_H
#define GENSYN_TRANSLATION_ONNX_FILESREAD_H

#include "gensyn/Executable/Support/FileSet.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <vector>

namespace gensyn {
/// Records that this thread reads a file.
void noteFileRead(KnownFile file);
/// Records the file that `path` refers to now.
void noteFileRead(llvm::StringRef path);

/// Reads a file and records it.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openFileRead(llvm::StringRef path);
/// Reads `length` bytes from `offset` of a file and records it.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openFileRead(llvm::StringRef path, uint64_t offset, uint64_t length);

/// True if `path` refers to a recorded file.
bool isFileRead(llvm::StringRef path);

/// Returns the files recorded since the last call.
std::vector<KnownFile> takeFilesRead();

/// Records that this thread's result depends on `path` leading to no file.
void noteFileAbsent(llvm::StringRef path);
/// Returns the absolute paths recorded since the last call, sorted.
std::vector<std::string> takeFilesAbsent();
} // namespace gensyn

#endif

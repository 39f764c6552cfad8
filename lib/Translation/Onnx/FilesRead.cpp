// Keeps one set of files per thread: calls of the compiler may run
// concurrently.

#include "gensyn/Translation/Onnx/FilesRead.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

namespace gensyn {

static thread_local FileSet filesRead;

void noteFileRead(KnownFile file) { filesRead.insert(std::move(file)); }

void noteFileRead(llvm::StringRef path) {
  if (auto file = identifyFile(path.str()))
    noteFileRead(std::move(*file));
}

/// Opens `path`, records it, and reads it with `read`.
template <class Read>
static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readNoted(llvm::StringRef path, Read read) {
  llvm::Expected<llvm::sys::fs::file_t> file =
      llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return llvm::errorToErrorCode(file.takeError());
  auto close = llvm::scope_exit([&] { (void)llvm::sys::fs::closeFile(*file); });
  if (auto known = identifyFile(*file, path.str()))
    noteFileRead(std::move(*known));
  return read(*file);
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openFileRead(llvm::StringRef path) {
  return readNoted(path, [&](llvm::sys::fs::file_t file) {
    return llvm::MemoryBuffer::getOpenFile(file, path, /*FileSize=*/-1,
                                           /*RequiresNullTerminator=*/false);
  });
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openFileRead(llvm::StringRef path, uint64_t offset, uint64_t length) {
  return readNoted(path, [&](llvm::sys::fs::file_t file) {
    return llvm::MemoryBuffer::getOpenFileSlice(file, path, length,
                                                int64_t(offset));
  });
}

bool isFileRead(llvm::StringRef path) {
  return filesRead.find(path.str()).has_value();
}

std::vector<KnownFile> takeFilesRead() {
  std::vector<KnownFile> files = filesRead.list();
  filesRead.clear();
  return files;
}

static thread_local std::set<std::string> filesAbsent;

void noteFileAbsent(llvm::StringRef path) {
  filesAbsent.insert(absolutePath(path.str()));
}

std::vector<std::string> takeFilesAbsent() {
  const std::set<std::string> files = std::exchange(filesAbsent, {});
  return {files.begin(), files.end()};
}
} // namespace gensyn

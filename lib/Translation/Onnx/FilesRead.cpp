// Keeps one set of files per thread: calls of the compiler may run
// concurrently.

#include "gensyn/Translation/Onnx/FilesRead.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace gensyn {

static thread_local FileSet filesRead;

void noteFileRead(KnownFile file) { filesRead.insert(std::move(file)); }

void noteFileRead(StringRef path) {
  if (auto file = identifyFile(path.str()))
    noteFileRead(std::move(*file));
}

/// Opens `path`, records it, and reads it with `read`.
template <class Read>
static ErrorOr<std::unique_ptr<MemoryBuffer>> readNoted(StringRef path,
                                                        Read read) {
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file)
    return errorToErrorCode(file.takeError());
  auto close = scope_exit([&] { (void)sys::fs::closeFile(*file); });
  if (auto known = identifyFile(*file, path.str()))
    noteFileRead(std::move(*known));
  return read(*file);
}

ErrorOr<std::unique_ptr<MemoryBuffer>> openFileRead(StringRef path) {
  return readNoted(path, [&](sys::fs::file_t file) {
    return MemoryBuffer::getOpenFile(file, path, /*FileSize=*/-1,
                                     /*RequiresNullTerminator=*/false);
  });
}

ErrorOr<std::unique_ptr<MemoryBuffer>>
openFileRead(StringRef path, uint64_t offset, uint64_t length) {
  return readNoted(path, [&](sys::fs::file_t file) {
    return MemoryBuffer::getOpenFileSlice(file, path, length, int64_t(offset));
  });
}

bool isFileRead(StringRef path) {
  return filesRead.find(path.str()).has_value();
}

std::vector<KnownFile> takeFilesRead() {
  std::vector<KnownFile> files = filesRead.list();
  filesRead.clear();
  return files;
}

static thread_local std::set<std::string> filesAbsent;

void noteFileAbsent(StringRef path) {
  filesAbsent.insert(absolutePath(path.str()));
}

std::vector<std::string> takeFilesAbsent() {
  const std::set<std::string> files = std::exchange(filesAbsent, {});
  return {files.begin(), files.end()};
}
} // namespace gensyn

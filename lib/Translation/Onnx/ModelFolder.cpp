// Opens external data: beneath the model's folder, through no symbolic link,
// within the size of the file.

#include "ModelFolder.h"
#include "gensyn/Translation/Onnx/FilesRead.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

using namespace mlir;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {

std::string folderOf(StringRef path) {
  StringRef parent = llvm::sys::path::parent_path(path);
  return parent.empty() ? "." : parent.str();
}

static std::string digitsOf(llvm::BLAKE3 &hasher) {
  return llvm::toHex(ArrayRef<uint8_t>(hasher.final<32>()), /*LowerCase=*/true);
}

std::string blake3(StringRef bytes) {
  llvm::BLAKE3 hasher;
  hasher.update(bytes);
  return digitsOf(hasher);
}

ModelFolder::~ModelFolder() {
  for (auto &[name, file] : files)
    ::close(file.descriptor);
}

const ModelFolder::File *ModelFolder::open(StringRef name, ImportError &error) {
  if (auto it = files.find(name.str()); it != files.end())
    return &it->second;
  SmallVector<StringRef> parts;
  name.split(parts, '/', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (name.empty() || name.starts_with("/") || name.contains('\0') ||
      parts.empty() || llvm::is_contained(parts, "..")) {
    error = {Kind::BadModel, "external data '" + name.str() +
                                 "' lies outside the model's folder"};
    return nullptr;
  }
  // Opens one component at a time, so that no link on the path can lead out of
  // the folder.
  int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (descriptor < 0)
      break;
    int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC;
    // Opening a pipe would block until there is a writer.
    flags |= i + 1 < parts.size() ? O_DIRECTORY : O_NONBLOCK;
    int inner = ::openat(descriptor, part.str().c_str(), flags);
    int failed = errno;
    ::close(descriptor);
    descriptor = inner;
    errno = failed;
  }
  if (descriptor < 0) {
    bool link = errno == ELOOP;
    if (errno == ENOENT)
      absent.insert(name.str());
    error = {link ? Kind::BadModel : Kind::Io,
             "external data '" + name.str() + "' cannot be opened: " +
                 (link ? "it is a symbolic link" : std::strerror(errno))};
    return nullptr;
  }
  if (auto file = identifyFile(descriptor, folder + "/" + name.str()))
    noteFileRead(std::move(*file));
  struct stat status;
  if (::fstat(descriptor, &status) || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    error = {Kind::BadModel,
             "external data '" + name.str() + "' is not a regular file"};
    return nullptr;
  }
  return &(files[name.str()] = {descriptor, uint64_t(status.st_size)});
}

LogicalResult ModelFolder::stream(StringRef name, uint64_t offset,
                                  uint64_t length,
                                  function_ref<void(StringRef)> take,
                                  ImportError &error) {
  const File *file = open(name, error);
  if (!file)
    return failure();
  if (offset > file->size) {
    error = {Kind::BadModel, "offset " + std::to_string(offset) +
                                 " is past the end of '" + name.str() + "' (" +
                                 std::to_string(file->size) + " bytes)"};
    return failure();
  }
  if (length > file->size - offset) {
    error = {Kind::BadModel, "'" + name.str() + "' ends at " +
                                 std::to_string(file->size) + ", " +
                                 std::to_string(length) + " bytes from " +
                                 std::to_string(offset) + " are wanted"};
    return failure();
  }
  std::vector<char> buffer(std::min<uint64_t>(length, 1 << 20));
  while (length) {
    ssize_t count = ::pread(file->descriptor, buffer.data(),
                            std::min<uint64_t>(length, buffer.size()), offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      error = {Kind::Io,
               "'" + name.str() + "' cannot be read: " +
                   (count ? std::strerror(errno) : "it became shorter")};
      return failure();
    }
    take(StringRef(buffer.data(), count));
    offset += count;
    length -= count;
  }
  return success();
}

FailureOr<std::string> ModelFolder::hash(StringRef file, uint64_t offset,
                                         uint64_t length, ImportError &error) {
  llvm::BLAKE3 hasher;
  if (failed(stream(
          file, offset, length, [&](StringRef bytes) { hasher.update(bytes); },
          error)))
    return failure();
  return digitsOf(hasher);
}

FailureOr<std::string> ModelFolder::read(StringRef file, uint64_t offset,
                                         uint64_t length, ImportError &error) {
  std::string bytes;
  if (failed(stream(
          file, offset, length, [&](StringRef piece) { bytes.append(piece); },
          error)))
    return failure();
  return bytes;
}

bool ModelFolder::isAbsent(StringRef file) {
  ImportError ignored;
  if (!absent.count(file.str()) &&
      (open(file, ignored) || !absent.count(file.str())))
    return false;
  noteFileAbsent(folder + "/" + file.str());
  return true;
}

FailureOr<uint64_t> ModelFolder::size(StringRef name, ImportError &error) {
  const File *file = open(name, error);
  if (!file)
    return failure();
  return file->size;
}
} // namespace gensyn

// See OutputFile.h.

#include "OutputFile.h"
#include "gensyn/Translation/Onnx/FilesRead.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace mlir;

namespace gensyn {

OutputFile::OutputFile(StringRef path, ImportError &error)
    : path(path), temporary((path + "." + Twine(::getpid()) + ".part").str()),
      error(error) {
  if (isFileRead(path)) {
    error = {ImportError::Kind::Usage,
             this->path + ": is read, and would be replaced"};
    return;
  }
  descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    (void)fail();
}

OutputFile::~OutputFile() {
  if (descriptor < 0)
    return;
  ::close(descriptor);
  ::unlink(temporary.c_str());
}

LogicalResult OutputFile::fail() {
  if (error.kind == ImportError::Kind::None)
    error = {ImportError::Kind::Io,
             path + ": cannot be written: " + std::strerror(errno)};
  return failure();
}

LogicalResult OutputFile::write(StringRef bytes) {
  if (descriptor < 0)
    return failure();
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(),
                            std::min<size_t>(bytes.size(), 1 << 30));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return fail();
    bytes = bytes.drop_front(count);
  }
  return success();
}

LogicalResult OutputFile::commit() {
  if (descriptor < 0)
    return failure();
  if (::fsync(descriptor) || ::rename(temporary.c_str(), path.c_str()))
    return fail();
  ::close(descriptor);
  descriptor = -1;
  return success();
}
} // namespace gensyn

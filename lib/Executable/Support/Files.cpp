// Mapped reading and atomic writing over POSIX calls.

#include "gensyn/Executable/Support/Files.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/InputFiles.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gensyn {

namespace fs = std::filesystem;

[[noreturn]] static void failWith(const fs::path &path, const char *what,
                                  int number = errno) {
  failInputOutput(path.string() + ": " + what + ": " + std::strerror(number));
}

MappedFile::MappedFile(const fs::path &path, Origin origin) {
  // Non-blocking, so that a named pipe does not hang before it is refused.
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    failWith(path, "cannot be opened");
  struct stat status;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    failInputOutput(path.string() + ": is not a regular file");
  }
  try {
    map(file, path);
  } catch (...) {
    ::close(file);
    throw;
  }
  if (origin == Origin::Given)
    if (const std::optional<KnownFile> input = identifyFile(file, path))
      noteInput(*input);
  ::close(file);
}

MappedFile::MappedFile(int descriptor, const fs::path &path) {
  map(descriptor, path);
}

void MappedFile::map(int descriptor, const fs::path &path) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    failWith(path, "cannot be mapped");
  length = static_cast<size_t>(status.st_size);
  if (!length)
    return;
  void *place = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (place == MAP_FAILED)
    failWith(path, "cannot be mapped");
  bytes = static_cast<const uint8_t *>(place);
}

MappedFile::~MappedFile() {
  if (bytes)
    ::munmap(const_cast<uint8_t *>(bytes), length);
}

/// Advice applies to whole pages; a failure does no harm.
static void advise(const uint8_t *bytes, size_t size, int advice) {
  if (!size)
    return;
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(bytes);
  const uintptr_t first = begin / page * page;
  ::madvise(const_cast<uint8_t *>(bytes) - (begin - first),
            size + size_t(begin - first), advice);
}

void expectRandomAccess(const uint8_t *bytes, size_t size) {
  advise(bytes, size, MADV_RANDOM);
}

void prefetchMapped(const uint8_t *bytes, size_t size) {
  advise(bytes, size, MADV_WILLNEED);
}

void releaseMapped(const uint8_t *bytes, size_t size) {
  advise(bytes, size, MADV_DONTNEED);
}

AtomicFile::AtomicFile(const fs::path &path) : place(path) {
  requireNoInput(path);
  std::error_code ignored;
  // The target of a link is replaced, not the link.
  if (fs::is_symlink(path, ignored))
    if (fs::path named = fs::canonical(path, ignored); !named.empty())
      place = named;
  if (fs::is_directory(path, ignored))
    failInputOutput(path.string() + ": cannot be written: it is a folder");
  // A device or a pipe is written to; renaming a file over it would remove it.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
      failWith(path, "cannot be written");
    return;
  }
  temporary = place.string() + ".XXXXXX";
  descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0)
    failWith(path, "cannot be written");
  // mkostemp gives 0600; a result gets the permissions of any other file of the
  // user.
  mode_t mask = ::umask(0);
  ::umask(mask);
  (void)::fchmod(descriptor, 0666 & ~mask);
}

AtomicFile::~AtomicFile() {
  if (descriptor < 0)
    return;
  ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

void AtomicFile::write(const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size) {
    ssize_t written =
        ::write(descriptor, next, std::min<size_t>(size, 1 << 30));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      failWith(place, "cannot be written");
    next += written;
    size -= static_cast<size_t>(written);
  }
}

void AtomicFile::resize(uint64_t size) {
  // Flushed, so that other machines learn the size: within it they write the
  // bytes that they are given, and not the rest of a page.
  if (::ftruncate(descriptor, off_t(size)) != 0 || ::fsync(descriptor) != 0)
    failWith(place, "cannot be written");
}

void AtomicFile::commit() {
  if (!temporary.empty()) {
    if (::fsync(descriptor) != 0)
      failWith(place, "cannot be written");
    requireNoInput(place);
    if (::rename(temporary.c_str(), place.c_str()) != 0)
      failWith(place, "cannot be replaced");
  }
  ::close(descriptor);
  descriptor = -1;
}

FileParts::FileParts(const fs::path &path, fs::path shown)
    : name(std::move(shown)),
      descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW)) {
  if (descriptor < 0)
    failWith(name, "cannot be written");
}

FileParts::~FileParts() {
  if (descriptor >= 0)
    ::close(descriptor);
}

void FileParts::write(uint64_t offset, const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size) {
    ssize_t written = ::pwrite(descriptor, next,
                               std::min<size_t>(size, 1 << 30), off_t(offset));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      failWith(name, "cannot be written");
    next += written;
    offset += uint64_t(written);
    size -= static_cast<size_t>(written);
  }
}

void FileParts::commit() {
  // A file system of a network may report only here that its disk is full.
  const bool isFlushed = ::fsync(descriptor) == 0;
  const int number = errno;
  const bool isClosed = ::close(descriptor) == 0;
  descriptor = -1;
  if (!isFlushed || !isClosed)
    failWith(name, "cannot be written", isFlushed ? errno : number);
}

std::string readText(const fs::path &path, size_t limit) {
  MappedFile file(path);
  if (file.size() > limit)
    failInputOutput(path.string() + ": " + std::to_string(file.size()) +
                    " bytes are too many for such a file");
  return file.size() ? std::string(reinterpret_cast<const char *>(file.data()),
                                   file.size())
                     : std::string();
}

void writeText(const fs::path &path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void requireWritableFolder(const fs::path &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    failInputOutput(folder.string() + ": cannot be made: " +
                    (error ? error.message() : "it is not a folder"));
  std::string probe = (folder / ".probe.XXXXXX").string();
  int file = ::mkostemp(probe.data(), O_CLOEXEC);
  if (file < 0)
    failWith(folder, "cannot be written to");
  ::close(file);
  ::unlink(probe.c_str());
}

void requireWritableFile(const fs::path &path) { AtomicFile probe(path); }

std::filesystem::path executableOfProcess() {
  std::error_code error;
  auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path("gensyn-run") : path;
}

} // namespace gensyn

// One file per key. The folder is opened once and files are opened relative to
// it, so that a checked file cannot be replaced before it is used.

#include "gensyn/Executable/Support/CacheFolder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <tuple>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gensyn {

/// Checks that only this user may write. Returns the problem, or an empty
/// string.
static std::string checkOwner(const struct stat &status) {
  if (status.st_uid != ::geteuid())
    return "belongs to another user";
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return "may be written by others";
  return "";
}

/// Checks the parent folder: if others may rename its entries, they could
/// replace the folder.
static std::string checkParent(const struct stat &status) {
  if (status.st_uid != ::geteuid() && status.st_uid != 0)
    return "lies in a folder of another user";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) && !(status.st_mode & S_ISVTX))
    return "lies in a folder that others may write to";
  return "";
}

CacheFolder::CacheFolder(std::string path, std::string suffix, Digest digest)
    : path(std::move(path)), suffix(std::move(suffix)), digest(digest) {
  if (!this->path.empty())
    open();
}

CacheFolder::~CacheFolder() {
  if (descriptor >= 0)
    ::close(descriptor);
}

void CacheFolder::open() {
  const int opened = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0)
    return;
  struct stat own, parent;
  if (::fstat(opened, &own) || ::fstatat(opened, "..", &parent, 0))
    problem = "cannot be looked at";
  else if (problem = checkOwner(own); problem.empty())
    problem = checkParent(parent);
  if (problem.empty())
    descriptor = opened;
  else
    ::close(opened);
}

std::string CacheFolder::nameOf(std::string_view key) const {
  return std::string(key) + suffix;
}

/// Header of every entry, followed by the digits of a digest and the bytes.
static constexpr std::string_view kMagic = "gensyn kernel 2\n";
static constexpr size_t kDigits = 64;
static constexpr size_t kHeader = kMagic.size() + kDigits;
static constexpr uint64_t kMostBytes = uint64_t(1) << 30;

/// Prefix of the name of a file that is being written.
static constexpr std::string_view kTemporary = "tmp-";
/// Name of a file without bytes, of which those who make entries lock places.
static constexpr const char *kClaims = ".claims";
/// Age in seconds at which a temporary file is considered abandoned.
static constexpr time_t kAbandoned = 24 * 60 * 60;
/// Age in seconds of a file's time from which a use renews it.
static constexpr time_t kStale = 60 * 60;

/// Reads a file of a known size; std::nullopt if it has another one.
static std::optional<std::string> readAll(int file, size_t size) {
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    const ssize_t count = ::read(file, bytes.data() + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    done += size_t(count);
  }
  return bytes;
}

std::optional<std::string> CacheFolder::load(std::string_view key) const {
  if (descriptor < 0)
    return std::nullopt;
  // Opening a pipe would block.
  const int opened = ::openat(descriptor, nameOf(key).c_str(),
                              O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0)
    return std::nullopt;
  std::optional<std::string> entry;
  struct stat status;
  if (!::fstat(opened, &status) && S_ISREG(status.st_mode) &&
      checkOwner(status).empty() && status.st_size >= off_t(kHeader) &&
      uint64_t(status.st_size) <= kMostBytes)
    entry = readAll(opened, size_t(status.st_size));
  // trim() removes the files with the oldest times.
  if (entry && status.st_mtim.tv_sec < ::time(nullptr) - kStale)
    ::futimens(opened, nullptr);
  ::close(opened);
  if (!entry || !entry->starts_with(kMagic))
    return std::nullopt;
  const std::string_view bytes = std::string_view(*entry).substr(kHeader);
  if (digest({key, bytes}) != entry->substr(kMagic.size(), kDigits))
    return std::nullopt;
  return std::string(bytes);
}

static bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes.remove_prefix(size_t(count));
  }
  return true;
}

bool CacheFolder::write(const std::string &name, std::string_view key,
                        std::string_view bytes) const {
  const int opened =
      ::openat(descriptor, name.c_str(),
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (opened < 0)
    return false;
  const bool isWhole = writeAll(opened, kMagic) &&
                       writeAll(opened, digest({key, bytes})) &&
                       writeAll(opened, bytes);
  return ::close(opened) == 0 && isWhole;
}

/// Makes the folder where it is missing.
void CacheFolder::create() {
  if (path.empty() || !problem.empty() || descriptor >= 0)
    return;
  std::filesystem::path folder;
  for (const std::filesystem::path &part : std::filesystem::path(path))
    ::mkdir((folder /= part).c_str(), 0700);
  open();
}

CacheClaim::~CacheClaim() {
  if (file >= 0)
    ::close(file);
}

/// Returns a place in the file of claims. Digits are hexadecimal; a place has
/// 63 bits.
static off_t placeOf(std::string_view key) {
  constexpr size_t digits = 15;
  return off_t(
      std::strtoull(std::string(key.substr(0, digits)).c_str(), nullptr, 16));
}

std::optional<CacheClaim> CacheFolder::claim(std::string_view key) {
  create();
  if (descriptor < 0)
    return CacheClaim(-1);
  const int opened =
      ::openat(descriptor, kClaims,
               O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  // The lock of a byte belongs to what was opened, not to the process, and is
  // gone when that is closed.
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = placeOf(key);
  lock.l_len = 1;
  if (opened < 0 || ::fcntl(opened, F_OFD_SETLK, &lock) == 0)
    return CacheClaim(opened);
  const bool isTaken = errno == EAGAIN || errno == EACCES;
  ::close(opened);
  if (isTaken)
    return std::nullopt;
  return CacheClaim(-1);
}

void CacheFolder::store(std::string_view key, std::string_view bytes) {
  if (bytes.size() > kMostBytes - kHeader)
    return;
  create();
  if (descriptor < 0)
    return;
  // Several processes, and threads of each, may store the same key.
  static std::atomic<unsigned> count = 0;
  const std::string temporary =
      nameOf(std::string(kTemporary) + std::to_string(::getpid()) + "-" +
             std::to_string(count++));
  const bool isKept = write(temporary, key, bytes) &&
                      ::renameat(descriptor, temporary.c_str(), descriptor,
                                 nameOf(key).c_str()) == 0;
  if (!isKept)
    ::unlinkat(descriptor, temporary.c_str(), 0);
}

void CacheFolder::trim(uint64_t most) const {
  if (descriptor < 0)
    return;
  DIR *listing = ::fdopendir(
      ::openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!listing)
    return;
  // Sorted by seconds and nanoseconds of the last use.
  std::vector<std::tuple<time_t, long, std::string, uint64_t>> files;
  uint64_t total = 0;
  while (const dirent *entry = ::readdir(listing)) {
    const std::string_view name = entry->d_name;
    struct stat status;
    if (!name.ends_with(suffix) ||
        ::fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(status.st_mode))
      continue;
    if (!name.starts_with(kTemporary)) {
      files.emplace_back(status.st_mtim.tv_sec, status.st_mtim.tv_nsec, name,
                         uint64_t(status.st_size));
      total += uint64_t(status.st_size);
    } else if (status.st_mtim.tv_sec < ::time(nullptr) - kAbandoned) {
      ::unlinkat(descriptor, entry->d_name, 0);
    }
  }
  ::closedir(listing);
  if (total <= most)
    return;
  std::sort(files.begin(), files.end());
  for (const auto &[seconds, nanoseconds, name, size] : files) {
    if (total <= most / 2)
      break;
    ::unlinkat(descriptor, name.c_str(), 0);
    total -= size;
  }
}

} // namespace gensyn

// One file per kernel. The folder is opened once and files are opened relative
// to it, so that a checked file cannot be replaced before it is used.

#include "KernelCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <ctime>
#include <tuple>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gensyn::cpu {

std::string digestOf(llvm::ArrayRef<llvm::StringRef> parts) {
  llvm::BLAKE3 hasher;
  for (llvm::StringRef part : parts) {
    // Lengths are hashed too, so that different lists of parts hash different
    // bytes.
    hasher.update(std::to_string(part.size()) + ":");
    hasher.update(part);
  }
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

/// Returns a string that identifies this build of the compiler: path, size and
/// modification time of the file that contains this code.
static const std::string &compilerIdentity() {
  static const std::string identity = [] {
    std::string text = "gensyn 1, LLVM " LLVM_VERSION_STRING;
    Dl_info info;
    llvm::sys::fs::file_status status;
    if (dladdr(reinterpret_cast<const void *>(&compilerIdentity), &info) &&
        info.dli_fname && !llvm::sys::fs::status(info.dli_fname, status))
      text += ", " + std::to_string(status.getSize()) + " " +
              std::to_string(
                  status.getLastModificationTime().time_since_epoch().count());
    return text;
  }();
  return identity;
}

std::string KernelCache::keyOf(llvm::StringRef text, llvm::StringRef target) {
  return digestOf({compilerIdentity(), target, text});
}

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

KernelCache::KernelCache(std::string path) : folder(std::move(path)) {
  if (!folder.empty())
    open();
}

KernelCache::~KernelCache() {
  if (descriptor >= 0)
    ::close(descriptor);
}

void KernelCache::open() {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0)
    return;
  struct stat own, parent;
  if (::fstat(opened, &own) || ::fstatat(opened, "..", &parent, 0))
    problem = "cannot be looked at";
  else if (problem = checkOwner(own); problem.empty())
    problem = checkParent(parent);
  if (problem.empty()) {
    descriptor = opened;
    return;
  }
  ::close(opened);
  problem = "the kernel cache '" + folder + "' " + problem +
            "; kernels are compiled without it";
}

static std::string nameOf(llvm::StringRef key) { return key.str() + ".o"; }

/// Header of every entry, followed by 64 digits of a digest and the object.
static constexpr llvm::StringLiteral kMagic = "gensyn kernel 2\n";
static constexpr size_t kHeader = kMagic.size() + 64;
static constexpr uint64_t kMostBytes = uint64_t(1) << 30;

/// Prefix of the name of a file that is being written.
static constexpr llvm::StringLiteral kTemporary = "tmp-";
/// Age in seconds at which a temporary file is considered abandoned.
static constexpr time_t kAbandoned = 24 * 60 * 60;

std::optional<std::string> KernelCache::load(llvm::StringRef key) const {
  if (descriptor < 0)
    return std::nullopt;
  // Opening a pipe would block.
  const int opened = ::openat(descriptor, nameOf(key).c_str(),
                              O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0)
    return std::nullopt;
  auto close = llvm::make_scope_exit([&] { ::close(opened); });
  struct stat status;
  if (::fstat(opened, &status) || !S_ISREG(status.st_mode) ||
      !checkOwner(status).empty() || status.st_size < off_t(kHeader) ||
      uint64_t(status.st_size) > kMostBytes)
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getOpenFile(
      opened, key, uint64_t(status.st_size), /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/true);
  if (!file || (*file)->getBufferSize() < kHeader)
    return std::nullopt;
  llvm::StringRef bytes = (*file)->getBuffer();
  if (!bytes.consume_front(kMagic))
    return std::nullopt;
  llvm::StringRef object = bytes.drop_front(64);
  if (digestOf({key, object}) != bytes.take_front(64))
    return std::nullopt;
  return object.str();
}

bool KernelCache::write(const std::string &name, llvm::StringRef key,
                        llvm::StringRef object) const {
  const int opened =
      ::openat(descriptor, name.c_str(),
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (opened < 0)
    return false;
  llvm::raw_fd_ostream stream(opened, /*shouldClose=*/true);
  stream << kMagic << digestOf({key, object}) << object;
  stream.close();
  const bool isWhole = !stream.has_error();
  stream.clear_error();
  return isWhole;
}

void KernelCache::store(llvm::StringRef key, llvm::StringRef object) {
  if (folder.empty() || !problem.empty())
    return;
  if (descriptor < 0) {
    llvm::sys::fs::create_directories(folder, /*IgnoreExisting=*/true,
                                      llvm::sys::fs::owner_all);
    open();
  }
  if (descriptor < 0)
    return;
  // Several processes, and threads of each, may store the same kernel.
  static std::atomic<unsigned> count = 0;
  const std::string temporary = kTemporary.str() + std::to_string(::getpid()) +
                                "-" + std::to_string(count++) + ".o";
  const bool isKept = write(temporary, key, object) &&
                      ::renameat(descriptor, temporary.c_str(), descriptor,
                                 nameOf(key).c_str()) == 0;
  if (!isKept)
    ::unlinkat(descriptor, temporary.c_str(), 0);
}

void KernelCache::trim(size_t most) const {
  if (descriptor < 0)
    return;
  DIR *listing = ::fdopendir(
      ::openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!listing)
    return;
  auto close = llvm::scope_exit([&] { ::closedir(listing); });
  // Sorted by seconds and nanoseconds of the last modification.
  std::vector<std::tuple<time_t, long, std::string>> files;
  while (const dirent *entry = ::readdir(listing)) {
    const llvm::StringRef name = entry->d_name;
    struct stat status;
    if (!name.ends_with(".o") ||
        ::fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(status.st_mode))
      continue;
    if (!name.starts_with(kTemporary))
      files.emplace_back(status.st_mtim.tv_sec, status.st_mtim.tv_nsec, name);
    else if (status.st_mtim.tv_sec < ::time(nullptr) - kAbandoned)
      ::unlinkat(descriptor, entry->d_name, 0);
  }
  if (files.size() <= most)
    return;
  llvm::sort(files);
  for (const auto &file : llvm::ArrayRef(files).take_front(files.size() / 2))
    ::unlinkat(descriptor, std::get<2>(file).c_str(), 0);
}

} // namespace gensyn::cpu

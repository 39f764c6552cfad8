// A file per kernel: 64 digits of its digest, then the object.

#include "KernelCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

namespace gensyn::cpu {

std::string digestOf(llvm::ArrayRef<llvm::StringRef> parts) {
  llvm::BLAKE3 hasher;
  for (llvm::StringRef part : parts) {
    // Lengths too, so that no two lists of parts hash the same bytes.
    hasher.update(std::to_string(part.size()) + ":");
    hasher.update(part);
  }
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

/// What tells this build of the compiler from another: the file that holds this
/// code, its size and its time.
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

std::string KernelCache::pathOf(llvm::StringRef key) const {
  return folder + "/" + key.str() + ".o";
}

std::optional<std::string> KernelCache::load(llvm::StringRef key) const {
  if (folder.empty())
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(pathOf(key), /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false,
                                          /*IsVolatile=*/true);
  if (!file || (*file)->getBufferSize() < 64)
    return std::nullopt;
  llvm::StringRef digest = (*file)->getBuffer().take_front(64);
  llvm::StringRef object = (*file)->getBuffer().drop_front(64);
  if (digestOf(object) != digest)
    return std::nullopt;
  return object.str();
}

void KernelCache::store(llvm::StringRef key, llvm::StringRef object) const {
  if (folder.empty() || llvm::sys::fs::create_directories(folder))
    return;
  auto file = llvm::sys::fs::TempFile::create(folder + "/tmp-%%%%%%%%");
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  {
    llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
    stream << digestOf(object) << object;
    stream.flush();
    if (stream.has_error()) {
      stream.clear_error();
      llvm::consumeError(file->discard());
      return;
    }
  }
  if (llvm::Error failed = file->keep(pathOf(key)))
    llvm::consumeError(std::move(failed));
}

void KernelCache::trim(size_t most) const {
  std::vector<std::pair<llvm::sys::TimePoint<>, std::string>> files;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator file(folder, code), end;
       !code && file != end; file.increment(code))
    if (auto status = file->status())
      files.emplace_back(status->getLastModificationTime(), file->path());
  if (files.size() <= most)
    return;
  llvm::sort(files);
  for (const auto &file : llvm::ArrayRef(files).take_front(files.size() / 2))
    llvm::sys::fs::remove(file.second);
}

} // namespace gensyn::cpu

// Keys of compiled kernels; the files are CacheFolder's.

#include "KernelCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>

namespace gensyn::cpu {

std::string digestOf(std::initializer_list<std::string_view> parts) {
  llvm::BLAKE3 hasher;
  for (std::string_view part : parts) {
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

std::string KernelCache::keyOf(llvm::StringRef text, llvm::StringRef target,
                               bool optimize) {
  return digestOf({compilerIdentity(), target, optimize ? "" : "-O0", text});
}

KernelCache::KernelCache(const std::string &path)
    : folder(path, ".o", digestOf) {
  if (!folder.getProblem().empty())
    problem = "the kernel cache '" + path + "' " + folder.getProblem() +
              "; kernels are compiled without it";
}

} // namespace gensyn::cpu

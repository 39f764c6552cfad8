// Compiled kernels on disk, so that a program compiles once per user.

#ifndef GENSYN_LIB_CODEGEN_CPU_KERNELCACHE_H
#define GENSYN_LIB_CODEGEN_CPU_KERNELCACHE_H

#include "gensyn/Executable/Support/CacheFolder.h"
#include "llvm/ADT/StringRef.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace gensyn::cpu {

/// Returns the BLAKE3 digest of a list of texts as 64 hexadecimal digits.
std::string digestOf(std::initializer_list<std::string_view> parts);

/// The folder of objects; see CacheFolder.
class KernelCache {
public:
  explicit KernelCache(const std::string &path);

  /// Returns the key of a kernel: a digest of its text, the target, whether its
  /// code is optimized, and this compiler.
  static std::string keyOf(llvm::StringRef text, llvm::StringRef target,
                           bool optimize);

  /// The reason why the folder is not used, as a line for the user; empty if it
  /// is used.
  const std::string &getProblem() const { return problem; }

  std::optional<std::string> load(llvm::StringRef key) const {
    return folder.load(key);
  }
  void store(llvm::StringRef key, llvm::StringRef object) {
    folder.store(key, object);
  }
  std::optional<CacheClaim> claim(llvm::StringRef key) {
    return folder.claim(key);
  }
  void trim(uint64_t most) const { folder.trim(most); }

private:
  CacheFolder folder;
  std::string problem;
};

} // namespace gensyn::cpu

#endif

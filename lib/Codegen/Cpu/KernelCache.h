// Compiled kernels on disk, so that a program compiles once per user.

#ifndef GENSYN_LIB_CODEGEN_CPU_KERNELCACHE_H
#define GENSYN_LIB_CODEGEN_CPU_KERNELCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace gensyn::cpu {

/// The BLAKE3 digest of a list of texts, 64 hexadecimal digits.
std::string digestOf(llvm::ArrayRef<llvm::StringRef> parts);

class KernelCache {
public:
  /// An empty folder keeps nothing. The folder is made when it is needed.
  explicit KernelCache(std::string folder) : folder(std::move(folder)) {}

  /// The key of a kernel: a digest of its text, the target and this compiler.
  static std::string keyOf(llvm::StringRef text, llvm::StringRef target);

  /// The object under that key; nothing if it is not there, or damaged.
  std::optional<std::string> load(llvm::StringRef key) const;

  /// Keeps the object, by renaming a complete file. A cache that cannot be
  /// written is slow, not an error.
  void store(llvm::StringRef key, llvm::StringRef object) const;

  /// Removes the older half of the objects where there are more than `most`: a
  /// new compiler has no use for the kernels of the old one.
  void trim(size_t most) const;

private:
  std::string pathOf(llvm::StringRef key) const;
  std::string folder;
};

} // namespace gensyn::cpu

#endif

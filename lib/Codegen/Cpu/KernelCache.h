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

/// A folder of one user. What is in it is run, so a folder or an entry that
/// somebody else owns or may write to is not used, nor an entry whose digest is
/// not that of its key, its size and its bytes, nor one that is no plain file.
class KernelCache {
public:
  /// An empty folder keeps nothing. The folder is made when it is needed, for
  /// its user alone.
  explicit KernelCache(std::string folder);
  ~KernelCache();
  KernelCache(const KernelCache &) = delete;
  KernelCache &operator=(const KernelCache &) = delete;

  /// The key of a kernel: a digest of its text, the target and this compiler.
  static std::string keyOf(llvm::StringRef text, llvm::StringRef target);

  /// Why the folder is not used: a line for the user; empty where it is.
  const std::string &getProblem() const { return problem; }

  /// The object under that key; nothing if it is not there, or is not to be
  /// trusted.
  std::optional<std::string> load(llvm::StringRef key) const;

  /// Keeps the object, by renaming a complete file, in place of whatever is
  /// there. A cache that cannot be written is slow, not an error.
  void store(llvm::StringRef key, llvm::StringRef object);

  /// Removes the older half of the objects where there are more than `most`: a
  /// new compiler has no use for the kernels of the old one. What another
  /// process is writing is neither counted nor removed, unless it is a day old.
  void trim(size_t most) const;

private:
  void open();
  bool write(const std::string &name, llvm::StringRef key,
             llvm::StringRef object) const;

  std::string folder, problem;
  int descriptor = -1; ///< of the folder; -1: it is not there, or not used
};

} // namespace gensyn::cpu

#endif

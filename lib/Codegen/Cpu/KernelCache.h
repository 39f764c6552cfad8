// Compiled kernels on disk, so that a program compiles once per user.

#ifndef GENSYN_LIB_CODEGEN_CPU_KERNELCACHE_H
#define GENSYN_LIB_CODEGEN_CPU_KERNELCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace gensyn::cpu {

/// Returns the BLAKE3 digest of a list of texts as 64 hexadecimal digits.
std::string digestOf(llvm::ArrayRef<llvm::StringRef> parts);

/// A folder of one user. Its contents are executed, so a folder or an entry
/// that another user owns or may write to is not used, and neither is an entry
/// that is not a regular file or whose digest does not match its key, its size
/// and its bytes.
class KernelCache {
public:
  /// With an empty name nothing is cached. The folder is created on demand,
  /// accessible to its user alone.
  explicit KernelCache(std::string folder);
  ~KernelCache();
  KernelCache(const KernelCache &) = delete;
  KernelCache &operator=(const KernelCache &) = delete;

  /// Returns the key of a kernel: a digest of its text, the target and this
  /// compiler.
  static std::string keyOf(llvm::StringRef text, llvm::StringRef target);

  /// The reason why the folder is not used, as a line for the user; empty if it
  /// is used.
  const std::string &getProblem() const { return problem; }

  /// Returns the object with that key; std::nullopt if there is none or it is
  /// not trusted.
  std::optional<std::string> load(llvm::StringRef key) const;

  /// Stores the object by renaming a complete file, replacing any existing one.
  /// A cache that cannot be written costs time but is not an error.
  void store(llvm::StringRef key, llvm::StringRef object);

  /// Removes the older half of the objects if there are more than `most`, e.g.
  /// those of an older compiler. Temporary files of other processes are neither
  /// counted nor removed, unless they are a day old.
  void trim(size_t most) const;

private:
  void open();
  bool write(const std::string &name, llvm::StringRef key,
             llvm::StringRef object) const;

  std::string folder, problem;
  int descriptor = -1; ///< of the folder; -1: missing or not used
};

} // namespace gensyn::cpu

#endif

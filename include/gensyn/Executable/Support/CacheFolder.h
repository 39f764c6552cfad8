// A folder of files that can be made again, shared by the processes of a user.
#ifndef GENSYN_EXECUTABLE_SUPPORT_CACHEFOLDER_H
#define GENSYN_EXECUTABLE_SUPPORT_CACHEFOLDER_H

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace gensyn {

/// The limit of each of the folders that processes of a user share.
inline constexpr uint64_t kCacheBytes = uint64_t(1) << 30;

/// A folder of one user, with a file for each key. Its contents are executed,
/// so a folder or an entry that another user owns or may write to is not used,
/// and neither is an entry that is not a regular file or whose digest does not
/// match its key, its size and its bytes.
class CacheFolder {
public:
  /// Returns the BLAKE3 digest of a list of texts as 64 hexadecimal digits.
  using Digest = std::string (*)(std::initializer_list<std::string_view>);

  /// With an empty name nothing is cached. The folder is created on demand,
  /// accessible to its user alone. Names of files end with `suffix`.
  CacheFolder(std::string path, std::string suffix, Digest digest);
  ~CacheFolder();
  CacheFolder(const CacheFolder &) = delete;
  CacheFolder &operator=(const CacheFolder &) = delete;

  /// The reason why the folder is not used, without a subject; empty if it is
  /// used.
  const std::string &getProblem() const { return problem; }

  /// Returns the bytes with that key; std::nullopt if there are none or they
  /// are not trusted.
  std::optional<std::string> load(std::string_view key) const;

  /// Stores bytes by renaming a complete file, replacing any existing one. A
  /// cache that cannot be written costs time but is not an error.
  void store(std::string_view key, std::string_view bytes);

  /// If the files take more than `most` bytes, removes those that were not used
  /// for the longest time until at most half as many are left. Temporary files
  /// of other processes are neither counted nor removed, unless they are a day
  /// old.
  void trim(uint64_t most) const;

private:
  void open();
  bool write(const std::string &name, std::string_view key,
             std::string_view bytes) const;
  std::string nameOf(std::string_view key) const;

  std::string path, suffix, problem;
  Digest digest;
  int descriptor = -1; ///< of the folder; -1: missing or not used
};

} // namespace gensyn

#endif

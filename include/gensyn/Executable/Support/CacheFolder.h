// A folder of files that can be made again, shared by the processes of a user.
#ifndef GENSYN_EXECUTABLE_SUPPORT_CACHEFOLDER_H
#define GENSYN_EXECUTABLE_SUPPORT_CACHEFOLDER_H

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gensyn {

/// The limit of each of the folders that processes of a user share.
inline constexpr uint64_t kCacheBytes = uint64_t(1) << 30;

/// The right to make the bytes of a key, which one holder of all processes has
/// at a time. It ends with the object, or with its process.
class CacheClaim {
public:
  /// Takes a file with a lock; -1: a claim that excludes nobody.
  explicit CacheClaim(int file) : file(file) {}
  CacheClaim(CacheClaim &&other) noexcept
      : file(std::exchange(other.file, -1)) {}
  CacheClaim &operator=(CacheClaim &&) = delete;
  ~CacheClaim();

private:
  int file;
};

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

  /// Returns std::nullopt while the key has another claim, of this process or
  /// of another one. Two keys may, by a rare chance, exclude each other. Where
  /// nothing can be locked, nobody is excluded.
  std::optional<CacheClaim> claim(std::string_view key);

  /// If the files take more than `most` bytes, removes those that were not used
  /// for the longest time until at most half as many are left. Temporary files
  /// of other processes are neither counted nor removed, unless they are a day
  /// old.
  void trim(uint64_t most) const;

private:
  void open();
  void create();
  bool write(const std::string &name, std::string_view key,
             std::string_view bytes) const;
  std::string nameOf(std::string_view key) const;

  std::string path, suffix, problem;
  Digest digest;
  int descriptor = -1; ///< of the folder; -1: missing or not used
};

} // namespace gensyn

#endif

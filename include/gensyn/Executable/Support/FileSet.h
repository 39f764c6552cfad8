// Files identified by device and inode, whatever path or link leads to them.
#ifndef GENSYN_EXECUTABLE_SUPPORT_FILESET_H
#define GENSYN_EXECUTABLE_SUPPORT_FILESET_H

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gensyn {

/// A regular file by device and inode, and an absolute path without "." that
/// led to it.
struct KnownFile {
  uint64_t device = 0;
  uint64_t inode = 0;
  std::string path;
};

/// Makes `path` absolute, without "." and doubled slashes. ".." stays: only the
/// system can resolve it after a link.
std::string absolutePath(const std::filesystem::path &path);

/// Identifies the regular file that is open as `descriptor` and that `path` led
/// to; std::nullopt for any other kind of file.
std::optional<KnownFile> identifyFile(int descriptor,
                                      const std::filesystem::path &path);

/// Identifies the regular file that `path` leads to now; std::nullopt if there
/// is none.
std::optional<KnownFile> identifyFile(const std::filesystem::path &path);

class FileSet {
public:
  void insert(KnownFile file);

  /// Returns the path under which the file at `path` was inserted; std::nullopt
  /// if it is not in the set. On a match it checks that one of the recorded
  /// paths still leads to the file, because the inode of a removed file is
  /// reused.
  std::optional<std::string> find(const std::filesystem::path &path) const;

  std::vector<KnownFile> list() const;
  bool empty() const { return files.empty(); }
  void clear() { files.clear(); }

private:
  std::map<std::pair<uint64_t, uint64_t>, std::set<std::string>> files;
};

} // namespace gensyn

#endif

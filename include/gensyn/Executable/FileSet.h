// Files identified by device and inode, whatever path or link leads to them.
#ifndef GENSYN_EXECUTABLE_FILESET_H
#define GENSYN_EXECUTABLE_FILESET_H

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gensyn {

/// A regular file by the system's numbers, and an absolute path without "."
/// that led to it.
struct KnownFile {
  uint64_t device = 0;
  uint64_t inode = 0;
  std::string path;
};

/// `path` made absolute, without "." and doubled slashes. ".." stays: only the
/// system can resolve it after a link.
std::string absolutePath(const std::filesystem::path &path);

/// The regular file that is open as `descriptor` and that `path` led to;
/// nothing for any other kind of file.
std::optional<KnownFile> identifyFile(int descriptor,
                                      const std::filesystem::path &path);

/// The regular file that `path` leads to now; nothing if there is none.
std::optional<KnownFile> identifyFile(const std::filesystem::path &path);

class FileSet {
public:
  void insert(KnownFile file);

  /// The path under which the file at `path` was inserted; nothing if it is not
  /// in the set. For a file that seems to be in the set it checks that one of
  /// its paths still leads to it, because the number of a removed file is
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

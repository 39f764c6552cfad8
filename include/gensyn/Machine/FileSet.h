// Files known by device and inode, whatever path or link leads to them.
#ifndef GENSYN_MACHINE_FILESET_H
#define GENSYN_MACHINE_FILESET_H

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

/// `path` made absolute, without "." and doubled slashes. ".." stays: what
/// lies above a link is for the system to say.
std::string absolutePath(const std::filesystem::path &path);

/// The regular file that `descriptor` is open on and `path` led to; nothing
/// where it is of another kind.
std::optional<KnownFile> identifyFile(int descriptor,
                                      const std::filesystem::path &path);

/// The regular file that `path` leads to now; nothing where there is none.
std::optional<KnownFile> identifyFile(const std::filesystem::path &path);

class FileSet {
public:
  void insert(KnownFile file);

  /// A path by which the file that `path` leads to was inserted; nothing where
  /// it is not in the set. Asks the system once for a file that is not: only
  /// for one that seems to be, whether a path of it still leads there, because
  /// the number of a removed file is given to a new one.
  std::optional<std::string> find(const std::filesystem::path &path) const;

  std::vector<KnownFile> list() const;
  bool empty() const { return files.empty(); }
  void clear() { files.clear(); }

private:
  std::map<std::pair<uint64_t, uint64_t>, std::set<std::string>> files;
};

} // namespace gensyn

#endif

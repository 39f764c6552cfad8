// Files in a map from device and inode to paths.

#include "gensyn/Executable/Support/FileSet.h"

#include <sys/stat.h>

namespace gensyn {

namespace fs = std::filesystem;

std::string absolutePath(const fs::path &path) {
  std::error_code ignored;
  fs::path clean;
  for (const fs::path &part : fs::absolute(path, ignored))
    if (part != "." && !part.empty())
      clean /= part;
  return clean.string();
}

static std::optional<KnownFile> identifyFile(const struct stat &status,
                                             const fs::path &path) {
  if (!S_ISREG(status.st_mode))
    return std::nullopt;
  return KnownFile{status.st_dev, status.st_ino, absolutePath(path)};
}

std::optional<KnownFile> identifyFile(int descriptor, const fs::path &path) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return std::nullopt;
  return identifyFile(status, path);
}

std::optional<KnownFile> identifyFile(const fs::path &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return std::nullopt;
  return identifyFile(status, path);
}

void FileSet::insert(KnownFile file) {
  files[{file.device, file.inode}].insert(std::move(file.path));
}

std::optional<std::string> FileSet::find(const fs::path &path) const {
  if (files.empty())
    return std::nullopt;
  const std::optional<KnownFile> asked = identifyFile(path);
  if (!asked)
    return std::nullopt;
  const auto found = files.find({asked->device, asked->inode});
  if (found == files.end())
    return std::nullopt;
  // The same name makes a shorter message.
  if (found->second.count(asked->path))
    return asked->path;
  for (const std::string &known : found->second)
    if (const std::optional<KnownFile> now = identifyFile(known);
        now && now->device == asked->device && now->inode == asked->inode)
      return known;
  return std::nullopt;
}

std::vector<KnownFile> FileSet::list() const {
  std::vector<KnownFile> all;
  for (const auto &[number, paths] : files)
    for (const std::string &path : paths)
      all.push_back({number.first, number.second, path});
  return all;
}

} // namespace gensyn

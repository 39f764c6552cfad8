// The files that a run of a tool writes at its end.
#ifndef GENSYN_EXECUTABLE_SUPPORT_OUTPUTFILES_H
#define GENSYN_EXECUTABLE_SUPPORT_OUTPUTFILES_H

#include "gensyn/Executable/Support/Files.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gensyn {

/// Paths are claimed before the work and files are written after it, so that
/// problems are found early and no incomplete output remains.
class OutputFiles {
public:
  /// Checks that a file could be created at `path`. Throws a Failure: I/O if
  /// not, usage if it is an input (InputFiles.h) or was claimed before. Devices
  /// and pipes may be claimed repeatedly.
  void claim(const std::filesystem::path &path);

  /// Adds the contents of the file at `path`, which was claimed.
  void add(const std::filesystem::path &path, std::string text);

  /// Writes all added contents to temporary files next to their targets.
  void write();

  /// Renames the temporary files to their targets.
  void commit();

private:
  struct Content {
    std::filesystem::path path;
    std::string text;
  };
  std::vector<std::filesystem::path> claimed; ///< links followed
  std::vector<Content> contents;
  std::vector<std::unique_ptr<AtomicFile>> files;
};

} // namespace gensyn

#endif

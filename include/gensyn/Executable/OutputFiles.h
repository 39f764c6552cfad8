// The files that a run of a tool writes at its end.
#ifndef GENSYN_EXECUTABLE_OUTPUTFILES_H
#define GENSYN_EXECUTABLE_OUTPUTFILES_H

#include "gensyn/Executable/Files.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gensyn {

/// Names are claimed before the work and files written after it, so that what
/// is wrong with one of them is known early and leaves none behind.
class OutputFiles {
public:
  /// Proves that a file could be made at `path`. Throws a Failure: I/O where it
  /// could not, usage where it is an input (InputFiles.h) or was claimed
  /// before. A device or a pipe may be claimed often.
  void claim(const std::filesystem::path &path);

  /// Keeps what will be in the file at `path`, which was claimed.
  void add(const std::filesystem::path &path, std::string text);

  /// Writes what was added beside the places of the files.
  void write();

  /// Moves what was written to its places.
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

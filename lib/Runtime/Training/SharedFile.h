// A file that several ranks write together.
#ifndef GENSYN_LIB_RUNTIME_SHAREDFILE_H
#define GENSYN_LIB_RUNTIME_SHAREDFILE_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Files.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace gensyn::runtime {

/// The first rank makes a temporary file (AtomicFile), into which ranks that
/// see its folder write. It gets its name when the bytes of all are on the
/// disk. All ranks make the object and call commit() at the same time; a
/// failure of one ends all.
class SharedFile {
public:
  /// `folder` is that of findSharers(), in which the first rank's `file` is;
  /// `usesFiles` is true on the ranks that share it. The file begins with
  /// `header`. Throws a Failure (I/O).
  SharedFile(communication::Communicator &ranks,
             const std::filesystem::path &folder,
             const std::filesystem::path &file, bool usesFiles,
             std::string_view header, uint64_t size);

  /// False if the file is not in the folder, since a link leads out of it: then
  /// the first rank alone can write it.
  bool isShared() const { return shared; }
  void write(uint64_t offset, std::span<const std::byte> bytes);
  void commit();

private:
  communication::Communicator &ranks;
  bool shared = false;
  /// On the first rank.
  std::optional<AtomicFile> whole;
  std::optional<FileParts> parts;
};

} // namespace gensyn::runtime

#endif

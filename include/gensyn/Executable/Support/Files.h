// Memory-mapped reading and atomic writing of files.
#ifndef GENSYN_EXECUTABLE_SUPPORT_FILES_H
#define GENSYN_EXECUTABLE_SUPPORT_FILES_H

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace gensyn {

/// A file's bytes, mapped read-only for the life of the object. Only regular
/// files are opened: a device or a pipe could be endless.
class MappedFile {
public:
  /// The origin of a file: a file that the user gave is an input
  /// (InputFiles.h), a file that the program itself wrote is not.
  enum class Origin { Given, Own };

  /// Throws a Failure (I/O) if the file cannot be opened or mapped.
  explicit MappedFile(const std::filesystem::path &path,
                      Origin origin = Origin::Given);
  /// Maps an open file, which the caller continues to own; messages call it
  /// `path`.
  MappedFile(int descriptor, const std::filesystem::path &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const uint8_t *data() const { return bytes; }
  size_t size() const { return length; }

private:
  void map(int descriptor, const std::filesystem::path &path);

  const uint8_t *bytes = nullptr;
  size_t length = 0;
};

/// Announces random access to mapped bytes: reading a page should not read
/// ahead.
void expectRandomAccess(const uint8_t *bytes, size_t size);

/// Starts reading mapped bytes, so that several reads overlap.
void prefetchMapped(const uint8_t *bytes, size_t size);

/// Announces that mapped bytes will not be read again soon: their pages may be
/// dropped and are read from the file again if needed.
void releaseMapped(const uint8_t *bytes, size_t size);

/// Writes a temporary file next to the target and renames it when it is
/// complete and flushed: readers see the old file or the new one, never a part.
/// Without commit() nothing is left behind. Links are followed; devices and
/// pipes are written to directly. Throws a Failure (usage) if the file is one
/// of the tool's inputs (InputFiles.h), even if it became one before commit().
class AtomicFile {
public:
  /// Throws a Failure (I/O) if the file cannot be written.
  explicit AtomicFile(const std::filesystem::path &path);
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void write(const void *data, size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Gives the file that many bytes, those that were not written being zero.
  void resize(uint64_t size);
  /// The temporary file; empty for devices and pipes.
  const std::string &temporaryPath() const { return temporary; }
  void commit();

private:
  std::filesystem::path place;
  std::string temporary;
  int descriptor = -1;
};

/// Writes parts of an AtomicFile of another process, which may be on another
/// machine with the same file system.
class FileParts {
public:
  /// Opens a temporaryPath() that has its size; messages call it `name`. Throws
  /// a Failure (I/O).
  FileParts(const std::filesystem::path &path, std::filesystem::path name);
  ~FileParts();
  FileParts(const FileParts &) = delete;
  FileParts &operator=(const FileParts &) = delete;

  void write(uint64_t offset, const void *data, size_t size);
  /// Flushes what was written, before the other process completes the file.
  void commit();

private:
  std::filesystem::path name;
  int descriptor = -1;
};

/// Returns the contents of a small text file. Throws a Failure (I/O), also if
/// the file is larger than `limit` bytes.
std::string readText(const std::filesystem::path &path, size_t limit);

/// Replaces the file at `path` by `text`.
void writeText(const std::filesystem::path &path, std::string_view text);

/// Creates the folder if it is missing and checks that a file can be created in
/// it; throws a Failure (I/O) otherwise.
void requireWritableFolder(const std::filesystem::path &folder);

/// Checks that a file could be created at `path`, without changing an existing
/// one.
void requireWritableFile(const std::filesystem::path &path);

/// The file of this process's program; "gensyn-run" if that is unknown.
std::filesystem::path executableOfProcess();

} // namespace gensyn

#endif

// Reading by mapping, writing by replacing.
#ifndef GENSYN_EXECUTABLE_FILES_H
#define GENSYN_EXECUTABLE_FILES_H

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace gensyn {

/// A file's bytes, mapped read-only for the life of the object. Only regular
/// files are opened: a device or a pipe could be without end.
class MappedFile {
public:
  /// Whose file it is: what a user gives is an input (InputFiles.h), and what
  /// the program itself has written is none.
  enum class Origin { Given, Own };

  /// Throws a Failure (I/O) where the file cannot be opened or mapped.
  explicit MappedFile(const std::filesystem::path &path,
                      Origin origin = Origin::Given);
  /// Maps an open file, which stays the caller's; messages call it `path`.
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

/// Mapped bytes will be read here and there: reading one page shall not bring
/// in those behind it.
void expectRandomAccess(const uint8_t *bytes, size_t size);

/// Starts to read mapped bytes in, so that several reads go on at once.
void prefetchMapped(const uint8_t *bytes, size_t size);

/// Mapped bytes will not be read again soon: their pages need no memory, and
/// come back from the file when they are.
void releaseMapped(const uint8_t *bytes, size_t size);

/// Writes a file beside its place and moves it there when it is complete and
/// on the disk: readers see the old file or the new one, never half of one.
/// Without commit() nothing is left behind. A link is followed; a device or a
/// pipe is written to as it is. Throws a Failure (usage) where the file is one
/// of the tool's inputs (InputFiles.h), also if it became one before commit().
class AtomicFile {
public:
  /// Throws a Failure (I/O) where nothing can be written there.
  explicit AtomicFile(const std::filesystem::path &path);
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void write(const void *data, size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

private:
  std::filesystem::path place;
  std::string temporary;
  int descriptor = -1;
};

/// The whole of a small text file. Throws a Failure (I/O), also where the file
/// is larger than `limit` bytes.
std::string readText(const std::filesystem::path &path, size_t limit);

/// Replaces the file at `path` by `text`.
void writeText(const std::filesystem::path &path, std::string_view text);

/// Makes the folder where it is missing and proves by a file that it can be
/// written to; throws a Failure (I/O) otherwise.
void requireWritableFolder(const std::filesystem::path &folder);

/// Proves that a file could be made at `path`, and leaves what is there alone.
void requireWritableFile(const std::filesystem::path &path);

} // namespace gensyn

#endif

// Scalars of a training run for TensorBoard.
#ifndef GENSYN_LIB_RUNTIME_EVENTFILE_H
#define GENSYN_LIB_RUNTIME_EVENTFILE_H

#include "gensyn/Executable/Json.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace gensyn::tensorboard {
class Event;
} // namespace gensyn::tensorboard

namespace gensyn::runtime {

/// CRC-32C (Castagnoli) of the bytes.
uint32_t checksumCastagnoli(const void *data, size_t size);

/// The bytes of a record of a TFRecord file: the length, its checksum, the
/// contents, their checksum. Checksums are masked as the format wants it, since
/// one may be a part of what another one is of.
std::string frameRecord(const std::string &contents);

/// An event file, which TensorBoard finds by its name. All throw a Failure
/// (I/O).
class EventFile {
public:
  EventFile() = default;
  ~EventFile();
  EventFile(const EventFile &) = delete;
  EventFile &operator=(const EventFile &) = delete;

  /// Begins a new file in the folder, whose events come after `step`; for one
  /// that is not 0 TensorBoard forgets what older files say of later steps.
  void open(const std::filesystem::path &folder, int64_t step);

  /// Adds the numbers of a line of log.jsonl under their names, but for the
  /// step itself, the epoch and times; nothing where there are none.
  void append(const OrderedJson &row);

private:
  void write(const tensorboard::Event &event);

  std::filesystem::path place;
  int file = -1;
};

} // namespace gensyn::runtime

#endif

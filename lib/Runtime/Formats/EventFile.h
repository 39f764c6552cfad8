// Scalars of a training run for TensorBoard.
#ifndef GENSYN_LIB_RUNTIME_EVENTFILE_H
#define GENSYN_LIB_RUNTIME_EVENTFILE_H

#include "gensyn/Executable/Support/Json.h"

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

/// Encodes a record of a TFRecord file: the length, its checksum, the contents,
/// their checksum. Checksums are masked, as the format requires.
std::string frameRecord(const std::string &contents);

/// An event file, whose name TensorBoard recognizes. All members throw a
/// Failure (I/O).
class EventFile {
public:
  EventFile() = default;
  ~EventFile();
  EventFile(const EventFile &) = delete;
  EventFile &operator=(const EventFile &) = delete;

  /// Begins a new file in the folder, with events after `step`. Unless it is 0,
  /// TensorBoard discards later steps in older files.
  void open(const std::filesystem::path &folder, int64_t step);

  /// Adds the numbers of a line of log.jsonl under their names, except for the
  /// step, the epoch and times; writes nothing if there are none.
  void append(const OrderedJson &row);

private:
  void write(const tensorboard::Event &event);

  std::filesystem::path place;
  int file = -1;
};

} // namespace gensyn::runtime

#endif

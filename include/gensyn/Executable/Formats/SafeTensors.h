// The safetensors file format: named tensors, a JSON header, raw bytes.
#ifndef GENSYN_EXECUTABLE_FORMATS_SAFETENSORS_H
#define GENSYN_EXECUTABLE_FORMATS_SAFETENSORS_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Files.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gensyn {

/// A mapped file. The whole header is validated before use: sizes, offsets,
/// overlaps, gaps, duplicate names.
class SafeTensors : public TensorFile {
public:
  /// Throws a Failure: I/O, bad input, or unsupported for an element type of
  /// the format that this program does not support.
  explicit SafeTensors(const std::filesystem::path &path);

private:
  void readEntries(const std::string &header, const uint8_t *body,
                   size_t bodySize);
};

/// Tensors by name, without their elements.
using TensorHeaders = std::map<std::string, TensorHeader>;

TensorHeaders headersOf(const TensorMap &tensors);
TensorHeaders headersOf(const TensorFile &file);

/// Returns the names in the order in which a file has the tensors: wide
/// elements come first, so that all of them are aligned in the file.
std::vector<std::string> orderInSafeTensors(const TensorHeaders &tensors);

/// How a file of tensors is written.
struct SafeTensorsLayout {
  /// The bytes before the first tensor.
  std::string header;
  /// Where each tensor begins, by its name, and the bytes of the file.
  std::map<std::string, uint64_t> offsets;
  uint64_t size = 0;
  /// True if elements of a tensor share bytes, other than in memory.
  bool isPacked = false;
};

/// Throws a Failure that begins with `path`: a name that cannot be written, or
/// unsupported for an element type that the format lacks (integers of less than
/// 8 bits) or whose elements do not fill whole bytes.
SafeTensorsLayout layOutSafeTensors(const std::filesystem::path &path,
                                    const TensorHeaders &tensors);

/// Writes a file tensor by tensor, deterministically: equal tensors give equal
/// files.
class SafeTensorsWriter {
public:
  /// Writes the header. Throws a Failure: I/O, or as layOutSafeTensors().
  SafeTensorsWriter(const std::filesystem::path &path,
                    const TensorHeaders &tensors);

  /// Writes the next tensor of orderInSafeTensors(). Throws a Failure (I/O).
  void write(const Tensor &tensor);
  /// Completes the file after the last tensor; without it nothing is left
  /// behind. Throws a Failure (I/O).
  void commit();

private:
  std::optional<AtomicFile> file;
  std::vector<TensorHeader> headers;
  size_t next = 0;
};

/// Writes a file of these tensors. Throws as SafeTensorsWriter.
void writeSafeTensors(const std::filesystem::path &path,
                      const TensorMap &tensors);

} // namespace gensyn

#endif

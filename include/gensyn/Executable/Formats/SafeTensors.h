// The safetensors file format: named tensors, a JSON header, raw bytes.
#ifndef GENSYN_EXECUTABLE_FORMATS_SAFETENSORS_H
#define GENSYN_EXECUTABLE_FORMATS_SAFETENSORS_H

#include "gensyn/Executable/Formats/TensorFile.h"

#include <filesystem>
#include <string>

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

/// Writes the tensors deterministically: equal tensors give equal files. Wide
/// elements come first, so that all of them are aligned in the file. Throws a
/// Failure: I/O, a name that cannot be written, or unsupported for an element
/// type that the format lacks (integers of less than 8 bits) or whose elements
/// do not fill whole bytes.
void writeSafeTensors(const std::filesystem::path &path,
                      const TensorMap &tensors);

} // namespace gensyn

#endif

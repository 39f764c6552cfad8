// The safetensors file format: named tensors, a JSON header, raw bytes.
#ifndef GENSYN_EXECUTABLE_SAFETENSORS_H
#define GENSYN_EXECUTABLE_SAFETENSORS_H

#include "gensyn/Executable/TensorFile.h"

#include <filesystem>
#include <string>

namespace gensyn {

/// A mapped file. Everything its header says is checked before use: sizes,
/// offsets, overlaps, holes, names that are there twice.
class SafeTensors : public TensorFile {
public:
  /// Throws a Failure: I/O, bad input, or unsupported for an element type that
  /// the format knows and this program does not.
  explicit SafeTensors(const std::filesystem::path &path);

private:
  void readEntries(const std::string &header, const uint8_t *body,
                   size_t bodySize);
};

/// Writes the tensors so that equal tensors give equal files; wide elements
/// come first, so that all of them are aligned in the file. Throws a Failure:
/// I/O, a name that cannot be written, or unsupported for an element type that
/// the format lacks (integers of less than 8 bits) or whose elements do not
/// fill whole bytes.
void writeSafeTensors(const std::filesystem::path &path,
                      const TensorMap &tensors);

} // namespace gensyn

#endif

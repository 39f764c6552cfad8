// The safetensors file format: named tensors, a JSON header, raw bytes.
#ifndef GENSYN_RUNTIME_SAFETENSORS_H
#define GENSYN_RUNTIME_SAFETENSORS_H

#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gensyn::runtime {

class MappedFile;

/// One tensor of a file: `size` bytes at `data`, row-major, little-endian and
/// perhaps not aligned. Elements that share bytes in the file have one each.
struct TensorEntry {
  ElementType type;
  std::vector<int64_t> shape;
  const uint8_t *data;
  size_t size;
};

/// Tensors by name, in the order of their names.
using TensorMap = std::map<std::string, Tensor>;

/// A mapped file. Everything its header says is checked before use: sizes,
/// offsets, overlaps, holes, names that are there twice.
class SafeTensors {
public:
  /// Throws a Failure: I/O, bad input, or unsupported for an element type that
  /// the format knows and this program does not.
  explicit SafeTensors(const std::filesystem::path &path);

  const std::filesystem::path &path() const { return place; }
  const std::map<std::string, TensorEntry> &entries() const { return tensors; }
  std::vector<std::string> names() const;
  const TensorEntry *find(const std::string &name) const;

  /// An aligned copy. The name must be there. Throws a Failure where a boolean
  /// is neither 0 nor 1.
  Tensor tensor(const std::string &name) const;

private:
  void readEntries(const std::string &header, const uint8_t *body,
                   size_t bodySize);

  std::filesystem::path place;
  std::shared_ptr<MappedFile> file;
  std::map<std::string, TensorEntry> tensors;
  /// The bytes of entries that are packed in the file; copies share them.
  std::vector<std::shared_ptr<const std::vector<uint8_t>>> unpacked;
};

/// Writes the tensors so that equal tensors give equal files; wide elements
/// come first, so that all of them are aligned in the file. Throws a Failure:
/// I/O, a name that cannot be written, or unsupported for an element type that
/// the format lacks (integers of less than 8 bits) or whose elements do not
/// fill whole bytes.
void writeSafeTensors(const std::filesystem::path &path,
                      const TensorMap &tensors);

/// "float32", "int64", "bool": what a user calls the type.
std::string longName(ElementType type);

/// "[2,8]".
std::string describeShape(const std::vector<int64_t> &shape);

/// Elements times width; -1 where that does not fit 62 bits or an extent is
/// negative.
int64_t tensorBytes(ElementType type, const std::vector<int64_t> &shape);

} // namespace gensyn::runtime

#endif

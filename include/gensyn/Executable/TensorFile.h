// Named tensors of a mapped file, whatever its format.
#ifndef GENSYN_EXECUTABLE_TENSORFILE_H
#define GENSYN_EXECUTABLE_TENSORFILE_H

#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gensyn {

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

/// The tensors of a file, which stays mapped as long as a copy of the object is
/// there. Nothing of them is read before it is asked for.
class TensorFile {
public:
  const std::filesystem::path &path() const { return place; }
  const std::map<std::string, TensorEntry> &entries() const { return tensors; }
  std::vector<std::string> names() const;
  const TensorEntry *find(const std::string &name) const;

  /// An aligned copy. The name must be there. Throws a Failure where a boolean
  /// is neither 0 nor 1.
  Tensor tensor(const std::string &name) const;

  /// Takes over the tensors of another file. Throws a Failure (bad input) for a
  /// name that is in both.
  void add(const TensorFile &other);
  /// Gives the only tensor another name.
  void rename(const std::string &name);

protected:
  explicit TensorFile(std::filesystem::path path) : place(std::move(path)) {}

  std::filesystem::path place;
  std::map<std::string, TensorEntry> tensors;
  /// Whatever keeps the bytes where they are; copies share it.
  std::vector<std::shared_ptr<const void>> owners;
};

/// "float32", "int64", "bool": what a user calls the type.
std::string longName(ElementType type);

/// "[2,8]".
std::string describeShape(const std::vector<int64_t> &shape);

/// Elements times width; -1 where that does not fit 62 bits or an extent is
/// negative.
int64_t tensorBytes(ElementType type, const std::vector<int64_t> &shape);

} // namespace gensyn

#endif

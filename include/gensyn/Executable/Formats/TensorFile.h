// Named tensors of a mapped file of any format.
#ifndef GENSYN_EXECUTABLE_FORMATS_TENSORFILE_H
#define GENSYN_EXECUTABLE_FORMATS_TENSORFILE_H

#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn {

/// One tensor of a file: `size` bytes at `data`, row-major, little-endian and
/// possibly unaligned. Elements that share bytes in the file have a byte each.
struct TensorEntry {
  ElementType type;
  std::vector<int64_t> shape;
  const uint8_t *data;
  size_t size;
  /// True if they are those of the mapped file.
  bool isMapped = false;
};

/// A tensor without its elements.
struct TensorHeader {
  ElementType type;
  std::vector<int64_t> shape;

  bool operator==(const TensorHeader &) const = default;
};

/// Tensors by name, in the order of their names.
using TensorMap = std::map<std::string, Tensor>;

/// The tensors of a file, which stays mapped as long as a copy of the object
/// exists. Tensors are read on demand.
class TensorFile {
public:
  const std::filesystem::path &path() const { return place; }
  const std::map<std::string, TensorEntry> &entries() const { return tensors; }
  std::vector<std::string> names() const;
  const TensorEntry *find(const std::string &name) const;

  /// Returns an aligned copy. The name must exist. Throws a Failure if a
  /// boolean is neither 0 nor 1.
  Tensor tensor(const std::string &name) const;
  /// Copies bytes of a tensor from an offset on, in the same way, and gives the
  /// memory of the file's pages back as release() does.
  void read(const std::string &name, uint64_t offset,
            std::span<std::byte> bytes) const;
  /// Gives memory of the file's pages that have this tensor back to the system;
  /// they are read again if they are needed.
  void release(const std::string &name) const;

  /// Adds the tensors of another file. Throws a Failure (bad input) for a name
  /// that is in both.
  void add(const TensorFile &other);
  /// Renames the only tensor.
  void rename(const std::string &name);

protected:
  explicit TensorFile(std::filesystem::path path) : place(std::move(path)) {}

  void requireValid(const std::string &name, const TensorEntry &entry) const;

  std::filesystem::path place;
  std::map<std::string, TensorEntry> tensors;
  /// Owners of the mapped bytes; copies share them.
  std::vector<std::shared_ptr<const void>> owners;
};

/// Returns the type's name for users: "float32", "int64", "bool".
std::string longName(ElementType type);
/// The inverse of longName, for types that files of tensors hold.
std::optional<ElementType> typeFromLongName(std::string_view name);

/// Returns "[2,8]".
std::string describeShape(const std::vector<int64_t> &shape);

/// Returns elements times width; -1 if that does not fit in 62 bits or an
/// extent is negative.
int64_t tensorBytes(ElementType type, const std::vector<int64_t> &shape);

} // namespace gensyn

#endif

// A shared library in memory.
#ifndef GENSYN_RUNTIME_DEVICES_SHAREDOBJECT_H
#define GENSYN_RUNTIME_DEVICES_SHAREDOBJECT_H

#include <optional>
#include <string>
#include <string_view>

namespace gensyn::runtime {

/// An ELF shared object that is never stored in a file. The dynamic loader
/// trusts the bytes, so those of a package must pass checkSharedObject first.
class SharedObject {
public:
  /// Throws a Failure: out of resources, or bad input if the loader rejects the
  /// bytes.
  explicit SharedObject(std::string_view bytes);
  ~SharedObject();
  SharedObject(SharedObject &&other) noexcept;
  SharedObject &operator=(SharedObject &&) = delete;

  /// Returns the address of a symbol, or null.
  void *find(const std::string &symbol) const;
  /// Returns the bytes of a data symbol; std::nullopt if it does not exist.
  std::optional<std::string_view> findData(const std::string &symbol) const;

private:
  // Kept open: the loader identifies libraries by path, and the path contains
  // this number, so the next library must not get the same number.
  int descriptor = -1;
  void *handle = nullptr;
};

} // namespace gensyn::runtime

#endif

// Machine code in memory, opened as a library.
#ifndef GENSYN_RUNTIME_SHAREDOBJECT_H
#define GENSYN_RUNTIME_SHAREDOBJECT_H

#include <optional>
#include <string>
#include <string_view>

namespace gensyn::runtime {

/// An ELF shared object that never is a file. The dynamic loader trusts the
/// bytes: those of a package go through checkSharedObject first.
class SharedObject {
public:
  /// Throws a Failure (out of resources, or bad input where the loader refuses
  /// the bytes).
  explicit SharedObject(std::string_view bytes);
  ~SharedObject();
  SharedObject(SharedObject &&other) noexcept;
  SharedObject &operator=(SharedObject &&) = delete;

  /// The address of a symbol, or null.
  void *find(const std::string &symbol) const;
  /// The bytes of a symbol of data; nothing where there is none.
  std::optional<std::string_view> findData(const std::string &symbol) const;

private:
  // Stays open: the loader knows libraries by name, and the next one must not
  // get the number, and with it the name, of this one.
  int descriptor = -1;
  void *handle = nullptr;
};

} // namespace gensyn::runtime

#endif

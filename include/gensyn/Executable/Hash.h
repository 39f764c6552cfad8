// BLAKE3, the hash of everything that has an identity.
#ifndef GENSYN_EXECUTABLE_HASH_H
#define GENSYN_EXECUTABLE_HASH_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gensyn {

/// Takes bytes in pieces and gives their 256-bit BLAKE3 digest as 64
/// lower-case hexadecimal digits.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(Hasher &&) noexcept;
  Hasher &operator=(Hasher &&) noexcept;

  void update(const void *data, size_t size);
  void update(std::string_view text) { update(text.data(), text.size()); }
  /// Eight bytes, little end first.
  void updateNumber(uint64_t number);

  std::string hex() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The digest of one range of bytes.
std::string hashHex(const void *data, size_t size);

} // namespace gensyn

#endif

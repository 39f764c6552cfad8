// BLAKE3, the hash of all identities.
#ifndef GENSYN_EXECUTABLE_SUPPORT_HASH_H
#define GENSYN_EXECUTABLE_SUPPORT_HASH_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gensyn {

/// Computes the BLAKE3 digest of bytes that are added piece by piece: 256 bits
/// as 64 lower-case hexadecimal digits.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(Hasher &&) noexcept;
  Hasher &operator=(Hasher &&) noexcept;

  void update(const void *data, size_t size);
  void update(std::string_view text) { update(text.data(), text.size()); }
  /// Adds eight bytes, little-endian.
  void updateNumber(uint64_t number);

  std::string hex() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Returns the digest of a range of bytes.
std::string hashHex(const void *data, size_t size);

} // namespace gensyn

#endif

// The byte layout of everything that is hashed; docs/Proof.md has all of them.
#ifndef GENSYN_EXECUTABLE_SUPPORT_ENCODING_H
#define GENSYN_EXECUTABLE_SUPPORT_ENCODING_H

#include "gensyn/Executable/Support/Hash.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gensyn {

/// Fields one after the other. A number is eight bytes, little-endian; a text
/// is its length as a number and its bytes; a list of numbers is its length and
/// its numbers; a digest is its 32 bytes.
class Encoding {
public:
  Encoding() = default;
  /// What is hashed by itself begins with a text that says what it is, and the
  /// version of its layout.
  explicit Encoding(std::string_view what) { text(what); }

  Encoding &number(uint64_t value) {
    for (int i = 0; i < 8; ++i)
      encoded += static_cast<char>(value >> (8 * i));
    return *this;
  }
  Encoding &text(std::string_view value) {
    number(value.size());
    encoded += value;
    return *this;
  }
  Encoding &numbers(std::span<const int64_t> values) {
    number(values.size());
    for (int64_t value : values)
      number(static_cast<uint64_t>(value));
    return *this;
  }
  Encoding &digest(const Digest &value) {
    encoded.append(value.begin(), value.end());
    return *this;
  }

  const std::string &bytes() const { return encoded; }
  Digest finish() const {
    Hasher hasher;
    hasher.update(encoded);
    return hasher.digest();
  }

private:
  std::string encoded;
};

/// A tensor: the name of its type ("f32"), its shape, the number of its bytes,
/// and the digest of these.
///
///   BLAKE3(text "gensyn tensor 2" | text type | numbers shape |
///          number of bytes | digest of the bytes)
inline Digest digestTensor(std::string_view type,
                           std::span<const int64_t> shape, uint64_t bytes,
                           const Digest &elements) {
  return Encoding("gensyn tensor 2")
      .text(type)
      .numbers(shape)
      .number(bytes)
      .digest(elements)
      .finish();
}

} // namespace gensyn

#endif

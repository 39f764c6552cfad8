// The byte layout of everything that is hashed; docs/Proof.md has all of them.
#ifndef GENSYN_PROOF_TREES_ENCODING_H
#define GENSYN_PROOF_TREES_ENCODING_H

#include "gensyn/Executable/Support/Hash.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gensyn::proof {

/// Hashes fields one after the other. A number is eight bytes, little-endian; a
/// text is its length as a number and its bytes; a list of numbers is its
/// length and its numbers; a digest is its 32 bytes. The first field is a text
/// that says what is hashed, with the version of its layout.
class Encoding {
public:
  explicit Encoding(std::string_view what) { text(what); }

  Encoding &number(uint64_t value) {
    hasher.updateNumber(value);
    return *this;
  }
  Encoding &text(std::string_view value) {
    number(value.size());
    hasher.update(value);
    return *this;
  }
  Encoding &numbers(std::span<const int64_t> values) {
    number(values.size());
    for (int64_t value : values)
      number(uint64_t(value));
    return *this;
  }
  Encoding &digest(const Digest &value) {
    hasher.update(value.data(), value.size());
    return *this;
  }

  Digest finish() const { return hasher.digest(); }

private:
  Hasher hasher;
};

} // namespace gensyn::proof

#endif

// BLAKE3, the hash of all identities.
#ifndef GENSYN_EXECUTABLE_SUPPORT_HASH_H
#define GENSYN_EXECUTABLE_SUPPORT_HASH_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gensyn {

using Digest = std::array<uint8_t, 32>;

/// 64 lower-case hexadecimal digits.
std::string toHex(const Digest &digest);
/// The reverse; std::nullopt for any other text.
std::optional<Digest> parseDigest(std::string_view hex);

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

  Digest digest() const;
  std::string hex() const { return toHex(digest()); }

  /// The digest of a subtree of BLAKE3's tree: of as many bytes as a power of
  /// two, at least a chunk, whose offset in the input is a multiple of that
  /// number. So parts of an input can be hashed in any order and place.
  using Subtree = Digest;
  static constexpr uint64_t kChunk = 1024;
  static Subtree digestSubtree(uint64_t offset, const void *data, size_t size);
  /// That of two adjacent ones of the same size.
  static Subtree join(const Subtree &left, const Subtree &right);
  /// Like update() with the bytes of a subtree. Those before it were added as
  /// subtrees, too, and at least one byte is added after the last one.
  void addSubtree(const Subtree &subtree, uint64_t size);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Returns the digest of a range of bytes.
std::string hashHex(const void *data, size_t size);

} // namespace gensyn

#endif

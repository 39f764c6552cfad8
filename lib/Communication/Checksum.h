// The checksum of a message: XXH64 with seed 0, which one core computes about
// as fast as it reads memory.
#ifndef GENSYN_COMMUNICATION_CHECKSUM_H
#define GENSYN_COMMUNICATION_CHECKSUM_H

#include <cstddef>
#include <cstdint>

namespace gensyn::communication {

/// Computes XXH64 of bytes that are added piece by piece.
class Checksum {
public:
  /// Every piece but the last has a multiple of this many bytes.
  static constexpr size_t block = 32;

  void update(const std::byte *bytes, size_t size);
  uint64_t value() const;

private:
  static constexpr uint64_t prime1 = 0x9E3779B185EBCA87u;
  static constexpr uint64_t prime2 = 0xC2B2AE3D27D4EB4Fu;
  static constexpr uint64_t prime3 = 0x165667B19E3779F9u;
  static constexpr uint64_t prime4 = 0x85EBCA77C2B2AE63u;
  static constexpr uint64_t prime5 = 0x27D4EB2F165667C5u;
  static uint64_t round(uint64_t lane, uint64_t word);

  uint64_t lanes[4] = {prime1 + prime2, prime2, 0, 0 - prime1};
  uint64_t length = 0;
  /// What is left after whole blocks.
  std::byte rest[block];
};

/// Returns the checksum of a range of bytes.
uint64_t checksumOf(const void *bytes, size_t size);

} // namespace gensyn::communication

#endif

// The checksum of a message: XXH3 of its pieces, and of their checksums. One
// core computes it about as fast as it reads memory.
#ifndef GENSYN_COMMUNICATION_CHECKSUM_H
#define GENSYN_COMMUNICATION_CHECKSUM_H

#include <cstddef>
#include <cstdint>

namespace gensyn::communication {

/// The checksum of a long message, whose pieces are added in order.
class Checksum {
public:
  void update(const std::byte *piece, size_t size);
  uint64_t value() const { return sum; }

private:
  /// Of the pieces so far.
  uint64_t sum = 0;
};

/// Returns the checksum of bytes: XXH3 with 64 bits and without a seed.
uint64_t checksumOf(const void *bytes, size_t size);

} // namespace gensyn::communication

#endif

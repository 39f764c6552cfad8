#include "Checksum.h"

// The whole of the library, without symbols.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gensyn::communication {

void Checksum::update(const std::byte *piece, size_t size) {
  const uint64_t both[] = {sum, checksumOf(piece, size)};
  sum = checksumOf(both, sizeof(both));
}

uint64_t checksumOf(const void *bytes, size_t size) {
  return XXH3_64bits(bytes, size);
}

} // namespace gensyn::communication

#include "Checksum.h"

#include <bit>
#include <cstring>

namespace gensyn::communication {

static_assert(std::endian::native == std::endian::little,
              "XXH64 reads words of little-endian bytes");

template <class Word> static uint64_t load(const std::byte *bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

uint64_t Checksum::round(uint64_t lane, uint64_t word) {
  return std::rotl(lane + word * prime2, 31) * prime1;
}

void Checksum::update(const std::byte *bytes, size_t size) {
  // Local copies, which stay in registers.
  uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
  length += size;
  for (; size >= block; bytes += block, size -= block) {
    a = round(a, load<uint64_t>(bytes));
    b = round(b, load<uint64_t>(bytes + 8));
    c = round(c, load<uint64_t>(bytes + 16));
    d = round(d, load<uint64_t>(bytes + 24));
  }
  lanes[0] = a, lanes[1] = b, lanes[2] = c, lanes[3] = d;
  if (size)
    std::memcpy(rest, bytes, size);
}

uint64_t Checksum::value() const {
  uint64_t sum = prime5;
  if (length >= block) {
    sum = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) +
          std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (uint64_t lane : lanes)
      sum = (sum ^ round(0, lane)) * prime1 + prime4;
  }
  sum += length;
  const std::byte *bytes = rest;
  size_t left = length % block;
  for (; left >= 8; bytes += 8, left -= 8)
    sum =
        std::rotl(sum ^ round(0, load<uint64_t>(bytes)), 27) * prime1 + prime4;
  if (left >= 4) {
    sum =
        std::rotl(sum ^ (load<uint32_t>(bytes) * prime1), 23) * prime2 + prime3;
    bytes += 4, left -= 4;
  }
  for (; left; ++bytes, --left)
    sum = std::rotl(sum ^ (load<uint8_t>(bytes) * prime5), 11) * prime1;
  sum = (sum ^ (sum >> 33)) * prime2;
  sum = (sum ^ (sum >> 29)) * prime3;
  return sum ^ (sum >> 32);
}

uint64_t checksumOf(const void *bytes, size_t size) {
  Checksum checksum;
  checksum.update(static_cast<const std::byte *>(bytes), size);
  return checksum.value();
}

} // namespace gensyn::communication

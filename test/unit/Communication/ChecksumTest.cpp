#include "Checksum.h"

#include <gtest/gtest.h>

#include <string>

using namespace gensyn::communication;

namespace {

std::string counted(size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i)
    text += static_cast<char>(i * 31 + 7);
  return text;
}

// Values of the reference implementation.
TEST(Checksum, IsXxh64) {
  EXPECT_EQ(checksumOf("", 0), 0xEF46DB3751D8E999u);
  EXPECT_EQ(checksumOf("a", 1), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(checksumOf("abc", 3), 0x44BC2CF5AD770999u);
}

TEST(Checksum, PiecesAreOneText) {
  const std::string text = counted(1000);
  const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  for (size_t first : {size_t(0), size_t(32), size_t(320), size_t(992)}) {
    Checksum checksum;
    checksum.update(bytes, first);
    checksum.update(bytes + first, text.size() - first);
    EXPECT_EQ(checksum.value(), checksumOf(text.data(), text.size())) << first;
  }
}

TEST(Checksum, EveryBitCounts) {
  for (size_t size : {1u, 4u, 8u, 13u, 32u, 45u, 100u}) {
    std::string text = counted(size);
    const uint64_t right = checksumOf(text.data(), size);
    for (size_t bit = 0; bit < 8 * size; ++bit) {
      text[bit / 8] ^= static_cast<char>(1 << bit % 8);
      EXPECT_NE(checksumOf(text.data(), size), right) << size << " " << bit;
      text[bit / 8] ^= static_cast<char>(1 << bit % 8);
    }
  }
}

} // namespace

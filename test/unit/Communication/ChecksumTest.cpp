#include "Checksum.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace gensyn::communication;

namespace {

std::string counted(size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i)
    text += static_cast<char>(i * 31 + 7);
  return text;
}

// Values of the reference implementation.
TEST(Checksum, IsXxh3) {
  EXPECT_EQ(checksumOf("", 0), 0x2D06800538D394C2u);
  EXPECT_EQ(checksumOf("abc", 3), 0x78AF5F94892F3950u);
  EXPECT_EQ(checksumOf(counted(200).data(), 200), 0x12FDB864685F344Du);
  EXPECT_EQ(checksumOf(counted(1000).data(), 1000), 0x989765D0EA7A5ECDu);
}

/// The checksum of a message of these pieces.
uint64_t checksumOfPieces(const std::vector<std::string> &pieces) {
  Checksum checksum;
  for (const std::string &piece : pieces)
    checksum.update(reinterpret_cast<const std::byte *>(piece.data()),
                    piece.size());
  return checksum.value();
}

TEST(Checksum, EveryPieceAndItsPlaceCount) {
  const std::string a = counted(100), b = a.substr(1) + "b", c(100, '\0');
  const uint64_t right = checksumOfPieces({a, b, c});
  EXPECT_EQ(checksumOfPieces({a, b, c}), right);
  EXPECT_NE(checksumOfPieces({b, a, c}), right);
  EXPECT_NE(checksumOfPieces({a, c, b}), right);
  EXPECT_NE(checksumOfPieces({a, a, c}), right);
  EXPECT_NE(checksumOfPieces({a, b}), right);
  EXPECT_NE(checksumOfPieces({a, b, c, c}), right);
  EXPECT_NE(checksumOfPieces({a, b, c + '\0'}), right);
  // Not even zeros alone.
  EXPECT_NE(checksumOfPieces({c, c}), checksumOfPieces({c}));
  EXPECT_NE(checksumOfPieces({c}), checksumOfPieces({}));
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

// BLAKE3 against published values.

#include "gensyn/Executable/Support/Hash.h"

#include <gtest/gtest.h>

using namespace gensyn;

TEST(Hash, knownAnswers) {
  EXPECT_EQ(hashHex("", 0),
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  EXPECT_EQ(hashHex("abc", 3),
            "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
}

TEST(Hash, piecesDoNotMatter) {
  std::string text(5000, 'x');
  Hasher hasher;
  hasher.update(text.substr(0, 1));
  hasher.update(text.substr(1, 3000));
  hasher.update(text.substr(3001));
  EXPECT_EQ(hasher.hex(), hashHex(text.data(), text.size()));
}

TEST(Hash, numbersAreLittleEndian) {
  Hasher hasher;
  hasher.updateNumber(0x0102);
  EXPECT_EQ(hasher.hex(), hashHex("\x02\x01\0\0\0\0\0\0", 8));
}

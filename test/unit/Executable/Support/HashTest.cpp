// BLAKE3 against published values.

#include "gensyn/Executable/Support/Hash.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace gensyn;

TEST(Hash, knownAnswers) {
  EXPECT_EQ(hashHex("", 0),
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  EXPECT_EQ(hashHex("abc", 3),
            "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
}

TEST(Hash, digestsAreTexts) {
  Hasher hasher;
  hasher.update("abc");
  EXPECT_EQ(parseDigest(hasher.hex()), hasher.digest());
  EXPECT_EQ(parseDigest(hasher.hex() + "0"), std::nullopt);
  EXPECT_EQ(parseDigest("A" + hasher.hex().substr(1)), std::nullopt);
  EXPECT_EQ(parseDigest(""), std::nullopt);
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

TEST(Hash, subtreesAreParts) {
  std::mt19937 random(1);
  std::string text(300'000, 0);
  for (char &byte : text)
    byte = char(random());
  // Subtrees of all sizes that fit, as a coin decides.
  for (size_t total :
       {1u, 2048u, 2049u, 4096u, 6145u, 65'537u, 131'072u, 262'145u, 300'000u})
    for (int round = 0; round < 8; ++round) {
      Hasher hasher;
      size_t at = 0;
      std::function<Hasher::Subtree(size_t, size_t)> digest = [&](size_t begin,
                                                                  size_t size) {
        if (size == Hasher::kChunk || random() % 2)
          return Hasher::digestSubtree(begin, &text[begin], size);
        return Hasher::join(digest(begin, size / 2),
                            digest(begin + size / 2, size / 2));
      };
      while (total - at > Hasher::kChunk) {
        size_t size = Hasher::kChunk;
        while (at % (2 * size) == 0 && total - at > 2 * size && random() % 8)
          size *= 2;
        hasher.addSubtree(digest(at, size), size);
        at += size;
      }
      hasher.update(&text[at], total - at);
      EXPECT_EQ(hasher.hex(), hashHex(text.data(), total)) << total;
    }
}

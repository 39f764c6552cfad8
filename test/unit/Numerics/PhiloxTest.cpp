// Philox against its authors' vectors, and the words of a random op.

#include "gensyn/Numerics/Philox.h"

#include "gensyn/Numerics/Cost.h"
#include "gensyn/Numerics/Native.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::random;
using Block = PhiloxBlock<Native>;
using Key = PhiloxKey<Native>;

// Random123 1.14, tests/kat_vectors: "philox4x32 10".
TEST(Philox, knownAnswersRandomR1) {
  EXPECT_EQ(philox(Native(), Block{0, 0, 0, 0}, Key{0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(Native(), Block{~0u, ~0u, ~0u, ~0u}, Key{~0u, ~0u}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox(Native(),
                   Block{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                   Key{0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// random_r1: maps elements to words of blocks.
TEST(Philox, elementsOfADrawRandomR1) {
  const Draw<Native> draw = {
      {0xa4093822, 0x299f31d0}, 0x03707344, 0x85a308d3, 0x13198a2e};
  constexpr uint64_t first = uint64_t{0x243f6a88} << 2;
  EXPECT_EQ(bitsAt(Native(), draw, first), 0xd16cfe09);
  EXPECT_EQ(bitsAt(Native(), draw, first + 1), 0x94fdcceb);
  EXPECT_EQ(bitsAt(Native(), draw, first + 2), 0x5001e420);
  EXPECT_EQ(bitsAt(Native(), draw, first + 3), 0x24126ea1);
  const Draw<Native> ones = {{~0u, ~0u}, ~0u, ~0u, ~0u};
  EXPECT_EQ(bitsAt(Native(), ones, (uint64_t{1} << 34) - 1), 0x6d5451fd);
}

// random_c2: the stream of an ONNX seed never changes.
TEST(Philox, seededStreamRandomC2) {
  EXPECT_EQ(seededStream(Native(), 0.0), 0x80000000u | 0x6627e8d5u >> 1);
  EXPECT_EQ(seededStream(Native(), 1.0), 3537279913u);
  EXPECT_NE(seededStream(Native(), 1.0), seededStream(Native(), 2.0));
}

TEST(Philox, cost) {
  OperationCounts counts;
  Cost a(counts);
  bitsAt(a, {{a.i32(0), a.i32(0)}, a.i32(0), a.i32(0), a.i32(0)}, a.i64(0));
  EXPECT_EQ(counts.integer, 10 * 8 + 9 * 2 + 3);
  EXPECT_EQ(counts.f32 + counts.f64, 0);
}

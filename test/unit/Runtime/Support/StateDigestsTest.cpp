#include "../../../../lib/Runtime/Support/StateDigests.h"

#include "gtest/gtest.h"

using namespace gensyn;
using namespace gensyn::runtime;

/// Of sizes around those that threads divide.
TEST(StateDigests, AreThoseOfOneHasher) {
  constexpr int64_t piece = int64_t(256) << 10;
  std::vector<Tensor> made;
  for (int64_t bytes : {int64_t(0), int64_t(1), piece - 1, piece, piece + 1,
                        2 * piece, 3 * piece + 5, 24 * piece, 24 * piece + 1}) {
    Tensor tensor(ElementType::UI8, {bytes});
    for (int64_t i = 0; i < bytes; ++i)
      tensor.as<uint8_t>()[i] = uint8_t(i * 7 + i / 251 + bytes);
    made.push_back(std::move(tensor));
  }
  std::vector<const Tensor *> tensors;
  for (const Tensor &tensor : made)
    tensors.push_back(&tensor);
  for (unsigned threads : {1u, 2u, 5u}) {
    const std::vector<Digest> digests = digestTogether(tensors, threads);
    ASSERT_EQ(digests.size(), made.size());
    for (size_t i = 0; i < made.size(); ++i) {
      Hasher hasher;
      hasher.update(std::as_const(made[i]).data(), size_t(made[i].byteSize()));
      EXPECT_EQ(digests[i], hasher.digest()) << made[i].byteSize();
    }
  }
  EXPECT_TRUE(digestTogether({}, 2).empty());
}

// Tensors: sizes, alignment, value semantics.

#include "gensyn/Numerics/Tensor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

using namespace gensyn;

namespace {
constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
using Shape = std::vector<int64_t>;
} // namespace

TEST(Tensor, CountsAreOverflowChecked) {
  EXPECT_EQ(countElements(Shape{}), 1);
  EXPECT_EQ(countElements(Shape{2, 3}), 6);
  EXPECT_EQ(countElements(Shape{2, 0}), 0);
  EXPECT_FALSE(countElements(Shape{-1}));
  EXPECT_FALSE(countElements(Shape{kHuge, 2}));
  EXPECT_FALSE(countElements(Shape{kHuge, 2, 0}));
  EXPECT_EQ(countElements(Shape{kHuge}), kHuge);
  EXPECT_FALSE(countBytes(ElementType::F32, Shape{kHuge}));
  EXPECT_EQ(countBytes(ElementType::F64, Shape{3}), 24);
  EXPECT_THROW(Tensor(ElementType::F32, Shape{1ll << 40, 1ll << 40}),
               std::length_error);
  EXPECT_THROW(Tensor(ElementType::F32, Shape{-3}), std::length_error);
}

TEST(Tensor, StartsAsAlignedZeros) {
  for (int64_t n : {0, 1, 7, 1000}) {
    const Tensor t(ElementType::F32, {n});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(t.data()) % 64, 0u);
    for (float x : t.span<float>())
      EXPECT_EQ(x, 0);
  }
  const Tensor rank0(ElementType::I1, {});
  EXPECT_EQ(rank0.numElements(), 1);
  EXPECT_EQ(rank0.byteSize(), 1);
  EXPECT_FALSE(*rank0.as<bool>());
}

TEST(Tensor, CopiesAreValues) {
  const Tensor a = Tensor::of<float>({2}, {1, 2});
  Tensor b = a;
  const Tensor &readB = b;
  EXPECT_EQ(readB.data(), a.data()) << "copies should share bytes";
  b.as<float>()[0] = 5;
  EXPECT_EQ(a.as<float>()[0], 1);
  EXPECT_EQ(readB.as<float>()[0], 5);
  const std::byte *own = readB.data();
  b.as<float>()[1] = 6;
  EXPECT_EQ(readB.data(), own) << "a sole owner should not copy";
}

TEST(Tensor, ViewsKeepTheOwnerAndAreNeverWritten) {
  auto owner = std::make_shared<std::vector<float>>(3, 4.0f);
  std::weak_ptr<std::vector<float>> alive = owner;
  {
    Tensor t = Tensor::view(ElementType::F32, {3}, owner->data(), owner);
    const float *bytes = owner->data();
    owner.reset();
    EXPECT_FALSE(alive.expired());
    EXPECT_EQ(static_cast<const Tensor &>(t).as<float>(), bytes);
    t.as<float>()[0] = 1;
    EXPECT_TRUE(alive.expired()) << "a written view has bytes of its own";
    EXPECT_EQ(t.as<float>()[2], 4);
  }
  EXPECT_TRUE(alive.expired());
}

TEST(Tensor, ReshapeAndBitcastShareBytes) {
  const Tensor t = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor r = t.reshaped({3, 2});
  EXPECT_EQ(r.data(), t.data());
  EXPECT_EQ(r.shape(), (Shape{3, 2}));
  EXPECT_THROW(t.reshaped({4}), std::length_error);
  const Tensor i = t.bitcast(ElementType::UI32);
  EXPECT_EQ(i.as<uint32_t>()[0], 0x3F800000u);
  EXPECT_THROW(t.bitcast(ElementType::F64), std::length_error);
}

TEST(Tensor, BitEqualComparesTypeShapeAndBits) {
  const Tensor t = Tensor::of<float>({2}, {0.0f, 1.0f});
  EXPECT_TRUE(t.bitEqual(Tensor::of<float>({2}, {0.0f, 1.0f})));
  EXPECT_FALSE(t.bitEqual(Tensor::of<float>({2}, {-0.0f, 1.0f})));
  EXPECT_FALSE(t.bitEqual(t.reshaped({1, 2})));
  EXPECT_FALSE(t.bitEqual(t.bitcast(ElementType::I32)));
  EXPECT_TRUE(Tensor().bitEqual(Tensor(ElementType::F32, {0})));
  EXPECT_THROW(Tensor::of<float>({3}, {1.0f}), std::length_error);
  EXPECT_EQ(*Tensor::scalar<int64_t>(7).as<int64_t>(), 7);
}

TEST(Tensor, RowMajorStrides) {
  EXPECT_EQ(rowMajorStrides(Shape{}), Shape{});
  EXPECT_EQ(rowMajorStrides(Shape{2, 3, 4}), (Shape{12, 4, 1}));
  EXPECT_EQ(rowMajorStrides(Shape{2, 0, 4}), (Shape{4, 4, 1}));
}

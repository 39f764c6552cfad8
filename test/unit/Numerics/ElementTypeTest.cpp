// Names and widths of element types (g1), and dispatch on them.

#include "gensyn/Numerics/Dispatch.h"

#include <gtest/gtest.h>

using namespace gensyn;

TEST(ElementType, NamesRoundTrip) {
  for (int i = 0; i < kNumElementTypes; ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(elementTypeFromName(name(type)), type);
  }
  EXPECT_EQ(name(ElementType::UI8), "ui8");
  EXPECT_EQ(name(ElementType::BF16), "bf16");
  EXPECT_FALSE(elementTypeFromName("f8"));
  EXPECT_FALSE(elementTypeFromName(""));
  EXPECT_FALSE(elementTypeFromName("F32"));
}

TEST(ElementType, WidthsAndKinds) {
  EXPECT_EQ(bitWidth(ElementType::I1), 1);
  EXPECT_EQ(byteWidth(ElementType::I1), 1);
  EXPECT_TRUE(isInteger(ElementType::I1));
  EXPECT_FALSE(isSignedInteger(ElementType::I1));
  EXPECT_FALSE(isUnsignedInteger(ElementType::I1));
  EXPECT_TRUE(isSignedInteger(ElementType::I64));
  EXPECT_TRUE(isUnsignedInteger(ElementType::UI8));
  EXPECT_FALSE(isUnsignedInteger(ElementType::F16));
  EXPECT_TRUE(isFloat(ElementType::BF16));
  EXPECT_FALSE(isFloat(ElementType::UI64));
}

TEST(ElementType, DispatchIsTheInverseOfElementTypeOf) {
  for (int i = 0; i < kNumElementTypes; ++i) {
    const auto type = static_cast<ElementType>(i);
    dispatch(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      EXPECT_EQ(elementTypeOf<T>(), type);
      EXPECT_EQ(static_cast<int>(sizeof(T)), byteWidth(type));
    });
  }
}

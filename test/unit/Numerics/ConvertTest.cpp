// Conversions between all element types: convert_r1, convert_r2.

#include "gensyn/Numerics/Convert.h"
#include "gensyn/Numerics/Dispatch.h"

#include <gtest/gtest.h>

using namespace gensyn;
using scalar::convert;

namespace {
const float kNan = std::bit_cast<float>(0xFFA12345u);
const float kInf = std::numeric_limits<float>::infinity();

template <class T> class ToInteger : public testing::Test {};
using Integers = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t,
                                uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(ToInteger, Integers);
} // namespace

TYPED_TEST(ToInteger, convert_r2_TruncatesAndSaturates) {
  using L = std::numeric_limits<TypeParam>;
  EXPECT_EQ((convert<TypeParam>(kNan)), 0);
  EXPECT_EQ((convert<TypeParam>(kInf)), L::max());
  EXPECT_EQ((convert<TypeParam>(-kInf)), L::min());
  EXPECT_EQ((convert<TypeParam>(1e30)), L::max());
  EXPECT_EQ((convert<TypeParam>(-1e30)), L::min());
  EXPECT_EQ((convert<TypeParam>(-0.0f)), 0);
  EXPECT_EQ((convert<TypeParam>(1.9999999f)), 1);
  EXPECT_EQ((convert<TypeParam>(-0.9999999f)), 0);
  EXPECT_EQ((convert<TypeParam>(-1.5)), L::is_signed ? TypeParam(-1) : 0);
  const double above = std::ldexp(1.0, L::digits);
  const double below = std::nextafter(above, 0.0);
  EXPECT_EQ((convert<TypeParam>(above)), L::max());
  EXPECT_EQ((convert<TypeParam>(below)), static_cast<TypeParam>(below));
  if (L::is_signed) {
    EXPECT_EQ((convert<TypeParam>(-above)), L::min());
    EXPECT_EQ((convert<TypeParam>(-below)), static_cast<TypeParam>(-below));
  }
  EXPECT_EQ((convert<TypeParam>(F16{0x7BFF})),
            sizeof(TypeParam) == 1 || (sizeof(TypeParam) == 2 && L::is_signed)
                ? L::max()
                : static_cast<TypeParam>(65504));
  EXPECT_EQ((convert<TypeParam>(true)), 1);
}

TEST(Convert, convert_r2_NegativeFractionsNearTheMinimum) {
  EXPECT_EQ((convert<int8_t>(-128.9f)), -128);
  EXPECT_EQ((convert<int8_t>(-129.0f)), -128);
  EXPECT_EQ((convert<int8_t>(127.9f)), 127);
  EXPECT_EQ((convert<uint8_t>(255.9f)), 255);
  EXPECT_EQ((convert<int32_t>(-2147483648.75)), INT32_MIN);
}

TEST(Convert, convert_r2_IntegersWrap) {
  EXPECT_EQ((convert<int8_t>(int32_t{200})), -56);
  EXPECT_EQ((convert<uint8_t>(int64_t{-1})), 255);
  EXPECT_EQ((convert<int64_t>(uint32_t{0xFFFFFFFF})), 0xFFFFFFFF);
  EXPECT_EQ((convert<int64_t>(int32_t{-1})), -1);
  EXPECT_EQ((convert<uint64_t>(int8_t{-1})), UINT64_MAX);
}

TEST(Convert, convert_r2_ToBoolIsNotZero) {
  EXPECT_FALSE(convert<bool>(-0.0f));
  EXPECT_TRUE(convert<bool>(kNan));
  EXPECT_TRUE(convert<bool>(0x1p-149f));
  EXPECT_TRUE(convert<bool>(int32_t{256})) << "not modulo anything";
  EXPECT_FALSE(convert<bool>(BF16{0x8000}));
  EXPECT_TRUE(convert<bool>(F16{0x7E01}));
  EXPECT_EQ((convert<float>(true)), 1.0f);
}

TEST(Convert, g4_NansBecomeCanonical) {
  EXPECT_EQ(std::bit_cast<uint32_t>(convert<float>(kNan)), 0x7FC00000u);
  EXPECT_EQ(std::bit_cast<uint64_t>(convert<double>(kNan)),
            0x7FF8000000000000u);
  EXPECT_EQ(convert<F16>(kNan).bits, 0x7E00);
  EXPECT_EQ(convert<BF16>(kNan).bits, 0x7FC0);
  EXPECT_EQ(convert<BF16>(BF16{0xFFC1}).bits, 0x7FC0);
  EXPECT_EQ(std::bit_cast<uint32_t>(convert<float>(F16{0xFC01})), 0x7FC00000u);
}

// Two roundings, through f32, would give another result for each of these.
TEST(Convert, convert_r1_RoundsOnce) {
  const double x = 1 + 0x1p-11 + 0x1p-40; // f32: the tie 1 + 2^-11
  EXPECT_EQ(convert<F16>(x).bits, 0x3C01);
  EXPECT_EQ(convert<F16>(static_cast<float>(x)).bits, 0x3C00);
  EXPECT_EQ(convert<BF16>(1 + 0x1p-8 + 0x1p-40).bits, 0x3F81);
  // 2^62 + 2^54 is bf16's tie; the last bit decides, and f64 cannot hold it.
  const int64_t tie = (int64_t{1} << 62) + (int64_t{1} << 54);
  EXPECT_EQ(convert<BF16>(tie).bits, 0x5E80);
  EXPECT_EQ(convert<BF16>(tie + 1).bits, 0x5E81);
  EXPECT_EQ(convert<BF16>(-(tie + 1)).bits, 0xDE81);
  EXPECT_EQ(convert<BF16>(UINT64_MAX).bits, 0x5F80);
  EXPECT_EQ(convert<BF16>(INT64_MIN).bits, 0xDF00);
  EXPECT_EQ(convert<F16>(int64_t{65519}).bits, 0x7BFF);
  EXPECT_EQ(convert<F16>(int64_t{65520}).bits, 0x7C00);
}

TEST(Convert, convert_r2_IntegerToFloatIsNearestEven) {
  EXPECT_EQ((convert<float>(int32_t{16777217})), 16777216.0f);
  EXPECT_EQ((convert<float>(int32_t{16777219})), 16777220.0f);
  // Through f64 this would round twice, to the tie and then to even.
  const uint64_t x = (uint64_t{1} << 60) + (uint64_t{1} << 36) + 1;
  EXPECT_EQ((convert<float>(x)), 0x1.000002p60f);
  EXPECT_EQ((convert<float>(static_cast<int64_t>(x))), 0x1.000002p60f);
  EXPECT_EQ((convert<float>(UINT64_MAX)), 0x1p64f);
  EXPECT_EQ((convert<double>(UINT64_MAX)), 0x1p64);
  EXPECT_EQ((convert<double>(int64_t{0x20000000000001})), 0x1p53);
}

/// True if a type has 0, 1, 2 or 100 among its values.
static bool hasNumber(ElementType type, int number) {
  if (type == ElementType::F8E8M0FNU)
    return number == 1 || number == 2;
  return number < 2 || !isStorageOnly(type) || type == ElementType::F16 ||
         type == ElementType::BF16;
}

TEST(Convert, EveryPairOfTypesConvertsSmallIntegersExactly) {
  for (int i = 0; i < kNumElementTypes; ++i)
    for (int j = 0; j < kNumElementTypes; ++j)
      for (int number : {0, 1, 2, 100}) {
        const auto from = static_cast<ElementType>(i);
        const auto to = static_cast<ElementType>(j);
        if (!hasNumber(from, number) || !hasNumber(to, number))
          continue;
        const bool logical = from == ElementType::I1 || to == ElementType::I1;
        const Tensor there = scalar::convertTensor(
            scalar::convertTensor(Tensor::scalar<double>(number), from), to);
        const Tensor back = scalar::convertTensor(there, ElementType::F64);
        EXPECT_EQ(*back.as<double>(), logical ? number != 0 : number)
            << name(from) << " to " << name(to);
      }
}

TEST(Convert, convert_r2_NarrowIntegers) {
  EXPECT_EQ(convert<I4>(7.9f).bits, 7);
  EXPECT_EQ(convert<I4>(8.0f).bits, 7);
  EXPECT_EQ(convert<I4>(-8.9f).bits, 8);
  EXPECT_EQ(convert<I4>(-1e30).bits, 8);
  EXPECT_EQ(convert<I4>(-1.5).bits, 15);
  EXPECT_EQ(convert<I4>(kNan).bits, 0);
  EXPECT_EQ(convert<UI4>(15.9).bits, 15);
  EXPECT_EQ(convert<UI4>(1e9).bits, 15);
  EXPECT_EQ(convert<UI4>(-0.9).bits, 0);
  EXPECT_EQ(convert<UI4>(-3.0).bits, 0);
  EXPECT_EQ(convert<I2>(5.0).bits, 1);
  EXPECT_EQ(convert<I2>(-5.0).bits, 2);
  EXPECT_EQ(convert<UI2>(5.0).bits, 3);
  // Integers wrap; the source's signedness extends it.
  EXPECT_EQ(convert<I4>(int32_t{0x1F9}).bits, 9);
  EXPECT_EQ(convert<int32_t>(I4{9}), -7);
  EXPECT_EQ(convert<int32_t>(UI4{9}), 9);
  EXPECT_EQ(convert<uint8_t>(I2{3}), 255);
  EXPECT_EQ(convert<UI2>(I4{14}).bits, 2);
  EXPECT_EQ(convert<float>(I4{8}), -8.0f);
  EXPECT_EQ(convert<I4>(F8E4M3FN{0xBC}).bits, 15) << "-1.5";
  EXPECT_TRUE(convert<bool>(I4{8}));
  // Bits of the byte above the type's are ignored.
  EXPECT_EQ(convert<int32_t>(I4{0xF7}), 7);
  EXPECT_EQ(convert<float>(F4E2M1FN{0xF3}), 1.5f);
}

TEST(Convert, convert_r1_IntegersToNarrowFloatsRoundOnce) {
  EXPECT_EQ(convert<F8E4M3FN>(int32_t{464}).bits, 0x7E) << "the tie to 448";
  EXPECT_EQ(convert<F8E4M3FN>(int32_t{465}).bits, 0x7F);
  EXPECT_EQ(convert<F8E4M3FN>(int32_t{-465}, {.saturate = true}).bits, 0xFE);
  EXPECT_EQ(convert<F8E5M2>(int64_t{61439}).bits, 0x7B);
  EXPECT_EQ(convert<F8E5M2>(int64_t{61440}).bits, 0x7C);
  EXPECT_EQ(convert<F4E2M1FN>(uint64_t{~0ull}).bits, 7);
  const int64_t tie = (int64_t{1} << 62) + (int64_t{1} << 61);
  EXPECT_EQ(convert<F8E8M0FNU>(tie - 1).bits, 127 + 62);
  EXPECT_EQ(convert<F8E8M0FNU>(tie).bits, 127 + 63);
}

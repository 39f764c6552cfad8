// The contents of the mixes.

#include "gensyn/CheckBits/Inputs.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace gensyn::checkbits {
namespace {

struct Found {
  int nans = 0, oddNans = 0, negativeNans = 0, infinities = 0, subnormals = 0,
      negativeZeros = 0, huge = 0;
};

Found look(Mix mix) {
  Tensor tensor = makeInput(ElementType::F32, {4000}, mix, 3);
  Found found;
  for (float x : std::as_const(tensor).span<float>()) {
    const auto bits = std::bit_cast<uint32_t>(x);
    found.nans += std::isnan(x);
    found.oddNans += std::isnan(x) && (bits & 0x7FFFFFFF) != 0x7FC00000;
    found.negativeNans += std::isnan(x) && bits >> 31;
    found.infinities += std::isinf(x);
    found.subnormals += std::fpclassify(x) == FP_SUBNORMAL;
    found.negativeZeros += bits == 0x80000000;
    found.huge += std::isfinite(x) && std::fabs(x) > 1e37f;
  }
  return found;
}

TEST(Inputs, FiniteMixesHideNothing) {
  for (Mix mix : {Mix::Ordinary, Mix::Wide, Mix::Ties}) {
    Found found = look(mix);
    EXPECT_EQ(found.nans + found.infinities, 0);
  }
}

TEST(Inputs, WideMixHasBothEnds) {
  Found found = look(Mix::Wide);
  EXPECT_GT(found.subnormals, 100);
  EXPECT_GT(found.negativeZeros, 100);
  EXPECT_GT(found.huge, 100);
}

TEST(Inputs, SpecialMixHasOddNans) {
  Found found = look(Mix::Special);
  EXPECT_GT(found.oddNans, 10);
  EXPECT_GT(found.negativeNans, 10);
  EXPECT_GT(found.infinities, 10);
  EXPECT_LT(found.nans, 1000);
}

// Half way between two f16 values and next to it, in f64: a detour through f32
// rounds twice.
TEST(Inputs, TiesAreTies) {
  Tensor tensor = makeInput(ElementType::F64, {4000}, Mix::Ties, 3);
  int ties = 0, beside = 0;
  for (double x : std::as_const(tensor).span<double>()) {
    const auto fraction = std::bit_cast<uint64_t>(x) & ((1ull << 52) - 1);
    const uint64_t tail = fraction & ((1ull << 42) - 1);
    ties += tail == 1ull << 41;
    beside += tail == (1ull << 41) + 1 || tail == (1ull << 41) - 1;
  }
  EXPECT_GT(ties, 100);
  EXPECT_GT(beside, 20);
}

TEST(Inputs, SameSeedSameBits) {
  for (int type = 0; type < kNumElementTypes; ++type)
    for (unsigned mix = 0; mix < kNumMixes; ++mix) {
      auto make = [&](uint64_t seed) {
        return makeInput(static_cast<ElementType>(type), {33},
                         static_cast<Mix>(mix), seed);
      };
      EXPECT_TRUE(make(5).bitEqual(make(5)));
    }
}

TEST(Inputs, NarrowElementsStayInTheirBits) {
  Tensor flags = makeInput(ElementType::I1, {1000}, Mix::Raw, 1);
  for (std::byte flag : flags.byteSpan())
    EXPECT_LE(std::to_integer<int>(flag), 1);
}

} // namespace
} // namespace gensyn::checkbits

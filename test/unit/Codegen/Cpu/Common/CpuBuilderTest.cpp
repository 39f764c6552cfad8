// Vectors of the schedules on all instruction sets: transposes, masks,
// arithmetic.

#include "BuiltCode.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::getRunnableTargets;
using testing::runBuilt;

Tensor numbers(ElementType type, int64_t count) {
  Tensor tensor(type, {count});
  for (int64_t i = 0; i < count; ++i)
    if (type == ElementType::F32)
      tensor.as<float>()[i] = static_cast<float>(i + 1);
    else
      tensor.as<int32_t>()[i] = static_cast<int32_t>(i + 1);
  return tensor;
}

TEST(CpuBuilder, TransposesSquares) {
  for (const Target *target : getRunnableTargets())
    for (int64_t lanes : {2, 4, 8, 16}) {
      Tensor input = numbers(ElementType::F32, lanes * lanes);
      Tensor output = runBuilt(
          *target, lanes, input, "f32",
          [&](CpuBuilder &code, Value from, Value to) {
            SmallVector<Value> rows;
            for (int64_t i = 0; i < lanes; ++i)
              rows.push_back(code.load(code.at(from, i * lanes)));
            for (auto [i, row] : llvm::enumerate(transpose(code, rows)))
              code.store(row, code.at(to, int64_t(i) * lanes));
          });
      for (int64_t i = 0; i < lanes; ++i)
        for (int64_t j = 0; j < lanes; ++j)
          EXPECT_EQ(output.as<float>()[i * lanes + j],
                    input.as<float>()[j * lanes + i]);
    }
}

// A count may be negative or exceed the lanes.
TEST(CpuBuilder, MasksOfFirstLanes) {
  for (const Target *target : getRunnableTargets())
    for (int64_t lanes : {4, 8, 16})
      for (int64_t count :
           {int64_t{-3}, int64_t{0}, int64_t{1}, lanes - 1, lanes, lanes + 5}) {
        Tensor output = runBuilt(
            *target, lanes, numbers(ElementType::I32, lanes + 1), "i32",
            [&](CpuBuilder &code, Value from, Value to) {
              const StoredTensor whole(code);
              Value mask = code.firstLanes(code.constant(count));
              code.store(whole.load(from, mask), to);
              Value full = code.select(code.isFull(mask), code.constant(1),
                                       code.constant(0));
              code.storeScalar(code.truncate(full), code.at(to, lanes));
            });
        for (int64_t i = 0; i < lanes; ++i)
          EXPECT_EQ(output.as<int32_t>()[i], i < count ? i + 1 : 0)
              << lanes << " lanes, " << count;
        EXPECT_EQ(output.as<int32_t>()[lanes], count >= lanes);
      }
}

TEST(CpuBuilder, FmaRoundsOnceAndWraps) {
  for (const Target *target : getRunnableTargets()) {
    Tensor input(ElementType::F32, {4});
    const float x = 1 + 0x1p-12f;
    std::fill_n(input.as<float>(), 4, x);
    Tensor output = runBuilt(
        *target, 4, input, "f32", [](CpuBuilder &code, Value from, Value to) {
          Value value = code.load(from);
          Value one = code.splat(arith::ConstantOp::create(
              code.b, code.loc, code.b.getF32FloatAttr(-1)));
          code.store(code.fma(value, value, one), to);
        });
    // x * x rounds to 1 + 2^-11, without the 2^-24.
    EXPECT_EQ(output.as<float>()[3], 0x1p-11f + 0x1p-24f);

    Tensor integers(ElementType::I32, {4});
    std::fill_n(integers.as<int32_t>(), 4, 0x10001);
    Tensor products = runBuilt(*target, 4, integers, "i32",
                               [](CpuBuilder &code, Value from, Value to) {
                                 Value value = code.load(from);
                                 code.store(code.fma(value, value, value), to);
                               });
    EXPECT_EQ(products.as<int32_t>()[2], 0x30002);
  }
}

// Halves are signed, sums wrap: two products of -2^15 are -2^31.
TEST(CpuBuilder, HalvesAreJoinedAndMultiplied) {
  for (const Target *target : getRunnableTargets())
    for (int64_t lanes : {4, 8, 16}) {
      Tensor input = numbers(ElementType::I32, 2 * lanes + 1);
      const int32_t halves[] = {-0x8000, -3, 0x12345, 7};
      for (int64_t i = 0; i < lanes; ++i) {
        input.as<int32_t>()[i] = halves[i % 4];
        input.as<int32_t>()[lanes + i] = halves[i % 4 == 0 ? 0 : 3 - i % 4];
      }
      Tensor output =
          runBuilt(*target, lanes, input, "i32",
                   [&](CpuBuilder &code, Value from, Value to) {
                     Value pairs = code.joinHalves(
                         code.load(from), code.load(code.at(from, lanes)));
                     code.store(pairs, to);
                     code.store(code.addHalfProducts(pairs, pairs, pairs),
                                code.at(to, lanes));
                     Value last = code.at(to, 2 * lanes);
                     for (int64_t half : {1, 0})
                       code.storeHalf(code.loadScalar(code.at(from, 1 + half)),
                                      last, code.constant(half));
                   });
      for (int64_t i = 0; i < lanes; ++i) {
        const auto low = int16_t(input.as<int32_t>()[i]),
                   high = int16_t(input.as<int32_t>()[lanes + i]);
        const uint32_t pair = uint32_t(uint16_t(high)) << 16 | uint16_t(low);
        EXPECT_EQ(uint32_t(output.as<int32_t>()[i]), pair);
        EXPECT_EQ(uint32_t(output.as<int32_t>()[lanes + i]),
                  pair + uint32_t(low * low) + uint32_t(high * high));
      }
      EXPECT_EQ(uint32_t(output.as<int32_t>()[2 * lanes]), 0x2345FFFDu);
    }
}

TEST(CpuBuilder, NansBecomeCanonical) {
  for (const Target *target : getRunnableTargets()) {
    Tensor input(ElementType::F32, {4});
    const uint32_t bits[] = {0xFFC12345, 0x7F800001, 0x80000000, 0x7F800000};
    std::memcpy(input.data(), bits, sizeof bits);
    Tensor output = runBuilt(*target, 4, input, "f32",
                             [](CpuBuilder &code, Value from, Value to) {
                               code.store(code.canonical(code.load(from)), to);
                             });
    const uint32_t expected[] = {0x7FC00000, 0x7FC00000, 0x80000000,
                                 0x7F800000};
    EXPECT_EQ(std::memcmp(output.data(), expected, sizeof expected), 0);
  }
}

} // namespace
} // namespace gensyn::cpu

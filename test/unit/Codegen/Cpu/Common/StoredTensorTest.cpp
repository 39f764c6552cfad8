// Elements that are widened when they are read, all patterns of narrow types,
// on all instruction sets.

#include "BuiltCode.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/Convert.h"
#include "gensyn/Numerics/Dispatch.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::getRunnableTargets;
using testing::runBuilt;

/// All patterns of a type of at most 16 bits, or 2^16 of a wider one.
Tensor patterns(ElementType type) {
  const int bits = std::min(bitWidth(type), 16);
  Tensor tensor(type, {int64_t{1} << bits});
  const auto bytes = static_cast<size_t>(byteWidth(type));
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    const uint64_t pattern = static_cast<uint64_t>(i)
                             << (bitWidth(type) > 16 ? bitWidth(type) - 16 : 0);
    std::memcpy(tensor.data() + static_cast<size_t>(i) * bytes, &pattern,
                bytes);
  }
  return tensor;
}

/// Stores the elements of lanes in their order.
void storeLanes(CpuBuilder &code, const StoredTensor &stored, Value source,
                Value result) {
  const Value wide = stored.loadLanes(source);
  for (int64_t part = 0; part < stored.perLane(); ++part) {
    const Value elements = stored.elementOfLanes(wide, part);
    for (int64_t lane = 0; lane < code.lanes; ++lane)
      code.storeScalar(
          vector::ExtractOp::create(code.b, code.loc, elements, lane),
          code.at(result, lane * stored.perLane() + part));
  }
}

/// Ways to read elements.
enum class Reading { Vectors, Scalars, Lanes };

/// Expects that all ways to read have the values of the elements; NaNs may have
/// any payload.
template <class To>
void expectWidened(const Target &target, ElementType type,
                   const std::string &to) {
  SCOPED_TRACE(std::string(target.name) + " " + std::string(name(type)) +
               " to " + to);
  const Tensor input = patterns(type);
  const int64_t count = input.numElements(), lanes = 4;
  for (Reading how : {Reading::Vectors, Reading::Scalars, Reading::Lanes}) {
    Tensor output = runBuilt(
        target, lanes, input, to,
        [&](CpuBuilder &code, Value from, Value result) {
          const StoredTensor stored(
              code, repro::getMlirType(code.b.getContext(), type),
              target.hasHalfConversion);
          const int64_t parts = stored.perLane();
          const int64_t step = how == Reading::Vectors   ? lanes
                               : how == Reading::Scalars ? 1
                                                         : lanes * parts;
          code.loop(code.constant(0), code.constant(count), step, [&](Value i) {
            Value source = stored.at(from, i);
            if (how == Reading::Vectors)
              code.store(stored.load(source), code.at(result, i));
            else if (how == Reading::Lanes)
              storeLanes(code, stored, source, code.at(result, i));
            else
              code.storeScalar(stored.loadScalar(source), code.at(result, i));
          });
        });
    int64_t wrong = 0;
    dispatch(type, [&](auto tag) {
      using From = typename decltype(tag)::type;
      for (int64_t i = 0; i < count; ++i) {
        From element;
        std::memcpy(&element, input.data() + size_t(i) * sizeof(From),
                    sizeof(From));
        const To expected = scalar::convert<To>(element),
                 actual = output.as<To>()[i];
        if (std::memcmp(&expected, &actual, sizeof(To)) != 0 &&
            !(expected != expected && actual != actual))
          ++wrong;
      }
    });
    EXPECT_EQ(wrong, 0);
  }
}

// contract_r1.
TEST(StoredTensor, LoadsWidenExactly) {
  for (const Target *target : getRunnableTargets()) {
    for (ElementType type :
         {ElementType::BF16, ElementType::F16, ElementType::F8E4M3FN,
          ElementType::F8E5M2, ElementType::F8E4M3FNUZ, ElementType::F4E2M1FN})
      expectWidened<float>(*target, type, "f32");
    expectWidened<double>(*target, ElementType::F32, "f64");
    expectWidened<double>(*target, ElementType::BF16, "f64");
    for (ElementType type :
         {ElementType::I8, ElementType::I16, ElementType::I4})
      expectWidened<int32_t>(*target, type, "i32");
    for (ElementType type :
         {ElementType::UI8, ElementType::UI16, ElementType::UI4})
      expectWidened<uint32_t>(*target, type, "ui32");
    expectWidened<int64_t>(*target, ElementType::I32, "i64");
  }
}

// Sums of narrow integers are wider than the result.
TEST(StoredTensor, StoresKeepLowBits) {
  for (const Target *target : getRunnableTargets()) {
    Tensor input(ElementType::I32, {8});
    for (int32_t i = 0; i < 8; ++i)
      input.as<int32_t>()[i] = i * 0x01234567;
    // The list of i32 holds bytes at first, and is read again as bytes.
    Tensor output = runBuilt(
        *target, 4, input, "i32", [](CpuBuilder &code, Value from, Value to) {
          const StoredTensor bytes(code, code.b.getI8Type());
          for (int64_t i = 0; i < 8; ++i)
            code.storeScalar(code.loadScalar(code.at(from, 7)), code.at(to, i));
          bytes.store(code.load(from), to);
          bytes.store(code.load(code.at(from, 4)), bytes.at(to, 4),
                      code.firstLanes(code.constant(3)));
        });
    const auto *stored = reinterpret_cast<const int8_t *>(output.data());
    for (int32_t i = 0; i < 7; ++i)
      EXPECT_EQ(stored[i], static_cast<int8_t>(i * 0x67));
    const uint32_t rest = 7u * 0x01234567u;
    EXPECT_EQ(static_cast<uint8_t>(stored[7]), rest >> 24);
  }
}

} // namespace
} // namespace gensyn::cpu

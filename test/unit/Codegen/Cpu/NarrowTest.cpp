// The types that are only stored: conversions of all their patterns, bitcast,
// comparison, movement and contraction, compiled for every instruction set,
// against the reference.

#include "RunProgram.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/NarrowConvert.h"
#include "llvm/ADT/APFloat.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;
using namespace gensyn;

namespace {

const char *const kFloats[] = {
    "f16",        "bf16",      "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2",
    "f8E5M2FNUZ", "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN",   "f4E2M1FN"};
const char *const kIntegers[] = {"i4", "ui4", "i2", "ui2"};

/// Every pattern of a type of at most 16 bits, a few times over in another
/// order; of wider ones values around the ranges of narrow floats and any bits.
Tensor patterns(ElementType type, int64_t count) {
  Tensor result(type, {count});
  const auto bytes = static_cast<size_t>(byteWidth(type));
  std::byte *data = result.data();
  std::mt19937_64 random(7);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = static_cast<uint64_t>(i) * 40503;
    if (bitWidth(type) <= 16) {
      bits &= (1u << bitWidth(type)) - 1;
    } else if (isFloat(type) && i % 4 != 0) {
      // Few digits, so that there are ties, and one more at times.
      const int width = bitWidth(type), mantissa = width == 32 ? 23 : 52;
      const uint64_t bias = width == 32 ? 127 : 1023;
      const uint64_t exponent = bias - 30 + random() % 60;
      const uint64_t digits = random() % 64 << (mantissa - 6 - i % 6);
      bits = (random() & 1) << (width - 1) | exponent << mantissa |
             ((digits + random() % 3 - 1) & ((1ull << mantissa) - 1));
      if (i % 16 == 1) // the ends of bf16 and of the powers of two
        bits ^= uint64_t{1} << (width - 3);
    } else {
      bits = random() >> random() % 64;
      if (isFloat(type))
        bits = random();
    }
    std::memcpy(data + static_cast<size_t>(i) * bytes, &bits, bytes);
  }
  return result;
}

/// Conversions of one source, compiled together.
class Conversions {
public:
  explicit Conversions(const std::string &from)
      : from(from), type(*elementTypeFromName(from)),
        count(bitWidth(type) <= 8 ? 531 : 65536 + 77) {}
  ~Conversions() {
    expectBits("func.func @f(%x: " + of(from) + ") -> (" + types + ") {\n" +
                   body + "  return " + results + " : " + types + "\n}\n",
               {patterns(type, count)});
  }
  void to(const std::string &type, const std::string &how = "") {
    const std::string name = "%r" + std::to_string(number++);
    body += "  " + name + " = repro.convert %x " + how + " : " + of(from) +
            " to " + of(type) + "\n";
    results += (results.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + of(type);
  }

private:
  std::string of(const std::string &element) const {
    return "tensor<" + std::to_string(count) + "x" + element + ">";
  }
  std::string from, body, results, types;
  ElementType type;
  int64_t count;
  int number = 0;
};

// Sources are widened alike whatever the target is.
TEST(Narrow, convert_r1_WidensEveryPattern) {
  for (const char *from : kFloats) {
    Conversions conversions(from);
    for (const char *to : {"f32", "f64", "i8", "ui64", "i1", "i4"})
      conversions.to(to);
    if (std::string(from) != "f8E5M2")
      conversions.to("f8E5M2");
  }
  for (const char *from : kIntegers) {
    Conversions conversions(from);
    for (const char *to : {"f32", "i32", "ui8", "i1", "f4E2M1FN"})
      conversions.to(to);
  }
}

TEST(Narrow, convert_r1_Narrows) {
  for (const char *from : {"f32", "f64", "i64", "ui64", "i8", "f16"}) {
    Conversions conversions(from);
    for (const char *to : kFloats)
      if (std::string(to) != from)
        conversions.to(to);
  }
  for (const char *from : {"f32", "f64"}) {
    Conversions conversions(from);
    for (const char *to : {"f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ"})
      conversions.to(to, "saturate");
  }
}

// LLVM knows the formats too. It keeps the sign and payload of a NaN, so those
// are left to other tests.
template <class T> static void compareWithLlvm(mlir::MLIRContext *context) {
  auto type = mlir::cast<mlir::FloatType>(
      repro::getMlirType(context, elementTypeOf<T>()));
  for (uint64_t i = 0; i < uint64_t{1} << 32; i += 9973) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(i));
    if (x != x)
      continue;
    llvm::APFloat value(x);
    bool lost;
    value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &lost);
    const T ours = narrowTo<T>(x);
    if (value.isNaN())
      ASSERT_EQ(ours.bits, T::kNan) << x;
    else
      ASSERT_EQ(ours.bits, value.bitcastToAPInt().getZExtValue()) << x;
    if (value.isFinite()) {
      value.convert(llvm::APFloat::IEEEsingle(),
                    llvm::APFloat::rmNearestTiesToEven, &lost);
      ASSERT_EQ(std::bit_cast<uint32_t>(widenNarrow(ours)),
                value.bitcastToAPInt().getZExtValue())
          << x;
    }
  }
}

TEST(Narrow, convert_r1_AgreesWithLlvm) {
  mlir::MLIRContext context;
  compareWithLlvm<F16>(&context);
  compareWithLlvm<BF16>(&context);
  compareWithLlvm<F8E4M3FN>(&context);
  compareWithLlvm<F8E4M3FNUZ>(&context);
  compareWithLlvm<F8E5M2>(&context);
  compareWithLlvm<F8E5M2FNUZ>(&context);
  compareWithLlvm<F6E2M3FN>(&context);
  compareWithLlvm<F6E3M2FN>(&context);
  compareWithLlvm<F4E2M1FN>(&context);
}

TEST(Narrow, convert_r2_NarrowIntegers) {
  for (const char *from : {"f32", "f64", "i64", "ui64", "i8", "i1", "bf16"}) {
    Conversions conversions(from);
    for (const char *to : kIntegers)
      conversions.to(to);
  }
}

TEST(Narrow, convert_r3_PowersOfTwo) {
  for (const char *from : {"f32", "f64", "bf16"}) {
    Conversions conversions(from);
    for (const char *round : {"nearest", "up", "down"})
      for (const char *saturate : {"", "saturate "})
        conversions.to("f8E8M0FNU", std::string(saturate) + "round " + round);
  }
}

TEST(Narrow, BitcastKeepsEveryPattern) {
  expectBits(R"(
    func.func @f(%a: tensor<5000xf32>, %b: tensor<5000xui64>,
                 %c: tensor<5000xf16>, %d: tensor<5000xf8E5M2>,
                 %e: tensor<5000xi4>, %p: tensor<5000xi1>)
        -> (tensor<5000xi32>, tensor<5000xf64>, tensor<5000xbf16>,
            tensor<5000xui8>, tensor<5000xf4E2M1FN>, tensor<5000xf32>) {
      %0 = repro.bitcast %a : tensor<5000xf32> to tensor<5000xi32>
      %1 = repro.bitcast %b : tensor<5000xui64> to tensor<5000xf64>
      %2 = repro.bitcast %c : tensor<5000xf16> to tensor<5000xbf16>
      %3 = repro.bitcast %d : tensor<5000xf8E5M2> to tensor<5000xui8>
      %4 = repro.bitcast %e : tensor<5000xi4> to tensor<5000xf4E2M1FN>
      %5 = repro.bitcast %0 : tensor<5000xi32> to tensor<5000xf32>
      %6 = repro.select %p, %5, %a : tensor<5000xf32>
      return %0, %1, %2, %3, %4, %6
        : tensor<5000xi32>, tensor<5000xf64>, tensor<5000xbf16>,
          tensor<5000xui8>, tensor<5000xf4E2M1FN>, tensor<5000xf32>
    })");
}

// g4: what arithmetic computed is canonical before its bits are looked at.
TEST(Narrow, g4_BitcastTakesCanonicalNans) {
  expectBits(R"(
    func.func @f(%a: tensor<999xf32>, %b: tensor<999xf32>) -> tensor<999xui32> {
      %s = repro.sub %a, %b : tensor<999xf32>
      %n = repro.neg %s : tensor<999xf32>
      %u = repro.bitcast %n : tensor<999xf32> to tensor<999xui32>
      return %u : tensor<999xui32>
    })");
}

TEST(Narrow, CompareSelectAndMove) {
  std::string arguments, body, results, types;
  int number = 0;
  auto take = [&](const std::string &type) {
    const std::string name = "%a" + std::to_string(number++);
    arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
    return name;
  };
  auto give = [&](const std::string &text, const std::string &type) {
    const std::string name = "%r" + std::to_string(number++);
    body += "  " + name + " = " + text + "\n";
    results += (results.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + type;
    return name;
  };
  for (const std::string element :
       {"f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E8M0FNU", "f6E3M2FN", "f4E2M1FN",
        "i4", "ui4", "i2"}) {
    const std::string type = "tensor<2047x" + element + ">";
    const std::string a = take(type), b = take(type);
    std::string p;
    for (const char *kind : {"ne", "lt", "ge"})
      p = give(std::string("repro.compare ") + kind + " " + a + ", " + b +
                   " : " + type,
               "tensor<2047xi1>");
    const std::string y =
        give("repro.select " + p + ", " + b + ", " + a + " : " + type, type);
    give("repro.reverse " + y + " dims [0] : " + type, type);
    give("repro.constant dense<1.0> : " + type, type);
    if (element[0] != 'f')
      body.replace(body.rfind("dense<1.0>"), 10, "dense<1>");
  }
  expectBits("func.func @f(" + arguments + ") -> (" + types + ") {\n" + body +
             "  return " + results + " : " + types + "\n}\n");
}

// Elements that no vector load reads, converted to types of several widths.
TEST(Narrow, GatheredElementsAreConverted) {
  struct Case {
    std::string from, to;
  };
  for (const auto &[from, to] :
       {Case{"ui4", "i64"}, Case{"ui8", "i16"}, Case{"i8", "f32"},
        Case{"bf16", "f32"}, Case{"f8E5M2", "f32"}, Case{"ui16", "i64"}}) {
    auto moved = [&](const char *shape) {
      return std::string("tensor<") + shape + from + ">";
    };
    auto converted = [&](const char *shape) {
      return moved(shape) + " to tensor<" + shape + to + ">";
    };
    const std::string types =
        "tensor<3x64x1x" + to + ">, tensor<37x" + to + ">";
    expectBits("func.func @f(%x: " + moved("3x4x1x") + ", %t: " + moved("19x") +
               ", %i: tensor<37xi64>) -> (" + types + ") {\n" +
               "%0 = repro.broadcast %x dims [0, 1, 3] : " + moved("3x4x1x") +
               " to " + moved("3x4x16x1x") + "\n" + "%1 = repro.reshape %0 : " +
               moved("3x4x16x1x") + " to " + moved("3x64x1x") + "\n" +
               "%2 = repro.convert %1 : " + converted("3x64x1x") + "\n" +
               "%3 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, "
               "affine_map<(d0) -> (d0)>] bounds zero : " +
               moved("19x") + ", tensor<37xi64> -> " + moved("37x") + "\n" +
               "%4 = repro.convert %3 : " + converted("37x") + "\n" +
               "return %2, %4 : " + types + "\n}");
  }
}

// contract_r1.
TEST(Narrow, contract_r1_NarrowOperandsWidenExactly) {
  expectBits(R"(
    func.func @f(%a: tensor<5x24xf8E4M3FN>, %b: tensor<24x3xf4E2M1FN>,
                 %c: tensor<5x24xbf16>, %d: tensor<24x3xf6E2M3FN>,
                 %i: tensor<5x24xi4>, %j: tensor<24x3xi4>)
        -> (tensor<5x3xf32>, tensor<5x3xf64>, tensor<5x3xi32>) {
      %0 = repro.contract %a, %b domain <[5, 3, 24], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order lanes<8> : tensor<5x24xf8E4M3FN>, tensor<24x3xf4E2M1FN> -> tensor<5x3xf32>
      %1 = repro.contract %c, %d domain <[5, 3, 24], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<5x24xbf16>, tensor<24x3xf6E2M3FN> -> tensor<5x3xf64>
      %2 = repro.contract %i, %j domain <[5, 3, 24], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] : tensor<5x24xi4>, tensor<24x3xi4> -> tensor<5x3xi32>
      return %0, %1, %2 : tensor<5x3xf32>, tensor<5x3xf64>, tensor<5x3xi32>
    })");
}

} // namespace

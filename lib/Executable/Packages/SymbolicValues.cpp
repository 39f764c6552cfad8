// random_r7: a byte of Philox for each element, and a table of what the 256
// bytes stand for.

#include "gensyn/Executable/Packages/SymbolicValues.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Convert.h"
#include "gensyn/Numerics/Native.h"
#include "gensyn/Numerics/Philox.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string_view>
#include <type_traits>

namespace gensyn {

/// FNV-1a with 64 bits.
static uint64_t hashName(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : name)
    hash = (hash ^ uint8_t(c)) * 0x100000001b3;
  return hash;
}

/// Floats, and the integers that quantized tensors have.
static constexpr bool hasSymbolicValues(ElementType type) {
  return isFloat(type) || (type != ElementType::I1 && bitWidth(type) <= 8);
}

/// The value of a byte, which is n for -128 <= n < 128 or n + 256.
template <class T> static T valueOf(int byte, int center, double unit) {
  const int n = byte < 128 ? byte : byte - 256;
  if constexpr (IsNarrowInteger<T> || std::is_integral_v<T>) {
    // The high bits; of unsigned types those of n + 128.
    constexpr ElementType type = elementTypeOf<T>();
    constexpr int shift = 8 - bitWidth(type);
    constexpr int zero = isSignedInteger(type) ? 0 : 128;
    return scalar::convert<T>(int32_t((n + zero) >> shift));
  } else {
    return scalar::convert<T>(double(center + (n >> 1)) * unit);
  }
}

template <class T>
static void fill(Tensor &tensor, const plan::Initial::Symbol &symbol) {
  const double unit =
      std::bit_cast<double>(uint64_t(1023 + symbol.exponent()) << 52);
  std::array<T, 256> values;
  for (int byte = 0; byte < 256; ++byte)
    values[size_t(byte)] = valueOf<T>(byte, symbol.center(), unit);
  const uint64_t hash = hashName(symbol.name()), seed = symbol.seed();
  const random::PhiloxKey<Native> key = {uint32_t(seed), uint32_t(seed >> 32)};
  T *elements = tensor.as<T>();
  const auto count = uint64_t(tensor.numElements());
  for (uint64_t first = 0; first < count; first += 16) {
    const uint64_t block = first / 16;
    const auto words = random::philox(Native(),
                                      {uint32_t(block), uint32_t(block >> 32),
                                       uint32_t(hash), uint32_t(hash >> 32)},
                                      key);
    const uint64_t size = std::min<uint64_t>(16, count - first);
    for (uint64_t i = 0; i < size; ++i)
      elements[first + i] = values[words[i / 4] >> (8 * (i % 4)) & 0xff];
  }
}

void fillSymbolic(Tensor &tensor, const plan::Initial_Symbol &symbol,
                  const std::string &which) {
  if (!hasSymbolicValues(tensor.elementType()))
    failBadInput(which + longName(tensor.elementType()) +
                 " has no symbolic values");
  if (std::abs(int64_t(symbol.center())) > 128 ||
      std::abs(int64_t(symbol.exponent())) > 64)
    failBadInput(which + "center " + std::to_string(symbol.center()) +
                 " or exponent " + std::to_string(symbol.exponent()) +
                 " of its symbolic values is out of range");
  dispatch(tensor.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (hasSymbolicValues(elementTypeOf<T>()))
      fill<T>(tensor, symbol);
  });
}

} // namespace gensyn

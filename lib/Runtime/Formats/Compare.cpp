// Finds the differences between two files of tensors, and their size.

#include "gensyn/Runtime/Formats/Compare.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include "gensyn/Numerics/Dispatch.h"
#include "gensyn/Numerics/NarrowConvert.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <set>
#include <type_traits>

namespace gensyn::runtime {

template <class T> static double toDouble(T value) {
  if constexpr (IsNarrowFloat<T>)
    return widenNarrow(value);
  else
    return static_cast<double>(value);
}

template <class T> static std::string printValue(T value) {
  if constexpr (IsNarrowInteger<T>) {
    return std::to_string(value.value());
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    // Enough digits to distinguish any two values of the type.
    int digits = sizeof(T) == 8 ? 17 : sizeof(T) == 4 ? 9 : 5;
    return shortText(toDouble(value), digits);
  }
}

/// Maps a float to an integer that is monotonic in the value; both zeros map to
/// 0, and neighbors differ by 1.
template <class T> static int64_t orderedBits(T value) {
  if constexpr (IsNarrowFloat<T>) {
    constexpr FloatFormat format = T::kFormat;
    const auto magnitude =
        static_cast<int64_t>(value.bits & format.magnitudeBits());
    return value.bits & format.signBit() ? -magnitude : magnitude;
  } else {
    using Bits = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
    Bits bits;
    std::memcpy(&bits, &value, sizeof(T));
    int64_t magnitude = bits & std::numeric_limits<Bits>::max();
    return bits < 0 ? -magnitude : magnitude;
  }
}

template <class T> static uint64_t distance(T a, T b) {
  if constexpr (IsNarrowInteger<T>) {
    return distance(a.value(), b.value());
  } else if constexpr (std::is_integral_v<T>) {
    return a < b ? uint64_t(b) - uint64_t(a) : uint64_t(a) - uint64_t(b);
  } else {
    if (std::isnan(toDouble(a)) || std::isnan(toDouble(b)))
      return std::numeric_limits<uint64_t>::max();
    int64_t x = orderedBits(a), y = orderedBits(b);
    uint64_t gap =
        x < y ? uint64_t(y) - uint64_t(x) : uint64_t(x) - uint64_t(y);
    // Zeros of different sign are equal but have different bits.
    return std::max<uint64_t>(gap, 1);
  }
}

/// Calls `body` with the C++ type that elements are compared as: a boolean is
/// compared as a byte, since a file may hold any.
template <class Body> static auto dispatchRead(ElementType type, Body &&body) {
  return dispatch(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return body(
        TypeTag<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>{});
  });
}

/// The elements are in a mapped file and may be unaligned.
template <class T> static T readElement(const TensorEntry &entry, int64_t i) {
  T value;
  std::memcpy(&value, entry.data + i * int64_t(sizeof(T)), sizeof(T));
  return value;
}

int64_t countElements(const TensorEntry &entry) {
  return int64_t(entry.size) / byteWidth(entry.type);
}

void visitDifferences(const TensorEntry &a, const TensorEntry &b,
                      const std::function<void(int64_t, uint64_t)> &visit) {
  const int64_t count = countElements(a);
  dispatchRead(a.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t i = 0; i < count; ++i) {
      const T x = readElement<T>(a, i), y = readElement<T>(b, i);
      if (std::memcmp(&x, &y, sizeof(T)) != 0)
        visit(i, distance(x, y));
    }
  });
}

std::string printElement(const TensorEntry &entry, int64_t element) {
  return dispatchRead(entry.type, [&](auto tag) {
    return printValue(
        readElement<typename decltype(tag)::type>(entry, element));
  });
}

std::string printElementBits(const TensorEntry &entry, int64_t element) {
  const int64_t width = byteWidth(entry.type);
  std::string text = "0x";
  for (int64_t at = width; at-- > 0;) {
    const uint8_t byte = entry.data[element * width + at];
    for (int nibble : {byte >> 4, byte & 15})
      text += "0123456789abcdef"[nibble];
  }
  return text;
}

std::vector<int64_t> indexOfElement(const TensorEntry &entry, int64_t element) {
  std::vector<int64_t> index(entry.shape.size());
  for (size_t d = entry.shape.size(); d-- > 0;) {
    index[d] = element % entry.shape[d];
    element /= entry.shape[d];
  }
  return index;
}

static Difference compareEntries(const TensorEntry &a, const TensorEntry &b) {
  Difference difference;
  if (a.type != b.type) {
    difference.reason = longName(a.type) + " against " + longName(b.type);
  } else if (a.shape != b.shape) {
    difference.reason =
        describeShape(a.shape) + " against " + describeShape(b.shape);
  } else {
    difference.elements = countElements(a);
    if (a.size == 0 || std::memcmp(a.data, b.data, a.size) == 0)
      return difference;
    visitDifferences(a, b, [&](int64_t element, uint64_t ulps) {
      if (difference.different++ == 0) {
        difference.first = printElement(a, element);
        difference.second = printElement(b, element);
        difference.index = indexOfElement(a, element);
      }
      difference.maxUlps = std::max(difference.maxUlps, ulps);
    });
  }
  return difference;
}

std::vector<Difference> compareTensors(const TensorFile &a,
                                       const TensorFile &b) {
  std::set<std::string> names;
  for (const TensorFile *file : {&a, &b})
    for (const auto &[name, entry] : file->entries())
      names.insert(name);
  std::vector<Difference> result;
  for (const std::string &name : names) {
    const TensorEntry *first = a.find(name), *second = b.find(name);
    Difference difference;
    if (first && second)
      difference = compareEntries(*first, *second);
    else
      difference.reason = first ? "only in the first" : "only in the second";
    if (difference.different == 0 && difference.reason.empty())
      continue;
    difference.name = name;
    result.push_back(std::move(difference));
  }
  return result;
}

} // namespace gensyn::runtime

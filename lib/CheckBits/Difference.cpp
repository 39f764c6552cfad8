// Finds the first difference and describes it.

#include "gensyn/CheckBits/Difference.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

namespace gensyn::checkbits {

uint64_t bitsOf(const Tensor &tensor, int64_t i) {
  const auto bytes = static_cast<size_t>(byteWidth(tensor.elementType()));
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data() + static_cast<size_t>(i) * bytes, bytes);
  return bits;
}

std::optional<Difference> findDifference(llvm::ArrayRef<Tensor> expected,
                                         llvm::ArrayRef<Tensor> found) {
  for (unsigned number = 0; number < expected.size(); ++number) {
    const Tensor &a = expected[number], &b = found[number];
    if (a.bitEqual(b))
      continue;
    for (int64_t i = 0; i < a.numElements(); ++i) {
      Difference difference;
      difference.expected = bitsOf(a, i);
      difference.found = bitsOf(b, i);
      if (difference.expected == difference.found)
        continue;
      difference.result = number;
      difference.type = a.elementType();
      difference.index.resize(a.shape().size());
      int64_t rest = i;
      for (size_t dim = a.shape().size(); dim-- > 0; rest /= a.shape()[dim])
        difference.index[dim] = rest % a.shape()[dim];
      return difference;
    }
  }
  return std::nullopt;
}

/// The number in readable form; empty for types without a short form.
static std::string valueOf(uint64_t bits, ElementType type) {
  char text[48];
  switch (type) {
  case ElementType::F32: {
    float value;
    const auto narrow = static_cast<uint32_t>(bits);
    std::memcpy(&value, &narrow, sizeof value);
    std::snprintf(text, sizeof text, "%a", static_cast<double>(value));
    return text;
  }
  case ElementType::F64: {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    std::snprintf(text, sizeof text, "%a", value);
    return text;
  }
  default:
    return "";
  }
}

static std::string wordsOf(uint64_t bits, ElementType type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  const auto digits = static_cast<unsigned>(byteWidth(type)) * 2;
  stream << llvm::format_hex(bits, digits + 2, /*Upper=*/true);
  if (std::string value = valueOf(bits, type); !value.empty())
    stream << " (" << value << ")";
  return text;
}

std::string Difference::describe() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "result " << result << ", element [";
  llvm::interleaveComma(index, stream);
  stream << "] of " << name(type) << ": expected " << wordsOf(expected, type)
         << ", found " << wordsOf(found, type);
  return text;
}

} // namespace gensyn::checkbits

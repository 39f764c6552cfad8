// Initial values from files, literals and fills.

#include "gensyn/Executable/Packages/InitialValues.h"

#include "FileRange.h"

#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Packages/SymbolicValues.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace gensyn {

template <class T> static T convertFill(double value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value != 0.0;
  } else if constexpr (IsNarrowFloat<T> || IsNarrowInteger<T>) {
    return scalar::convert<T>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    using Limits = std::numeric_limits<T>;
    if (!(value > static_cast<double>(Limits::min())))
      return Limits::min();
    // The largest 64-bit integers are not doubles; 2^63 is the next double
    // above.
    if (value >= static_cast<double>(Limits::max()))
      return Limits::max();
    return static_cast<T>(value);
  }
}

void fillTensor(Tensor &tensor, double value) {
  dispatch(tensor.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T *elements = tensor.as<T>();
    std::fill(elements, elements + tensor.numElements(), convertFill<T>(value));
  });
}

const uint8_t *readRange(const MappedFile &file,
                         const plan::Initial::File &range, uint64_t wanted,
                         const std::string &which) {
  if (range.length() != wanted)
    failBadInput(which + std::to_string(wanted) + " bytes are wanted, " +
                 std::to_string(range.length()) + " are there");
  if (range.offset() > file.size() ||
      range.length() > file.size() - range.offset())
    failBadInput(
        which + range.path() + " ends at " + std::to_string(file.size()) +
        ", bytes " + std::to_string(range.offset()) + " to " +
        std::to_string(range.offset() + range.length()) + " are wanted");
  const uint8_t *bytes = file.data() + range.offset();
  if (!range.blake3().empty() &&
      hashHex(bytes, range.length()) != range.blake3())
    failBadInput(which + range.path() +
                 " has other bytes than when the model was compiled");
  return bytes;
}

/// Alignment of the tensors that programs take, in bytes.
static constexpr uintptr_t kAlignment = 64;

/// Copies mapped bytes, and releases their pages piece by piece.
static void copyOut(void *to, const uint8_t *bytes, size_t size) {
  constexpr size_t part = size_t(4) << 20;
  for (size_t done = 0; done < size; done += part) {
    const size_t count = std::min(part, size - done);
    std::memcpy(static_cast<uint8_t *>(to) + done, bytes + done, count);
    releaseMapped(bytes + done, count);
  }
}

/// Returns the type of the elements in a file, which may be narrower than the
/// port's.
static ElementType storedType(const Port &port, const std::string &which) {
  const std::string &word = port.initial->file().element_type();
  if (word.empty())
    return port.type;
  std::optional<ElementType> type = elementTypeFromName(word);
  if (port.type != ElementType::F32 || !type ||
      (*type != ElementType::F16 && *type != ElementType::BF16))
    failBadInput(which + "values of " + quote(word) + " do not become " +
                 longName(port.type));
  return *type;
}

Tensor InitialValues::loadFile(const Port &port, const std::string &which) {
  const plan::Initial::File &range = port.initial->file();
  std::shared_ptr<MappedFile> &file = files[range.path()];
  if (!file)
    file = std::make_shared<MappedFile>(range.path());
  const ElementType type = storedType(port, which);
  const auto size =
      static_cast<uint64_t>(countBytes(type, port.shape).value_or(0));
  const uint8_t *bytes = readRange(*file, range, size, which);
  const bool isAligned =
      reinterpret_cast<uintptr_t>(bytes) % kAlignment == 0 && size != 0;
  Tensor stored = isAligned ? Tensor::view(type, port.shape, bytes, file)
                            : Tensor(type, port.shape);
  if (!isAligned && size)
    copyOut(stored.data(), bytes, size);
  return type == port.type ? stored : scalar::convertTensor(stored, port.type);
}

Tensor InitialValues::load(const Port &port) {
  std::string which = quote(port.name) + ": ";
  const plan::Initial &initial = *port.initial;
  if (initial.has_file())
    return loadFile(port, which);
  Tensor tensor(port.type, port.shape);
  auto wanted = static_cast<uint64_t>(tensor.byteSize());
  switch (initial.value_case()) {
  case plan::Initial::kLiteral:
    if (initial.literal().size() != wanted)
      failBadInput(which + std::to_string(wanted) + " bytes are wanted, " +
                   std::to_string(initial.literal().size()) + " are there");
    if (wanted)
      std::memcpy(tensor.data(), initial.literal().data(), wanted);
    return tensor;
  case plan::Initial::kFill:
    // The tensor begins as zeros; to write them would take memory.
    if (initial.fill() != 0.0 || std::signbit(initial.fill()))
      fillTensor(tensor, initial.fill());
    return tensor;
  case plan::Initial::kSymbol:
    fillSymbolic(tensor, initial.symbol(), which);
    return tensor;
  case plan::Initial::kFile:
  case plan::Initial::VALUE_NOT_SET:
    break;
  }
  failBadInput(which + "the program does not say how it starts");
}

} // namespace gensyn

// Initial values out of files, literals and fills.

#include "InitialValues.h"

#include "gensyn/Numerics/Convert.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Hash.h"
#include "gensyn/Runtime/SafeTensors.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace gensyn::runtime {

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
    // The largest 64-bit integers are not doubles; 2^63 is the next one up.
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

Tensor InitialValues::load(const Port &port) {
  std::string which = quote(port.name) + ": ";
  Tensor tensor(port.type, port.shape);
  auto wanted = static_cast<uint64_t>(tensor.byteSize());
  const plan::Initial &initial = *port.initial;
  switch (initial.value_case()) {
  case plan::Initial::kFile: {
    std::unique_ptr<MappedFile> &file = files[initial.file().path()];
    if (!file)
      file = std::make_unique<MappedFile>(initial.file().path());
    const uint8_t *bytes = readRange(*file, initial.file(), wanted, which);
    if (wanted)
      std::memcpy(tensor.data(), bytes, wanted);
    return tensor;
  }
  case plan::Initial::kLiteral:
    if (initial.literal().size() != wanted)
      failBadInput(which + std::to_string(wanted) + " bytes are wanted, " +
                   std::to_string(initial.literal().size()) + " are there");
    if (wanted)
      std::memcpy(tensor.data(), initial.literal().data(), wanted);
    return tensor;
  case plan::Initial::kFill:
    fillTensor(tensor, initial.fill());
    return tensor;
  case plan::Initial::VALUE_NOT_SET:
    break;
  }
  failBadInput(which + "the program does not say how it starts");
}

} // namespace gensyn::runtime

// Generates elements by their bits, independent of any library's distributions.

#include "gensyn/CheckBits/Inputs.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/SplitMix64.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cstring>

using namespace mlir;

namespace gensyn::checkbits {

namespace {

class RandomBits {
public:
  explicit RandomBits(uint64_t seed) : stream(seed) {}
  uint64_t operator()() { return stream(); }
  uint64_t below(uint64_t bound) { return stream() % bound; }

private:
  SplitMix64 stream;
};

/// The bit fields of a float.
struct FloatLayout {
  int width, mantissa;
  int exponentBits() const { return width - 1 - mantissa; }
  uint64_t sign() const { return uint64_t(1) << (width - 1); }
  uint64_t fraction() const { return (uint64_t(1) << mantissa) - 1; }
  uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits()) - 1) << mantissa;
  }
  uint64_t bias() const { return (uint64_t(1) << (exponentBits() - 1)) - 1; }
};

std::optional<FloatLayout> layoutOf(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return FloatLayout{64, 52};
  case ElementType::F32:
    return FloatLayout{32, 23};
  case ElementType::F16:
    return FloatLayout{16, 10};
  case ElementType::BF16:
    return FloatLayout{16, 7};
  default:
    return std::nullopt;
  }
}

uint64_t makeOrdinary(const FloatLayout &at, RandomBits &random) {
  const uint64_t exponent = at.bias() - 4 + random.below(8);
  return (exponent << at.mantissa) | (random() & at.fraction());
}

uint64_t makeWide(const FloatLayout &at, RandomBits &random) {
  switch (random.below(8)) {
  case 0:
    return 0;
  case 1: // subnormal
    return random() & at.fraction();
  case 2:
    return 1;
  case 3: // huge
    return at.infinity() - 1 - random.below(uint64_t(4) << at.mantissa);
  case 4: // near the least normal number
    return (uint64_t(1 + random.below(4)) << at.mantissa) |
           (random() & at.fraction());
  default:
    return random() % at.infinity();
  }
}

/// k / 2, or a number whose dropped part is exactly half an ulp of a narrower
/// type.
uint64_t makeTie(const FloatLayout &at, RandomBits &random) {
  const uint64_t exponent = at.bias() + random.below(4);
  uint64_t fraction = random() & at.fraction();
  if (random.below(2)) {
    const int dropped = at.mantissa - 3;
    fraction = fraction >> dropped << dropped;
  } else if (at.mantissa > 10) {
    const int kept = std::min<int>(at.mantissa - 1, random.below(2) ? 10 : 7);
    const int dropped = at.mantissa - kept;
    fraction =
        (fraction >> dropped << dropped) | (uint64_t(1) << (dropped - 1));
    if (at.mantissa == 52 && random.below(2)) // also a tie of f32
      fraction = (fraction >> 29 << 29) | (uint64_t(1) << 28);
    // Close to the tie, but not on it: rounding twice would take it for the
    // tie.
    if (random.below(4) == 0)
      fraction += random.below(2) ? 1 : at.fraction();
    fraction &= at.fraction();
  }
  return (exponent << at.mantissa) | fraction;
}

uint64_t makeSpecial(const FloatLayout &at, RandomBits &random) {
  const uint64_t quiet = uint64_t(1) << (at.mantissa - 1);
  switch (random.below(7)) {
  case 0:
    return at.infinity();
  case 1:
    return at.infinity() | quiet;
  case 2:
    return at.infinity() | quiet | (random() & at.fraction());
  case 3: // signalling
    return at.infinity() | (random() & (quiet - 1)) | 1;
  case 4:
    return at.infinity() - 1;
  case 5:
    return 0;
  default:
    return random() & at.fraction();
  }
}

uint64_t makeFloat(const FloatLayout &at, Mix mix, RandomBits &random) {
  uint64_t bits = 0;
  switch (mix) {
  case Mix::Ordinary:
    bits = makeOrdinary(at, random);
    break;
  case Mix::Wide:
    bits = makeWide(at, random);
    break;
  case Mix::Ties:
    bits = makeTie(at, random);
    break;
  case Mix::Special:
    bits = random.below(8) ? makeOrdinary(at, random) : makeSpecial(at, random);
    break;
  case Mix::Raw:
    return random();
  }
  return random.below(2) ? bits | at.sign() : bits;
}

uint64_t makeInteger(ElementType type, Mix mix, bool small,
                     RandomBits &random) {
  const uint64_t top = uint64_t(1) << (bitWidth(type) - 1);
  if (small)
    return random.below(8) ? random.below(6) : random.below(40);
  switch (mix) {
  case Mix::Raw:
    return random();
  case Mix::Ordinary:
    return random.below(9) - 4;
  default:
    switch (random.below(8)) {
    case 0:
      return top;
    case 1:
      return top - 1;
    case 2:
      return 0;
    case 3:
      return ~uint64_t(0);
    case 4:
      return random();
    default:
      return random.below(9) - 4;
    }
  }
}

} // namespace

Tensor makeInput(ElementType type, std::vector<int64_t> shape, Mix mix,
                 uint64_t seed) {
  RandomBits random(seed);
  random();
  const bool small = random.below(2) == 0;
  Tensor tensor(type, std::move(shape));
  const auto bytes = static_cast<size_t>(byteWidth(type));
  const uint64_t mask =
      bitWidth(type) == 64 ? ~uint64_t(0) : (uint64_t(1) << bitWidth(type)) - 1;
  std::optional<FloatLayout> layout = layoutOf(type);
  std::byte *data = tensor.data();
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    uint64_t bits = 0;
    if (layout)
      bits = makeFloat(*layout, mix, random);
    else if (isFloat(type) || type == ElementType::I1)
      bits = random();
    else
      bits = makeInteger(type, mix, small, random);
    bits &= mask;
    std::memcpy(data + static_cast<size_t>(i) * bytes, &bits, bytes);
  }
  return tensor;
}

std::vector<Tensor> makeInputs(TypeRange types, uint64_t seed, unsigned trial) {
  RandomBits random(seed + trial * 0xD1B54A32D192ED03);
  std::vector<Tensor> result;
  for (Type type : types) {
    auto tensor = cast<RankedTensorType>(type);
    result.push_back(makeInput(*repro::getElementType(tensor.getElementType()),
                               tensor.getShape().vec(),
                               static_cast<Mix>(trial % kNumMixes), random()));
  }
  return result;
}

} // namespace gensyn::checkbits

// Conversions with directed roundings and those to and from tf32 and the floats
// of 8 bits, by way of exact numbers.

#include "RoundPack.h"

namespace gensyn::ptx {
namespace {

const FloatFormat *formatOf(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return &formatF16;
  case Type::BF16:
  case Type::BF16x2:
    return &formatBF16;
  case Type::TF32:
    return &formatTF32;
  case Type::F32:
    return &formatF32;
  case Type::F64:
    return &formatF64;
  case Type::E4M3x2:
    return &formatE4M3;
  case Type::E5M2x2:
    return &formatE5M2;
  default:
    return nullptr;
  }
}

template <class W> W *wordsOf(Warp &warp, Reference reference) {
  return reinterpret_cast<W *>(warp.bases[reference >> 31] +
                               (reference & ~constantBit));
}

uint64_t wordOf(Warp &warp, Reference reference, Type type, unsigned lane) {
  return byteWidth(type) == 8 ? wordsOf<uint64_t>(warp, reference)[lane]
                              : wordsOf<uint32_t>(warp, reference)[lane];
}

bool isSignedInteger(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 ||
         type == Type::S64;
}

ExactNumber unpack(uint64_t bits, Type type) {
  if (const FloatFormat *format = formatOf(type))
    return unpackFloat(bits, *format);
  unsigned unused = 64 - 8 * byteWidth(type);
  if (!isSignedInteger(type))
    return unpackInteger(bits << unused >> unused, false);
  int64_t value = static_cast<int64_t>(bits << unused) >> unused;
  return unpackInteger(value < 0 ? 0 - static_cast<uint64_t>(value)
                                 : static_cast<uint64_t>(value),
                       value < 0);
}

/// `detail` holds the types, the source's in the upper byte; `round` is the
/// rounding and `saturate` asks for finite results.
template <class Convert>
Status forEachLane(Warp &warp, const Code &code, uint32_t mask,
                   Convert convert) {
  auto type = static_cast<Type>(code.detail & 255);
  auto from = static_cast<Type>(code.detail >> 8);
  uint64_t results[warpSize];
  for (unsigned lane = 0; lane != warpSize; ++lane)
    results[lane] = convert(type, from, lane);
  for (unsigned lane = 0; lane != warpSize; ++lane) {
    if ((mask >> lane & 1) == 0)
      continue;
    if (byteWidth(type) == 8)
      wordsOf<uint64_t>(warp, code.dest[0])[lane] = results[lane];
    else
      wordsOf<uint32_t>(warp, code.dest[0])[lane] =
          static_cast<uint32_t>(results[lane]);
  }
  return Status::Continue;
}

Status runOne(Warp &warp, const Code &code, uint32_t mask) {
  return forEachLane(
      warp, code, mask, [&](Type type, Type from, unsigned lane) {
        uint64_t bits = wordOf(warp, code.source[0], from, lane);
        uint64_t result = packFloat(unpack(bits, from), *formatOf(type),
                                    static_cast<Rounding>(code.round), false);
        // A tf32 is the upper part of an f32.
        return type == Type::TF32 ? result << 13 : result;
      });
}

/// Two f32 to a pair whose upper part is the first.
Status runTwo(Warp &warp, const Code &code, uint32_t mask) {
  return forEachLane(
      warp, code, mask, [&](Type type, Type from, unsigned lane) {
        const FloatFormat &format = *formatOf(type);
        auto part = [&](unsigned slot) {
          uint64_t bits = wordOf(warp, code.source[slot], from, lane);
          return packFloat(unpack(bits, from), format,
                           static_cast<Rounding>(code.round), code.saturate);
        };
        return part(0) << format.width | part(1);
      });
}

/// A pair to a pair.
Status runPair(Warp &warp, const Code &code, uint32_t mask) {
  return forEachLane(
      warp, code, mask, [&](Type type, Type from, unsigned lane) {
        const FloatFormat &target = *formatOf(type), &source = *formatOf(from);
        uint64_t pair = wordOf(warp, code.source[0], from, lane), result = 0;
        for (unsigned i = 0; i != 2; ++i) {
          uint64_t bits =
              pair >> (i * source.width) & ((uint64_t(1) << source.width) - 1);
          result |= packFloat(unpackFloat(bits, source), target,
                              static_cast<Rounding>(code.round), code.saturate)
                    << (i * target.width);
        }
        return result;
      });
}

bool isPair(Type type) {
  return type == Type::F16x2 || type == Type::BF16x2 || type == Type::E4M3x2 ||
         type == Type::E5M2x2;
}

} // namespace

Handler selectDirectedConvert(const Selector &selector) {
  if (formatOf(selector.type) == nullptr || byteWidth(selector.source) == 0)
    return nullptr;
  if (isPair(selector.source))
    return isPair(selector.type) ? runPair : nullptr;
  if (isPair(selector.type))
    return selector.source == Type::F32 ? runTwo : nullptr;
  return runOne;
}

} // namespace gensyn::ptx

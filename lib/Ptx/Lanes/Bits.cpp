// Logic, shifts, bit fields and permutations.

#include "Lanes.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

template <class T> struct Logic {
  static constexpr unsigned width = 8 * sizeof(T);
  static T land(T a, T b) { return static_cast<T>(a & b); }
  static T lor(T a, T b) { return static_cast<T>(a | b); }
  static T lxor(T a, T b) { return static_cast<T>(a ^ b); }
  static T lnot(T a) { return static_cast<T>(~a); }
  static T cnot(T a) { return a == 0 ? 1 : 0; }
};

// The amount is always 32 bits wide. An amount beyond the width acts like the
// width: zeros or copies of the sign.
template <class T, bool left>
Status runShift(Warp &warp, const Code &code, uint32_t mask) {
  constexpr unsigned width = 8 * sizeof(T);
  constexpr bool isSigned = static_cast<T>(-1) < static_cast<T>(0);
  const auto *a = words<Word<T>>(warp, code.source[0]);
  const uint32_t *b = words<uint32_t>(warp, code.source[1]);
  setLanes(warp, words<Word<T>>(warp, code.dest[0]), mask, [=](unsigned i) {
    using Wide = Word<T>;
    uint32_t amount = b[i];
    uint32_t safe = amount < width ? amount : width - 1;
    if constexpr (left) {
      Wide shifted = static_cast<Wide>(a[i] << safe);
      return toWord<T>(static_cast<T>(amount < width ? shifted : 0));
    } else {
      T shifted = static_cast<T>(fromWord<T>(a[i]) >> safe);
      return toWord<T>(isSigned || amount < width ? shifted : T(0));
    }
  });
  return Status::Continue;
}

template <bool left>
Status runFunnel(Warp &warp, const Code &code, uint32_t mask) {
  bool wrap = (code.detail & 1) != 0;
  return ternary<uint32_t>(
      warp, code, mask, [wrap](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t amount = wrap ? (c & 31) : (c < 32 ? c : 32);
        uint64_t both = uint64_t(b) << 32 | a;
        return left ? static_cast<uint32_t>((both << amount) >> 32)
                    : static_cast<uint32_t>(both >> amount);
      });
}

// Bit counts: the result has 32 bits whatever the operand's width is.
template <class T, class F>
Status count(Warp &warp, const Code &code, uint32_t mask, F function) {
  const auto *a = words<Word<T>>(warp, code.source[0]);
  setLanes(warp, words<uint32_t>(warp, code.dest[0]), mask,
           [=](unsigned i) { return function(fromWord<T>(a[i])); });
  return Status::Continue;
}

template <class T> Status runPopc(Warp &warp, const Code &code, uint32_t mask) {
  return count<T>(warp, code, mask, [](T a) {
    return static_cast<uint32_t>(__builtin_popcountll(a));
  });
}

inline uint32_t leadingZeros(uint64_t a, unsigned width) {
  return a == 0 ? width
                : static_cast<uint32_t>(__builtin_clzll(a)) - (64 - width);
}

template <class T> Status runClz(Warp &warp, const Code &code, uint32_t mask) {
  return count<T>(warp, code, mask,
                  [](T a) { return leadingZeros(a, 8 * sizeof(T)); });
}

template <class T>
Status runBfind(Warp &warp, const Code &code, uint32_t mask) {
  bool shiftAmount = (code.detail & 1) != 0;
  return count<T>(warp, code, mask, [shiftAmount](T a) {
    using U = Unsigned<T>;
    U bits = static_cast<U>(a < 0 ? ~a : a);
    if (bits == 0)
      return 0xFFFFFFFFu;
    uint32_t zeros = leadingZeros(bits, 8 * sizeof(T));
    return shiftAmount ? zeros : 8 * uint32_t(sizeof(T)) - 1 - zeros;
  });
}

inline uint64_t reverse(uint64_t a) {
  a = (a >> 1 & 0x5555555555555555u) | (a & 0x5555555555555555u) << 1;
  a = (a >> 2 & 0x3333333333333333u) | (a & 0x3333333333333333u) << 2;
  a = (a >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (a & 0x0F0F0F0F0F0F0F0Fu) << 4;
  return __builtin_bswap64(a);
}

template <class T> Status runBrev(Warp &warp, const Code &code, uint32_t mask) {
  return unary<T>(warp, code, mask, [](T a) {
    return static_cast<T>(reverse(a) >> (64 - 8 * sizeof(T)));
  });
}

/// The low `length` bits, `length` up to 64.
inline uint64_t lowBits(uint32_t length) {
  return length >= 64 ? ~uint64_t(0) : (uint64_t(1) << length) - 1;
}

template <class T> Status runBfe(Warp &warp, const Code &code, uint32_t mask) {
  constexpr uint32_t msb = 8 * sizeof(T) - 1;
  constexpr bool isSigned = static_cast<T>(-1) < static_cast<T>(0);
  const auto *a = words<Word<T>>(warp, code.source[0]);
  const uint32_t *b = words<uint32_t>(warp, code.source[1]);
  const uint32_t *c = words<uint32_t>(warp, code.source[2]);
  setLanes(warp, words<Word<T>>(warp, code.dest[0]), mask, [=](unsigned i) {
    uint32_t position = b[i] & 255, length = c[i] & 255;
    uint64_t value = a[i];
    uint32_t top = position + length - 1 < msb ? position + length - 1 : msb;
    bool sign = isSigned && length != 0 && (value >> top & 1) != 0;
    uint64_t field = position > msb ? 0 : value >> position;
    // Bits past the msb are copies of the sign.
    uint32_t present = position > msb ? 0 : msb + 1 - position;
    uint32_t kept = length < present ? length : present;
    field &= lowBits(kept);
    if (sign)
      field |= ~lowBits(kept);
    return toWord<Unsigned<T>>(static_cast<Unsigned<T>>(field));
  });
  return Status::Continue;
}

template <class T> Status runBfi(Warp &warp, const Code &code, uint32_t mask) {
  constexpr uint32_t msb = 8 * sizeof(T) - 1;
  const T *a = words<T>(warp, code.source[0]);
  const T *b = words<T>(warp, code.source[1]);
  const uint32_t *c = words<uint32_t>(warp, code.source[2]);
  const uint32_t *d = words<uint32_t>(warp, code.source[3]);
  setLanes(warp, words<T>(warp, code.dest[0]), mask, [=](unsigned i) {
    uint32_t position = c[i] & 255, length = d[i] & 255;
    uint64_t field = position > msb ? 0 : lowBits(length) << position;
    uint64_t inserted = position > msb ? 0 : uint64_t(a[i]) << position;
    return static_cast<T>((uint64_t(b[i]) & ~field) | (inserted & field));
  });
  return Status::Continue;
}

inline uint32_t permuteByte(uint64_t bytes, uint32_t selector) {
  uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 255;
  bool copySign = (selector & 8) != 0;
  return copySign ? (byte & 128 ? 255 : 0) : byte;
}

/// The selector nibbles of the named modes of prmt: f4e, b4e, rc8, ecl, ecr,
/// rc16 in the order of `detail` 1 to 6; rows are the two low bits of c.
constexpr uint16_t permuteModes[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
    {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
    {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};

Status runPrmt(Warp &warp, const Code &code, uint32_t mask) {
  unsigned mode = code.detail;
  return ternary<uint32_t>(
      warp, code, mask, [mode](uint32_t a, uint32_t b, uint32_t c) {
        uint64_t bytes = uint64_t(b) << 32 | a;
        uint32_t selector = mode == 0 ? c : permuteModes[mode - 1][c & 3];
        uint32_t result = 0;
        for (unsigned byte = 0; byte < 4; ++byte)
          result |= permuteByte(bytes, selector >> (4 * byte)) << (8 * byte);
        return result;
      });
}

Status runLop3(Warp &warp, const Code &code, uint32_t mask) {
  auto table = static_cast<uint32_t>(code.immediate);
  return ternary<uint32_t>(
      warp, code, mask, [table](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t result = 0;
        for (unsigned row = 0; row < 8; ++row) {
          uint32_t hit =
              (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
          result |= table >> row & 1 ? hit : 0;
        }
        return result;
      });
}

template <class T> Handler selectLogic(Op op) {
  using L = Logic<T>;
  switch (op) {
  case Op::And:
    return runBinary<T, L::land>;
  case Op::Or:
    return runBinary<T, L::lor>;
  case Op::Xor:
    return runBinary<T, L::lxor>;
  case Op::Not:
    return runUnary<T, L::lnot>;
  case Op::LogicalNot:
    return runUnary<T, L::cnot>;
  case Op::Shl:
    return runShift<T, true>;
  case Op::Shr:
    return runShift<T, false>;
  default:
    return nullptr;
  }
}

template <class T> Handler selectFields(Op op) {
  switch (op) {
  case Op::Popc:
    return runPopc<T>;
  case Op::Clz:
    return runClz<T>;
  case Op::Brev:
    return runBrev<T>;
  case Op::Bfi:
    return runBfi<T>;
  case Op::Bfe:
    return runBfe<T>;
  case Op::Bfind:
    return runBfind<T>;
  default:
    return selectLogic<T>(op);
  }
}

template <class T> Handler selectSigned(Op op) {
  switch (op) {
  case Op::Shr:
    return runShift<T, false>;
  case Op::Bfe:
    return runBfe<T>;
  case Op::Bfind:
    return runBfind<T>;
  default:
    return nullptr;
  }
}

} // namespace

Handler selectBits(const Selector &selector) {
  switch (selector.op) {
  case Op::FunnelLeft:
    return runFunnel<true>;
  case Op::FunnelRight:
    return runFunnel<false>;
  case Op::Prmt:
    return runPrmt;
  case Op::Lop3:
    return runLop3;
  default:
    break;
  }
  switch (selector.type) {
  case Type::B16:
  case Type::U16:
    return selectLogic<uint16_t>(selector.op);
  case Type::S16:
    return selector.op == Op::Shr ? runShift<int16_t, false> : nullptr;
  case Type::B32:
  case Type::U32:
    return selectFields<uint32_t>(selector.op);
  case Type::B64:
  case Type::U64:
    return selectFields<uint64_t>(selector.op);
  case Type::S32:
    return selectSigned<int32_t>(selector.op);
  case Type::S64:
    return selectSigned<int64_t>(selector.op);
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES

// Arithmetic with rounding towards zero, down or up: uses the host's, with the
// rounding mode set for one instruction.

#include "../Machine/Selector.h"

#include <bit>
#include <cfenv>
#include <cmath>

namespace gensyn::ptx {
namespace {

/// Sets the rounding mode while it lives. The fence keeps computations inside,
/// since compilers assume that they have no side effects.
class Direction {
public:
  explicit Direction(Rounding rounding) {
    std::fesetround(rounding == Rounding::Rz   ? FE_TOWARDZERO
                    : rounding == Rounding::Rm ? FE_DOWNWARD
                                               : FE_UPWARD);
  }
  ~Direction() { std::fesetround(FE_TONEAREST); }
  static void fence(void *results) {
    asm volatile("" : : "r"(results) : "memory");
  }
};

template <class T> T compute(Op op, T a, T b, T c) {
  switch (op) {
  case Op::FloatAdd:
    return a + b;
  case Op::FloatSub:
    return a - b;
  case Op::FloatMul:
    return a * b;
  case Op::FloatFma:
    return std::fma(a, b, c);
  case Op::FloatDiv:
    return a / b;
  case Op::FloatRcp:
    return T(1) / a;
  default:
    return std::sqrt(a);
  }
}

/// `detail` is the operation, `round` the direction. Lanes of `Words` words
/// hold values of type T; pairs of f32 are two of them.
template <class T, unsigned parts>
Status runDirected(Warp &warp, const Code &code, uint32_t mask) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  auto operand = [&](unsigned slot) {
    Reference reference =
        code.source[slot] == noReference ? code.source[0] : code.source[slot];
    return reinterpret_cast<T *>(warp.bases[reference >> 31] +
                                 (reference & ~constantBit));
  };
  T *a = operand(0), *b = operand(1), *c = operand(2);
  auto *dest = reinterpret_cast<Bits *>(warp.bases[0] + code.dest[0]);
  auto op = static_cast<Op>(code.detail);
  T results[parts * warpSize];
  {
    Direction direction(static_cast<Rounding>(code.round));
    Direction::fence(results);
    for (unsigned i = 0; i != parts * warpSize; ++i)
      results[i] = compute<T>(op, a[i], b[i], c[i]);
    Direction::fence(results);
  }
  for (unsigned i = 0; i != parts * warpSize; ++i)
    if ((mask >> (i / parts) & 1) != 0)
      dest[i] = results[i] != results[i] ? ~Bits(0) >> 1
                                         : std::bit_cast<Bits>(results[i]);
  return Status::Continue;
}

} // namespace

Handler selectDirected(const Selector &selector) {
  bool inPairs = selector.op == Op::FloatAdd || selector.op == Op::FloatSub ||
                 selector.op == Op::FloatMul || selector.op == Op::FloatFma;
  bool offered = inPairs || selector.op == Op::FloatDiv ||
                 selector.op == Op::FloatRcp || selector.op == Op::FloatSqrt;
  if (!offered || selector.round == Rounding::Rna)
    return nullptr;
  switch (selector.type) {
  case Type::F32:
    return runDirected<float, 1>;
  case Type::F64:
    return runDirected<double, 1>;
  case Type::F32x2:
    return inPairs ? runDirected<float, 2> : nullptr;
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx

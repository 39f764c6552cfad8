// Comparisons, selection and the logic of predicates.

#include "Lanes.h"
#include "NarrowFloat.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

// The ordered comparisons are false and the unordered ones true when an operand
// is NaN; C++ has the ordered ones and !=.
template <Compare compare, class T> inline bool holds(T a, T b) {
  bool unordered = false;
  if constexpr (IsFloat<T>::value)
    unordered = a != a || b != b;
  switch (compare) {
  case Compare::Eq:
    return a == b;
  case Compare::Ne:
    return a != b && !unordered;
  case Compare::Lt:
    return a < b;
  case Compare::Le:
    return a <= b;
  case Compare::Gt:
    return a > b;
  case Compare::Ge:
    return a >= b;
  case Compare::Equ:
    return a == b || unordered;
  case Compare::Neu:
    return a != b;
  case Compare::Ltu:
    return a < b || unordered;
  case Compare::Leu:
    return a <= b || unordered;
  case Compare::Gtu:
    return a > b || unordered;
  case Compare::Geu:
    return a >= b || unordered;
  case Compare::Num:
    return !unordered;
  case Compare::Nan:
    return unordered;
  }
  return false;
}

/// The type in which a word is compared: narrow floats as the f32 of the same
/// value.
template <class T> inline T valueOf(Word<T> word, T) {
  return fromWord<T>(word);
}
inline float valueOf(uint32_t word, Half) {
  return halfToFloat(static_cast<uint16_t>(word));
}
inline float valueOf(uint32_t word, Brain) {
  return __builtin_bit_cast(float, word << 16);
}

/// `shift` is 16 for the upper part of a pair. Not inlined: the instructions
/// share one loop for each comparison and type.
template <Compare compare, class T>
[[gnu::noinline]] uint32_t compareLanes(Warp &warp, const Code &code,
                                        unsigned shift = 0) {
  const auto *a = words<Word<T>>(warp, code.source[0]);
  const auto *b = words<Word<T>>(warp, code.source[1]);
  return testLanes([=](unsigned i) {
    return holds<compare>(valueOf(a[i] >> shift, T()),
                          valueOf(b[i] >> shift, T()));
  });
}

inline uint32_t combine(Warp &warp, const Code &code, uint32_t result) {
  auto how = static_cast<Combine>(code.detail);
  if (how == Combine::None)
    return result;
  uint32_t other = predicate(warp, code.source[2]);
  other = code.sourceNegated ? ~other : other;
  return how == Combine::And  ? result & other
         : how == Combine::Or ? result | other
                              : result ^ other;
}

/// The results of setp; `second` is optional.
inline Status setPredicates(Warp &warp, const Code &code, uint32_t mask,
                            uint32_t first, uint32_t second) {
  setPredicate(warp, code.dest[0], mask, first);
  if (code.dest[1] != noReference)
    setPredicate(warp, code.dest[1], mask, second);
  return Status::Continue;
}

/// The results of set: all ones or 1.0 for true (`immediate`) where a bit of
/// `low` is set, and in the upper half where one of `high` is.
[[gnu::noinline]] Status setWords(Warp &warp, const Code &code, uint32_t mask,
                                  uint32_t low, uint32_t high = 0) {
  auto yes = static_cast<uint32_t>(code.immediate);
  setLanes(warp, words<uint32_t>(warp, code.dest[0]), mask, [=](unsigned i) {
    return ((low & (1u << i)) != 0 ? yes : 0u) |
           ((high & (1u << i)) != 0 ? yes << 16 : 0u);
  });
  return Status::Continue;
}

template <Compare compare, class T>
Status runSetp(Warp &warp, const Code &code, uint32_t mask) {
  uint32_t result = compareLanes<compare, T>(warp, code);
  return setPredicates(warp, code, mask, combine(warp, code, result),
                       combine(warp, code, ~result));
}

template <Compare compare, class T>
Status runSet(Warp &warp, const Code &code, uint32_t mask) {
  return setWords(warp, code, mask,
                  combine(warp, code, compareLanes<compare, T>(warp, code)));
}

// For pairs: the two results are those of the lower and of the upper parts.
template <Compare compare, class T>
Status runSetpPair(Warp &warp, const Code &code, uint32_t mask) {
  uint32_t low = combine(warp, code, compareLanes<compare, T>(warp, code));
  uint32_t high = combine(warp, code, compareLanes<compare, T>(warp, code, 16));
  return setPredicates(warp, code, mask, low, high);
}

template <Compare compare, class T>
Status runSetPair(Warp &warp, const Code &code, uint32_t mask) {
  uint32_t low = combine(warp, code, compareLanes<compare, T>(warp, code));
  uint32_t high = combine(warp, code, compareLanes<compare, T>(warp, code, 16));
  return setWords(warp, code, mask, low, high);
}

template <class W> Status runSelp(Warp &warp, const Code &code, uint32_t mask) {
  const W *a = words<W>(warp, code.source[0]);
  const W *b = words<W>(warp, code.source[1]);
  uint32_t chosen = predicate(warp, code.source[2]);
  chosen = code.sourceNegated ? ~chosen : chosen;
  setLanes(warp, words<W>(warp, code.dest[0]), mask, [=](unsigned i) {
    // By value, not by reference: a choice between addresses would not
    // vectorize.
    W yes = a[i], no = b[i];
    return (chosen & (1u << i)) != 0 ? yes : no;
  });
  return Status::Continue;
}

template <class W, class S>
Status runSlct(Warp &warp, const Code &code, uint32_t mask) {
  const W *a = words<W>(warp, code.source[0]);
  const W *b = words<W>(warp, code.source[1]);
  const uint32_t *c = words<uint32_t>(warp, code.source[2]);
  setLanes(warp, words<W>(warp, code.dest[0]), mask, [=](unsigned i) {
    W yes = a[i], no = b[i];
    return fromWord<S>(c[i]) >= S(0) ? yes : no; // a NaN chooses b, -0 a
  });
  return Status::Continue;
}
template <class W> Handler selectSlct(Type sign) {
  return sign == Type::F32   ? runSlct<W, float>
         : sign == Type::S32 ? runSlct<W, int32_t>
                             : nullptr;
}

template <Op op>
Status runPredicate(Warp &warp, const Code &code, uint32_t mask) {
  uint32_t a = predicate(warp, code.source[0]);
  uint32_t b =
      code.source[1] == noReference ? 0 : predicate(warp, code.source[1]);
  uint32_t result = op == Op::PredicateAnd   ? a & b
                    : op == Op::PredicateOr  ? a | b
                    : op == Op::PredicateXor ? a ^ b
                    : op == Op::PredicateNot ? ~a
                                             : a;
  setPredicate(warp, code.dest[0], mask, result);
  return Status::Continue;
}

/// Represents a type whose words hold two values.
template <class T> struct Pair {};

template <Compare compare, class T> struct Chooser {
  static Handler choose(Op op) {
    return op == Op::Setp ? runSetp<compare, T> : runSet<compare, T>;
  }
};
template <Compare compare, class T> struct Chooser<compare, Pair<T>> {
  static Handler choose(Op op) {
    return op == Op::Setp ? runSetpPair<compare, T> : runSetPair<compare, T>;
  }
};
template <Compare compare, class T> Handler choose(Op op) {
  return Chooser<compare, T>::choose(op);
}

template <class T> Handler selectOrdered(Op op, Compare compare) {
  switch (compare) {
  case Compare::Eq:
    return choose<Compare::Eq, T>(op);
  case Compare::Ne:
    return choose<Compare::Ne, T>(op);
  case Compare::Lt:
    return choose<Compare::Lt, T>(op);
  case Compare::Le:
    return choose<Compare::Le, T>(op);
  case Compare::Gt:
    return choose<Compare::Gt, T>(op);
  case Compare::Ge:
    return choose<Compare::Ge, T>(op);
  default:
    return nullptr;
  }
}

template <class T> Handler selectFloatCompare(Op op, Compare compare) {
  switch (compare) {
  case Compare::Equ:
    return choose<Compare::Equ, T>(op);
  case Compare::Neu:
    return choose<Compare::Neu, T>(op);
  case Compare::Ltu:
    return choose<Compare::Ltu, T>(op);
  case Compare::Leu:
    return choose<Compare::Leu, T>(op);
  case Compare::Gtu:
    return choose<Compare::Gtu, T>(op);
  case Compare::Geu:
    return choose<Compare::Geu, T>(op);
  case Compare::Num:
    return choose<Compare::Num, T>(op);
  case Compare::Nan:
    return choose<Compare::Nan, T>(op);
  default:
    return selectOrdered<T>(op, compare);
  }
}

Handler selectByType(const Selector &selector) {
  Op op = selector.op;
  Compare compare = selector.compare;
  switch (selector.type) {
  case Type::B16:
  case Type::B32:
  case Type::B64:
    if (compare != Compare::Eq && compare != Compare::Ne)
      return nullptr;
    return selector.type == Type::B16   ? selectOrdered<uint16_t>(op, compare)
           : selector.type == Type::B32 ? selectOrdered<uint32_t>(op, compare)
                                        : selectOrdered<uint64_t>(op, compare);
  case Type::U16:
    return selectOrdered<uint16_t>(op, compare);
  case Type::S16:
    return selectOrdered<int16_t>(op, compare);
  case Type::U32:
    return selectOrdered<uint32_t>(op, compare);
  case Type::S32:
    return selectOrdered<int32_t>(op, compare);
  case Type::U64:
    return selectOrdered<uint64_t>(op, compare);
  case Type::S64:
    return selectOrdered<int64_t>(op, compare);
  case Type::F32:
    return selectFloatCompare<float>(op, compare);
  case Type::F64:
    return selectFloatCompare<double>(op, compare);
  case Type::F16:
    return selectFloatCompare<Half>(op, compare);
  case Type::BF16:
    return selectFloatCompare<Brain>(op, compare);
  case Type::F16x2:
    return selectFloatCompare<Pair<Half>>(op, compare);
  case Type::BF16x2:
    return selectFloatCompare<Pair<Brain>>(op, compare);
  default:
    return nullptr;
  }
}

} // namespace

Handler selectCompare(const Selector &selector) {
  switch (selector.op) {
  case Op::Setp:
  case Op::Set:
    return selectByType(selector);
  case Op::Selp:
    return byteWidth(selector.type) == 8 ? runSelp<uint64_t>
                                         : runSelp<uint32_t>;
  case Op::Slct:
    return byteWidth(selector.type) == 8
               ? selectSlct<uint64_t>(selector.source)
               : selectSlct<uint32_t>(selector.source);
  case Op::PredicateAnd:
    return runPredicate<Op::PredicateAnd>;
  case Op::PredicateOr:
    return runPredicate<Op::PredicateOr>;
  case Op::PredicateXor:
    return runPredicate<Op::PredicateXor>;
  case Op::PredicateNot:
    return runPredicate<Op::PredicateNot>;
  case Op::PredicateMove:
    return runPredicate<Op::PredicateMove>;
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES

// See NarrowPanels.h.

#include "NarrowPanels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {
constexpr int64_t kNibble = 4, kHalf = 16; ///< bits
}

VectorType NarrowPanels::words() const {
  return VectorType::get({code.lanes}, code.i32);
}
VectorType NarrowPanels::halves() const {
  return VectorType::get({2 * code.lanes}, code.b.getI16Type());
}

Value NarrowPanels::splat(VectorType type, int64_t value) const {
  return arith::ConstantOp::create(
      code.b, code.loc,
      DenseElementsAttr::get(
          type, code.b.getIntegerAttr(type.getElementType(), value)));
}

Value NarrowPanels::shiftedLeft(Value value, int64_t bits) const {
  return code.b.createOrFold<arith::ShLIOp>(
      code.loc, value, splat(cast<VectorType>(value.getType()), bits));
}

Value NarrowPanels::widened(Value stored, VectorType type) const {
  if (stored.getType() == type)
    return stored;
  return elements.isSigned()
             ? Value(arith::ExtSIOp::create(code.b, code.loc, type, stored))
             : Value(arith::ExtUIOp::create(code.b, code.loc, type, stored));
}

SmallVector<Value> NarrowPanels::load(Value address, int64_t vectors) const {
  const auto alignment = unsigned(elements.bytes());
  auto loadAt = [&](VectorType type, int64_t element) -> Value {
    return LLVM::LoadOp::create(code.b, code.loc, type,
                                elements.at(address, element), alignment);
  };
  SmallVector<Value> result;
  if (!sizes.nibbles) {
    const int64_t count = 2 * code.lanes;
    const auto stored =
        VectorType::get({count}, elements.vector().getElementType());
    for (int64_t v = 0; v < vectors; ++v)
      result.push_back(vector::BitCastOp::create(
          code.b, code.loc, words(),
          widened(loadAt(stored, v * count), halves())));
    return result;
  }
  const int64_t perWord = vectorsPerWord();
  Value word;
  for (int64_t v = 0; v < vectors; ++v) {
    const int64_t bits = v % perWord * kNibble;
    if (bits == 0)
      word = loadAt(words(), v / perWord * bytesOfWord());
    if (!sizes.pairs) {
      Value shifted = code.b.createOrFold<arith::ShRUIOp>(code.loc, word,
                                                          splat(words(), bits));
      result.push_back(elements.widen(arith::TruncIOp::create(
          code.b, code.loc, elements.vector(),
          arith::AndIOp::create(code.b, code.loc, shifted,
                                splat(words(), (1 << kNibble) - 1)))));
      continue;
    }
    Value both = vector::BitCastOp::create(code.b, code.loc, halves(), word);
    if (elements.isSigned())
      both = arith::ShRSIOp::create(code.b, code.loc,
                                    shiftedLeft(both, kHalf - kNibble - bits),
                                    splat(halves(), kHalf - kNibble));
    else
      both = arith::AndIOp::create(code.b, code.loc,
                                   code.b.createOrFold<arith::ShRUIOp>(
                                       code.loc, both, splat(halves(), bits)),
                                   splat(halves(), (1 << kNibble) - 1));
    result.push_back(
        vector::BitCastOp::create(code.b, code.loc, words(), both));
  }
  return result;
}

/// Returns patterns of less than a byte as bytes of the same values.
Value NarrowPanels::wholeBytes(Value patterns) const {
  constexpr int64_t byte = 8;
  if (!elements.isSigned() || elements.width() >= byte)
    return patterns;
  const int64_t bits = byte - elements.width();
  return arith::ShRSIOp::create(
      code.b, code.loc, shiftedLeft(patterns, bits),
      splat(cast<VectorType>(patterns.getType()), bits));
}

/// Returns the word of the vectors from one on, at the point, or the two
/// points, at an address.
Value NarrowPanels::joinNibbles(Value from, int64_t firstVector) const {
  Value word = splat(words(), 0);
  const int64_t last = std::min(sizes.nv, firstVector + vectorsPerWord());
  for (int64_t v = firstVector; v < last; ++v)
    for (int64_t point = 0; point < sizes.perElement(); ++point) {
      Value pattern = arith::ExtUIOp::create(
          code.b, code.loc, words(),
          elements.load(
              elements.at(from, point * sizes.columns() + v * code.lanes)));
      word = arith::OrIOp::create(
          code.b, code.loc, word,
          shiftedLeft(pattern, (v - firstVector) * kNibble + point * kHalf));
    }
  return word;
}

// After an odd number of points the last pair has any number, by which only a
// zero of A is multiplied.
void NarrowPanels::fold(Value from, Value to, Value count) const {
  const int64_t points = sizes.perElement();
  const auto alignment = unsigned(elements.bytes());
  Value last = code.div(code.add(count, points - 1), points);
  code.loop(code.constant(0), last, 1, [&](Value number) {
    Value source =
        elements.at(from, code.mul(number, points * sizes.columns()));
    Value target =
        elements.at(to, code.mul(number, points * sizes.pointStep()));
    if (sizes.nibbles) {
      for (int64_t v = 0; v < sizes.nv; v += vectorsPerWord())
        LLVM::StoreOp::create(
            code.b, code.loc, joinNibbles(source, v),
            elements.at(target, v / vectorsPerWord() * bytesOfWord()),
            alignment);
      return;
    }
    for (int64_t v = 0; v < sizes.nv; ++v) {
      if (!sizes.pairs) {
        const int64_t at = v * code.lanes;
        elements.store(elements.load(elements.at(source, at)),
                       elements.at(target, at));
        continue;
      }
      const Value first = wholeBytes(
                      elements.load(elements.at(source, v * code.lanes))),
                  second = wholeBytes(elements.load(
                      elements.at(source, sizes.columns() + v * code.lanes)));
      SmallVector<int64_t> order;
      for (int64_t lane = 0; lane < code.lanes; ++lane)
        order.append({lane, code.lanes + lane});
      Value pairs =
          vector::ShuffleOp::create(code.b, code.loc, first, second, order);
      LLVM::StoreOp::create(code.b, code.loc, pairs,
                            elements.at(target, v * 2 * code.lanes), alignment);
    }
  });
}

} // namespace gensyn::cpu

// random_bits: rules and reference semantics.

#include "gensyn/Dialect/Repro/IR/Repro.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/Native.h"
#include "gensyn/Numerics/Philox.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

LogicalResult RandomBitsOp::verify() {
  // random_c1: the number of a block has 32 bits, and a block has four words.
  if (getType().getNumElements() >> 34 != 0)
    return emitOpError("draws ")
           << getType() << ", a draw has fewer than 2^34 words";
  // random_c2 needs the whole program; see repro-verify-frozen.
  if (std::optional<uint64_t> stream = getStream();
      stream && *stream >> 32 != 0)
    return emitOpError("has stream ")
           << static_cast<int64_t>(*stream) << ", which is not in [0, 2^32)";
  return success();
}

// random_r1: a block at a time.
FailureOr<SmallVector<Tensor>>
RandomBitsOp::evaluate(ArrayRef<Tensor> operands) {
  if (!getStream())
    return emitOpError("has no stream, so its bits are not defined"), failure();
  const uint32_t *key = operands[0].as<uint32_t>();
  const uint32_t step = *operands[1].as<uint32_t>();
  const uint32_t draw = *operands[2].as<uint32_t>();
  Tensor result(ElementType::UI32, shapeOf(getResult()));
  auto *out = result.as<uint32_t>();
  for (int64_t i = 0, n = result.numElements(); i < n; i += 4) {
    auto words =
        random::philox<Native>(Native(),
                               {static_cast<uint32_t>(i / 4), draw,
                                static_cast<uint32_t>(*getStream()), step},
                               {key[0], key[1]});
    std::copy_n(words.begin(), std::min<int64_t>(4, n - i), out + i);
  }
  return SmallVector<Tensor>{std::move(result)};
}

LogicalResult RandomBitsOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                     MutableArrayRef<Value>) {
  return success(); // there is no gradient
}

/// Integer operations, counted like those of floats: each element computes a
/// whole block, which has twenty products of two words.
ElementCost RandomBitsOp::getElementCost() { return ElementCost::Long; }
int64_t RandomBitsOp::getFlops() {
  constexpr int64_t perElement = 100;
  return perElement * getType().getNumElements();
}

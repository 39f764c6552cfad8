// Emits one element of random bits: a word of its block, independent of all
// other elements.

#include "Models.h"
#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Codegen/Emit/RandomBits.h"
#include "gensyn/Numerics/Philox.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {

/// Resizes `element`, a scalar or a vector of equal lanes, to the type of
/// `like`.
static Emit::I32 resized(ElementEmitter &emitter, Value element, Value like) {
  auto from = dyn_cast<VectorType>(element.getType());
  auto to = dyn_cast<VectorType>(like.getType());
  if (from && to && from.getNumElements() != to.getNumElements())
    element = vector::ExtractStridedSliceOp::create(
        emitter.builder, emitter.location, element, ArrayRef<int64_t>{0},
        ArrayRef<int64_t>{to.getNumElements()}, ArrayRef<int64_t>{1});
  return {&emitter.builder, element};
}

/// Returns the generator's inputs, for as many elements as `like` has;
/// std::nullopt after an error.
static std::optional<random::Draw<Emit>>
drawOf(RandomBitsOp op, ElementEmitter &emitter, Value like) {
  if (!op.getStream()) {
    op.emitOpError("has no stream, so its bits are not defined");
    return std::nullopt;
  }
  auto index = [&](int64_t number) {
    return emitter.apply(getAffineConstantExpr(number, op.getContext()), {});
  };
  Value parts[] = {emitter.element(op.getKey(), index(0)),
                   emitter.element(op.getKey(), index(1)),
                   emitter.element(op.getStep(), {}),
                   emitter.element(op.getDraw(), {})};
  for (Value part : parts)
    if (!part)
      return std::nullopt;
  Emit a(emitter, like.getType());
  auto word = [&](int i) { return resized(emitter, parts[i], like); };
  return random::Draw<Emit>{{word(0), word(1)},
                            word(2),
                            word(3),
                            a.i32(static_cast<uint32_t>(*op.getStream()))};
}

Value emitRandomBits(RandomBitsOp op, ElementEmitter &emitter, Value position) {
  auto draw = drawOf(op, emitter, position);
  if (!draw)
    return {};
  Emit a(emitter, position.getType());
  return random::bitsAt(a, *draw, Emit::I64{&emitter.builder, position}).value;
}

SmallVector<Value> emitRandomBlocks(RandomBitsOp op, ElementEmitter &emitter,
                                    Value block) {
  auto draw = drawOf(op, emitter, block);
  if (!draw)
    return {};
  Emit a(emitter, block.getType());
  auto words =
      random::philox<Emit>(a,
                           {a.truncate(Emit::I64{&emitter.builder, block}),
                            draw->draw, draw->stream, draw->step},
                           draw->key);
  return {words[0].value, words[1].value, words[2].value, words[3].value};
}

namespace {
struct RandomBitsModel
    : ElementOpInterface::ExternalModel<RandomBitsModel, RandomBitsOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto draw = cast<RandomBitsOp>(op);
    AffineExpr linear = getAffineConstantExpr(0, op->getContext());
    for (auto [dim, extent] : llvm::enumerate(draw.getType().getShape()))
      linear = linear * extent +
               getAffineDimExpr(static_cast<unsigned>(dim), op->getContext());
    Value position = emitter.builder.createOrFold<arith::IndexCastOp>(
        emitter.location, emitter.builder.getI64Type(),
        emitter.apply(linear, indices));
    return emitRandomBits(draw, emitter, position);
  }
};
} // namespace

void attachRandomModels(MLIRContext *context) {
  RandomBitsOp::attachInterface<RandomBitsModel>(*context);
}

} // namespace gensyn::emit

// One element of a draw: a word of its block, which needs no other element.

#include "Models.h"
#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Codegen/Emit/RandomBits.h"
#include "gensyn/Numerics/Philox.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {

Value emitRandomBits(RandomBitsOp op, ElementEmitter &emitter, Value position) {
  if (!op.getStream()) {
    op.emitOpError("has no stream, so its bits are not defined");
    return {};
  }
  OpBuilder *builder = &emitter.builder;
  auto keyWord = [&](int64_t number) {
    Value index =
        emitter.apply(getAffineConstantExpr(number, op.getContext()), {});
    return Emit::I32{builder, emitter.element(op.getKey(), index)};
  };
  Emit a(emitter, position.getType());
  random::Draw<Emit> draw = {{keyWord(0), keyWord(1)},
                             {builder, emitter.element(op.getStep(), {})},
                             {builder, emitter.element(op.getDraw(), {})},
                             a.i32(static_cast<uint32_t>(*op.getStream()))};
  for (Emit::I32 word : {draw.key[0], draw.key[1], draw.step, draw.draw})
    if (!word.value)
      return {};
  return random::bitsAt(a, draw, Emit::I64{builder, position}).value;
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

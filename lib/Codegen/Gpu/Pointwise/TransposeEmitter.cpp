// See TransposeEmitter.h.

#include "TransposeEmitter.h"

#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::gpu {

TransposeEmitter::TransposeEmitter(OpBuilder &builder, repro::KernelOp kernel,
                                   const KernelFunction &function,
                                   const Target &target,
                                   const TransposePart &part, Value first,
                                   ArrayRef<Value> words)
    : PointwiseEmitter(builder, kernel, function, target, first,
                       part.shape.elements, part.width),
      part(part), words(words) {}

void TransposeEmitter::setPlace(int64_t newX, int64_t newY, int64_t newLane) {
  x = newX;
  y = newY;
  lane = newLane;
  setLane(y * part.spanX + x, lane);
}

Value TransposeEmitter::load(Value tensor, Value buffer,
                             ArrayRef<Value> indices) {
  if (!isNested()) {
    auto read = readAt(
        tensor, linearForm(cast<RankedTensorType>(tensor.getType()), indices),
        part.shape.elements);
    for (size_t i = 0; read && i < part.staged.size(); ++i)
      if (part.staged[i].read == *read)
        return stagedElement(i);
  }
  return PointwiseEmitter::load(tensor, buffer, indices);
}

Value TransposeEmitter::loadShared(Type type, size_t number, int64_t bytes) {
  Value &value = loaded[{number, bytes}];
  if (value)
    return value;
  Value address = words[number];
  if (bytes != 0)
    address = LLVM::GEPOp::create(builder, location, address.getType(),
                                  builder.getI8Type(), address,
                                  LLVM::GEPArg(static_cast<int32_t>(bytes)));
  value = LLVM::LoadOp::create(builder, location, type, address,
                               type.getIntOrFloatBitWidth() / 8);
  return value;
}

Value TransposeEmitter::stagedElement(size_t number) {
  const StagedRead &staged = part.staged[number];
  Type element =
      cast<ShapedType>(staged.read.tensor.getType()).getElementType();
  Type scalar = codegen::getScalarType(element);
  const bool isBit = scalar.isInteger(1);
  if (isBit)
    scalar = builder.getI8Type();
  const int64_t row = staged.pitch * staged.wordBytes();
  const int64_t place = x / staged.pack * row + y * staged.wordBytes();
  Value value;
  if (staged.pack == 1 || part.width < staged.pack) {
    // The pointer includes the thread's offset in the word.
    value = loadShared(
        scalar, number,
        place + (staged.pack == 1 ? lane * row : lane * staged.bytes));
  } else {
    Value word = loadShared(builder.getI32Type(), number,
                            place + lane / staged.pack * row);
    Value parts = LLVM::BitcastOp::create(
        builder, location, VectorType::get({staged.pack}, scalar), word);
    value =
        vector::ExtractOp::create(builder, location, parts, lane % staged.pack);
  }
  if (isBit)
    value =
        arith::TruncIOp::create(builder, location, builder.getI1Type(), value);
  return value;
}

} // namespace gensyn::gpu

// See EpilogueEmitter.h.

#include "EpilogueEmitter.h"

#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

Type elementInMemory(Value tensor) {
  return codegen::getBufferType(repro::typeOf(tensor)).getElementType();
}

static unsigned alignmentOf(Type type) {
  return type.getIntOrFloatBitWidth() / 8;
}

void EpilogueEmitter::provide(Value tensor, ArrayRef<Value> vectors) {
  Value value = vectors.front();
  for (Value next : vectors.drop_front())
    value = append(value, next);
  define(tensor, {}, value);
}

Value EpilogueEmitter::element(Value tensor, ArrayRef<Value> indices) {
  auto found = memories.find(tensor);
  if (found != memories.end() && !lookup(tensor, {}))
    define(tensor, {}, loadVectors(tensor, found->second));
  return InPlaceEmitter::element(tensor, indices);
}

void EpilogueEmitter::storeVectors(Value value, ArrayRef<Value> addresses,
                                   ArrayRef<Value> ofSeconds) {
  value = canonical(value);
  Type type = getElementTypeOrSelf(value.getType());
  if (type.isInteger(1)) {
    type = builder.getI8Type();
    value = arith::ExtUIOp::create(
        builder, location, cast<VectorType>(value.getType()).clone(type),
        value);
  }
  for (auto [number, address] : llvm::enumerate(addresses)) {
    Value part = vector::ExtractStridedSliceOp::create(
        builder, location, value, int64_t(number) * code.lanes, code.lanes, 1);
    if (Value mask = masks[number])
      LLVM::MaskedStoreOp::create(builder, location, part, address, mask,
                                  alignmentOf(type));
    else
      LLVM::StoreOp::create(builder, location, part, address,
                            alignmentOf(type));
    if (!seconds.empty())
      LLVM::MaskedStoreOp::create(builder, location, part, ofSeconds[number],
                                  seconds[number], alignmentOf(type));
  }
}

Value EpilogueEmitter::loadVectors(Value tensor, const Memory &memory) {
  const bool isSame = memory.isUniform && llvm::all_equal(memory.addresses);
  Type type = elementInMemory(tensor);
  Value value;
  if (isSame)
    value = splat(loadScalar(type, memory.addresses[0]));
  for (size_t part = 0; part < masks.size() && !isSame; ++part) {
    Value next = loadVector(type, memory, part);
    value = value ? append(value, next) : next;
  }
  if (!getElementTypeOrSelf(tensor.getType()).isInteger(1))
    return value;
  return arith::TruncIOp::create(
      builder, location,
      cast<VectorType>(value.getType()).clone(builder.getI1Type()), value);
}

Value EpilogueEmitter::loadVector(Type type, const Memory &memory,
                                  size_t part) {
  Value address = memory.addresses[part];
  auto many = VectorType::get({code.lanes}, type);
  if (memory.isUniform)
    return vector::BroadcastOp::create(builder, location, many,
                                       loadScalar(type, address));
  if (Value mask = masks[part]) {
    Value others =
        arith::ConstantOp::create(builder, location, builder.getZeroAttr(many));
    if (!seconds.empty())
      others = LLVM::MaskedLoadOp::create(builder, location, many,
                                          memory.seconds[part], seconds[part],
                                          others, alignmentOf(type));
    return LLVM::MaskedLoadOp::create(builder, location, many, address, mask,
                                      others, alignmentOf(type));
  }
  return LLVM::LoadOp::create(builder, location, many, address,
                              alignmentOf(type));
}

Value EpilogueEmitter::loadScalar(Type type, Value address) {
  return LLVM::LoadOp::create(builder, location, type, address,
                              alignmentOf(type));
}

Value EpilogueEmitter::append(Value first, Value second) {
  auto lanesOf = [](Value value) {
    return cast<VectorType>(value.getType()).getDimSize(0);
  };
  return vector::ShuffleOp::create(
      builder, location, first, second,
      llvm::to_vector(llvm::seq<int64_t>(0, lanesOf(first) + lanesOf(second))));
}

} // namespace gensyn::cpu

// See WidenedMemory.h.

#include "WidenedMemory.h"

#include "Common/LaneMask.h"
#include "Common/StridedVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

Value WidenedMemory::elementAt(Value base, Type element, Value offset) {
  Type type = pointerType();
  if (auto many = dyn_cast<VectorType>(offset.getType()))
    type = VectorType::get(many.getShape(), pointerType());
  return LLVM::GEPOp::create(b, loc, type, element, base,
                             ArrayRef<LLVM::GEPArg>{offset});
}

WidenedMemory::Address
WidenedMemory::addressOf(Value buffer, ValueRange indices, bool mayClamp) {
  auto type = cast<MemRefType>(buffer.getType());
  Type element = type.getElementType();
  Address result;
  result.bytes = (element.getIntOrFloatBitWidth() + 7) / 8;
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
  base = LLVM::IntToPtrOp::create(b, loc, pointerType(), toI64(base));
  // The scalar part, and what lanes add to it.
  Value sum = index(0), varying, inside, outside;
  int64_t step = 0, stride = 1;
  bool isClamped = false;
  for (size_t d = indices.size(); d-- > 0;) {
    LaneValue lanes = lanesOf(indices[d]);
    if (mayClamp && lanes.inside && !isClamped && !varying && step == 0 &&
        (lanes.step == 1 || canMask(result)) && lanes.step >= 1 &&
        lanes.step <= kMostStride && stride == 1) {
      isClamped = true;
      inside = lanes.inside;
      outside = sum;
      sum = add(sum, lanes.scalar, stride);
      step = lanes.step;
      result.row = lanes.scalar;
      result.extent = type.getDimSize(d);
    } else if (lanes.isLinear() && !(isClamped && lanes.step != 0)) {
      sum = add(sum, lanes.scalar, stride);
      if (isClamped)
        outside = add(outside, lanes.scalar, stride);
      step += lanes.step * stride;
    } else {
      Value part =
          arith::MulIOp::create(b, loc, vectorOf(indices[d]),
                                numbers([&](int64_t) { return stride; }));
      varying = varying ? arith::AddIOp::create(b, loc, varying, part) : part;
    }
    stride *= type.getDimSize(d);
  }
  Value first = elementAt(base, element, toI64(sum));
  if (!varying && step >= 1 && step <= kMostStride) {
    result.pointer = first;
    result.step = step;
    if (isClamped) {
      result.inside = inside;
      result.fallback = elementAt(base, element, toI64(outside));
    }
    return result;
  }
  // A clamped part has to be a vector after all.
  result.pointer = base;
  Value offsets;
  if (isClamped) {
    offsets = arith::SelectOp::create(
        b, loc, inside, arith::AddIOp::create(b, loc, splat(sum), iota(step)),
        splat(outside));
  } else {
    result.pointer = first;
    offsets = iota(step);
  }
  if (varying)
    offsets = arith::AddIOp::create(b, loc, offsets, varying);
  result.offsets = offsets;
  return result;
}

Value WidenedMemory::add(Value sum, Value part, int64_t stride) {
  return b.createOrFold<arith::AddIOp>(
      loc, sum, b.createOrFold<arith::MulIOp>(loc, part, index(stride)));
}

Value WidenedMemory::toI64(Value x) {
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), x);
}

bool WidenedMemory::canMask(const Address &address) {
  return widening.hasMaskedAccess && address.bytes >= 4;
}

Value WidenedMemory::offsetsOf(const Address &address) {
  return address.offsets ? address.offsets : iota(address.step);
}

Value WidenedMemory::loadPart(const Address &address, VectorType type,
                              int64_t offset) {
  Value at =
      elementAt(address.pointer, type.getElementType(), toI64(index(offset)));
  Value exists;
  if (address.inside) {
    Value indices = arith::AddIOp::create(
        b, loc, splat(address.row),
        numbers([&](int64_t lane) { return offset + lane; }));
    exists =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, indices,
                              numbers([&](int64_t) { return address.extent; }));
  } else if (mask) {
    const int64_t last = (widening.active - 1) * address.step;
    exists = cpu::firstLanes(
        b, loc,
        std::clamp<int64_t>(last + 1 - offset, 0, type.getNumElements()),
        type.getNumElements());
  }
  if (!exists)
    return LLVM::LoadOp::create(b, loc, type, at, address.bytes);
  return LLVM::MaskedLoadOp::create(b, loc, type, at, exists, zeros(type),
                                    address.bytes);
}

Value WidenedMemory::load(memref::LoadOp op) {
  Type element = op.getType();
  auto type = cast<VectorType>(laneType(element));
  Address address = addressOf(op.getMemRef(), op.getIndices(), true);
  const bool hasParts =
      address.step > 1 &&
      (address.inside || !mask || (isMaskConstant() && canMask(address)));
  if (address.offsets || (address.step > 1 && !hasParts))
    return LLVM::masked_gather::create(
        b, loc, type, elementAt(address.pointer, element, offsetsOf(address)),
        allLanes(), ValueRange{zeros(type)}, address.bytes);
  if (!address.inside && !mask && !hasParts)
    return LLVM::LoadOp::create(b, loc, type, address.pointer, address.bytes);
  Value others = zeros(type);
  if (address.inside)
    others = splat(
        LLVM::LoadOp::create(b, loc, element, address.fallback, address.bytes));
  if (hasParts) {
    Value lanes = loadStrided(b, loc, type, address.step, [&](int64_t offset) {
      return loadPart(address, type, offset);
    });
    return address.inside
               ? arith::SelectOp::create(b, loc, address.inside, lanes, others)
                     .getResult()
               : lanes;
  }
  return LLVM::MaskedLoadOp::create(b, loc, type, address.pointer,
                                    both(address.inside, mask), others,
                                    address.bytes);
}

void WidenedMemory::storePart(const Address &address, Value value,
                              int64_t offset, ArrayRef<bool> lanes) {
  auto type = cast<VectorType>(value.getType());
  Value at =
      elementAt(address.pointer, type.getElementType(), toI64(index(offset)));
  auto maskType = VectorType::get(type.getShape(), b.getI1Type());
  LLVM::MaskedStoreOp::create(
      b, loc, value, at,
      arith::ConstantOp::create(b, loc,
                                DenseElementsAttr::get(maskType, lanes)),
      address.bytes);
}

void WidenedMemory::store(memref::StoreOp op) {
  Value value = vectorOf(op.getValueToStore());
  Type element = op.getValueToStore().getType();
  Address address = addressOf(op.getMemRef(), op.getIndices(), false);
  if (address.step > 1 && isMaskConstant() && canMask(address)) {
    storeStrided(b, loc, value, address.step, widening.active,
                 [&](Value part, int64_t offset, ArrayRef<bool> lanes) {
                   storePart(address, part, offset, lanes);
                 });
    return;
  }
  if (address.offsets || address.step > 1)
    LLVM::masked_scatter::create(
        b, loc, value, elementAt(address.pointer, element, offsetsOf(address)),
        allLanes(), address.bytes);
  else if (mask)
    LLVM::MaskedStoreOp::create(b, loc, value, address.pointer, mask,
                                address.bytes);
  else
    LLVM::StoreOp::create(b, loc, value, address.pointer, address.bytes);
}

void WidenedMemory::update(memref::AtomicRMWOp op) {
  Value values = vectorOf(op.getValue()), lanes = allLanes();
  SmallVector<Value> at;
  for (Value part : op.getIndices())
    at.push_back(uniform(part));
  auto each =
      scf::ForOp::create(b, loc, index(0), index(widening.lanes), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(each.getBody()->getTerminator());
  auto extract = [&](Value vector) -> Value {
    return vector::ExtractOp::create(b, loc, vector, each.getInductionVar());
  };
  auto active = scf::IfOp::create(b, loc, extract(lanes));
  b.setInsertionPoint(active.thenYield());
  memref::AtomicRMWOp::create(b, loc, op.getKind(), extract(values),
                              uniform(op.getMemref()), at);
}

} // namespace gensyn::cpu

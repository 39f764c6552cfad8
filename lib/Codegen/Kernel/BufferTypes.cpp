// The buffer type of each element type.

#include "gensyn/Codegen/Kernel/BufferTypes.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;

namespace gensyn::codegen {

Type getScalarType(Type element) {
  // i1 has a scalar type of its own; a storage-only type is its bit pattern.
  std::optional<ElementType> type = repro::getElementType(element);
  if (!type || type == ElementType::F32 || type == ElementType::F64)
    return element;
  return IntegerType::get(element.getContext(),
                          type == ElementType::I1
                              ? 1
                              : 8 * static_cast<unsigned>(byteWidth(*type)));
}

MemRefType getBufferType(RankedTensorType type) {
  Type element = getScalarType(type.getElementType());
  if (element.isInteger(1))
    element = IntegerType::get(type.getContext(), 8);
  if (type.getNumElements() != 0 || type.getRank() < 2)
    return MemRefType::get(type.getShape(), element);
  // The strides of an empty tensor are not unique, and a function with such a
  // buffer does not convert to a bare pointer unless the type states them.
  SmallVector<int64_t> strides(type.getRank(), 1);
  return MemRefType::get(type.getShape(), element,
                         StridedLayoutAttr::get(type.getContext(), 0, strides));
}

SmallVector<Type> getBufferTypes(repro::KernelOp kernel) {
  SmallVector<Type> types;
  auto add = [&](TypeRange tensors) {
    for (Type type : tensors)
      types.push_back(getBufferType(cast<RankedTensorType>(type)));
  };
  add(kernel.getInputs().getTypes());
  add(kernel.getResultTypes());
  types.append(kernel.getFaultingOps().size(),
               MemRefType::get({1}, IntegerType::get(kernel.getContext(), 64)));
  return types;
}

} // namespace gensyn::codegen

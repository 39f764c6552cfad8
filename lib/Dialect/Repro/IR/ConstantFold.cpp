// Constant folding through the reference semantics; see ConstantFold.h.

#include "ConstantFold.h"
#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
// Constants are part of the program's text; larger ones than this are computed
// at run time instead.
constexpr int64_t kMaxFoldedBytes = 1024;

bool isFoldable(Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return false;
  auto element = getElementType(shaped.getElementType());
  return element &&
         shaped.getNumElements() * byteWidth(*element) <= kMaxFoldedBytes;
}
} // namespace

LogicalResult
ReproFoldInterface::fold(Operation *op, ArrayRef<Attribute> operands,
                         SmallVectorImpl<OpFoldResult> &results) const {
  auto reference = dyn_cast<ReferenceOpInterface>(op);
  // An op without operands is as short as its value. Broadcasts of one value
  // are kept: they cost nothing, and their folded form would. Ops in regions
  // are folded there; a loop as a whole may take long.
  if (!reference || operands.empty() || op->getNumResults() == 0 ||
      op->getNumRegions() != 0 || isa<BroadcastOp>(op) ||
      isa<ContractOp, ReduceOp, ArgReduceOp>(op) ||
      !llvm::all_of(op->getResultTypes(), isFoldable))
    return failure();
  SmallVector<Tensor> values;
  for (Attribute operand : operands) {
    auto elements = dyn_cast_or_null<ElementsAttr>(operand);
    if (!elements || !isFoldable(elements.getType()))
      return failure();
    values.push_back(toTensor(elements));
  }
  // An op that faults is kept, so that the run reports the fault (g7).
  FaultScope faults;
  auto folded = reference.evaluate(values);
  if (failed(folded) || !faults.slots().empty())
    return failure();
  for (const Tensor &value : *folded)
    results.push_back(toAttribute(op->getContext(), value));
  return success();
}

Tensor repro::toTensor(ElementsAttr attribute) {
  auto type = cast<RankedTensorType>(attribute.getType());
  ElementType element = *getElementType(type.getElementType());
  Tensor result(element, type.getShape().vec());
  std::byte *out = result.data();
  int64_t width = byteWidth(element), count = result.numElements();
  if (count == 0) // no elements, no address
    return result;
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    if (element == ElementType::I1) {
      for (auto [i, value] : llvm::enumerate(dense.getValues<bool>()))
        out[i] = std::byte(value);
      return result;
    }
    ArrayRef<char> raw = dense.getRawData();
    if (dense.isSplat())
      for (int64_t i = 0; i < count; ++i)
        memcpy(out + i * width, raw.data(), width);
    else
      memcpy(out, raw.data(), raw.size());
    return result;
  }
  auto resource = cast<DenseResourceElementsAttr>(attribute);
  ArrayRef<char> raw = resource.getRawHandle().getBlob()->getData();
  memcpy(out, raw.data(), std::min<size_t>(raw.size(), result.byteSize()));
  return result;
}

DenseElementsAttr repro::toAttribute(MLIRContext *context,
                                     const Tensor &tensor) {
  auto type = RankedTensorType::get(tensor.shape(),
                                    getMlirType(context, tensor.elementType()));
  if (tensor.elementType() == ElementType::I1)
    return DenseElementsAttr::get(
        type, ArrayRef<bool>(tensor.as<bool>(), tensor.numElements()));
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(reinterpret_cast<const char *>(tensor.data()),
                           tensor.byteSize()));
}

// See BoundedSizes.h.

#include "gensyn/Dialect/Repro/IR/BoundedSizes.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/TensorSizes.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace gensyn;

bool repro::hasBoundedSize(Type type) { return gensyn::hasBoundedSize(type); }

bool repro::hasBoundedElements(Attribute value) {
  auto elements = dyn_cast<ElementsAttr>(value);
  auto type = elements ? dyn_cast<RankedTensorType>(elements.getType())
                       : RankedTensorType();
  auto element = type ? getElementType(type.getElementType())
                      : std::optional<ElementType>();
  if (!element || !hasBoundedSize(type))
    return false;
  const int64_t bytes = type.getNumElements() * byteWidth(*element);
  if (bytes > kMaxConstantBytes)
    return false;
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  if (!resource)
    return isa<DenseElementsAttr>(elements);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  return blob && blob->getData().size() == static_cast<size_t>(bytes);
}

// Emits elements of gather: an index is checked and clamped, and the element
// selected.

#include "Indexed.h"
#include "Models.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {

std::optional<Place> findPlace(ElementEmitter &emitter, ArrayAttr maps,
                               ValueRange indices, Value target,
                               ArrayRef<int64_t> extents,
                               ArrayRef<Value> point) {
  OpBuilder &builder = emitter.builder;
  auto mapOf = [&](size_t number) {
    return cast<AffineMapAttr>(maps[static_cast<unsigned>(number)]).getValue();
  };
  // Symbols become dimensions after those of the point.
  SmallVector<Value> values(point);
  for (auto [number, tensor] : llvm::enumerate(indices)) {
    SmallVector<Value> at;
    for (AffineExpr expr : mapOf(number + 1).getResults())
      at.push_back(point[cast<AffineDimExpr>(expr).getPosition()]);
    Value index = emitter.element(tensor, at);
    if (!index)
      return std::nullopt;
    values.push_back(builder.createOrFold<arith::IndexCastOp>(
        emitter.location, builder.getIndexType(), index));
  }
  const auto rank = static_cast<unsigned>(point.size());
  SmallVector<AffineExpr> symbols;
  for (unsigned j = 0; j < indices.size(); ++j)
    symbols.push_back(getAffineDimExpr(rank + j, builder.getContext()));

  Place place;
  IndexMap linear = *readIndexMap(mapOf(0));
  ArrayRef<int64_t> shape = cast<ShapedType>(target.getType()).getShape();
  for (auto [dim, expr] : llvm::enumerate(mapOf(0).getResults())) {
    Value index = emitter.apply(expr.replaceSymbols(symbols), values), fits;
    if (!linear[dim].isInside(extents, shape[dim])) {
      // Compared as unsigned, so that a negative index is out of bounds too.
      Value extent = emitter.apply(
          getAffineConstantExpr(shape[dim], builder.getContext()), {});
      fits = arith::CmpIOp::create(builder, emitter.location,
                                   arith::CmpIPredicate::ult, index, extent);
      place.inside = place.inside
                         ? arith::AndIOp::create(builder, emitter.location,
                                                 place.inside, fits)
                               .getResult()
                         : fits;
    }
    place.indices.push_back(index);
    place.fits.push_back(fits);
  }
  return place;
}

Value numberOf(ElementEmitter &emitter, ArrayRef<int64_t> extents,
               ArrayRef<Value> point) {
  MLIRContext *context = emitter.builder.getContext();
  AffineExpr number = getAffineConstantExpr(0, context);
  for (auto [dim, extent] : llvm::enumerate(extents))
    number =
        number * extent + getAffineDimExpr(static_cast<unsigned>(dim), context);
  return emitter.apply(number, point);
}

void faultOutside(ElementEmitter &emitter, Operation *op, Value inside,
                  ArrayRef<int64_t> extents, ArrayRef<Value> point) {
  OpBuilder &builder = emitter.builder;
  Value yes = arith::ConstantOp::create(builder, emitter.location,
                                        builder.getBoolAttr(true));
  Value outside = arith::XOrIOp::create(builder, emitter.location, inside, yes);
  emitter.fault(op, outside, numberOf(emitter, extents, point));
}

namespace {

struct GatherModel : ElementOpInterface::ExternalModel<GatherModel, GatherOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> point) const {
    auto gather = cast<GatherOp>(op);
    auto type = cast<RankedTensorType>(gather.getType());
    ArrayRef<int64_t> extents = type.getShape();
    auto place = findPlace(emitter, gather.getMaps(), gather.getIndices(),
                           gather.getData(), extents, point);
    if (!place)
      return {};
    if (place->inside && gather.mayFault())
      faultOutside(emitter, op, place->inside, extents, point);
    OpBuilder &builder = emitter.builder;
    Scalar scalar(emitter, type.getElementType());
    Value nothing = emitter.splat(scalar.scalarBits(0));
    if (cast<ShapedType>(gather.getData().getType()).getNumElements() == 0)
      return nothing;
    Value first = emitter.apply(getAffineConstantExpr(0, op->getContext()), {});
    SmallVector<Value> at;
    for (auto [index, fits] : llvm::zip_equal(place->indices, place->fits))
      at.push_back(fits ? arith::SelectOp::create(builder, emitter.location,
                                                  fits, index, first)
                              .getResult()
                        : index);
    Value element = emitter.element(gather.getData(), at);
    if (!element || !place->inside)
      return element;
    return scalar.select(place->inside, element, nothing);
  }
};

} // namespace

void attachIndexingModels(MLIRContext *context) {
  GatherOp::attachInterface<GatherModel>(*context);
}

} // namespace gensyn::emit

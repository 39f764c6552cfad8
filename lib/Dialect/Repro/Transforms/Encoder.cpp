// See Encoder.h.

#include "Encoder.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

void Encoder::number(int64_t value) {
  char encoded[8];
  llvm::support::endian::write64le(encoded, static_cast<uint64_t>(value));
  bytes(StringRef(encoded, sizeof encoded));
}

void Encoder::text(StringRef value) {
  number(value.size());
  bytes(value);
}

LogicalResult Encoder::type(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto element = tensor ? getElementType(tensor.getElementType())
                        : std::optional<ElementType>();
  if (!element)
    return op->emitError("type ") << type << " has no canonical encoding";
  text(name(*element));
  numbers(tensor.getShape());
  return success();
}

void Encoder::expr(AffineExpr affine) {
  number(static_cast<int64_t>(affine.getKind()));
  if (auto constant = dyn_cast<AffineConstantExpr>(affine))
    return number(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(affine))
    return number(dim.getPosition());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(affine))
    return number(symbol.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(affine);
  expr(binary.getLHS());
  expr(binary.getRHS());
}

LogicalResult Encoder::attribute(Operation *op, Attribute attribute) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case([&](OrderAttr order) {
        text("order");
        text(order.getText());
        return success();
      })
      .Case([&](DomainAttr domain) {
        text("domain");
        numbers(domain.getExtents());
        numbers(domain.getReduced());
        return success();
      })
      .Case<CompareKindAttr, RoundKindAttr, ReduceKindAttr, ArgKindAttr,
            ExhaustAttr, IndexBoundAttr, ScatterKindAttr, SortDirectionAttr,
            ScaleRoundingAttr>([&](auto kind) {
        text("kind");
        number(static_cast<int64_t>(kind.getValue()));
        return success();
      })
      .Case([&](UnitAttr) {
        text("unit");
        return success();
      })
      .Case([&](StringAttr value) {
        text("string");
        text(value.getValue());
        return success();
      })
      .Case([&](IntegerAttr value) {
        text("integer");
        number(value.getValue().getSExtValue());
        return success();
      })
      .Case<DenseI64ArrayAttr, DenseI32ArrayAttr>([&](auto array) {
        text("numbers");
        numbers(array.asArrayRef());
        return success();
      })
      .Case([&](AffineMapAttr map) {
        text("map");
        number(map.getValue().getNumDims());
        number(map.getValue().getNumResults());
        if (map.getValue().getNumSymbols() > 0) {
          text("symbols");
          number(map.getValue().getNumSymbols());
        }
        for (AffineExpr result : map.getValue().getResults())
          expr(simplifyAffineExpr(result, map.getValue().getNumDims(),
                                  map.getValue().getNumSymbols()));
        return success();
      })
      .Case([&](ElementsAttr elements) {
        text("elements");
        if (failed(type(op, elements.getType())))
          return failure();
        this->elements(toTensor(elements));
        return success();
      })
      .Case([&](ArrayAttr array) {
        text("array");
        number(array.size());
        for (Attribute element : array)
          if (failed(this->attribute(op, element)))
            return failure();
        return success();
      })
      .Default([&](Attribute other) {
        return op->emitError("attribute ")
               << other << " has no canonical encoding";
      });
}

LogicalResult Encoder::operation(Operation &op) {
  if (isa<ConstantOp>(op))
    return success();
  text(op.getName().getStringRef());
  number(op.getNumOperands());
  for (OpOperand &used : op.getOpOperands())
    if (failed(operand(op, used)))
      return failure();
  // Only inherent attributes, by name: discardable attributes have no meaning,
  // and neither has the schedule of a kernel.
  SmallVector<StringRef> names;
  auto kernel = dyn_cast<KernelOp>(&op);
  for (StringAttr name : op.getName().getAttributeNames())
    if (op.getInherentAttr(name.getValue()).value_or(Attribute()) &&
        !(kernel && name == kernel.getScheduleAttrName()))
      names.push_back(name.getValue());
  llvm::sort(names);
  number(names.size());
  for (StringRef name : names) {
    text(name);
    if (failed(attribute(&op, *op.getInherentAttr(name))))
      return failure();
  }
  number(op.getNumResults());
  for (Value result : op.getResults()) {
    define(result);
    if (failed(type(&op, result.getType())))
      return failure();
  }
  for (Region &region : op.getRegions()) // the op's name sets their number
    if (failed(this->region(op, region)))
      return failure();
  return success();
}

/// A region is isolated from above, so its values are numbered in their order.
LogicalResult Encoder::region(Operation &op, Region &region) {
  if (!region.hasOneBlock())
    return op.emitOpError("has a region that is not one block");
  Block &block = region.front();
  number(block.getNumArguments());
  for (BlockArgument argument : block.getArguments()) {
    define(argument);
    if (failed(type(&op, argument.getType())))
      return failure();
  }
  for (Operation &inner : block)
    if (failed(operation(inner)))
      return failure();
  return success();
}

LogicalResult Encoder::argument(func::FuncOp function, unsigned index) {
  for (StringRef name : {program::kNameAttr, program::kRoleAttr}) {
    auto value = function.getArgAttrOfType<StringAttr>(index, name);
    text(value ? value.getValue() : StringRef());
  }
  auto initial =
      function.getArgAttrOfType<DictionaryAttr>(index, program::kInitialAttr);
  auto fill = initial ? initial.getAs<FloatAttr>("fill") : FloatAttr();
  number(fill ? int64_t(fill.getValue().bitcastToAPInt().getZExtValue()) : -1);
  return type(function, function.getArgument(index).getType());
}

void Encoder::result(func::FuncOp function, unsigned index) {
  auto value =
      function.getResultAttrOfType<StringAttr>(index, program::kNameAttr);
  text(value ? value.getValue() : StringRef());
}

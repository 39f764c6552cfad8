// The identity of a frozen program. Every value, op, attribute and type is
// written to BLAKE3 in a specified form: lengths first, numbers as 64-bit
// little-endian, names as UTF-8. The digest does not depend on MLIR's printer,
// on locations, on the names of SSA values or on addresses; nor on the places
// of constants, which folding determines, nor on the structure of affine
// expressions.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Numerics/Version.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
class Encoder {
public:
  void number(int64_t value) {
    uint8_t bytes[8];
    llvm::support::endian::write64le(bytes, static_cast<uint64_t>(value));
    hash.update(llvm::ArrayRef<uint8_t>(bytes));
  }
  void text(StringRef value) {
    number(value.size());
    hash.update(value);
  }
  template <class Range> void numbers(Range &&range) {
    number(llvm::range_size(range));
    for (auto value : range)
      number(static_cast<int64_t>(value));
  }
  std::string finish() {
    auto digest = hash.final();
    return llvm::toHex(llvm::ArrayRef<uint8_t>(digest), /*LowerCase=*/true);
  }

  LogicalResult encode(func::FuncOp function);

private:
  LogicalResult type(Operation *op, Type type);
  LogicalResult attribute(Operation *op, Attribute attribute);
  void expr(AffineExpr expr);
  LogicalResult operand(Operation &op, Value value);
  LogicalResult operation(Operation &op);
  LogicalResult region(Operation &op, Region &region);
  LogicalResult argument(func::FuncOp function, unsigned index);

  llvm::BLAKE3 hash;
  llvm::DenseMap<Value, int64_t> numbering;
};
} // namespace

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
        const Tensor tensor = toTensor(elements);
        hash.update(StringRef(reinterpret_cast<const char *>(tensor.data()),
                              tensor.byteSize()));
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

/// Writes a constant at its first use.
LogicalResult Encoder::operand(Operation &op, Value value) {
  auto [place, isNew] = numbering.try_emplace(value, numbering.size());
  number(place->second);
  if (!isNew)
    return success();
  text("constant");
  return attribute(&op, value.getDefiningOp<ConstantOp>().getValue());
}

LogicalResult Encoder::operation(Operation &op) {
  if (isa<ConstantOp>(op))
    return success();
  text(op.getName().getStringRef());
  number(op.getNumOperands());
  for (Value value : op.getOperands())
    if (failed(operand(op, value)))
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
    numbering.try_emplace(result, numbering.size());
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
    numbering.try_emplace(argument, numbering.size());
    if (failed(type(&op, argument.getType())))
      return failure();
  }
  for (Operation &inner : block)
    if (failed(operation(inner)))
      return failure();
  return success();
}

/// Name, role and a constant initial value belong to the program. The location
/// of a parameter's initial value does not: that is an input with its own hash.
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

LogicalResult Encoder::encode(func::FuncOp function) {
  numbering.clear();
  text(function.getName());
  number(function.getNumArguments());
  for (BlockArgument argument : function.getArguments()) {
    numbering.try_emplace(argument, numbering.size());
    if (failed(this->argument(function, argument.getArgNumber())))
      return failure();
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto value =
        function.getResultAttrOfType<StringAttr>(i, program::kNameAttr);
    text(value ? value.getValue() : StringRef());
  }
  for (Operation &op : function.getBody().front())
    if (failed(operation(op)))
      return failure();
  return success();
}

FailureOr<std::string> repro::computeDigest(ModuleOp module) {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  llvm::sort(functions, [](func::FuncOp a, func::FuncOp b) {
    return a.getName() < b.getName();
  });
  Encoder encoder;
  encoder.text("gensyn program");
  encoder.number(kNumericsVersion);
  encoder.number(functions.size());
  for (func::FuncOp function : functions) {
    if (!function.getBody().hasOneBlock())
      return function.emitError("a frozen function has one block"), failure();
    if (failed(encoder.encode(function)))
      return failure();
  }
  return encoder.finish();
}

// The repro dialect itself: registration, attributes, element types.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include "gensyn/Dialect/Repro/IR/BoundedSizes.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

#include "ConstantFold.h"
#include "KernelTiles.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

#include "gensyn/Dialect/Repro/IR/ReproDialect.cpp.inc"
#include "gensyn/Dialect/Repro/IR/ReproEnums.cpp.inc"
#include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "gensyn/Dialect/Repro/IR/ReproAttributes.cpp.inc"

void ReproDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "gensyn/Dialect/Repro/IR/ReproAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "gensyn/Dialect/Repro/IR/ReproOps.cpp.inc"
      >();
  addInterfaces<ReproFoldInterface, KernelTilesCache>();
}

Operation *ReproDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, type, cast<TypedAttr>(value));
}

OrderAttr OrderAttr::get(MLIRContext *context, const Order &order) {
  return get(context, StringRef(order.print()));
}

Order OrderAttr::getOrder() const { return *Order::parse(getText().str()); }

LogicalResult OrderAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef text) {
  std::string reason;
  auto order = Order::parse(text.str(), &reason);
  if (!order)
    return emitError() << reason;
  if (order->print() != text)
    return emitError() << "'" << text << "' is not the canonical spelling '"
                       << order->print() << "'";
  return success();
}

void OrderAttr::print(AsmPrinter &printer) const {
  printer << '<' << getText() << '>';
}

// Reads the tokens of one order; Order::parse interprets them.
static ParseResult parseOrderText(AsmParser &parser, std::string &text) {
  StringRef keyword;
  int64_t size;
  if (parser.parseKeyword(&keyword))
    return failure();
  text += keyword;
  if (parser.parseOptionalLess())
    return success();
  if (parser.parseInteger(size))
    return failure();
  text += "<" + std::to_string(size);
  while (succeeded(parser.parseOptionalComma())) {
    text += ", ";
    if (parseOrderText(parser, text))
      return failure();
  }
  text += ">";
  return parser.parseGreater();
}

Attribute OrderAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  std::string text;
  if (parser.parseLess() || parseOrderText(parser, text) ||
      parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(location); },
                    parser.getContext(), StringRef(text));
}

ParseResult repro::parseOrder(OpAsmParser &parser, OrderAttr &order) {
  SMLoc location = parser.getCurrentLocation();
  std::string text;
  if (parseOrderText(parser, text))
    return failure();
  order = OrderAttr::getChecked([&] { return parser.emitError(location); },
                                parser.getContext(), StringRef(text));
  return success(bool(order));
}

void repro::printOrder(OpAsmPrinter &printer, Operation *, OrderAttr order) {
  printer << order.getText();
}

std::optional<ElementType> repro::getElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return ElementType::I1;
    case 2:
      return isUnsigned ? ElementType::UI2 : ElementType::I2;
    case 4:
      return isUnsigned ? ElementType::UI4 : ElementType::I4;
    case 8:
      return isUnsigned ? ElementType::UI8 : ElementType::I8;
    case 16:
      return isUnsigned ? ElementType::UI16 : ElementType::I16;
    case 32:
      return isUnsigned ? ElementType::UI32 : ElementType::I32;
    case 64:
      return isUnsigned ? ElementType::UI64 : ElementType::I64;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Type, std::optional<ElementType>>(type)
      .Case<Float16Type>([](auto) { return ElementType::F16; })
      .Case<BFloat16Type>([](auto) { return ElementType::BF16; })
      .Case<Float32Type>([](auto) { return ElementType::F32; })
      .Case<Float64Type>([](auto) { return ElementType::F64; })
#define GENSYN_NARROW_TYPES(X)                                                 \
  X(8E4M3FN)                                                                   \
  X(8E4M3FNUZ)                                                                 \
  X(8E5M2) X(8E5M2FNUZ) X(8E8M0FNU) X(6E2M3FN) X(6E3M2FN) X(4E2M1FN)
#define GENSYN_CASE(name)                                                      \
  .Case<Float##name##Type>([](auto) { return ElementType::F##name; })
          GENSYN_NARROW_TYPES(GENSYN_CASE)
#undef GENSYN_CASE
      .Default([](Type) { return std::nullopt; });
}

int64_t repro::bytesOf(Type type) {
  return cast<ShapedType>(type).getNumElements() *
         byteWidth(*gensyn::repro::getElementType(getElementTypeOrSelf(type)));
}

Type repro::getMlirType(MLIRContext *context, ElementType type) {
  switch (type) {
  case ElementType::F16:
    return Float16Type::get(context);
  case ElementType::BF16:
    return BFloat16Type::get(context);
  case ElementType::F32:
    return Float32Type::get(context);
  case ElementType::F64:
    return Float64Type::get(context);
#define GENSYN_CASE(name)                                                      \
  case ElementType::F##name:                                                   \
    return Float##name##Type::get(context);
    GENSYN_NARROW_TYPES(GENSYN_CASE)
#undef GENSYN_CASE
#undef GENSYN_NARROW_TYPES
  default:
    return IntegerType::get(context, bitWidth(type),
                            isUnsignedInteger(type) ? IntegerType::Unsigned
                                                    : IntegerType::Signless);
  }
}

#define GET_OP_CLASSES
#include "gensyn/Dialect/Repro/IR/ReproOps.cpp.inc"

// Sets up the dialect, and verifies the attributes that it puts on functions
// and modules.

#include "SchemaOp.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <google/protobuf/stubs/logging.h>

#include <climits>

using namespace mlir;

#include "gensyn/Dialect/Onnx/IR/OnnxDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "gensyn/Dialect/Onnx/IR/OnnxTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "gensyn/Dialect/Onnx/IR/OnnxAttributes.cpp.inc"

namespace gensyn::onnx {

void OnnxDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "gensyn/Dialect/Onnx/IR/OnnxTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "gensyn/Dialect/Onnx/IR/OnnxAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "gensyn/Dialect/Onnx/IR/OnnxOps.cpp.inc"
#include "onnx/defs/schema.h"
      >();
  registerSchemaOps();
  // Reports protobuf's errors about a message as our errors.
  google::protobuf::SetLogHandler(nullptr);
}

std::string OnnxDialect::opName(const ::onnx::OpSchema &schema) {
  StringRef domain = schema.domain();
  domain.consume_front("ai.onnx");
  domain.consume_front(".");
  std::string name = "onnx.";
  if (!domain.empty())
    name += (domain + ".").str();
  return name + schema.Name() + ".v" + std::to_string(schema.SinceVersion());
}

/// The registry's own objects, which live as long as the process. They are
/// looked up one by one because get_all_schemas_with_history() returns copies,
/// and only once because that takes as long as registering the ops.
static const std::vector<const ::onnx::OpSchema *> &allSchemas() {
  static const std::vector<const ::onnx::OpSchema *> schemas = [] {
    std::vector<const ::onnx::OpSchema *> found;
    for (const ::onnx::OpSchema &copy :
         ::onnx::OpSchemaRegistry::get_all_schemas_with_history())
      found.push_back(::onnx::OpSchemaRegistry::Schema(
          copy.Name(), copy.SinceVersion(), copy.domain()));
    return found;
  }();
  return schemas;
}

void OnnxDialect::registerSchemaOps() {
  for (const ::onnx::OpSchema *schema : allSchemas()) {
    OperationName name = registerSchemaOp(*this, typeIDs.allocate(), *schema);
    schemas[name.getAsOpaquePointer()] = schema;
  }
}

Operation *OnnxDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  if (isa<NoneType>(type))
    return NoneOp::create(builder, loc, type);
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

LogicalResult OnnxDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == names::opsets) {
    auto opsets = dyn_cast<DictionaryAttr>(attribute.getValue());
    if (!opsets || llvm::any_of(opsets, [](NamedAttribute entry) {
          auto version = dyn_cast<IntegerAttr>(entry.getValue());
          // ONNX's registry counts them as int.
          return !version || !version.getType().isSignlessInteger(64) ||
                 version.getInt() < 1 || version.getInt() > INT_MAX;
        }))
      return op->emitError()
             << "'" << name
             << "' is not a dictionary of versions: " << attribute.getValue();
  }
  if (name == names::path && !isa<StringAttr>(attribute.getValue()))
    return op->emitError() << "'" << name
                           << "' is not a string: " << attribute.getValue();
  return success();
}

/// The elements of an argument must match its type in size.
static LogicalResult verifyData(Operation *op, unsigned argument,
                                Attribute data) {
  auto type = dyn_cast<RankedTensorType>(
      cast<FunctionOpInterface>(op).getArgumentTypes()[argument]);
  if (!type || !type.hasStaticShape())
    return op->emitError() << "argument #" << argument
                           << " has data but no static shape";
  if (auto elements = dyn_cast<ElementsAttr>(data)) {
    if (elements.getType() != type)
      return op->emitError() << "argument #" << argument << " is " << type
                             << " but its data is " << elements.getType();
    if (std::string reason = whyNotElements(elements); !reason.empty())
      return op->emitError()
             << "data of argument #" << argument << " " << reason;
    return success();
  }
  if (isa<SymbolicAttr>(data)) {
    if (!hasSymbolicValues(type.getElementType()))
      return op->emitError()
             << "data of argument #" << argument << " is symbolic, but "
             << type.getElementType() << " has no symbolic values";
    return success();
  }
  auto external = dyn_cast<ExternalAttr>(data);
  if (!external)
    return op->emitError()
           << "data of argument #" << argument
           << " is neither a tensor nor #onnx.external nor #onnx.symbolic";
  std::optional<int64_t> wanted =
      fileBytes(type.getShape(), type.getElementType());
  if (!wanted || uint64_t(*wanted) != external.getLength())
    return op->emitError() << "data of argument #" << argument << " has "
                           << external.getLength() << " bytes, expected "
                           << wanted.value_or(0);
  return success();
}

LogicalResult OnnxDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned argument,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == names::name &&
      !isa<StringAttr>(attribute.getValue()))
    return op->emitError() << "name of argument #" << argument
                           << " is not a string";
  if (attribute.getName() == names::data)
    return verifyData(op, argument, attribute.getValue());
  return success();
}

LogicalResult OnnxDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  if (attribute.getName() == names::name &&
      !isa<StringAttr>(attribute.getValue()))
    return op->emitError() << "name of result #" << result
                           << " is not a string";
  return success();
}

LogicalResult ExternalAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef file, uint64_t offset,
                                   uint64_t length, StringRef hash) {
  if (file.empty())
    return emitError() << "file is empty";
  if (offset + length < offset)
    return emitError() << "offset " << offset << " plus length " << length
                       << " overflows";
  if (hash.size() != 64 || !llvm::all_of(hash, llvm::isHexDigit))
    return emitError() << "hash is not 64 hexadecimal digits";
  return success();
}

LogicalResult SymbolicAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef, uint64_t, int64_t center,
                                   int64_t exponent) {
  if (center < -128 || center > 128 || exponent < -64 || exponent > 64)
    return emitError() << "center " << center << " or exponent " << exponent
                       << " is out of range";
  return success();
}
} // namespace gensyn::onnx

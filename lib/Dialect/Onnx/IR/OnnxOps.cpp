// The static ops.

#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "gensyn/Dialect/Onnx/IR/OnnxOps.cpp.inc"

namespace gensyn::onnx {

OpFoldResult NoneOp::fold(FoldAdaptor) { return UnitAttr::get(getContext()); }

void NoneOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "none");
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseAttribute(value, "value", state.attributes))
    return failure();
  state.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << ' ' << getValue();
}

LogicalResult ConstantOp::verify() {
  if (getValue().getType() != getType())
    return emitOpError() << "has a value of type " << getValue().getType()
                         << " and a result of type " << getType();
  if (std::string reason = whyNotElements(getValue()); !reason.empty())
    return emitOpError() << "value " << reason;
  return success();
}
} // namespace gensyn::onnx

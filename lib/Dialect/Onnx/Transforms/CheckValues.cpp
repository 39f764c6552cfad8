// Checks of nodes against the values of their constant operands.

#include "CheckValues.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {
using ConstantFn = function_ref<ElementsAttr(Value)>;

/// An index may be negative; then it counts from the end.
LogicalResult checkGather(NodeOp node, ConstantFn constantOf) {
  auto data = dyn_cast<RankedTensorType>(node.input("data").getType());
  ElementsAttr indices = constantOf(node.input("indices"));
  std::optional<SmallVector<int64_t>> values =
      indices ? integersOf(indices) : std::nullopt;
  if (!data || !values)
    return success();
  int64_t axis = node.integer("axis").value_or(0);
  axis += axis < 0 ? data.getRank() : 0;
  if (axis < 0 || axis >= data.getRank() || data.isDynamicDim(axis))
    return success(); // the schema checks the axis
  int64_t size = data.getDimSize(axis);
  for (int64_t index : *values)
    if (index < -size || index >= size)
      return node.emitOpError()
             << "index " << index << " is out of range for axis " << axis
             << " of size " << size;
  return success();
}

/// At most as many elements as the dimension has can be chosen.
LogicalResult checkTopK(NodeOp node, ConstantFn constantOf) {
  std::optional<int64_t> wanted;
  if (node.hasFormalAttribute("k"))
    wanted = node.integer("k");
  else if (ElementsAttr value = constantOf(node.input("K")))
    if (auto values = integersOf(value); values && values->size() == 1)
      wanted = values->front();
  auto from = dyn_cast<RankedTensorType>(node.input("X").getType());
  if (!wanted || !from)
    return success();
  int64_t axis = node.integer("axis").value_or(-1);
  axis += axis < 0 ? from.getRank() : 0;
  const int64_t size = from.getDimSize(static_cast<unsigned>(axis));
  if (*wanted >= 0 && (ShapedType::isDynamic(size) || *wanted <= size))
    return success();
  InFlightDiagnostic error = node.emitOpError() << "K is " << *wanted;
  if (ShapedType::isDynamic(size))
    return error << ", expected 0 or more";
  return error << ", expected 0 to " << size << ", the size of axis " << axis;
}

/// Terms separated by commas, and the result's after an arrow: letters, and at
/// most one ellipsis each. The schema's function loops forever at any other
/// character.
bool isEquation(StringRef text) {
  auto [operands, result] = text.split("->");
  SmallVector<StringRef> terms;
  operands.split(terms, ',');
  terms.push_back(result);
  return llvm::all_of(terms, [](StringRef term) {
    auto [left, right] = term.split("...");
    return llvm::all_of((left + right).str(),
                        [](char c) { return llvm::isAlpha(c) || c == ' '; });
  });
}

LogicalResult checkReshape(NodeOp node) {
  auto from = dyn_cast<RankedTensorType>(node->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(node->getResult(0).getType());
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
      from.getNumElements() == to.getNumElements())
    return success();
  InFlightDiagnostic error = node.emitOpError() << from.getNumElements()
                                                << " elements do not fit [";
  llvm::interleave(to.getShape(), error, ",");
  return error << "]";
}
} // namespace

LogicalResult checkValues(NodeOp node, ConstantFn constantOf) {
  if (!node.domain().empty())
    return success();
  StringRef type = node.opType();
  if (type == "Gather" || type == "GatherElements")
    return checkGather(node, constantOf);
  if (type == "Reshape")
    return checkReshape(node);
  if (type == "TopK")
    return checkTopK(node, constantOf);
  return success();
}

LogicalResult checkForm(NodeOp node) {
  if (!node.domain().empty())
    return success();
  StringRef type = node.opType();
  if (type == "Einsum")
    if (auto equation = node->getAttrOfType<StringAttr>("equation");
        equation && !isEquation(equation.getValue()))
      return node.emitOpError()
             << "equation '" << equation.getValue()
             << "' is not of terms with letters and at most one ellipsis each";
  if (type == "Split" && node.hasFormalAttribute("num_outputs")) {
    std::optional<int64_t> outputs = node.integer("num_outputs");
    if (outputs && *outputs != int64_t(node->getNumResults()))
      return node.emitOpError() << "num_outputs is " << *outputs << " for "
                                << node->getNumResults() << " outputs";
  }
  return success();
}
} // namespace gensyn::onnx

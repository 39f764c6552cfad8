// See CarriedTypes.h.

#include "CarriedTypes.h"

#include "NodeContext.h"

#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "onnx/defs/schema.h"

using namespace mlir;

namespace gensyn::onnx {

Region &regionOf(NodeOp node, StringRef name) {
  auto names = graphAttributes(node.schema());
  for (auto [region, attribute] : llvm::zip(node->getRegions(), names))
    if (attribute == name)
      return region;
  llvm_unreachable("the schema has no such subgraph");
}

/// The initial types of the carried operands and results of a Loop.
static constexpr unsigned firstOperand = 2, firstArgument = 2;

bool isLoop(NodeOp node) {
  const ::onnx::OpSchema &schema = node.schema();
  return schema.domain().empty() && schema.Name() == "Loop" &&
         !regionOf(node, "body").empty();
}

void giveCarriedTypes(NodeOp node) {
  if (!isLoop(node))
    return;
  Block &body = regionOf(node, "body").front();
  for (unsigned k = firstArgument;
       k < std::min(body.getNumArguments(), node->getNumOperands()); ++k) {
    BlockArgument argument = body.getArgument(k);
    if (Type merged =
            mergeTypes(argument.getType(), node->getOperand(k).getType()))
      argument.setType(merged);
  }
}

void keepCarriedTypes(NodeOp node, std::optional<LoopTrips> trips) {
  if (!isLoop(node))
    return;
  Block &body = regionOf(node, "body").front();
  Operation *yield = body.getTerminator();
  const unsigned states = body.getNumArguments() - firstArgument;
  auto set = [&](unsigned result, Type type) {
    if (result >= node->getNumResults() ||
        isa<NoneType>(node->getResult(result).getType()))
      return;
    if (Type merged = mergeTypes(node->getResult(result).getType(), type))
      node->getResult(result).setType(merged);
  };
  for (unsigned k = 0; k < states; ++k) {
    Type type = body.getArgument(firstArgument + k).getType();
    if (yield->getOperand(1 + k).getType() == type &&
        node->getOperand(firstOperand + k).getType() == type)
      set(k, type);
  }
  // Scan outputs: a row for each iteration.
  if (!trips || !trips->isExact)
    return;
  for (unsigned k = 1 + states; k < yield->getNumOperands(); ++k)
    if (auto row = dyn_cast<RankedTensorType>(yield->getOperand(k).getType())) {
      SmallVector<int64_t> shape = {trips->atMost};
      llvm::append_range(shape, row.getShape());
      set(k - 1, RankedTensorType::get(shape, row.getElementType()));
    }
}

} // namespace gensyn::onnx

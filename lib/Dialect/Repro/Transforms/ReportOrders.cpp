// Reports orders and error bounds; Numerics/ErrorBound.h derives the bounds.

#include "gensyn/Dialect/Repro/Transforms/ReportOrders.h"

#include "gensyn/Dialect/Repro/IR/NodeInfo.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_REPORTORDERSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

static OrderedReduction read(OrderedOpInterface op) {
  OrderedReduction out;
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    out.function = function.getName().str();
  out.operation = op->getName().stripDialect().str();
  if (auto kind = op->getAttrOfType<ReduceKindAttr>("kind"))
    out.operation += " " + stringifyReduceKind(kind.getValue()).str();
  NodeInfo node = readNodeInfo(op->getLoc());
  out.node = std::move(node.name);
  out.nodeOperator = std::move(node.operation);
  auto type = cast<ShapedType>(op->getResult(0).getType());
  llvm::raw_string_ostream(out.type) << type.getElementType();
  out.elements = type.getNumElements();
  out.points = op.getOrderedPoints();
  const OrderedStep step = op.getOrderedStep();
  out.relativeTo = step == OrderedStep::Multiply ? "result" : "terms";
  if (auto attribute = cast_or_null<OrderAttr>(op.getAssignedOrder())) {
    const Order order = attribute.getOrder();
    out.order = order.print();
    out.roundings = worstRoundings(order, out.points, step);
    if (order.isExact())
      out.relativeTo = "result";
  }
  return out;
}

std::vector<OrderedReduction> getOrderedReductions(Operation *root) {
  std::vector<OrderedReduction> reductions;
  root->walk([&](OrderedOpInterface op) {
    if (op.needsOrder())
      reductions.push_back(read(op));
  });
  return reductions;
}

llvm::json::Object toJson(const OrderedReduction &reduction) {
  return llvm::json::Object{{"function", reduction.function},
                            {"operation", reduction.operation},
                            {"node", reduction.node},
                            {"operator", reduction.nodeOperator},
                            {"type", reduction.type},
                            {"elements", reduction.elements},
                            {"points", reduction.points},
                            {"order", reduction.order},
                            {"roundings", reduction.roundings},
                            {"relative_to", reduction.relativeTo}};
}

std::string describe(const OrderedReduction &reduction) {
  std::string line;
  if (!reduction.node.empty())
    line =
        "'" + reduction.node + "'" +
        (reduction.nodeOperator.empty() ? ""
                                        : " (" + reduction.nodeOperator + ")") +
        ": ";
  line += reduction.operation + " " + reduction.type + ", " +
          std::to_string(reduction.points) + " points, ";
  if (reduction.order.empty())
    return line + "no order yet";
  return line + reduction.order + ": within " +
         std::to_string(reduction.roundings) + " u of " +
         (reduction.relativeTo == "terms" ? "the terms' absolute sum"
                                          : "the result");
}

namespace {
struct ReportOrders final : impl::ReportOrdersPassBase<ReportOrders> {
  using ReportOrdersPassBase::ReportOrdersPassBase;
  void runOnOperation() override {
    for (const OrderedReduction &one : getOrderedReductions(getOperation()))
      if (json)
        llvm::outs() << llvm::json::Value(toJson(one)) << "\n";
      else
        llvm::outs() << one.function << ": " << describe(one) << "\n";
    markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace gensyn::repro

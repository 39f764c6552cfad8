// Reports orders and error bounds; Numerics/ErrorBound.h derives the bounds.

#include "gensyn/Dialect/Repro/Transforms/ReportOrders.h"

#include "gensyn/Dialect/Repro/IR/NodeInfo.h"
#include "gensyn/Dialect/Repro/IR/ReplacedSum.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_REPORTORDERSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

/// What any op with a result says of a reduction.
static OrderedReduction readOp(Operation *op) {
  OrderedReduction out;
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    out.function = function.getName().str();
  NodeInfo node = readNodeInfo(op->getLoc());
  out.node = std::move(node.name);
  out.nodeOperator = std::move(node.operation);
  auto type = cast<ShapedType>(op->getResult(0).getType());
  llvm::raw_string_ostream(out.type) << type.getElementType();
  out.elements = type.getNumElements();
  return out;
}

static OrderedReduction read(Operation *op, const ReplacedSum &sum) {
  OrderedReduction out = readOp(op);
  out.operation = ContractOp::getOperationName().split('.').second.str();
  out.points = sum.points;
  out.order = sum.form;
  out.roundings = sum.roundings;
  out.relativeTo = "result";
  out.pointError = sum.pointError;
  return out;
}

static OrderedReduction read(OrderedOpInterface op) {
  OrderedReduction out = readOp(op);
  out.operation = op->getName().stripDialect().str();
  if (auto kind = op->getAttrOfType<ReduceKindAttr>("kind"))
    out.operation += " " + stringifyReduceKind(kind.getValue()).str();
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
  root->walk([&](Operation *op) {
    auto ordered = dyn_cast<OrderedOpInterface>(op);
    if (ordered && ordered.needsOrder())
      reductions.push_back(read(ordered));
    // A kernel has the location of an op in it.
    else if (auto sum = readReplacedSum(op->getLoc());
             sum && op->getNumRegions() == 0 && op->getNumResults() == 1 &&
             isa<ShapedType>(op->getResult(0).getType()))
      reductions.push_back(read(op, *sum));
  });
  return reductions;
}

llvm::json::Object toJson(const OrderedReduction &reduction) {
  llvm::json::Object out{{"function", reduction.function},
                         {"operation", reduction.operation},
                         {"node", reduction.node},
                         {"operator", reduction.nodeOperator},
                         {"type", reduction.type},
                         {"elements", reduction.elements},
                         {"points", reduction.points},
                         {"order", reduction.order},
                         {"roundings", reduction.roundings},
                         {"relative_to", reduction.relativeTo}};
  if (reduction.pointError != 0)
    out["point_error"] = reduction.pointError;
  return out;
}

/// To one decimal place.
static double roundUp(double number) { return std::ceil(number * 10) / 10; }

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
  line += reduction.order + ": within " + std::to_string(reduction.roundings) +
          " u of " +
          (reduction.relativeTo == "terms" ? "the terms' absolute sum"
                                           : "the result");
  if (reduction.pointError != 0)
    llvm::raw_string_ostream(line)
        << llvm::format(" and, for each point, 2^%.1f",
                        roundUp(std::log2(reduction.pointError)))
        << " of its rows' largest product";
  return line;
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

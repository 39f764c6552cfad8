// See ReportTensors.h.

#include "ReportTensors.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/Sizes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::OrderedOpInterface;
using repro::Split;

static int64_t operationsOf(Operation *op) {
  auto cost = dyn_cast<repro::CostOpInterface>(op);
  return cost ? cost.getFlops() : 0;
}

int64_t train::mostIndices(Operation *op) {
  int64_t most = 0;
  if (repro::isSplittable(op))
    for (auto [split, extent] :
         llvm::zip(repro::getSplits(op), repro::shapeOf(op->getResult(0))))
      if (split.kind == Split::Kind::Free)
        most = std::max(most, extent);
  return most;
}

/// The most parts into which the order lets a dimension be cut that the op
/// reduces.
static int64_t partsOfSum(Operation *op) {
  const size_t rank = repro::shapeOf(op->getResult(0)).size();
  const SmallVector<int64_t> extents = repro::getSplitExtents(op);
  const SmallVector<Split> splits = repro::getSplits(op);
  int64_t most = 1;
  for (size_t dim = rank; dim < splits.size(); ++dim)
    switch (splits[dim].kind) {
    case Split::Kind::Free:
    case Split::Kind::Any:
      most = std::max(most, extents[dim]);
      break;
    case Split::Kind::Blocks:
      most = std::max(most,
                      llvm::divideCeilSigned(extents[dim], splits[dim].size));
      break;
    case Split::Kind::Lanes:
      most = std::max(most, splits[dim].size);
      break;
    case Split::Kind::Chain:
    case Split::Kind::None:
      break;
    }
  return most;
}

/// The op's parts in another order, as the interface answers for it.
static int64_t partsInOrder(OrderedOpInterface op, const Order &order) {
  Operation *copy = op->clone();
  cast<OrderedOpInterface>(copy).assignOrder(order);
  const int64_t parts = partsOfSum(copy);
  copy->erase();
  return parts;
}

static SumOrder describe(const Order &order, int64_t parts) {
  return {order.print(), parts, {}};
}

/// The order of an op's sum, and that of a policy which permits a part for each
/// rank, or else more parts than this one.
static void addOrders(Operation *op, int64_t ranks, WholeOps &row) {
  auto ordered = dyn_cast<OrderedOpInterface>(op);
  if (!ordered || !ordered.needsOrder() || !repro::isSplittable(op))
    return;
  auto assigned =
      dyn_cast_or_null<repro::OrderAttr>(ordered.getAssignedOrder());
  if (!assigned)
    return;
  row.points = ordered.getOrderedPoints();
  row.order = describe(assigned.getOrder(), partsOfSum(op));
  int64_t most = row.order.parts;
  for (auto [name, accuracy] : {std::pair("fast", Accuracy::Fast),
                                std::pair("accurate", Accuracy::Accurate),
                                std::pair("exact", Accuracy::Exact)}) {
    if (most >= ranks)
      break;
    const Order order = ordered.getDefaultOrder(accuracy);
    const int64_t parts = partsInOrder(ordered, order);
    if (parts <= most)
      continue;
    most = parts;
    row.better = describe(order, parts);
    row.better.accuracy = name;
  }
}

static WholeReason reasonOf(Operation *op, size_t cuts, int64_t ranks) {
  if (cuts > 1)
    return WholeReason::Price;
  return repro::isSplittable(op) && mostIndices(op) < ranks
             ? WholeReason::FewIndices
             : WholeReason::NoPieces;
}

namespace {
class Reporter {
public:
  Reporter(int64_t ranks, TensorReport &report)
      : ranks(ranks), report(report) {}

  void addWhole(Operation *op, WholeReason reason);
  void finish();

private:
  using Key = std::tuple<std::string, WholeReason, std::string, std::string>;

  int64_t ranks;
  TensorReport &report;
  std::map<Key, WholeOps> groups;
};
} // namespace

/// Of the sums of a group the longest one is named.
void Reporter::addWhole(Operation *op, WholeReason reason) {
  const int64_t operations = operationsOf(op);
  if (operations == 0)
    return;
  WholeOps row;
  row.operation = op->getName().stripDialect().str();
  row.reason = reason;
  if (reason != WholeReason::View)
    addOrders(op, ranks, row);
  WholeOps &group =
      groups
          .try_emplace({row.operation, reason, row.order.text, row.better.text},
                       row)
          .first->second;
  if (row.points > group.points) {
    group.points = row.points;
    group.order = row.order;
    group.better = row.better;
  }
  ++group.count;
  group.operations = saturatingAdd(group.operations, operations);
}

void Reporter::finish() {
  for (auto &[key, group] : groups)
    report.whole.push_back(std::move(group));
  llvm::stable_sort(report.whole, [](const WholeOps &a, const WholeOps &b) {
    return a.operations > b.operations;
  });
}

void train::reportTensors(const TensorProgram &program,
                          ArrayRef<TensorCut> cuts, int64_t ranks,
                          TensorReport &report) {
  const DimensionClasses classes(program, ranks);
  Reporter reporter(ranks, report);
  for (auto [node, cut, possible] :
       llvm::zip_equal(program.nodes, cuts, classes.cuts)) {
    if (!node.op)
      continue;
    const int64_t operations = operationsOf(node.op);
    report.operations = saturatingAdd(report.operations, operations);
    if (cut.isWhole())
      reporter.addWhole(node.op, reasonOf(node.op, possible.size(), ranks));
    else
      report.divided = saturatingAdd(report.divided, operations);
  }
  for (func::FuncOp segment : program.segments)
    for (Operation &op : segment.getBody().front().without_terminator())
      if (program.isView(&op)) {
        report.operations = saturatingAdd(report.operations, operationsOf(&op));
        reporter.addWhole(&op, WholeReason::View);
      }
  reporter.finish();
}

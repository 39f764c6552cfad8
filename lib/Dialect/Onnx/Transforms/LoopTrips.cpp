// See LoopTrips.h.

#include "LoopTrips.h"

#include "CarriedTypes.h"
#include "Evaluate.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {

/// Arguments of a body and operands of a Loop before the carried values: the
/// number of the iteration (M), the flag.
constexpr unsigned carriedFrom = 2;

/// A loop that runs for longer, or whose flag takes more work, is not counted.
constexpr int64_t mostNodes = int64_t{1} << 16;

std::optional<bool> flagOf(ElementsAttr value) {
  if (!value || value.getNumElements() != 1 ||
      !value.getElementType().isInteger(1))
    return std::nullopt;
  return *value.getValues<bool>().begin();
}

/// The ops of a body on which its flag depends over any number of iterations.
class FlagSlice {
public:
  explicit FlagSlice(Block &body) : body(body) {
    need(next(0));
    while (!pending.empty())
      visit(pending.pop_back_val());
    for (Operation &op : body)
      if (found.contains(&op))
        ops.push_back(&op);
  }

  /// In the order of the body.
  SmallVector<Operation *> ops;
  /// Numbers of the carried values in the slice.
  llvm::SetVector<unsigned> states;

private:
  Value next(unsigned k) { return body.getTerminator()->getOperand(k); }
  void need(Value value) { pending.push_back(value); }
  void visit(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == &body &&
          argument.getArgNumber() >= carriedFrom &&
          states.insert(argument.getArgNumber() - carriedFrom))
        need(next(1 + argument.getArgNumber() - carriedFrom));
      return;
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() == &body && found.insert(op).second)
      for (Value operand : op->getOperands())
        need(operand);
  }

  Block &body;
  SmallVector<Value> pending;
  llvm::DenseSet<Operation *> found;
};

/// Evaluates the slice with the known values.
class Simulation {
public:
  Simulation(NodeOp loop, function_ref<ElementsAttr(Value)> constantOf)
      : body(regionOf(loop, "body").front()), slice(body),
        constantOf(constantOf) {
    for (unsigned k : slice.states)
      values[body.getArgument(carriedFrom + k)] =
          constantOf(loop->getOperand(carriedFrom + k));
  }

  int64_t getCost() const { return 1 + static_cast<int64_t>(slice.ops.size()); }

  /// The flag that iteration `i` yields, if it is known.
  std::optional<bool> run(int64_t i) {
    auto indexType = dyn_cast<RankedTensorType>(body.getArgument(0).getType());
    auto flagType = dyn_cast<RankedTensorType>(body.getArgument(1).getType());
    if (indexType && indexType.hasStaticShape() &&
        indexType.getElementType().isInteger(64))
      values[body.getArgument(0)] = DenseElementsAttr::get(indexType, i);
    if (flagType && flagType.hasStaticShape() &&
        flagType.getElementType().isInteger(1))
      values[body.getArgument(1)] = DenseElementsAttr::get(flagType, true);
    for (Operation *op : slice.ops)
      evaluate(op);
    Operation *yield = body.getTerminator();
    SmallVector<ElementsAttr> next;
    for (unsigned k : slice.states)
      next.push_back(valueOf(yield->getOperand(1 + k)));
    std::optional<bool> flag = flagOf(valueOf(yield->getOperand(0)));
    for (auto [k, value] : llvm::zip_equal(slice.states, next))
      values[body.getArgument(carriedFrom + k)] = value;
    return flag;
  }

private:
  ElementsAttr valueOf(Value value) const {
    auto found = values.find(value);
    return found != values.end() ? found->second : constantOf(value);
  }

  void evaluate(Operation *op) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      values[constant.getResult()] = constant.getValue();
      return;
    }
    for (Value result : op->getResults())
      values[result] = {};
    if (!isa<NodeOp>(op) || op->getNumResults() != 1)
      return;
    SmallVector<ElementsAttr> operands;
    for (Value operand : op->getOperands())
      operands.push_back(valueOf(operand));
    ElementsAttr value = evaluateNode(NodeOp(op), operands);
    // The operand that alone decides.
    const bool isAnd = NodeOp(op).opType() == "And";
    if (!value && (isAnd || NodeOp(op).opType() == "Or"))
      for (ElementsAttr operand : operands)
        if (flagOf(operand) == !isAnd)
          value = operand;
    values[op->getResult(0)] = value;
  }

  Block &body;
  FlagSlice slice;
  function_ref<ElementsAttr(Value)> constantOf;
  llvm::DenseMap<Value, ElementsAttr> values;
};
} // namespace

std::optional<LoopTrips>
countTrips(NodeOp loop, function_ref<ElementsAttr(Value)> constantOf) {
  constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();
  int64_t most = unbounded;
  if (Value count = loop->getOperand(0); !isa<NoneType>(count.getType())) {
    ElementsAttr known = constantOf(count);
    std::optional<SmallVector<int64_t>> numbers =
        known ? integersOf(known) : std::nullopt;
    if (!numbers || numbers->size() != 1)
      return std::nullopt;
    most = std::max<int64_t>(numbers->front(), 0);
  }
  bool isExact = true;
  if (Value condition = loop->getOperand(1);
      !isa<NoneType>(condition.getType())) {
    std::optional<bool> starts = flagOf(constantOf(condition));
    if (starts == false)
      return LoopTrips{0, true};
    isExact = starts == true;
  }
  Block &body = regionOf(loop, "body").front();
  Value flag = body.getTerminator()->getOperand(0);
  const bool goesOn =
      flag == body.getArgument(1) || flagOf(constantOf(flag)) == true;
  if (!goesOn) {
    Simulation simulation(loop, constantOf);
    const int64_t limit =
        std::min(most, mostNodes / std::max<int64_t>(simulation.getCost(), 1));
    for (int64_t i = 0; i < limit; ++i) {
      std::optional<bool> next = simulation.run(i);
      if (next == false)
        return LoopTrips{i + 1, isExact};
      isExact &= next.has_value();
    }
    isExact &= limit == most;
  }
  if (most == unbounded)
    return std::nullopt;
  return LoopTrips{most, isExact};
}

} // namespace gensyn::onnx

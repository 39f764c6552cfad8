// Reverse accumulation over DifferentiableOpInterface; see Differentiate.h.

#include "gensyn/Dialect/Repro/Autodiff/Differentiate.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace gensyn::repro;

bool gensyn::repro::isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

std::string gensyn::repro::describeValue(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return "a result of '" +
           value.getDefiningOp()->getName().getStringRef().str() + "'";
  unsigned number = argument.getArgNumber();
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(
          argument.getOwner()->getParentOp()))
    if (auto name =
            function.getArgAttrOfType<StringAttr>(number, program::kNameAttr))
      return "'" + name.str() + "'";
  return "argument " + std::to_string(number);
}

void gensyn::repro::forEachRead(Operation *op,
                                function_ref<void(Value)> callback) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      callback(operand);
  });
}

ReverseAccumulation::ReverseAccumulation(OpBuilder &builder, ValueRange wrt,
                                         ValueRange names)
    : builder(builder) {
  for (auto [value, name] : llvm::zip_equal(wrt, names))
    origins.try_emplace(value, name);
}

void ReverseAccumulation::seed(Location location, Value value,
                               Value cotangent) {
  Value &sum = cotangents[value];
  sum = sum ? AddOp::create(builder, location, value.getType(), sum, cotangent)
            : cotangent;
}

/// Ops on a path from a value of `wrt` to a seeded one, in program order.
SmallVector<Operation *> ReverseAccumulation::findPath(Block &block,
                                                       Operation *end) {
  SmallVector<Operation *> dependent, path;
  for (Operation &op : block) {
    if (&op == end || op.hasTrait<OpTrait::IsTerminator>())
      break;
    Value origin;
    forEachRead(&op, [&](Value read) {
      auto found = origins.find(read);
      if (!origin && found != origins.end())
        origin = found->second;
    });
    if (!origin)
      continue;
    dependent.push_back(&op);
    for (Value result : op.getResults())
      if (isFloatTensor(result))
        origins.try_emplace(result, origin);
  }
  DenseSet<Value> reaching;
  for (auto [value, cotangent] : cotangents)
    reaching.insert(value);
  for (Operation *op : llvm::reverse(dependent)) {
    if (llvm::none_of(op->getResults(),
                      [&](Value result) { return reaching.contains(result); }))
      continue;
    path.push_back(op);
    forEachRead(op, [&](Value read) { reaching.insert(read); });
  }
  std::reverse(path.begin(), path.end());
  return path;
}

LogicalResult ReverseAccumulation::visit(Operation *op) {
  SmallVector<Value> incoming;
  for (Value result : op->getResults())
    incoming.push_back(cotangents.lookup(result));
  if (llvm::none_of(incoming, [](Value value) { return bool(value); }))
    return success();
  SmallVector<bool> needed;
  for (Value operand : op->getOperands())
    needed.push_back(origins.contains(operand) && isFloatTensor(operand));

  std::string origin;
  forEachRead(op, [&](Value read) {
    if (auto found = origins.find(read);
        origin.empty() && found != origins.end())
      origin = describeValue(found->second);
  });
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return op->emitOpError("has no derivative, which the gradient with respect "
                           "to ")
           << origin << " needs";

  // The op's own error does not name the gradient, which is known here.
  Location here = builder.getInsertionPoint() != builder.getBlock()->end()
                      ? builder.getInsertionPoint()->getLoc()
                      : op->getLoc();
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &error) {
    if (error.getSeverity() == DiagnosticSeverity::Error)
      error.attachNote(here)
          << "the gradient with respect to " << origin << " needs it";
    return failure(); // the next handler reports it
  });
  SmallVector<Value> operands(op->getOperands());
  SmallVector<Value> outgoing(operands.size());
  if (failed(differentiable.buildVjp(builder, incoming, needed, outgoing)))
    return failure();
  for (auto [operand, wanted, cotangent] :
       llvm::zip_equal(operands, needed, outgoing)) {
    if (!wanted || !cotangent)
      continue;
    if (cotangent.getType() != operand.getType())
      return op->emitOpError("gives a gradient of type ")
             << cotangent.getType() << " for an operand of type "
             << operand.getType();
    seed(op->getLoc(), operand, cotangent);
  }
  return success();
}

LogicalResult ReverseAccumulation::run(Block &block, Operation *end) {
  SmallVector<Operation *> path = findPath(block, end);
  for (Operation *op : llvm::reverse(path))
    if (failed(visit(op)))
      return failure();
  return success();
}

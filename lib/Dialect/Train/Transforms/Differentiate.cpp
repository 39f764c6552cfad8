// Reverse accumulation over DifferentiableOpInterface (gradient_r1).

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINDIFFERENTIATEPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

/// A gradient flows through floats only.
static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

/// What a message calls a value.
static std::string describe(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return "a result of '" +
           value.getDefiningOp()->getName().getStringRef().str() + "'";
  unsigned number = argument.getArgNumber();
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (function)
    if (auto name =
            function.getArgAttrOfType<StringAttr>(number, "gensyn.name"))
      return "'" + name.str() + "'";
  return "argument " + std::to_string(number);
}

/// Every value that an op reads, in its regions too.
static void forEachRead(Operation *op, function_ref<void(Value)> callback) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      callback(operand);
  });
}

namespace {
/// Expands one train.gradient in place. Maps are only ever looked up, so no
/// order of pointers reaches the program.
class GradientExpander {
public:
  explicit GradientExpander(GradientOp gradient)
      : gradient(gradient), builder(gradient) {}

  LogicalResult run();

private:
  void findPaths();
  LogicalResult visit(Operation *op);
  void accumulate(Location location, Value value, Value cotangent);

  GradientOp gradient;
  OpBuilder builder;
  /// The ops that lie between a listed value and the loss, in program order.
  SmallVector<Operation *> path;
  /// Floats that depend on a listed value, and the first such value.
  DenseMap<Value, Value> origins;
  DenseMap<Value, Value> cotangents;
};
} // namespace

void GradientExpander::findPaths() {
  for (Value value : gradient.getWrt())
    origins.try_emplace(value, value);
  SmallVector<Operation *> dependent;
  for (Operation &op : *gradient->getBlock()) {
    if (&op == gradient)
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
  DenseSet<Value> reaching = {gradient.getLoss()};
  for (Operation *op : llvm::reverse(dependent)) {
    if (llvm::none_of(op->getResults(),
                      [&](Value result) { return reaching.contains(result); }))
      continue;
    path.push_back(op);
    forEachRead(op, [&](Value read) { reaching.insert(read); });
  }
  std::reverse(path.begin(), path.end());
}

void GradientExpander::accumulate(Location location, Value value,
                                  Value cotangent) {
  Value &sum = cotangents[value];
  sum = sum ? repro::AddOp::create(builder, location, value.getType(), sum,
                                   cotangent)
            : cotangent;
}

LogicalResult GradientExpander::visit(Operation *op) {
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
      origin = describe(found->second);
  });
  auto differentiable = dyn_cast<repro::DifferentiableOpInterface>(op);
  if (!differentiable)
    return op->emitOpError("has no derivative, which the gradient with respect "
                           "to ")
           << origin << " needs";

  // The op says what is wrong with it; what it was wanted for is known here.
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &error) {
    if (error.getSeverity() == DiagnosticSeverity::Error)
      error.attachNote(gradient.getLoc())
          << "the gradient with respect to " << origin << " needs it";
    return failure(); // the next handler reports it
  });
  SmallVector<Value> outgoing(op->getNumOperands());
  if (failed(differentiable.buildVjp(builder, incoming, needed, outgoing)))
    return failure();
  for (auto [operand, wanted, cotangent] :
       llvm::zip_equal(op->getOperands(), needed, outgoing)) {
    if (!wanted || !cotangent)
      continue;
    if (cotangent.getType() != operand.getType())
      return op->emitOpError("gives a gradient of type ")
             << cotangent.getType() << " for an operand of type "
             << operand.getType();
    accumulate(op->getLoc(), operand, cotangent);
  }
  return success();
}

LogicalResult GradientExpander::run() {
  findPaths();
  Value loss = gradient.getLoss();
  cotangents[loss] = repro::createFilled(
      builder, gradient.getLoc(), cast<RankedTensorType>(loss.getType()), 1.0);
  for (Operation *op : llvm::reverse(path))
    if (failed(visit(op)))
      return failure();
  for (auto [value, result] :
       llvm::zip_equal(gradient.getWrt(), gradient.getGradients())) {
    Value cotangent = cotangents.lookup(value);
    if (!cotangent)
      cotangent =
          repro::createFilled(builder, gradient.getLoc(),
                              cast<RankedTensorType>(value.getType()), 0.0);
    result.replaceAllUsesWith(cotangent);
  }
  gradient.erase();
  return success();
}

namespace {
struct Differentiate final
    : train::impl::TrainDifferentiatePassBase<Differentiate> {
  using TrainDifferentiatePassBase::TrainDifferentiatePassBase;
  void runOnOperation() override;
};
} // namespace

void Differentiate::runOnOperation() {
  // In program order, so that a gradient may be taken of a gradient.
  SmallVector<GradientOp> gradients;
  getOperation().walk([&](GradientOp op) { gradients.push_back(op); });
  for (GradientOp op : gradients)
    if (failed(GradientExpander(op).run()))
      return signalPassFailure();
  getOperation().walk([](StopGradientOp op) {
    op.getResult().replaceAllUsesWith(op.getOperand());
    op.erase();
  });
}

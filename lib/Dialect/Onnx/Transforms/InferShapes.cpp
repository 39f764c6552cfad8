// Shape inference by the schemas' own functions, with folding in the same walk.

#include "CarriedTypes.h"
#include "CheckValues.h"
#include "Evaluate.h"
#include "NodeContext.h"
#include "RuntimeShapes.h"
#include "Sequences.h"
#include "gensyn/Dialect/Onnx/IR/GraphBuilder.h"
#include "gensyn/Dialect/Onnx/IR/LibraryError.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/IR/VerifyRanks.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "gensyn/Dialect/SizeError.h"
#include "onnx/defs/schema.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gensyn::onnx {
#define GEN_PASS_DEF_ONNXINFERSHAPESPASS
#include "gensyn/Dialect/Onnx/Transforms/Passes.h.inc"

namespace {

class Inference final : public InferenceState {
public:
  explicit Inference(bool folds) : folds(folds) {}
  ElementsAttr constantOf(Value value) override;
  LogicalResult inferBlock(Block &block) override;

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitAll(ArrayRef<Operation *> ops);
  bool inlineKnownIf(Operation *op, SmallVectorImpl<Operation *> &inlined);
  LogicalResult infer(Operation *op);
  void setTrips(Operation *op, const LoopTrips &trips);
  LogicalResult inferGradient(Operation *op);
  LogicalResult merge(OpResult result, Type type);
  void fold(Operation *op);
  void erase(Operation *op);
  void eraseResolved(Operation *op);

  bool folds;
  llvm::DenseMap<Value, ElementsAttr> known; // of nodes that are not replaced
};

ElementsAttr Inference::constantOf(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return constant.getValue();
  auto it = known.find(value);
  return it == known.end() ? ElementsAttr() : it->second;
}

/// Merges the inferred type into the declared one. They must not disagree.
LogicalResult Inference::merge(OpResult result, Type type) {
  if (isa<UnknownType>(type) || isa<NoneType>(result.getType()))
    return success();
  Type merged = mergeTypes(result.getType(), type);
  if (!merged)
    return result.getOwner()->emitOpError()
           << "result #" << result.getResultNumber() << " is declared "
           << describeType(result.getType()) << ", but it is "
           << describeType(type);
  auto tensor = dyn_cast<RankedTensorType>(merged);
  if (tensor && tensor.hasStaticShape() &&
      !fileBytes(tensor.getShape(), tensor.getElementType()))
    return asSizeError(result.getOwner()->emitOpError())
           << "result #" << result.getResultNumber() << ", "
           << describeType(merged) << ", is too large";
  result.setType(merged);
  return success();
}

/// "Incompatible dimensions; A is float32[2,8], B is float32[9,3]".
void describe(InFlightDiagnostic &error, Operation *op, StringRef text) {
  for (StringRef prefix : {"[ShapeInferenceError] ", "[TypeInferenceError] "})
    text.consume_front(prefix);
  std::string first = text.rtrim(" .").str();
  if (first.size() > 1 && llvm::isLower(first[1]))
    first[0] = llvm::toLower(first[0]);
  error << first;
  auto &formals = NodeOp(op).schema().inputs();
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (!isa<NoneType, UnknownType>(operand.getType()) && !formals.empty())
      error << (i ? ", " : "; ")
            << formals[std::min(i, formals.size() - 1)].GetName() << " is "
            << describeType(operand.getType());
}

/// The schema that infers result sizes. In ceil_mode, windows that begin in the
/// padding at the end do not count. The older pooling schemas ignore that, but
/// PyTorch exports to them and other runtimes follow the rule.
const ::onnx::OpSchema &inferenceSchema(const ::onnx::OpSchema &schema) {
  if (schema.Name() == "MaxPool" || schema.Name() == "AveragePool" ||
      schema.Name() == "LpPool")
    if (const ::onnx::OpSchema *newest =
            ::onnx::OpSchemaRegistry::Schema(schema.Name(), schema.domain()))
      return *newest;
  return schema;
}

/// Derivatives have the types of the values with respect to which they are
/// taken; the schema leaves that to inference.
LogicalResult Inference::inferGradient(Operation *op) {
  if (op->getNumResults() >= op->getNumOperands())
    return op->emitOpError() << "has " << op->getNumResults() << " results for "
                             << op->getNumOperands() - 1 << " values";
  for (OpResult result : op->getResults()) {
    Type type = op->getOperand(result.getResultNumber()).getType();
    if (!isa<NoneType>(type) && failed(merge(result, type)))
      return failure();
  }
  return success();
}

LogicalResult Inference::infer(Operation *op) {
  if (isGradient(op))
    return inferGradient(op);
  const ::onnx::OpSchema &schema = inferenceSchema(NodeOp(op).schema());
  NodeContext context(*this, op);
  // Inference functions follow the pointers to their inputs' types.
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (context.hasInput(i) && !context.getInputType(i))
      return success();
  try {
    if (schema.has_type_and_shape_inference_function())
      schema.GetTypeAndShapeInferenceFunction()(context);
    if (schema.has_data_propagation_function()) {
      PropagationContext propagation(*this, context);
      schema.GetDataPropagationFunction()(propagation);
    }
  } catch (const google::protobuf::FatalException &) {
    // An index into a shape or an attribute was out of range; see
    // cmake/onnx-checks.h.
    InFlightDiagnostic error = op->emitOpError();
    describe(error, op,
             "an operand or an attribute has a rank, a length or an "
             "index that the operator does not take");
    return error;
  } catch (const std::exception &e) {
    InFlightDiagnostic error = op->emitOpError();
    describe(error, op, describeLibraryError(e));
    return error;
  }
  correctShapes(NodeOp(op), *this, context);
  for (OpResult result : op->getResults())
    if (failed(merge(result,
                     importType(op->getContext(),
                                context.result(result.getResultNumber())))))
      return failure();
  return success();
}

void Inference::erase(Operation *op) {
  for (Value result : op->getResults())
    partial.erase(result); // the address may be used again
  op->erase();
}

/// Erases a node that read a sequence, and the sequence if it has no other
/// reader: a growing list would leave one of each length.
void Inference::eraseResolved(Operation *op) {
  Operation *read =
      op->getNumOperands() > 0 ? op->getOperand(0).getDefiningOp() : nullptr;
  erase(op);
  if (read && isa<NodeOp>(read) && read->use_empty() &&
      isMemoryEffectFree(read))
    erase(read);
}

void Inference::fold(Operation *op) {
  if (op->hasAttr(names::variable))
    return;
  SmallVector<ElementsAttr> operands;
  for (Value operand : op->getOperands())
    operands.push_back(constantOf(operand));
  ElementsAttr value = evaluateNode(NodeOp(op), operands);
  if (!value)
    return;
  if (!folds) {
    known[op->getResult(0)] = value;
    return;
  }
  OpBuilder b(op);
  op->replaceAllUsesWith(ConstantOp::create(b, op->getLoc(), value));
  llvm::SmallSetVector<Operation *, 4> unused;
  for (Value operand : op->getOperands())
    if (auto constant = operand.getDefiningOp<ConstantOp>())
      unused.insert(constant);
  erase(op);
  for (Operation *constant : unused)
    if (constant->use_empty())
      erase(constant);
}

LogicalResult Inference::inferBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (isa<NodeOp>(&op) && failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult Inference::visitAll(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (isa<NodeOp>(op) && failed(visit(op)))
      return failure();
  return success();
}

LogicalResult Inference::visit(Operation *op) {
  SmallVector<Operation *> inlined;
  if (folds && inlineKnownIf(op, inlined))
    return visitAll(inlined);
  auto constants = [&](Value v) { return constantOf(v); };
  MadeNodes made;
  if (folds && resolveSequence(NodeOp(op), constants, made)) {
    eraseResolved(op);
    return visitAll(made);
  }
  giveCarriedTypes(NodeOp(op));
  // Checks ranks before the schema's functions, which rely on them, and again
  // with the inferred types.
  if (failed(verifyRanks(NodeOp(op))) || failed(checkForm(NodeOp(op))) ||
      failed(infer(op)))
    return failure();
  for (auto [result, shape] : shapesByRanks(NodeOp(op), constants))
    if (failed(merge(result, shape)))
      return failure();
  if (failed(verifyRanks(NodeOp(op))) ||
      failed(checkValues(NodeOp(op), constants)))
    return failure();
  if (isLoop(NodeOp(op))) {
    auto trips = countTrips(NodeOp(op), constants);
    keepCarriedTypes(NodeOp(op), trips);
    if (folds && trips) {
      LogicalResult unrolled = success();
      if (unrollOverSequences(
              NodeOp(op), *trips, [&](Operation *node) { return visit(node); },
              unrolled)) {
        if (succeeded(unrolled))
          erase(op);
        return unrolled;
      }
      setTrips(op, *trips);
    }
  }
  fold(op);
  return success();
}

/// Writes the trip count into the operands of a Loop: the maximum, and that
/// nothing else ends it if the count is exact.
void Inference::setTrips(Operation *op, const LoopTrips &trips) {
  OpBuilder b(op);
  auto scalar = RankedTensorType::get({}, b.getI64Type());
  auto known = constantOf(op->getOperand(0));
  if (!known || integersOf(known) != SmallVector<int64_t>{trips.atMost})
    op->setOperand(
        0, ConstantOp::create(b, op->getLoc(),
                              DenseElementsAttr::get(scalar, trips.atMost)));
  if (!trips.isExact)
    return;
  Block &body = regionOf(NodeOp(op), "body").front();
  if (body.getTerminator()->getOperand(0) == body.getArgument(1))
    return;
  auto flag = RankedTensorType::get({}, b.getI1Type());
  b.setInsertionPoint(body.getTerminator());
  body.getTerminator()->setOperand(
      0,
      ConstantOp::create(b, op->getLoc(), DenseElementsAttr::get(flag, true)));
}

/// Replaces an If with a constant condition by the branch that it chooses.
bool Inference::inlineKnownIf(Operation *op,
                              SmallVectorImpl<Operation *> &inlined) {
  const ::onnx::OpSchema &schema = NodeOp(op).schema();
  if (!schema.domain().empty() || schema.Name() != "If")
    return false;
  ElementsAttr condition = constantOf(op->getOperand(0));
  if (!condition || condition.getNumElements() != 1)
    return false;
  const bool taken = *condition.getValues<bool>().begin();
  Block &branch =
      regionOf(NodeOp(op), taken ? "then_branch" : "else_branch").front();
  Operation *yield = branch.getTerminator();
  op->replaceAllUsesWith(yield->getOperands().take_front(op->getNumResults()));
  yield->erase();
  for (Operation &inner : branch)
    inlined.push_back(&inner);
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         branch.getOperations());
  erase(op);
  return true;
}

struct InferShapes final : impl::OnnxInferShapesPassBase<InferShapes> {
  using OnnxInferShapesPassBase::OnnxInferShapesPassBase;
  void runOnOperation() override {
    Dimensions bound;
    for (const std::string &text : dims)
      if (!parseDimension(text, bound)) {
        getOperation().emitError() << "'" << text << "' is not name=size";
        return signalPassFailure();
      }
    if (failed(bindDimensions(getOperation(), bound)) ||
        failed(inferShapes(getOperation())))
      signalPassFailure();
  }
};
} // namespace

LogicalResult inferShapes(ModuleOp module, bool fold) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Block &block = function.front();
    if (failed(Inference(fold).inferBlock(block)))
      return failure();
    function.setFunctionType(
        FunctionType::get(module.getContext(), block.getArgumentTypes(),
                          block.getTerminator()->getOperandTypes()));
  }
  dropBoundNames(module);
  return success();
}
} // namespace gensyn::onnx

// Narrow floats in a forward function: selects the values to round, and the
// places.

#include "Patterns.h"
#include "Precision.h"
#include "gensyn/Dialect/Repro/IR/NodeInfo.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINASSIGNPRECISIONPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

namespace {
/// The names by which patterns may select an op.
struct OpNames {
  std::string node, kind, op;

  explicit OpNames(Operation *source) {
    op = source->getName().stripDialect().str();
    const repro::NodeInfo info = repro::readNodeInfo(source->getLoc());
    node = info.name;
    kind = info.operation;
  }
  bool match(ArrayRef<std::string> patterns) const {
    return matchesAny(patterns, node) || matchesAny(patterns, kind) ||
           matchesAny(patterns, op);
  }
};

class Assignment {
public:
  Assignment(func::FuncOp function, const Precision &precision)
      : function(function), precision(precision),
        builder(function.getContext()) {}

  LogicalResult run();

private:
  static bool isWide(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getElementType().isF32();
  }
  Value convert(Value value, Type element, Location location) {
    auto type = cast<RankedTensorType>(value.getType());
    return repro::ConvertOp::create(builder, location, type.clone(element),
                                    value);
  }
  void narrowOperands(repro::ContractOp op);
  void roundResults(Operation *op, const OpNames &names);

  func::FuncOp function;
  const Precision &precision;
  OpBuilder builder;
};
} // namespace

/// Each contraction rounds its own operands: gradients of a value with several
/// users are then added in f32, and equal conversions are merged later
/// (precision_r1).
void Assignment::narrowOperands(repro::ContractOp op) {
  builder.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isWide(operand.get()))
      operand.set(convert(operand.get(), precision.compute, op.getLoc()));
}

/// Other users of the op's results read them rounded to the narrow type
/// (precision_r2).
void Assignment::roundResults(Operation *op, const OpNames &names) {
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    if (!isWide(result))
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : result.getUses()) {
      const OpNames reader(use.getOwner());
      if (isa<repro::ContractOp>(op) || names.node.empty() ||
          reader.node != names.node)
        uses.push_back(&use);
    }
    if (uses.empty())
      continue;
    Value stored = convert(result, precision.compute, op->getLoc());
    Value wide = convert(stored, builder.getF32Type(), op->getLoc());
    for (OpOperand *use : uses)
      use->set(wide);
  }
}

LogicalResult Assignment::run() {
  SmallVector<Operation *> ops;
  std::vector<std::string> known;
  function.walk([&](Operation *op) {
    if (isa<func::FuncOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
      return;
    ops.push_back(op);
    OpNames names(op);
    for (std::string &name :
         {std::ref(names.node), std::ref(names.kind), std::ref(names.op)})
      if (!name.empty() && !llvm::is_contained(known, name))
        known.push_back(name);
  });
  for (const std::vector<std::string> *patterns :
       {&precision.wide, &precision.narrow})
    if (failed(checkPatterns(function.getLoc(), "recipe: precision", *patterns,
                             known, "node or operator of the model")))
      return failure();
  for (Operation *op : ops) {
    const OpNames names(op);
    if (names.match(precision.wide))
      continue;
    auto contract = dyn_cast<repro::ContractOp>(op);
    const bool isNarrow = contract && isWide(contract.getResult());
    if (isNarrow)
      narrowOperands(contract);
    if (isNarrow || (!contract && op->getNumRegions() == 0 &&
                     names.match(precision.narrow)))
      roundResults(op, names);
  }
  return success();
}

namespace {
struct AssignPrecision final
    : train::impl::TrainAssignPrecisionPassBase<AssignPrecision> {
  using TrainAssignPrecisionPassBase::TrainAssignPrecisionPassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto options =
        parseTrainingOptions(name(ProgramKind::Grad), recipe, module.getLoc());
    if (failed(options))
      return signalPassFailure();
    auto precision = readPrecision(*options, module.getLoc());
    if (failed(precision))
      return signalPassFailure();
    auto function = module.lookupSymbol<func::FuncOp>("main");
    if (function && !function.isExternal() && precision->compute &&
        failed(Assignment(function, *precision).run()))
      signalPassFailure();
  }
};
} // namespace

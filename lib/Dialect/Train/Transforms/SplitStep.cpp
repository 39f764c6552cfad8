// Divides a frozen training step into functions; see StepParts.h.

#include "PartBuilder.h"
#include "RaiseAccumulate.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINSPLITSTEPPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

namespace {
class Splitter {
public:
  explicit Splitter(func::FuncOp main) : main(main) {}

  LogicalResult run();

private:
  LogicalResult findContributions();
  bool isCarried(Value value) const { return chain.contains(value); }
  /// The argument of @main that an argument of the body is, or a part of.
  BlockArgument sourceOf(BlockArgument argument);
  std::string nameOf(BlockArgument argument) {
    auto name = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  program::kNameAttr);
    return name ? name.str() : "";
  }
  std::string stateName(unsigned number) {
    auto argument = dyn_cast<BlockArgument>(op.getCarried()[number]);
    return argument ? nameOf(argument) : "state " + std::to_string(number);
  }
  Block &body() { return op.getBody().front(); }
  unsigned states() { return op.getCarried().size(); }
  BlockArgument carriedArgument(unsigned number) {
    return body().getArgument(1 + op.getSplit().size() + number);
  }
  ValueRange yielded() { return body().getTerminator()->getOperands(); }
  void addArguments(PartBuilder &part, bool ofCarried);

  void buildMicrobatch();
  void buildCarry();
  void buildUpdate();
  void buildAdditions();

  func::FuncOp main;
  AccumulateOp op;
  /// Values of the body that depend on what microbatches pass on.
  llvm::DenseSet<Value> chain;
  /// Values of a microbatch that the next passed-on values are computed from.
  llvm::SetVector<Value> contributions;
};
} // namespace

static std::string numbered(StringRef prefix, size_t number) {
  return (prefix + Twine(number)).str();
}

BlockArgument Splitter::sourceOf(BlockArgument argument) {
  const unsigned number = argument.getArgNumber() - 1;
  const unsigned shared = op.getSplit().size() + states();
  return cast<BlockArgument>(number < op.getSplit().size()
                                 ? op.getSplit()[number]
                                 : op.getShared()[number - shared]);
}

/// True for what is computed from constants alone.
static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && llvm::all_of(op->getOperands(), isConstant);
}

LogicalResult Splitter::findContributions() {
  for (unsigned i = 0; i < states(); ++i)
    chain.insert(carriedArgument(i));
  for (Operation &inner : body().without_terminator())
    if (llvm::any_of(inner.getOperands(),
                     [&](Value v) { return isCarried(v); }))
      chain.insert(inner.result_begin(), inner.result_end());
  for (Value term : yielded().drop_front(states()))
    if (isCarried(term))
      return emitError(term.getLoc(),
                       "microbatches cannot run at the same time: a gradient "
                       "depends on a state that each passes on to the next");
  auto contribute = [&](Value value) {
    if (!isCarried(value) && !isConstant(value) && !isa<BlockArgument>(value))
      contributions.insert(value);
  };
  for (Operation &inner : body().without_terminator())
    if (llvm::any_of(inner.getResults(), [&](Value v) { return isCarried(v); }))
      llvm::for_each(inner.getOperands(), contribute);
  for (Value next : yielded().take_front(states()))
    contribute(next);
  return success();
}

/// Adds the arguments of the body that the part's results depend on.
void Splitter::addArguments(PartBuilder &part, bool ofCarried) {
  for (BlockArgument argument : part.findArguments(body())) {
    const unsigned number = argument.getArgNumber();
    const unsigned first = 1 + op.getSplit().size();
    if (number == 0)
      part.addArgument(argument, argument.getType(), kMicrobatchNumber,
                       Role::Input);
    else if (number < first || number >= first + states())
      part.addArgument(argument, sourceOf(argument));
    else
      assert(ofCarried && "a microbatch's part reads a carried value");
  }
}

void Splitter::buildMicrobatch() {
  PartBuilder part(main, kMicrobatchPart);
  Block &block = body();
  OpBuilder builder(block.getTerminator());
  SmallVector<Value> sums, terms;
  // Placeholders stand for the sums, which become arguments.
  for (Value term : yielded().drop_front(states())) {
    auto placeholder = repro::createFilled(
        builder, main.getLoc(), cast<RankedTensorType>(term.getType()), -0.0);
    sums.push_back(placeholder);
    terms.push_back(repro::AddOp::create(builder, main.getLoc(), term.getType(),
                                         placeholder, term));
  }
  for (auto [i, sum] : llvm::enumerate(sums))
    part.addResult(terms[i], numbered(kSumPrefix, i), Role::State, sum);
  for (auto [i, value] : llvm::enumerate(contributions))
    part.addResult(value, numbered(kContributionPrefix, i), Role::Output,
                   nullptr);
  addArguments(part, /*ofCarried=*/false);
  for (auto [i, sum] : llvm::enumerate(sums))
    part.addArgument(sum, sum.getType(), numbered(kSumPrefix, i), Role::State);
  part.finish(block);
}

void Splitter::buildCarry() {
  if (states() == 0)
    return;
  PartBuilder part(main, kCarryPart);
  for (unsigned i = 0; i < states(); ++i)
    part.addResult(yielded()[i], stateName(i), Role::State, carriedArgument(i));
  for (auto [i, value] : llvm::enumerate(contributions))
    part.addArgument(value, value.getType(), numbered(kContributionPrefix, i),
                     Role::Input);
  addArguments(part, /*ofCarried=*/true);
  for (unsigned i = 0; i < states(); ++i)
    part.addArgument(carriedArgument(i), carriedArgument(i).getType(),
                     stateName(i), Role::State);
  part.finish(body());
}

void Splitter::buildUpdate() {
  PartBuilder part(main, kUpdatePart);
  Block &block = main.getBody().front();
  auto donated =
      main->getParentOfType<ModuleOp>()->getAttrOfType<DenseI64ArrayAttr>(
          program::kDonatedAttr);
  for (auto [i, value] : llvm::enumerate(op.getResults()))
    if (i < states())
      part.addArgument(value, value.getType(), numbered(kPassedPrefix, i),
                       Role::Input);
    else
      part.addArgument(value, value.getType(),
                       numbered(kSumPrefix, i - states()), Role::Input);
  llvm::DenseSet<Value> targets;
  for (auto [i, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    auto text = [&](StringRef attribute) {
      auto found = main.getResultAttrOfType<StringAttr>(i, attribute);
      return found ? found.getValue() : StringRef();
    };
    Value target = donated && donated[i] >= 0
                       ? Value(main.getArgument(donated[i]))
                       : Value();
    targets.insert(target);
    part.addResult(
        value, text(program::kNameAttr),
        roleFromName(text(program::kRoleAttr)).value_or(Role::Output), target);
  }
  llvm::DenseSet<Value> read;
  for (BlockArgument argument : part.findArguments(block))
    read.insert(argument);
  for (BlockArgument argument : block.getArguments())
    if (read.contains(argument) || targets.contains(argument))
      part.addArgument(argument, argument);
  part.finish(block);
}

/// A sum is added to another in pieces, since adding is elementwise.
void Splitter::buildAdditions() {
  llvm::SetVector<Type> types;
  for (Type type : llvm::drop_begin(op.getResultTypes(), states()))
    types.insert(cast<RankedTensorType>(type).getElementType());
  for (Type type : types) {
    PartBuilder part(main,
                     (kAddPart + name(*repro::getElementType(type))).str());
    OpBuilder builder(body().getTerminator());
    auto piece = RankedTensorType::get({kAddedElements}, type);
    Location location = main.getLoc();
    Value left = repro::createFilled(builder, location, piece, -0.0);
    Value right = repro::createFilled(builder, location, piece, -0.0);
    Value sum = repro::AddOp::create(builder, location, piece, left, right);
    part.addArgument(left, piece, "left", Role::Input);
    part.addArgument(right, piece, "right", Role::Input);
    part.addResult(sum, "sum", Role::Output, nullptr);
    part.finish(body());
  }
}

LogicalResult Splitter::run() {
  auto ops = llvm::to_vector(main.getBody().front().getOps<AccumulateOp>());
  assert(ops.size() == 1 && "a raised step");
  op = ops.front();
  if (failed(findContributions()))
    return failure();
  buildMicrobatch();
  buildCarry();
  buildUpdate();
  buildAdditions();
  auto module = main->getParentOfType<ModuleOp>();
  module->removeAttr(program::kDonatedAttr);
  main.erase();
  return success();
}

LogicalResult train::splitStep(ModuleOp module, int64_t microbatches) {
  if (failed(raiseAccumulate(module, microbatches)))
    return failure();
  return Splitter(module.lookupSymbol<func::FuncOp>("main")).run();
}

OwningOpRef<ModuleOp> train::takePart(ModuleOp module, StringRef part) {
  auto function = module.lookupSymbol<func::FuncOp>(part);
  if (!function)
    return nullptr;
  OwningOpRef<ModuleOp> taken = ModuleOp::create(module.getLoc());
  (*taken)->setAttrs(module->getAttrDictionary());
  OpBuilder builder(taken->getBodyRegion());
  auto copy = cast<func::FuncOp>(builder.clone(*function));
  copy.setName("main");
  (*taken)->setAttr(program::kDonatedAttr, copy->getAttr(kPartDonatedAttr));
  copy->removeAttr(kPartDonatedAttr);
  auto digest = repro::computeDigest(*taken);
  if (failed(digest))
    return nullptr;
  (*taken)->setAttr(repro::kDigestAttr, builder.getStringAttr(*digest));
  return taken;
}

namespace {
struct SplitStep final : train::impl::TrainSplitStepPassBase<SplitStep> {
  using TrainSplitStepPassBase::TrainSplitStepPassBase;
  void runOnOperation() override {
    if (failed(splitStep(getOperation(), microbatches)))
      signalPassFailure();
  }
};
} // namespace

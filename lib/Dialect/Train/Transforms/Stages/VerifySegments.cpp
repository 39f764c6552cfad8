// Puts segments together again; see Segments.h. Knows them by their functions
// alone, not by how they were made.

#include "Segments.h"

#include "Gradients.h"

#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

namespace {
class Joiner {
public:
  Joiner(func::FuncOp microbatch, func::FuncOp joined)
      : microbatch(microbatch), joined(joined),
        builder(joined.getBody().front().getTerminator()) {}

  LogicalResult run();

private:
  LogicalResult append(func::FuncOp segment);

  func::FuncOp microbatch, joined;
  OpBuilder builder;
  /// The values that segments may read, by name.
  llvm::StringMap<Value> known;
  /// The results of the microbatch, by name.
  llvm::StringMap<Value> results;
};
} // namespace

LogicalResult Joiner::append(func::FuncOp segment) {
  IRMapping mapping;
  for (BlockArgument argument : segment.getArguments()) {
    StringRef name = nameOfArgument(segment, argument.getArgNumber());
    Value value = known.lookup(name);
    if (!value || value.getType() != argument.getType())
      return emitError(segment.getLoc(), "@")
             << segment.getName() << " reads '" << name
             << "', which is no argument of @" << microbatch.getName()
             << " and no result of an earlier segment";
    mapping.map(argument, value);
  }
  Block &block = segment.getBody().front();
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  for (auto [number, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    StringRef name = nameOfResult(segment, static_cast<unsigned>(number));
    auto &into = name.starts_with(kCutPrefix) ? known : results;
    if (!into.try_emplace(name, mapping.lookup(value)).second)
      return emitError(segment.getLoc(), "@")
             << segment.getName() << " returns '" << name
             << "', which is a result of an earlier segment, too";
  }
  return success();
}

LogicalResult Joiner::run() {
  for (BlockArgument argument : joined.getArguments())
    known[nameOfArgument(joined, argument.getArgNumber())] = argument;
  auto module = microbatch->getParentOfType<ModuleOp>();
  for (unsigned number = 0;; ++number) {
    auto segment =
        module.lookupSymbol<func::FuncOp>((kSegmentPart + Twine(number)).str());
    if (!segment)
      break;
    if (failed(append(segment)))
      return failure();
  }
  Operation *end = joined.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    StringRef name = nameOfResult(joined, operand.getOperandNumber());
    Value value = results.lookup(name);
    if (!value)
      return emitError(microbatch.getLoc(), "no segment returns '")
             << name << "'";
    operand.set(value);
  }
  return success();
}

/// Puts each op in front of the first one that needs it, from the results on,
/// so that the order of the ops says nothing any more. Ops that no result needs
/// come last, in their order.
static void orderByUse(func::FuncOp function) {
  Block &block = function.getBody().front();
  Operation *end = block.getTerminator();
  SmallVector<Operation *> roots = {end};
  for (Operation &op : block.without_terminator())
    roots.push_back(&op);
  llvm::DenseSet<Operation *> seen;
  for (Operation *root : roots) {
    if (!seen.insert(root).second)
      continue;
    // Ops on the way to the root, each with the number of its next operand.
    SmallVector<std::pair<Operation *, unsigned>> path = {{root, 0}};
    while (!path.empty()) {
      auto &[op, next] = path.back();
      if (next == op->getNumOperands()) {
        if (op != end)
          op->moveBefore(end);
        path.pop_back();
        continue;
      }
      Operation *source = op->getOperand(next++).getDefiningOp();
      if (source && seen.insert(source).second)
        path.emplace_back(source, 0);
    }
  }
}

/// The digest of the function in the module but for the order of its ops and
/// for ops that are there twice.
static FailureOr<std::string> digestOf(ModuleOp module) {
  PassManager pipeline(module.getContext());
  pipeline.addPass(createCSEPass());
  if (failed(pipeline.run(module)))
    return failure();
  func::FuncOp function = *module.getOps<func::FuncOp>().begin();
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  orderByUse(function);
  return repro::computeDigest(module);
}

LogicalResult train::verifySegments(func::FuncOp microbatch) {
  OwningOpRef<ModuleOp> whole = ModuleOp::create(microbatch.getLoc());
  OwningOpRef<ModuleOp> parts = ModuleOp::create(microbatch.getLoc());
  OpBuilder builder(whole->getBodyRegion());
  builder.clone(*microbatch);
  builder.setInsertionPointToStart(parts->getBody());
  auto joined = cast<func::FuncOp>(builder.clone(*microbatch));
  SmallVector<Operation *> old;
  for (Operation &op : joined.getBody().front().without_terminator())
    old.push_back(&op);
  if (failed(Joiner(microbatch, joined).run()))
    return failure();
  for (Operation *op : llvm::reverse(old))
    op->erase();
  auto expected = digestOf(*whole), found = digestOf(*parts);
  if (failed(expected) || failed(found) || *expected != *found)
    return emitError(
        microbatch.getLoc(),
        "the step cannot be cut: put together again its segments are another "
        "program");
  return success();
}

// Recomputes values if that is cheaper than storing them.

#include "FuseKernels.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-fuse-kernels"

using namespace mlir;

namespace gensyn::repro {
namespace {

/// The elementwise ops that compute a kernel's result from values that are in
/// memory anyway, or that are small.
class Recipe {
public:
  Recipe(KernelOp kernel, const KernelForm &form, unsigned result)
      : kernel(kernel), form(form), result(result) {}

  /// Returns false if there are no such ops.
  bool find() { return expand(kernel.getYielded()[result]); }

  /// Values inside the kernel that the ops read: arguments, results, and rows
  /// that have to become results.
  llvm::SmallSetVector<Value, 4> leaves;
  llvm::SmallSetVector<Operation *, 8> ops; ///< in program order
  int64_t flops = 0; ///< of the ops, for each element of their results

  /// The value outside of the kernel, in any shape; null if it is not a result
  /// yet.
  Value outsideOf(Value leaf) {
    if (auto argument = dyn_cast<BlockArgument>(leaf))
      return kernel.getInputs()[argument.getArgNumber()];
    for (auto [number, yielded] : llvm::enumerate(kernel.getYielded()))
      if (getStorage(yielded) == getStorage(leaf) && number != result)
        return kernel.getResult(number);
    return {};
  }

private:
  bool expand(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || ops.contains(op))
      return op != nullptr;
    auto fault = dyn_cast<FaultOpInterface>(op);
    // An op without operands numbers the elements.
    if ((getElementCost(op) != ElementCost::Free && op->getNumOperands() > 0 &&
         !op->hasTrait<OpTrait::Elementwise>()) ||
        (fault && fault.mayFault()))
      return false;
    if (auto cost = dyn_cast<CostOpInterface>(op))
      flops += cost.getFlops() / std::max<int64_t>(elementsOf(value), 1);
    for (Value operand : op->getOperands())
      if (!provide(operand))
        return false;
    ops.insert(op);
    return true;
  }

  bool provide(Value value) {
    if (outsideOf(value)) {
      leaves.insert(value);
      return true;
    }
    const bool isRow = form.placementOf(value) == Placement::Row;
    // A reshape of an available value is available; any other row is small
    // enough to be stored.
    if (isRow && !isa_and_nonnull<ReshapeOp>(value.getDefiningOp()) &&
        !isConstant(value)) {
      leaves.insert(value);
      return true;
    }
    return expand(value);
  }

  /// True if the value depends on no argument and costs nothing: a constant, or
  /// movement of one.
  static bool isConstant(Value value) {
    Operation *op = value.getDefiningOp();
    return op && getElementCost(op) == ElementCost::Free &&
           llvm::all_of(op->getOperands(), isConstant);
  }

  KernelOp kernel;
  const KernelForm &form;
  unsigned result;
};

/// An attempt to remove one result of a kernel.
class Attempt {
public:
  Attempt(KernelOp kernel, unsigned result, const FusionLimits &limits)
      : kernel(kernel), result(result), limits(limits),
        form(getKernelForm(kernel)), recipe(kernel, form, result) {}

  ~Attempt() {
    for (KernelOp made : llvm::reverse(readers))
      made.erase();
    if (shorter)
      shorter.erase();
  }

  /// Returns the kernel without the result; null, without any change, if
  /// nothing is saved.
  KernelOp run() {
    Value value = kernel.getResult(result);
    if (form.placementOf(kernel.getYielded()[result]) != Placement::Full ||
        kernel.getScheduleAttr() || !recipe.find())
      return {};
    auto found = getReaders(value);
    int64_t gain = bytesOf(value);
    for (Value leaf : recipe.leaves)
      if (!recipe.outsideOf(leaf))
        gain -= bytesOf(leaf);
    for (Operation *op : found) {
      auto reader = dyn_cast<KernelOp>(op);
      if (!reader || reader->getBlock() != kernel->getBlock() ||
          reader.getScheduleAttr())
        return {};
      gain += bytesOf(value) - countExtra(reader);
    }
    if (found.empty() || 2 * gain < bytesOf(value) ||
        !isWorth(gain, found.size()))
      return {};
    buildShorter();
    for (Operation *op : found)
      if (!buildReader(cast<KernelOp>(op)))
        return {};
    return commit(found);
  }

private:
  /// True if the bytes that are saved outweigh the operations of the readers.
  bool isWorth(int64_t saved, size_t readers) {
    const int64_t elements =
        std::max<int64_t>(elementsOf(kernel.getResult(result)), 1);
    return recipe.flops <= limits.recomputedFlops ||
           recipe.flops * int64_t(readers) <=
               limits.recomputedFlopsPerByte * saved / elements;
  }

  /// Bytes that the reader has to read in addition.
  int64_t countExtra(KernelOp reader) {
    int64_t bytes = 0;
    for (Value leaf : recipe.leaves) {
      Value outside = recipe.outsideOf(leaf);
      const bool isRead =
          outside && llvm::any_of(reader.getInputs(), [&](Value input) {
            return getStorage(input) == getStorage(outside);
          });
      bytes += isRead ? 0 : bytesOf(leaf);
    }
    return bytes;
  }

  /// Builds the kernel without the result, and with results for the recipe's
  /// rows.
  void buildShorter() {
    SmallVector<Value> yielded;
    SmallVector<Type> types;
    for (auto [number, value] : llvm::enumerate(kernel.getYielded()))
      if (number != result)
        yielded.push_back(value);
    for (Value leaf : recipe.leaves)
      if (!recipe.outsideOf(leaf))
        yielded.push_back(leaf);
    for (Value value : yielded)
      types.push_back(value.getType());
    OpBuilder builder(kernel);
    builder.setInsertionPointAfter(kernel);
    shorter = KernelOp::create(builder, kernel.getLoc(), types, kernel.getSym(),
                               kernel.getInputs(), /*schedule=*/Attribute());
    IRMapping mapping;
    kernel.getBody().cloneInto(&shorter.getBody(), mapping);
    Operation *yield = shorter.getBlock().getTerminator();
    SmallVector<Value> operands;
    for (Value value : yielded)
      operands.push_back(mapping.lookup(value));
    yield->setOperands(operands);
    eraseDeadOps(shorter);
    for (auto [value, made] : llvm::zip_equal(yielded, shorter.getResults()))
      madeOf[value] = made;
  }

  /// Builds the reader with the ops of the recipe before its own.
  bool buildReader(KernelOp reader) {
    OpBuilder builder(reader);
    Value value = kernel.getResult(result);
    auto made = KernelOp::create(builder, reader.getLoc(),
                                 reader.getResultTypes(), reader.getSym(),
                                 ValueRange(), /*schedule=*/Attribute());
    readers.push_back(made);
    Block *block = builder.createBlock(&made.getBody());
    SmallVector<Value> inputs;
    IRMapping cone, own;
    llvm::DenseMap<Value, Value> byStorage;
    for (auto [argument, input] : llvm::zip_equal(
             reader.getBlock().getArguments(), reader.getInputs())) {
      if (getStorage(input) == value)
        continue;
      inputs.push_back(input);
      Value copy = block->addArgument(input.getType(), input.getLoc());
      own.map(argument, copy);
      byStorage.try_emplace(getStorage(input), copy);
    }
    for (Value leaf : recipe.leaves) {
      Value outside = recipe.outsideOf(leaf);
      if (!outside)
        outside = madeOf.lookup(leaf);
      Value &known = byStorage[getStorage(outside)];
      if (!known) {
        inputs.push_back(outside);
        known = block->addArgument(outside.getType(), outside.getLoc());
      }
      cone.map(leaf,
               createReshape(builder, reader.getLoc(), known, shapeOf(leaf)));
    }
    for (Operation *op : recipe.ops)
      builder.clone(*op, cone);
    Value again = cone.lookup(kernel.getYielded()[result]);
    for (auto [argument, input] :
         llvm::zip_equal(reader.getBlock().getArguments(), reader.getInputs()))
      if (getStorage(input) == value)
        own.map(argument, createReshape(builder, reader.getLoc(), again,
                                        shapeOf(argument)));
    for (Operation &op : reader.getBlock())
      builder.clone(op, own);
    made->setOperands(inputs);
    const KernelForm before = getKernelForm(reader),
                     after = getKernelForm(made);
    // Its elements are computed anew each time that the rows are walked over.
    if (after.kind == KernelKind::ContractedRows &&
        recipe.flops > limits.recomputedFlops)
      return false;
    return before.kind == after.kind && before.kind != KernelKind::Other &&
           before.kind != KernelKind::Columns &&
           before.kind != KernelKind::Horizontal &&
           after.placementOf(again) == Placement::Full &&
           made->getNumOperands() + made->getNumResults() <= limits.buffers &&
           made.getBlock().getOperations().size() <= limits.operations;
  }

  KernelOp commit(const llvm::SmallSetVector<Operation *, 4> &found) {
    LDBG() << kernel.getSym() << ": result " << result << " is computed in "
           << found.size() << " readers";
    remark::passed(kernel.getLoc(), remark::RemarkOpts::name("RecomputeCheap")
                                        .category("fusion")
                                        .function(kernel.getSym()))
        << remark::metric("Result", result)
        << remark::metric("Readers", found.size());
    for (auto [op, made] : llvm::zip_equal(found, readers)) {
      op->replaceAllUsesWith(made);
      op->erase();
    }
    readers.clear();
    auto eraseNames = [](Value value, auto &&self) -> void {
      for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
        self(user->getResult(0), self);
        user->erase();
      }
    };
    eraseNames(kernel.getResult(result), eraseNames);
    // By number: two results may be copies of one value, and each result of a
    // function needs its own.
    auto next = shorter.getResults().begin();
    for (auto [number, value] : llvm::enumerate(kernel.getResults()))
      if (number != result)
        value.replaceAllUsesWith(*next++);
    kernel.erase();
    return std::exchange(shorter, KernelOp());
  }

  KernelOp kernel;
  unsigned result;
  const FusionLimits &limits;
  KernelForm form;
  Recipe recipe;
  KernelOp shorter;
  SmallVector<KernelOp> readers;
  /// Results of the shorter kernel, by the values that the kernel yields.
  llvm::DenseMap<Value, Value> madeOf;
};

} // namespace

void recomputeCheapValues(Block &block, const FusionLimits &limits) {
  for (Operation *op = &block.front(); op; op = op->getNextNode()) {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      continue;
    // Later results first, since they are computed from earlier ones.
    for (unsigned result = kernel.getNumResults();
         result-- > 0 && kernel.getNumResults() > 1;)
      if (KernelOp shorter = Attempt(kernel, result, limits).run())
        kernel = shorter;
    op = kernel;
  }
}

} // namespace gensyn::repro

#undef DEBUG_TYPE

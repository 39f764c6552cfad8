// Groups the ops of a frozen function into kernels.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Whether the elements of a value, inside a kernel, are computed again and
/// again: by overlapping windows, or for each copy that a broadcast makes.
enum class Repeat { Never, Window, Broadcast };

DomainAttr domainOf(Operation *op) {
  return op->getAttrOfType<DomainAttr>("domain");
}

bool isSplatConstant(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  auto elements =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return elements && elements.isSplat();
}

int64_t elementsOf(Value value) {
  return cast<ShapedType>(value.getType()).getNumElements();
}

/// Operations to compute one element of the op's result.
int64_t flopsPerElement(Operation *op) {
  auto cost = dyn_cast<CostOpInterface>(op);
  int64_t elements = std::max<int64_t>(elementsOf(op->getResult(0)), 1);
  return cost ? (cost.getFlops() + elements - 1) / elements : 0;
}

/// Whether the value is a draw, or a mask that is made of draws and splats
/// alone: it is drawn again where it is needed and never stored, so that a
/// gradient finds the mask of its forward pass without a byte of memory.
bool isDrawn(Operation *op) {
  if (isa<RandomBitsOp>(op))
    return true;
  if (!op->hasTrait<OpTrait::Elementwise>() ||
      !cast<ShapedType>(op->getResult(0).getType())
           .getElementType()
           .isInteger(1))
    return false;
  bool hasDraw = false;
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source || (!isSplatConstant(source) && !isDrawn(source)))
      return false;
    hasDraw |= !isSplatConstant(source);
  }
  return hasDraw;
}

/// Operations to compute one element inside a kernel, as far as they are of
/// note: those of the op, and of the draws that a mask asks for.
int64_t flopsInside(Operation *op) {
  if (!op->hasTrait<OpTrait::Elementwise>() && !isa<RandomBitsOp>(op))
    return 0;
  int64_t flops = flopsPerElement(op);
  if (isDrawn(op))
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        flops += flopsInside(source);
  return flops;
}

/// Decides which values are in memory between kernels.
class Decision {
public:
  explicit Decision(Block &block) {
    for (Operation &op : llvm::reverse(block))
      if (op.getNumResults() == 1)
        decide(&op);
  }

  bool isStored(Operation *op) const { return stored.contains(op); }

private:
  void decide(Operation *op) {
    Value value = op->getResult(0);
    if (op->use_empty())
      return;
    if (domainOf(op) || required.contains(op)) {
      store(op);
      return;
    }
    llvm::SmallPtrSet<Operation *, 4> users; // kernels, by their roots
    Repeat repeat = Repeat::Never;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (user->hasTrait<OpTrait::IsTerminator>() || refuses(user, op)) {
        store(op);
        return;
      }
      if (stored.contains(user)) {
        users.insert(user);
        repeat = std::max(repeat, repeatBy(user));
        continue;
      }
      users.insert(roots[user].begin(), roots[user].end());
      repeat = std::max({repeat, repeats[user], repeatBy(user)});
    }
    const bool elementwise = op->hasTrait<OpTrait::Elementwise>();
    const int64_t flops = flopsInside(op);
    const bool tooDear = (repeat == Repeat::Broadcast && flops > 0) ||
                         (repeat == Repeat::Window && flops > 2);
    if (tooDear || (elementwise && users.size() > 1 && !isDrawn(op))) {
      store(op);
      return;
    }
    roots[op] = users;
    repeats[op] = repeat;
  }

  /// A contraction reads plain memory, so that schedules see its operands.
  static bool refuses(Operation *user, Operation *producer) {
    return isa<ContractOp>(user) && !isSplatConstant(producer);
  }

  static Repeat repeatBy(Operation *user) {
    if (isa<BroadcastOp>(user))
      return elementsOf(user->getResult(0)) > elementsOf(user->getOperand(0))
                 ? Repeat::Broadcast
                 : Repeat::Never;
    DomainAttr domain = domainOf(user);
    if (!domain)
      return Repeat::Never;
    int64_t points = 1;
    for (int64_t extent : domain.getExtents())
      points *= extent;
    return points > elementsOf(user->getOperand(0)) ? Repeat::Window
                                                    : Repeat::Never;
  }

  void store(Operation *op) {
    // Another shape of the same bytes: what is stored is the operand.
    if (isa<ReshapeOp>(op)) {
      if (Operation *producer = op->getOperand(0).getDefiningOp())
        required.insert(producer);
      return;
    }
    if (isa<ConstantOp>(op) && !isSplatConstant(op))
      return; // it is in memory already
    stored.insert(op);
  }

  llvm::SmallPtrSet<Operation *, 16> stored, required;
  llvm::DenseMap<Operation *, llvm::SmallPtrSet<Operation *, 4>> roots;
  llvm::DenseMap<Operation *, Repeat> repeats;
};

/// Whether a kernel finds the value in memory.
bool isInMemory(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<KernelOp>(op))
    return true;
  if (isa<ReshapeOp>(op))
    return isInMemory(op->getOperand(0));
  return isa<ConstantOp>(op) && !isSplatConstant(op);
}

/// The bytes that a value in memory names.
Value storageOf(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

class GroupBuilder {
public:
  explicit GroupBuilder(MLIRContext *context) : builder(context) {}

  /// A kernel that computes `value` from what is in memory, before `before`.
  KernelOp build(Value value, StringRef what, Operation *before) {
    inputs.clear();
    body.clear();
    visited.clear();
    collect(value);
    builder.setInsertionPoint(before);
    Location location =
        value.getDefiningOp() ? value.getLoc() : before->getLoc();
    std::string name = ("k" + Twine(count++) + "_" + what).str();
    auto kernel = KernelOp::create(builder, location, value.getType(), name,
                                   inputs, /*schedule=*/Attribute());
    Block &block = kernel.getBody().emplaceBlock();
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, block.addArgument(input.getType(), input.getLoc()));
    builder.setInsertionPointToEnd(&block);
    for (Operation *op : body)
      builder.clone(*op, mapping);
    YieldOp::create(builder, location, mapping.lookup(value));
    return kernel;
  }

private:
  void collect(Value value) {
    if (!visited.insert(value).second)
      return;
    if (isInMemory(value)) {
      inputs.push_back(value);
      return;
    }
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      collect(operand);
    body.push_back(op);
  }

  OpBuilder builder;
  int count = 0;
  SmallVector<Value> inputs;
  SmallVector<Operation *> body;
  llvm::SmallDenseSet<Value> visited;
};

struct FormKernels final : impl::FormKernelsPassBase<FormKernels> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    Block &block = function.getBody().front();
    Decision decision(block);
    GroupBuilder builder(&getContext());
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!decision.isStored(&op))
        continue;
      KernelOp kernel =
          builder.build(op.getResult(0), op.getName().stripDialect(), &op);
      op.getResult(0).replaceAllUsesWith(kernel.getResult(0));
      op.erase();
    }
    // Each result has memory of its own, which the kernel of its value writes.
    llvm::SmallDenseSet<Value> taken;
    Operation *terminator = block.getTerminator();
    for (OpOperand &operand : terminator->getOpOperands()) {
      Value storage = storageOf(operand.get());
      if (storage.getDefiningOp<KernelOp>() && taken.insert(storage).second)
        continue;
      operand.set(
          builder.build(operand.get(), "copy", terminator).getResult(0));
    }
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (op.use_empty() && op.getNumResults() > 0)
        op.erase();
  }
};

} // namespace
} // namespace gensyn::repro

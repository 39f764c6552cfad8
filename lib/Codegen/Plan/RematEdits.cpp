// See RematEdits.h.

#include "RematEdits.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gensyn::codegen {

void forEachReader(Value storage, function_ref<void(Operation *)> callback) {
  for (Operation *user : storage.getUsers())
    if (isa<repro::ReshapeOp>(user))
      forEachReader(user->getResult(0), callback);
    else
      callback(user);
}

/// A dead op of a kernel has no effect other than a fault, which the original
/// of the clone reports.
static void eraseUnread(repro::KernelOp kernel) {
  Block &block = kernel.getBlock();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (!op.hasTrait<OpTrait::IsTerminator>() && op.use_empty())
      op.erase();
  for (unsigned number = block.getNumArguments(); number-- > 0;)
    if (block.getArgument(number).use_empty()) {
      block.eraseArgument(number);
      kernel->eraseOperand(number);
    }
}

RematEdits::~RematEdits() {
  rollback([](Operation *) {});
}

void RematEdits::commit(function_ref<void(Operation *)> dropped) {
  undo.clear();
  created.clear();
  for (Operation *op : removed) {
    dropped(op);
    op->dropAllReferences();
    op->destroy();
  }
  removed.clear();
}

void RematEdits::rollback(function_ref<void(Operation *)> dropped) {
  for (std::function<void()> &action : llvm::reverse(undo))
    action();
  undo.clear();
  removed.clear();
  for (Operation *op : llvm::reverse(created)) {
    dropped(op);
    op->erase();
  }
  created.clear();
}

repro::KernelOp RematEdits::clone(repro::KernelOp kernel,
                                  ArrayRef<unsigned> numbers, Operation *place,
                                  function_ref<Value(Value)> rename) {
  OpBuilder builder(place);
  SmallVector<Value> inputs;
  for (Value input : kernel.getInputs()) {
    Value renamed = rename(input);
    if (renamed.getType() != input.getType()) {
      renamed =
          repro::createReshape(builder, input.getLoc(), renamed,
                               cast<ShapedType>(input.getType()).getShape());
      created.push_back(renamed.getDefiningOp());
    }
    inputs.push_back(renamed);
  }
  SmallVector<Type> types;
  for (unsigned number : numbers)
    types.push_back(kernel.getResult(number).getType());
  auto made = repro::KernelOp::create(builder, kernel.getLoc(), types,
                                      kernel.getSym(), inputs,
                                      /*schedule=*/Attribute());
  IRMapping mapping;
  kernel.getBody().cloneInto(&made.getBody(), mapping);
  if (numbers.size() < kernel.getNumResults()) {
    Operation *yield = made.getBlock().getTerminator();
    SmallVector<Value> yielded;
    for (unsigned number : numbers)
      yielded.push_back(yield->getOperand(number));
    yield->setOperands(yielded);
    eraseUnread(made);
  }
  created.push_back(made);
  return made;
}

void RematEdits::replaceFrom(Value storage, Value other, Operation *place) {
  OpBuilder builder(place);
  for (OpOperand &use : llvm::make_early_inc_range(storage.getUses())) {
    Operation *user = use.getOwner();
    if (auto reshape = dyn_cast<repro::ReshapeOp>(user)) {
      bool isLate = false;
      forEachReader(reshape.getResult(), [&](Operation *reader) {
        isLate |= !reader->isBeforeInBlock(place);
      });
      if (!isLate)
        continue;
      Value renamed =
          repro::createReshape(builder, reshape.getLoc(), other,
                               cast<ShapedType>(reshape.getType()).getShape());
      if (renamed != other)
        created.push_back(renamed.getDefiningOp());
      replaceFrom(reshape.getResult(), renamed, place);
      if (reshape->use_empty())
        remove(reshape);
      continue;
    }
    if (user->isBeforeInBlock(place))
      continue;
    OpOperand *operand = &use;
    Value before = operand->get();
    operand->set(other);
    undo.push_back([operand, before] { operand->set(before); });
  }
}

void RematEdits::remove(Operation *op) {
  Block *block = op->getBlock();
  Operation *next = op->getNextNode();
  SmallVector<Value> operands(op->getOperands());
  op->remove();
  // Removes it from the use lists of its operands, which others traverse.
  if (isa<repro::KernelOp>(op))
    op->setOperands(ValueRange());
  else
    op->setOperands({op->getResult(0)}); // a reshape becomes its own operand
  removed.push_back(op);
  undo.push_back([=] {
    op->setOperands(operands);
    block->getOperations().insert(Block::iterator(next), op);
  });
}

void RematEdits::removeDead(repro::KernelOp kernel) {
  if (!kernel->getBlock() || !kernel->use_empty() ||
      !kernel.getFaultingOps().empty())
    return;
  SmallVector<Value> inputs(kernel.getInputs());
  remove(kernel);
  for (Value input : inputs) {
    while (auto reshape = input.getDefiningOp<repro::ReshapeOp>()) {
      if (!reshape->getBlock() || !reshape->use_empty())
        break;
      input = reshape.getOperand();
      remove(reshape);
    }
    if (auto producer = input.getDefiningOp<repro::KernelOp>())
      removeDead(producer);
  }
}

} // namespace gensyn::codegen

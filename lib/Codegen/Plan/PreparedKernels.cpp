// See PreparedKernels.h.

#include "PreparedKernels.h"

#include "gensyn/Codegen/Plan/LastingOperands.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;

namespace gensyn::codegen {

static SmallVector<BlockArgument> findLastingInputs(func::FuncOp function) {
  SmallVector<BlockArgument> inputs;
  for (BlockArgument argument : function.getArguments())
    if (program::isKept(function, argument.getArgNumber()))
      inputs.push_back(argument);
  return inputs;
}

PreparedKernels::PreparedKernels(func::FuncOp function,
                                 const PlanOptions &options)
    : function(function), options(options) {
  uint64_t limit = 0;
  for (BlockArgument input : findLastingInputs(function))
    limit += static_cast<uint64_t>(repro::bytesOf(input.getType()));
  limit = options.preparedBytes.value_or(limit + limit / 4);
  if (limit) {
    choose(UINT64_MAX);
    findOftenCopied();
    if (!oftenCopied.empty())
      choose(UINT64_MAX);
  }
  if (!limit || countKeptBytes() > limit)
    choose(limit);
}

void PreparedKernels::choose(uint64_t limit) {
  left = limit;
  lasting.clear();
  kernels.clear();
  parts.clear();
  for (BlockArgument input : findLastingInputs(function))
    lasting.insert(input);
  visit(function.getBody().front());
}

/// The forward and the backward pass of a step may have a copy each.
static constexpr unsigned kMostCopies = 2;

void PreparedKernels::findOftenCopied() {
  llvm::DenseMap<Value, unsigned> copies;
  for (const auto &[kernel, part] : parts)
    for (unsigned number : part.unread) {
      Value storage = repro::getStorage(kernel->getOperand(number));
      if (++copies[storage] > kMostCopies)
        oftenCopied.insert(storage);
    }
}

/// True if a launch of a run reads a lasting value.
bool PreparedKernels::isReadByRuns(Value value) const {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    const unsigned number = use.getOperandNumber();
    if (isa<repro::ReshapeOp>(user))
      return isReadByRuns(user->getResult(0));
    if (kernels.contains(user))
      return false;
    if (auto part = parts.find(user); part != parts.end())
      return !llvm::is_contained(part->second.unread, number);
    if (auto loop = dyn_cast<repro::LoopOp>(user)) {
      const size_t first = loop->getNumOperands() - loop.getInvariants().size();
      return number < first ||
             isReadByRuns(loop.getInvariantArguments()[number - first]);
    }
    return true;
  });
}

uint64_t PreparedKernels::countKeptBytes() const {
  uint64_t bytes = 0;
  for (Operation *kernel : kernels)
    for (Value result : kernel->getResults())
      if (isReadByRuns(result))
        bytes += static_cast<uint64_t>(repro::bytesOf(result.getType()));
  for (const auto &[kernel, part] : parts)
    bytes += part.bytes;
  return bytes;
}

bool PreparedKernels::isLasting(Value value) const {
  Value storage = repro::getStorage(value);
  return lasting.contains(storage) ||
         storage.getDefiningOp<repro::ConstantOp>();
}

bool PreparedKernels::reserve(uint64_t bytes) {
  if (bytes > left)
    return false;
  left -= bytes;
  return true;
}

void PreparedKernels::visit(Block &block) {
  auto bind = [&](ValueRange inside, ValueRange outside) {
    for (auto [argument, value] : llvm::zip_equal(inside, outside))
      if (isLasting(value))
        lasting.insert(argument);
  };
  for (Operation &op : block) {
    if (auto kernel = dyn_cast<repro::KernelOp>(op)) {
      visit(kernel);
    } else if (auto loop = dyn_cast<repro::LoopOp>(op)) {
      bind(loop.getInvariantArguments(), loop.getInvariants());
      visit(loop.getBlock());
    } else if (auto branch = dyn_cast<repro::IfOp>(op)) {
      for (Block *side : {&branch.getThenBlock(), &branch.getElseBlock()}) {
        bind(side->getArguments(), branch.getCaptures());
        visit(*side);
      }
    }
  }
}

/// True if a kernel of lasting operands may run before runs. Faults belong to
/// runs, and so do the program's results; kernels in loops and branches may not
/// run at all.
bool PreparedKernels::mayPrepare(repro::KernelOp kernel) const {
  Operation *end = kernel->getBlock()->getTerminator();
  return isa<func::FuncOp>(kernel->getParentOp()) &&
         kernel.getFaultingOps().empty() &&
         llvm::none_of(end->getOperands(), [&](Value result) {
           return repro::getStorage(result).getDefiningOp() == kernel;
         });
}

void PreparedKernels::visit(repro::KernelOp kernel) {
  setLastingOperands(kernel, {});
  SmallVector<int64_t> operands;
  for (auto [number, input] : llvm::enumerate(kernel.getInputs()))
    if (isLasting(input))
      operands.push_back(int64_t(number));
  const bool isWhole =
      operands.size() == kernel.getInputs().size() && mayPrepare(kernel);
  if (isWhole) {
    uint64_t bytes = 0;
    for (Type type : kernel.getResultTypes())
      bytes += static_cast<uint64_t>(repro::bytesOf(type));
    if (options.describe)
      for (int64_t workspace : options.describe(kernel).workspaces)
        bytes += static_cast<uint64_t>(workspace);
    if (reserve(bytes)) {
      kernels.insert(kernel);
      lasting.insert(kernel.getResults().begin(), kernel.getResults().end());
    }
    return;
  }
  llvm::erase_if(operands, [&](int64_t number) {
    return oftenCopied.contains(
        repro::getStorage(kernel->getOperand(unsigned(number))));
  });
  if (operands.empty() || !options.describe)
    return;
  setLastingOperands(kernel, operands);
  const KernelLaunches made = options.describe(kernel);
  uint64_t bytes = 0;
  for (unsigned workspace : made.prepared)
    bytes += static_cast<uint64_t>(made.workspaces[workspace]);
  if (made.prepared.empty() || !reserve(bytes))
    setLastingOperands(kernel, {});
  else
    parts[kernel] = {bytes, made.unread};
}

} // namespace gensyn::codegen

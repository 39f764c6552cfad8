// Moves kernels of the program's results forward to the last thing they need.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-hasten-updates"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_HASTENUPDATESPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Results of at most this many bytes need not be saved: the arena's alignment.
constexpr int64_t kSmallBytes = 64;

class Hasten {
public:
  explicit Hasten(func::FuncOp function)
      : block(function.getBody().front()), end(block.getTerminator()) {
    auto module = function->getParentOfType<ModuleOp>();
    auto donated =
        module ? module->getAttrOfType<DenseI64ArrayAttr>(program::kDonatedAttr)
               : nullptr;
    for (OpOperand &result : end->getOpOperands()) {
      results.insert(getStorage(result.get()));
      const int64_t replaced =
          donated ? donated[result.getOperandNumber()] : -1;
      if (replaced >= 0)
        replacedBy[getStorage(result.get())].push_back(
            block.getArgument(static_cast<unsigned>(replaced)));
    }
  }

  void run() {
    SmallVector<KernelOp> kernels(block.getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      if (mayMove(kernel))
        move(kernel);
  }

private:
  /// True if the results take no memory of the arena to speak of.
  bool mayMove(KernelOp kernel) const {
    return llvm::all_of(kernel.getResults(), [&](Value result) {
      return results.contains(result) || bytesOf(result) <= kSmallBytes;
    });
  }

  /// Moves the kernel right behind the ops that compute its operands, and those
  /// before it that read what it may be written over.
  void move(KernelOp kernel) {
    Operation *last = nullptr;
    auto wait = [&](Operation *op) {
      if (op && op != kernel && op->isBeforeInBlock(kernel) &&
          (!last || last->isBeforeInBlock(op)))
        last = op;
    };
    for (Value input : kernel.getInputs())
      wait(getStorage(input).getDefiningOp());
    for (Value result : kernel.getResults())
      for (Value replaced : replacedBy.lookup(result))
        waitForReaders(replaced, wait);
    // Those that wait for the same op keep their order.
    Operation *place = last;
    if (auto found = behind.find(last); found != behind.end())
      place = found->second;
    behind[last] = kernel;
    for (Value input : kernel.getInputs())
      moveReshapes(input, place);
    Operation *before = place ? place->getNextNode() : &block.front();
    if (before == kernel)
      return;
    LDBG() << "moves " << kernel.getSym() << " forward";
    kernel->moveBefore(before);
  }

  /// Moves the reshapes behind `value` that are computed too late.
  void moveReshapes(Value value, Operation *&place) {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    if (!reshape)
      return;
    moveReshapes(reshape.getOperand(), place);
    if (place ? place->isBeforeInBlock(reshape) : true) {
      reshape->moveBefore(place ? place->getNextNode() : &block.front());
      place = reshape;
    }
  }

  void waitForReaders(Value value, function_ref<void(Operation *)> wait) {
    for (Operation *user : value.getUsers())
      if (isa<ReshapeOp>(user))
        waitForReaders(user->getResult(0), wait);
      else
        wait(block.findAncestorOpInBlock(*user));
  }

  Block &block;
  Operation *end;
  llvm::DenseSet<Value> results;
  /// The arguments that a result of the program may be written over.
  llvm::DenseMap<Value, SmallVector<Value, 1>> replacedBy;
  /// The kernel that was moved last behind an op; null stands for the begin.
  llvm::DenseMap<Operation *, Operation *> behind;
};

struct HastenUpdates final : impl::HastenUpdatesPassBase<HastenUpdates> {
  void runOnOperation() override {
    if (!getOperation().isExternal())
      Hasten(getOperation()).run();
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE

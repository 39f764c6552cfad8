// Transposes once what many contractions read transposed.

#include "RowLayout.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-transpose-shared"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_TRANSPOSESHAREDPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// A value, and the dimension that becomes its last.
using Moved = std::pair<Value, unsigned>;

struct Reader {
  ContractOp contract;
  unsigned operand;
};

/// The values of a block that are the same in all runs on the same parameters,
/// and those that are computed from narrower ones, as contractions do where
/// they read them (repro-fuse-kernels).
class Origins {
public:
  explicit Origins(Block &block) {
    if (auto function = dyn_cast<func::FuncOp>(block.getParentOp()))
      for (BlockArgument argument : block.getArguments())
        if (program::isKept(function, argument.getArgNumber()))
          lasting.insert(argument);
    for (Operation &op : block.without_terminator()) {
      if (op.getNumRegions() == 0 &&
          llvm::all_of(op.getOperands(),
                       [&](Value operand) { return lasts(operand); }))
        lasting.insert_range(op.getResults());
      if (!isa<DomainOpInterface>(op) && op.getNumResults() == 1 &&
          llvm::any_of(op.getOperands(), [&](Value operand) {
            return isWidened(operand) ||
                   widthOf(operand) < widthOf(op.getResult(0));
          }))
        widened.insert(op.getResult(0));
    }
  }

  bool lasts(Value value) const { return lasting.contains(value); }
  bool isWidened(Value value) const { return widened.contains(value); }

private:
  static unsigned widthOf(Value value) {
    return typeOf(value).getElementTypeBitWidth();
  }

  llvm::DenseSet<Value> lasting, widened;
};

/// True if `readers` contractions gain more than a transpose takes.
bool gains(Value value, size_t readers, const Origins &origins) {
  // Each of as many may have a copy of its own that is made before runs.
  constexpr size_t copies = 2;
  if (origins.isWidened(value))
    return false;
  return origins.lasts(value)
             ? readers > copies
             : int64_t(readers) * kCyclesOfRead > kCyclesOfTranspose;
}

void transposeIn(Block &block) {
  llvm::MapVector<Moved, SmallVector<Reader>> reads;
  for (auto contract : block.getOps<ContractOp>())
    for (unsigned operand : {0u, 1u})
      if (auto dim = findRowDim(contract, operand))
        reads[{contract->getOperand(operand), *dim}].push_back(
            {contract, operand});
  const Origins origins(block);
  for (const auto &[moved, readers] : reads) {
    const auto &[value, dim] = moved;
    if (!gains(value, readers.size(), origins))
      continue;
    LDBG() << "transposes " << value << " for " << readers.size()
           << " contractions";
    OpBuilder builder(block.getParent());
    builder.setInsertionPointAfterValue(value);
    Value transposed = moveToEnd(builder, value.getLoc(), value, dim);
    for (Reader reader : readers)
      readMovedToEnd(reader.contract, reader.operand, dim, transposed);
  }
}

struct TransposeShared final : impl::TransposeSharedPassBase<TransposeShared> {
  void runOnOperation() override {
    getOperation().walk([](Block *block) { transposeIn(*block); });
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE

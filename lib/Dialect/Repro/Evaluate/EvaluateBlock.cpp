// Runs straight-line code by the reference semantics of its ops.

#include "gensyn/Dialect/Repro/Evaluate/EvaluationObserver.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <new>
#include <stdexcept>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static thread_local EvaluationObserver *innermostObserver = nullptr;

EvaluationObserver::EvaluationObserver() : outer(innermostObserver) {
  innermostObserver = this;
}
EvaluationObserver::~EvaluationObserver() { innermostObserver = outer; }
EvaluationObserver *EvaluationObserver::current() { return innermostObserver; }

/// Evaluates an op. Emits an error on it if there is no memory for its results.
static FailureOr<SmallVector<Tensor>>
evaluateInMemory(ReferenceOpInterface op, ArrayRef<Tensor> operands) {
  try {
    return op.evaluate(operands);
  } catch (const std::bad_alloc &) {
  } catch (const std::length_error &) { // larger than any memory
  }
  return op.emitOpError("needs more memory than there is"), failure();
}

FailureOr<SmallVector<Tensor>>
repro::evaluateBlock(Block &block, ArrayRef<Tensor> arguments) {
  llvm::DenseMap<Value, Tensor> values;
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;

  // Number of operations that have yet to read a value; at zero it is released.
  llvm::DenseMap<Value, unsigned> readers;
  for (Operation &op : block)
    for (Value operand : op.getOperands())
      ++readers[operand];

  for (Operation &op : block) {
    SmallVector<Tensor> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values.at(operand));
    if (op.hasTrait<OpTrait::IsTerminator>())
      return operands;
    auto reference = dyn_cast<ReferenceOpInterface>(op);
    if (!reference)
      return op.emitOpError("has no reference meaning"), failure();
    auto results = evaluateInMemory(reference, operands);
    if (failed(results))
      return failure();
    if (EvaluationObserver *observer = EvaluationObserver::current())
      observer->evaluated(&op, operands, *results);
    for (auto [result, value] : llvm::zip_equal(op.getResults(), *results))
      if (!result.use_empty())
        values[result] = std::move(value);
    for (Value operand : op.getOperands())
      if (--readers[operand] == 0)
        values.erase(operand);
  }
  return SmallVector<Tensor>();
}

FailureOr<SmallVector<Tensor>> KernelOp::evaluate(ArrayRef<Tensor> operands) {
  return evaluateBlock(getBlock(), operands);
}

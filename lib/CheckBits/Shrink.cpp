// Greedy reductions, each kept if the rest still fails.

#include "gensyn/CheckBits/Shrink.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/DenseMap.h"

#include <cstring>
#include <optional>

using namespace mlir;

namespace gensyn::checkbits {

func::FuncOp Case::getFunction() const {
  return *module.get().getOps<func::FuncOp>().begin();
}

Case Case::clone() const {
  return {OwningOpRef<ModuleOp>(cast<ModuleOp>(module.get()->clone())), inputs};
}

Case makeCase(func::FuncOp function, ArrayRef<Tensor> inputs) {
  Case result{ModuleOp::create(function.getLoc()), inputs.vec()};
  // Keeps attributes of the module, such as the frozen stamp, which may matter
  // to a pass.
  if (auto module = function->getParentOfType<ModuleOp>())
    (*result.module)
        ->setDiscardableAttrs(module->getDiscardableAttrDictionary());
  result.module->push_back(function->clone());
  return result;
}

/// Erases ops whose results are unused, also in regions.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (op.use_empty() && op.getNumResults() > 0) {
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        eraseUnused(inner);
  }
}

/// Removes dead code: ops without uses, and arguments that are not used.
static void removeUnused(Case &part) {
  func::FuncOp function = part.getFunction();
  Block &block = function.getBody().front();
  eraseUnused(block);
  llvm::BitVector unused(block.getNumArguments());
  std::vector<Tensor> inputs;
  for (BlockArgument argument : block.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
    else
      inputs.push_back(part.inputs[argument.getArgNumber()]);
  (void)function.eraseArguments(unused);
  part.inputs = std::move(inputs);
}

/// Sets the function's type and drops attributes of arguments and results that
/// no longer fit.
static void retype(func::FuncOp function) {
  Block &block = function.getBody().front();
  function.setType(FunctionType::get(function.getContext(),
                                     block.getArgumentTypes(),
                                     block.getTerminator()->getOperandTypes()));
  function.removeResAttrsAttr();
  function.removeArgAttrsAttr();
}

static void keepResults(Case &part, ArrayRef<unsigned> results) {
  func::FuncOp function = part.getFunction();
  Operation *terminator = function.getBody().front().getTerminator();
  SmallVector<Value> kept;
  for (unsigned result : results)
    kept.push_back(terminator->getOperand(result));
  terminator->setOperands(kept);
  retype(function);
  removeUnused(part);
  retype(function);
}

/// Reference values of all values of the function; nothing if the evaluation
/// fails.
static std::optional<llvm::DenseMap<Value, Tensor>>
evaluateAll(const Case &part) {
  llvm::DenseMap<Value, Tensor> values;
  Block &block = part.getFunction().getBody().front();
  for (auto [argument, input] :
       llvm::zip_equal(block.getArguments(), part.inputs))
    values[argument] = input;
  for (Operation &op : block.without_terminator()) {
    SmallVector<Tensor> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values.at(operand));
    auto reference = dyn_cast<repro::ReferenceOpInterface>(op);
    if (!reference)
      return std::nullopt;
    auto results = reference.evaluate(operands);
    if (failed(results))
      return std::nullopt;
    for (auto [result, value] : llvm::zip_equal(op.getResults(), *results))
      values[result] = std::move(value);
  }
  return values;
}

static Operation *opAt(const Case &part, size_t number) {
  Block &block = part.getFunction().getBody().front();
  return &*std::next(block.begin(), static_cast<std::ptrdiff_t>(number));
}

static size_t countOps(const Case &part) {
  return part.getFunction().getBody().front().getOperations().size() - 1;
}

/// Replaces an op by arguments with its values.
static void replaceByArguments(Case &part, Operation *op,
                               const SmallVector<Tensor> &values) {
  Block &block = part.getFunction().getBody().front();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    result.replaceAllUsesWith(
        block.addArgument(result.getType(), op->getLoc()));
    part.inputs.push_back(value);
  }
  op->erase();
  retype(part.getFunction());
  removeUnused(part);
  retype(part.getFunction());
}

namespace {
class Shrinker {
public:
  Shrinker(Case &best, function_ref<bool(const Case &)> fails)
      : best(best), fails(fails) {}

  void run() {
    while (dropResults() || returnEarlier() || replaceOps() || dropOps() ||
           takeOneElement())
      ;
  }

private:
  bool accept(Case &&smaller) {
    ScopedDiagnosticHandler quiet(best.module->getContext(),
                                  [](Diagnostic &) { return success(); });
    if (failed(verify(*smaller.module)) || !fails(smaller))
      return false;
    best = std::move(smaller);
    return true;
  }

  bool dropResults() {
    const unsigned count = best.getFunction().getNumResults();
    for (unsigned only = 0; count > 1 && only < count; ++only) {
      Case part = best.clone();
      keepResults(part, {only});
      if (accept(std::move(part)))
        return true;
    }
    // The difference may need several results, so they are dropped one by one.
    for (unsigned drop = 0; count > 1 && drop < count; ++drop) {
      Case part = best.clone();
      SmallVector<unsigned> kept;
      for (unsigned i = 0; i < count; ++i)
        if (i != drop)
          kept.push_back(i);
      keepResults(part, kept);
      if (accept(std::move(part)))
        return true;
    }
    return false;
  }

  /// Returns an operand of the last op instead of its result.
  bool returnEarlier() {
    Operation *terminator =
        best.getFunction().getBody().front().getTerminator();
    for (unsigned i = 0; i < terminator->getNumOperands(); ++i) {
      Operation *op = terminator->getOperand(i).getDefiningOp();
      for (unsigned k = 0; op && k < op->getNumOperands(); ++k) {
        if (!op->getOperand(k).getDefiningOp())
          continue; // an argument: no op would be left
        Case part = best.clone();
        Operation *end = part.getFunction().getBody().front().getTerminator();
        end->setOperand(i, end->getOperand(i).getDefiningOp()->getOperand(k));
        retype(part.getFunction());
        removeUnused(part);
        retype(part.getFunction());
        if (accept(std::move(part)))
          return true;
      }
    }
    return false;
  }

  /// Later ops first: replacing them removes most ops.
  bool replaceOps() {
    bool changed = false;
    for (size_t i = countOps(best); i-- > 0;) {
      if (i >= countOps(best))
        continue; // erased together with another one
      auto values = evaluateAll(best);
      if (!values)
        return changed;
      Operation *op = opAt(best, i);
      if (op->getNumResults() == 0)
        continue;
      SmallVector<Tensor> results;
      for (Value result : op->getResults())
        results.push_back(values->at(result));
      Case part = best.clone();
      replaceByArguments(part, opAt(part, i), results);
      changed |= accept(std::move(part));
    }
    return changed;
  }

  /// Ops without results, which dead-code elimination keeps.
  bool dropOps() {
    bool changed = false;
    for (size_t i = countOps(best); i-- > 0;) {
      if (opAt(best, i)->getNumResults() > 0)
        continue;
      Case part = best.clone();
      opAt(part, i)->erase();
      removeUnused(part);
      retype(part.getFunction());
      changed |= accept(std::move(part));
    }
    return changed;
  }

  /// If all ops are elementwise and of one shape, tries the elements one by
  /// one.
  bool takeOneElement() {
    constexpr int64_t kMost = 4096;
    Block &block = best.getFunction().getBody().front();
    std::optional<ArrayRef<int64_t>> shape;
    auto agrees = [&](Type type) {
      auto tensor = cast<RankedTensorType>(type);
      if (!shape)
        shape = tensor.getShape();
      return tensor.getShape() == *shape;
    };
    for (Operation &op : block.without_terminator()) {
      if (!op.hasTrait<OpTrait::Elementwise>() ||
          !llvm::all_of(op.getOperandTypes(), agrees) ||
          !llvm::all_of(op.getResultTypes(), agrees))
        return false;
    }
    if (!shape || best.inputs.empty())
      return false;
    const int64_t elements = best.inputs.front().numElements();
    if (elements <= 1 || elements > kMost)
      return false;
    for (int64_t i = 0; i < elements; ++i)
      if (accept(elementOf(best, i)))
        return true;
    return false;
  }

  static Case elementOf(const Case &whole, int64_t i) {
    Case part = whole.clone();
    for (Tensor &input : part.inputs) {
      Tensor element(input.elementType(), {1});
      const auto bytes = static_cast<size_t>(byteWidth(input.elementType()));
      std::memcpy(element.data(),
                  std::as_const(input).data() + static_cast<size_t>(i) * bytes,
                  bytes);
      input = element;
    }
    Block &block = part.getFunction().getBody().front();
    auto toOne = [](Value value) {
      auto type = cast<RankedTensorType>(value.getType());
      value.setType(RankedTensorType::get({1}, type.getElementType()));
    };
    for (BlockArgument argument : block.getArguments())
      toOne(argument);
    for (Operation &op : block)
      for (Value result : op.getResults())
        toOne(result);
    retype(part.getFunction());
    return part;
  }

  Case &best;
  function_ref<bool(const Case &)> fails;
};
} // namespace

void shrink(Case &failing, function_ref<bool(const Case &)> fails) {
  Shrinker(failing, fails).run();
}

} // namespace gensyn::checkbits

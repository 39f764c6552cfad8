// See Gradients.h.

#include "Gradients.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"

#include <deque>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

StringRef train::nameOfArgument(func::FuncOp function, unsigned number) {
  auto name = function.getArgAttrOfType<StringAttr>(number, program::kNameAttr);
  return name ? name.getValue() : StringRef();
}

StringRef train::nameOfResult(func::FuncOp function, unsigned number) {
  auto name =
      function.getResultAttrOfType<StringAttr>(number, program::kNameAttr);
  return name ? name.getValue() : StringRef();
}

/// Visits `from` and the values that it depends on, nearest first. Goes on
/// behind those for which `visit` is true.
template <class Visit> static void visitSources(Value from, Visit visit) {
  llvm::DenseSet<Value> seen = {from};
  std::deque<Value> pending = {from};
  while (!pending.empty()) {
    Value value = pending.front();
    pending.pop_front();
    if (!visit(value) || !value.getDefiningOp())
      continue;
    for (Value operand : value.getDefiningOp()->getOperands())
      if (seen.insert(operand).second)
        pending.push_back(operand);
  }
}

static bool hasResultRole(func::FuncOp function, unsigned number, Role role) {
  auto text =
      function.getResultAttrOfType<StringAttr>(number, program::kRoleAttr);
  return text && roleFromName(text.getValue()) == role;
}

/// The name of the sum that a value of @update is; empty for other values.
static StringRef sumName(func::FuncOp update, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  StringRef name =
      argument ? nameOfArgument(update, argument.getArgNumber()) : "";
  return name.starts_with(kSumPrefix) ? name : StringRef();
}

llvm::StringSet<> train::findLossSums(func::FuncOp update) {
  llvm::StringSet<> found;
  Operation *end = update.getBody().front().getTerminator();
  for (auto [number, result] : llvm::enumerate(end->getOperands()))
    if (hasResultRole(update, number, Role::Loss))
      visitSources(result, [&](Value value) {
        if (StringRef name = sumName(update, value); !name.empty())
          found.insert(name);
        return true;
      });
  return found;
}

llvm::StringMap<StringRef> train::findGradients(func::FuncOp update) {
  llvm::StringMap<StringRef> found;
  Operation *end = update.getBody().front().getTerminator();
  for (auto [number, result] : llvm::enumerate(end->getOperands())) {
    if (!hasResultRole(update, number, Role::Parameter))
      continue;
    bool isFound = false;
    visitSources(result, [&](Value value) {
      StringRef name = sumName(update, value);
      if (!isFound && !name.empty() &&
          repro::shapeOf(value) == repro::shapeOf(result))
        isFound = found.try_emplace(name, nameOfResult(update, number)).second;
      return !isFound && repro::elementsOf(value) == repro::elementsOf(result);
    });
  }
  return found;
}

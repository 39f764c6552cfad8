// Both sides of a pass on the same inputs.

#include "Report.h"

#include "gensyn/CheckBits/Inputs.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn::checkbits {

/// What the arguments' `gensyn.input` attributes say; nothing where one lacks.
static std::optional<std::vector<Tensor>> statedInputs(const Unit &unit) {
  auto function = dyn_cast_or_null<func::FuncOp>(unit.op);
  if (!function || function.getNumArguments() != unit.inputs.size() ||
      unit.inputs.empty())
    return std::nullopt;
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto elements =
        function.getArgAttrOfType<DenseElementsAttr>(i, "gensyn.input");
    if (!elements || elements.getType() != function.getArgumentTypes()[i])
      return std::nullopt;
    inputs.push_back(repro::toTensor(elements));
  }
  return inputs;
}

static std::vector<Tensor> inputsFor(const Unit &unit, uint64_t seed,
                                     unsigned trial) {
  std::vector<Tensor> inputs;
  for (auto [i, port] : llvm::enumerate(unit.inputs))
    inputs.push_back(
        makeInput(port.type, port.shape, static_cast<Mix>(trial % kNumMixes),
                  seed * 0x9E3779B97F4A7C15 + trial * 0xD1B54A32D192ED03 + i));
  return inputs;
}

std::optional<Finding> Comparison::compareTrial(Runner &before, Runner &after,
                                                const Unit &unit,
                                                const Unit &other,
                                                unsigned trial,
                                                std::vector<Tensor> inputs) {
  auto expected = before.run(unit, inputs);
  if (!expected) { // no meaning before: nothing to keep
    llvm::consumeError(expected.takeError());
    return std::nullopt;
  }
  Finding finding;
  finding.unit = unit.name;
  finding.trial = trial;
  finding.inputs = std::move(inputs);
  auto found = after.run(other, finding.inputs);
  if (!found) {
    finding.error = llvm::toString(found.takeError());
    return finding;
  }
  finding.difference = findDifference(*expected, *found);
  if (!finding.difference)
    return std::nullopt;
  return finding;
}

/// Whether a unit is small enough to be run some twenty times: its tensors, and
/// where it is of repro ops also those inside, and its work.
static bool isAffordable(const Unit &unit) {
  constexpr int64_t mostBytes = int64_t{1} << 28, mostFlops = int64_t{1} << 32;
  int64_t bytes = 0, flops = 0;
  auto add = [&](ElementType type, ArrayRef<int64_t> shape) {
    bytes =
        saturatingAdd(bytes, countBytes(type, shape).value_or(mostBytes + 1));
  };
  for (const auto *ports : {&unit.inputs, &unit.outputs})
    for (const Port &port : *ports)
      add(port.type, port.shape);
  if (unit.op)
    unit.op->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          if (auto element = repro::getElementType(tensor.getElementType());
              element && tensor.hasStaticShape())
            add(*element, tensor.getShape());
      if (auto cost = dyn_cast<repro::CostOpInterface>(op))
        flops = saturatingAdd(flops, cost.getFlops());
    });
  return bytes <= mostBytes && flops <= mostFlops;
}

std::optional<Finding> Comparison::compareUnit(Runner &before, Runner &after,
                                               const Unit &unit,
                                               const Unit &other) {
  if (unit.inputs != other.inputs || unit.outputs != other.outputs)
    return std::nullopt; // another signature: not the same function any more
  if (!isAffordable(unit) || !isAffordable(other))
    return std::nullopt;
  ++compared;
  if (auto stated = statedInputs(unit))
    if (auto finding =
            compareTrial(before, after, unit, other, 0, std::move(*stated)))
      return finding;
  for (unsigned trial = 0; trial < options.trials; ++trial)
    if (auto finding = compareTrial(before, after, unit, other, trial,
                                    inputsFor(unit, options.seed, trial)))
      return finding;
  return std::nullopt;
}

/// Two kernels of functions, whose results say more; names of kernels may mean
/// others after the pass. They matter where a kernel becomes a function.
static bool areKernels(const Unit &unit, const Unit &other) {
  return isa<repro::KernelOp>(unit.op) && isa<repro::KernelOp>(other.op);
}

std::optional<Finding> Comparison::compare(ModuleOp before, ModuleOp after) {
  compared = 0;
  auto first = makeRunner(before, known), second = makeRunner(after, known);
  if (!first || !*first) {
    if (!first)
      llvm::consumeError(first.takeError());
    if (!second)
      llvm::consumeError(second.takeError());
    return std::nullopt;
  }
  if (!second) {
    Finding finding;
    finding.error = llvm::toString(second.takeError());
    return finding;
  }
  if (!*second)
    return std::nullopt;
  for (const Unit &unit : (*first)->units)
    if (const Unit *other = (*second)->find(unit.name);
        other && !areKernels(unit, *other))
      if (auto finding = compareUnit(**first, **second, unit, *other))
        return finding;
  return std::nullopt;
}

std::optional<Finding> Comparison::compareOn(ModuleOp before, ModuleOp after,
                                             StringRef unit,
                                             ArrayRef<Tensor> inputs) {
  auto first = makeRunner(before, known), second = makeRunner(after, known);
  if (!first || !second) {
    if (!first)
      llvm::consumeError(first.takeError());
    if (!second)
      llvm::consumeError(second.takeError());
    return std::nullopt;
  }
  if (!*first || !*second)
    return std::nullopt;
  const Unit *one = (*first)->find(unit), *other = (*second)->find(unit);
  if (!one || !other || one->inputs != other->inputs ||
      one->outputs != other->outputs)
    return std::nullopt;
  return compareTrial(**first, **second, *one, *other, 0, inputs.vec());
}

} // namespace gensyn::checkbits
